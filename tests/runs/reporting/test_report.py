"""A report is one file that needs nothing else, and hostile texts in it are harmless."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from _erring_runs import erring_run
from commonsight.core.text import TaggedText
from commonsight.runs.exploring.book import Book, open_book
from commonsight.runs.reporting.examples import examples
from commonsight.runs.reporting.latex import escaped
from commonsight.runs.reporting.write import write_latex, write_markdown, write_report
from commonsight.store.dataset import read_dataset, read_info, write_dataset

HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)>" onload="x'


@pytest.fixture(scope="module")
def book(drawn_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A dataset in which one question is hostile, with two runs."""
    folder = tmp_path_factory.mktemp("report")
    items = list(read_dataset(drawn_world / "vcr"))[:40]
    hostile = {"question": TaggedText.plain(HOSTILE)}
    items = [structs.replace(one, texts={**one.texts, **hostile}) for one in items]
    info = read_info(drawn_world / "vcr")
    assert info is not None
    write_dataset(folder / "data", items, info, images=drawn_world / "vcr")
    runs = [erring_run(folder / "one_&_run", items, 9), erring_run(folder / "two", items, 2)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONSIGHT_CACHE", str(folder / "cache"))
        return open_book(folder / "data", runs, workers=1)


def test_the_page_needs_nothing_else_and_runs_nothing(book: Book, tmp_path: Path) -> None:
    write_report(book, tmp_path / "report.html", count=2)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "<img src=x" not in page
    assert not re.search(r'<img(?![^>]*src="data:image/jpeg;base64,)', page)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "default-src 'none'" in page
    assert "drawn world" in page


def test_scores_are_those_of_the_board(book: Book, tmp_path: Path) -> None:
    write_markdown(book, tmp_path / "tables.md")
    told = (tmp_path / "tables.md").read_text("utf-8")
    right = 100 * sum(number % 9 != 0 for number in range(40)) / 40
    assert f"{right:.1f} (" in told
    write_latex(book, tmp_path / "table.tex")
    table = (tmp_path / "table.tex").read_text("utf-8")
    assert r"one\_\&\_run" in table
    assert "Drawn world" in table
    assert table.count(r"\begin{") == table.count(r"\end{")


def test_examples_are_of_their_kind(book: Book) -> None:
    found = examples(book, 3)
    for one in found:
        rights = [right for _, _, right in one.said]
        expected = {"wrong": not any(rights), "right": all(rights), "differ": any(rights) and not all(rights)}
        assert expected[one.kind]
        assert one.pictures
        assert sum(right for _, right in one.choices) >= 1
    assert {one.kind for one in found} == {"wrong", "differ", "right"}
    assert [one.id for one in found] == [one.id for one in examples(book, 3)], "the same seed, the same items"
    assert examples(book, 0) == []


@given(st.text(max_size=60))
def test_no_name_becomes_a_command_of_latex(text: str) -> None:
    told = re.sub(r"\\(?:text[a-z]+\{\}|[&%$#_{}])", "", escaped(text))
    assert not set(told) & set("\\{}&%$#_^~")
    assert "\n" not in told


def test_the_command_writes_all_three(book: Book, tmp_path: Path) -> None:
    runs = [run.path for run in book.measured.values()]
    files = [tmp_path / "r.html", tmp_path / "t.tex", tmp_path / "t.md"]
    asked = [*runs, "--gold", book.folder, "--out", files[0]]
    command = [sys.executable, "-m", "commonsight", "report", *asked]
    tables = ["--latex", files[1], "--markdown", files[2]]
    done = subprocess.run([*command, *tables], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all(path.stat().st_size for path in files)
    refused = subprocess.run([*command, "--metric", "nonsense"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "q2a" in refused.stderr
