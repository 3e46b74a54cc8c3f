"""Whatever a file holds, a reader gives its replies or says what is wrong with it, and where."""

from __future__ import annotations

import csv
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.runs.exports.from_inspect import read_inspect
from commonsight.runs.exports.from_lmms_eval import read_lmms_eval
from commonsight.runs.exports.from_tsv import foreign_items
from commonsight.runs.exports.from_vlmevalkit import FAILED, read_vlmevalkit
from commonsight.runs.exports.tables import read_table
from commonsight.runs.variants import Key

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"))
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(("eval", "samples", "metadata", "item", "output", "task", "model", "id", "choices")),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)


def write_table(path: Path, rows: list[list[str]], delimiter: str = "\t") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return path


@in_one_folder
@given(rows=st.lists(st.tuples(TEXTS, TEXTS), max_size=5), kind=st.sampled_from((".tsv", ".csv")))
def test_any_cells_are_read_back(rows: list[tuple[str, str]], kind: str, tmp_path: Path) -> None:
    delimiter = "\t" if kind == ".tsv" else ","
    path = write_table(tmp_path / f"x{kind}", [["a", "b"], *map(list, rows)], delimiter)
    assert [row.cells for row in read_table(path, ("a", "b"))] == [{"a": a, "b": b} for a, b in rows]


def test_a_row_knows_its_line(tmp_path: Path) -> None:
    path = write_table(tmp_path / "x.tsv", [["a"], ["one\ntwo\nthree"], ["four"]])
    assert [row.line for row in read_table(path, ("a",))] == [2, 5]


def test_a_cell_may_hold_a_picture(tmp_path: Path) -> None:
    path = write_table(tmp_path / "x.tsv", [["a"], ["x" * 3_000_000]])
    assert len(next(read_table(path, ("a",))).cells["a"]) == 3_000_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file holds no records"),
        (b"a\tc\n", r"x\.tsv:1: b: there is no column b\. It has: a, c\."),
        (b"a\tb\n1\n", r"x\.tsv:2: 1 cells under 2 columns"),
        (b"a\tb\n1\t2\n1\t\"2\n", r"x\.tsv:3: this row cannot be read"),
        (b"a\tb\n\xff\t2\n", "the text is not UTF-8"),
    ],
)
def test_a_broken_table_is_told(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read_table(path, ("a", "b")))


@in_one_folder
@given(content=st.binary(max_size=60))
def test_no_bytes_break_a_reader(content: bytes, tmp_path: Path) -> None:
    for name, reader in (
        ("x.tsv", lambda path: list(read_vlmevalkit(path))),
        ("y.tsv", lambda path: list(foreign_items(path, tmp_path))),
        ("x.json", lambda path: list(read_inspect(path))),
        ("x.jsonl", lambda path: list(read_lmms_eval(path))),
        ("x.xlsx", lambda path: list(read_vlmevalkit(path))),
        ("x.eval", lambda path: list(read_inspect(path))),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError):
            reader(tmp_path / name)


@in_one_folder
@given(content=JSONS)
def test_no_json_breaks_a_reader(content: Any, tmp_path: Path) -> None:
    for name, reader in (("x.json", read_inspect), ("x.jsonl", read_lmms_eval)):
        (tmp_path / name).write_text(json.dumps(content))
        with suppress(InputError):  # and nothing else
            list(reader(tmp_path / name))


def test_lmms_eval_keeps_the_raw_reply(tmp_path: Path) -> None:
    told = {"item": "a", "task": "q2a"}
    lines = [
        {"filtered_resps": "B", "unread": told},
        {"filtered_resps": ["B"], "resps": [["Well, B"]], "doc": {"item": "b", "task": "q2a"}},
        {"filtered_resps": ["A", "C"], "unread": {**told, "item": "c"}},
    ]
    path = tmp_path / "1_samples_commonsight_vcr_q2a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "1_results.json").write_text('{"model_name": "", "model_source": "dummy"}')
    replies = read_lmms_eval(tmp_path)
    assert replies.model == "dummy"
    assert [(one.item, str(one.key), one.reply and one.reply.text) for one in replies] == [
        ("a", "q2a", "B"), ("b", "q2a", "Well, B"), ("c", "q2a", "A"), ("c", "q2a#1", "C"),
    ]  # fmt: skip


def test_lmms_eval_lines_of_other_tasks_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"filtered_resps": "B", "doc": {"question": "?"}}\n')
    with pytest.raises(InputError, match=r"x\.jsonl:1: unread: this line does not say which item and task"):
        list(read_lmms_eval(path))
    with pytest.raises(InputError, match="Run lmms-eval with --log_samples"):
        read_lmms_eval(tmp_path)


def test_vlmevalkit_tells_failures_from_replies(tmp_path: Path) -> None:
    rows = [["index", "prediction", "commonsight_item", "commonsight_task"],
            ["0", "B", "a", "q2a"], ["1", f"{FAILED} 500", "b", "q2a"], ["2", "", "c", "q2a"]]  # fmt: skip
    path = write_table(tmp_path / "GPT_4_commonsight_vcr_q2a.tsv", rows)
    replies = read_vlmevalkit(path)
    assert replies.model == "GPT_4"
    found = list(replies)
    assert [one.key for one in found] == [Key("q2a")] * 3
    assert [one.reply and one.reply.text for one in found] == ["B", None, ""]
    assert found[1].why == FAILED


def test_a_spreadsheet_is_read_or_the_remedy_told(tmp_path: Path) -> None:
    path = tmp_path / "M_commonsight_vcr_q2a.xlsx"
    try:
        from openpyxl import Workbook
    except ImportError:
        path.write_bytes(b"PK")
        with pytest.raises(InputError, match="spreadsheets need openpyxl"):
            list(read_vlmevalkit(path))
        return
    book = Workbook()
    for row in (["index", "prediction", "commonsight_item", "commonsight_task"], [0, "B", "a", "q2a"]):
        book.active.append(row)
    book.save(path)
    assert [(one.item, one.reply and one.reply.text) for one in read_vlmevalkit(path)] == [("a", "B")]
