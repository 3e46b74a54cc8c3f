"""An audit as page, Markdown, JSON: what people see, and that nothing in a benchmark can act up in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.audit.report.cells import shown
from commonsight.audit.report.markdown import escaped, markdown
from commonsight.audit.report.page import page
from commonsight.audit.report.summary import summary
from commonsight.audit.report.write import flagged, write_report
from commonsight.audit.values import Audit, Finding, Plot, Section, Table
from commonsight.errors import UsageError
from commonsight.score.intervals import figure
from commonsight.store.figures import Bars, Series

EVIL = "<script>alert(1)</script>| `x` [y](javascript:z)"


def an_audit(says: str = "The longest choice is right in 60 % of items.", item: str = "val-1") -> Audit:
    items = (item, "val-2")
    warning = Finding("length-shortcut", "warning", says, "Make choices alike.", 0.6, 0.27, items, "q2a")
    fine = Finding("position-shortcut", "fine", "No position is right more often.")
    bars = Bars(("a", "b"), (Series("share", (), (0.2, 0.8)),), "share")
    rows = (("length", figure([1, 0, 1, 1]), 4), (item, None, 0))
    section = Section(
        "shortcuts",
        "Shortcuts",
        "What a choice looks like.",
        "q2a",
        (warning, fine),
        {"length": figure([1, 0, 1, 1])},
        tables=(Table(says, ("feature", "right", "n"), rows),),
        plots=(Plot("shortcuts-q2a", (bars,), "By length"),),
    )
    skipped = Section("images", "Pictures", skipped=("There are no pictures.",))
    return Audit("mine", "vcr", "VCR (visual commonsense)", 4, {"val": 4}, (section, skipped))


def test_the_summary_says_what_is_not_fine_first() -> None:
    told = summary(an_audit())
    assert told.verdict == "1 warning on 4 items; 1 check passed."
    assert list(told.by_level) == ["warning", "note", "fine"]
    assert told.unmeasured[0].why == "There are no pictures."


def test_an_audit_without_findings_says_that_nothing_was_measured() -> None:
    empty = Audit("mine", "vcr", "t", 0, {}, ())
    assert summary(empty).verdict == "Nothing could be measured."
    assert "Nothing could be measured." in page(empty, {})


def test_what_only_measures_passes_nothing_and_is_not_said_to_have_failed() -> None:
    noted = Finding("unsolved", "note", "7 items are solved by none of 5 runs.")
    audit = Audit("mine", "vcr", "t", 4, {"val": 4}, (Section("ensemble", "Runs", findings=(noted,)),))
    assert summary(audit).verdict == "Measured on 4 items; nothing here passes or fails."


def test_a_report_holds_page_markdown_json_plots_and_items(tmp_path: Path) -> None:
    made = write_report(tmp_path / "report", an_audit())
    html = made.read_text("utf-8")
    assert html.count("<svg") == 1
    assert "Make choices alike." in html
    assert "src=" not in html
    assert "http://www.w3.org" in html  # the drawing's namespace, and nothing else from anywhere
    assert "https://" not in html
    text = (made.parent / "report.md").read_text("utf-8")
    assert "| length | 75.0 (30.1–95.4) | 4 |" in text
    assert "](plots/shortcuts-q2a.svg)" in text
    assert (made.parent / "plots" / "shortcuts-q2a.svg").is_file()
    value = json.loads((made.parent / "report.json").read_bytes())
    assert value["sections"][0]["findings"][0]["items"] == ["val-1", "val-2"]
    assert msgspec.json.decode((made.parent / "report.json").read_bytes(), type=Audit) == an_audit()
    lines = (made.parent / "items.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0]) == {"item": "val-1", "codes": ["length-shortcut"]}


def test_a_report_that_is_there_stays(tmp_path: Path) -> None:
    write_report(tmp_path / "report", an_audit())
    with pytest.raises(UsageError, match="exists already"):
        write_report(tmp_path / "report", an_audit())
    write_report(tmp_path / "report", an_audit("Another."), overwrite=True)
    assert "Another." in (tmp_path / "report" / "index.html").read_text("utf-8")


def test_what_a_benchmark_says_is_never_markup() -> None:
    html = page(an_audit(EVIL, EVIL), {"shortcuts-q2a": "<svg></svg>"})
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    text = re.sub(r"`[^`\n]*`", "", markdown(an_audit(EVIL, EVIL)).replace("\\`", ""))
    assert not re.search(r"(?<!\\)[<>]", text)


@given(st.text(max_size=60))
def test_a_table_row_stays_one_row_in_markdown(text: str) -> None:
    line = escaped(text)
    assert "\n" not in line
    assert line.replace("\\\\", "").replace("\\|", "").count("|") == 0


def test_items_of_fine_findings_are_not_flagged() -> None:
    fine = Finding("a", "fine", "All is well.", items=("x",))
    assert not list(flagged(Audit("m", "b", "t", 1, {}, (Section("p", "P", findings=(fine,)),))))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "–"),
        (12345, "12,345"),
        (0.5, "0.5"),
        (0.12345, "0.123"),
        (3.14159, "3.14"),
        (31.4159, "31.4"),
        (12345.6, "12,346"),
        (0.00001234, "1.2e-05"),
        (float("nan"), "–"),
        (float("-inf"), "−∞"),
        (0.0, "0"),
        ("word", "word"),
        (figure([]), "–"),
    ],
)
def test_cells_read_as_people_write_numbers(cell: str | int | float | None, text: str) -> None:
    assert shown(cell) == text
