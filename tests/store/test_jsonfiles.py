"""JSON lines and arrays: every fault with its place, and nothing of a good record lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from commonsight.errors import InvalidRecords, OnProblem, Problem, fail
from commonsight.store import jsonfiles
from commonsight.store.jsonfiles import (
    LONGEST_LINE,
    Record,
    numbered_lines,
    read_array,
    read_bytes,
    read_lines,
)


class Inner(Struct):
    deep: int


class Row(Struct):
    id: str
    count: int = 0
    inner: list[Inner] = []


Read = Callable[[Path, type[Row], OnProblem], Iterator[Record[Row]]]
READERS = pytest.mark.parametrize("read", [read_lines, read_array], ids=["lines", "array"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.json"


def read_all(read: Read, path: Path, content: bytes) -> tuple[list[Record[Row]], list[Problem]]:
    path.write_bytes(content)
    problems: list[Problem] = []
    return list(read(path, Row, problems.append)), problems


def the_problem(read: Read, path: Path, content: bytes) -> Problem:
    """The one problem, collected and raised alike."""
    _, problems = read_all(read, path, content)
    with pytest.raises(InvalidRecords) as raised:
        list(read(path, Row, fail))
    assert raised.value.problems == tuple(problems[:1])
    assert len(problems) == 1
    return problems[0]


def without_byte(problem: Problem) -> str:
    """The message without the byte that msgspec names, which is its own affair."""
    return re.sub(r" \(byte \d+\)$", "", problem.message)


def test_lines_are_numbered_from_one_and_blank_ones_counted(file: Path) -> None:
    records, problems = read_all(read_lines, file, b'\n{"id": "a"}\r\n   \n\t\n{"id": "b"}\n\n{"id": "c"}')
    assert [(record.value.id, record.line) for record in records] == [("a", 2), ("b", 5), ("c", 7)]
    assert problems == []


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b'[{"id": "a"}, {"id": "b"}]', [1, 1]),
        (b'[\n{"id": "a"},\n{"id": "b"}\n]\n', [2, 3]),
        (b'\n\n[{"id": "a"},\n\n\n{"id": "b"}]', [3, 6]),
        (json.dumps([{"id": "a", "inner": [{"deep": 1}]}, {"id": "b"}], indent=2).encode(), [2, 10]),
        (b'[\n{"id": "a"},\n{"id": "a"},\n{"id": "a"}]', [2, 3, 4]),  # records that read the same
        (b'[\n{"id": "[{\\"id\\": \\"b\\"}]", "x": {"id": "b"}},\n{"id": "b"}]', [2, 3]),  # one in another
    ],
)
def test_an_array_tells_the_line_on_which_each_record_begins(
    file: Path, content: bytes, lines: list[int]
) -> None:
    records, problems = read_all(read_array, file, content)
    assert [record.line for record in records] == lines
    assert problems == []


def test_pretty_printed_faults_are_found_on_the_record_s_first_line(file: Path) -> None:
    content = json.dumps([{"id": "a"}, {"id": 5}, {"id": "c"}, {"id": 5}], indent=1).encode()
    records, problems = read_all(read_array, file, content)
    assert [(record.value.id, record.line) for record in records] == [("a", 2), ("c", 8)]
    assert [(problem.line, problem.field) for problem in problems] == [(5, "id"), (11, "id")]


@pytest.mark.parametrize(
    ("bad", "field", "message"),
    [
        (b'{"id": 5}', "id", "expected `str`, got `int`"),
        (b'{"id": null}', "id", "expected `str`, got `null`"),
        (b'{"id": "a", "count": 1.5}', "count", "expected `int`, got `float`"),
        (b'{"id": "a", "count": true}', "count", "expected `int`, got `bool`"),
        (b'{"id": "a", "inner": {}}', "inner", "expected `array`, got `object`"),
        (b'{"id": "a", "inner": [{"deep": 1}, {"deep": "x"}]}', "inner[1].deep", "expected `int`, got `str`"),
        (b"{}", None, "object missing required field `id`"),
        (b'"id"', None, "expected `object`, got `str`"),
        (b"7", None, "expected `object`, got `int`"),
    ],
)
@READERS
def test_a_wrong_type_names_the_field(
    file: Path, read: Read, bad: bytes, field: str | None, message: str
) -> None:
    good = b'{"id": "g"}'
    content = b"\n".join([good, bad, good]) if read is read_lines else b"[" + b",\n".join([good, bad]) + b"]"
    problem = the_problem(read, file, content)
    assert problem == Problem(file, message, "Correct the field's type or value.", 2, field=field)
    place = f"{file}:2: " + (f"{field}: " if field else "")
    assert str(problem) == f"{place}{message}. Correct the field's type or value."


@pytest.mark.parametrize(
    ("content", "line"),
    [(b'{"id": "a"}\n{"id": "b', 2), (b'{"id": "a"}\n{"id": "b",\n', 2), (b"{", 1)],
)
def test_a_truncated_line_says_so(file: Path, content: bytes, line: int) -> None:
    assert the_problem(read_lines, file, content) == Problem(
        file, "the JSON is cut off", "Was the file copied or downloaded in full?", line
    )


@pytest.mark.parametrize(
    ("content", "line"), [(b"[", 1), (b'[{"id": "a"},\n{"id": "b"},\n\n', 4), (b'[\n{"id"', 2)]
)
def test_a_truncated_array_says_so(file: Path, content: bytes, line: int) -> None:
    problem = the_problem(read_array, file, content)
    assert (problem.message, problem.line) == ("the JSON is cut off", line)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b'[\n{"id": "a",},\n]', 2, "this is not JSON: trailing comma in object"),
        (b'{"id": "a"}\n', None, "expected `array`, got `object`"),
        (b'[{"id": "a"}]\n[]', 2, "this is not JSON: trailing characters"),
    ],
)
def test_a_file_that_is_no_array_says_where(file: Path, content: bytes, line: int, message: str) -> None:
    problem = the_problem(read_array, file, content)
    assert (problem.line, without_byte(problem)) == (line, message)


def test_bad_lines_are_passed_over_when_problems_are_collected(file: Path) -> None:
    content = b'{"id": "a"}\nnonsense\n{"id": 1}\n{"id": "b"}\n{"id": "\xff"}\n{"id": "c"}\n{'
    records, problems = read_all(read_lines, file, content)
    assert [record.value.id for record in records] == ["a", "b", "c"]
    assert [(problem.line, without_byte(problem)) for problem in problems] == [
        (2, "this is not JSON: invalid character"),
        (3, "expected `str`, got `int`"),
        (5, "the text is not UTF-8"),
        (7, "the JSON is cut off"),
    ]


@READERS
def test_text_that_is_not_utf8_says_so(file: Path, read: Read) -> None:
    bad = '{"id": "café"}'.encode("latin-1")
    problem = the_problem(read, file, bad if read is read_lines else b"[" + bad + b"]")
    assert (problem.message, problem.remedy) == ("the text is not UTF-8", "Save the file as UTF-8.")


@pytest.mark.parametrize("content", [b"", b"\n", b"  \n\t\n"])
@READERS
def test_an_empty_file_is_a_problem(file: Path, read: Read, content: bytes) -> None:
    problem = the_problem(read, file, content)
    assert str(problem) == f"{file}: the file holds no records. Was the file copied or downloaded in full?"


def test_an_empty_array_is_a_problem(file: Path) -> None:
    assert the_problem(read_array, file, b"[]").message == "the file holds no records"


@READERS
def test_a_file_that_cannot_be_opened_is_a_problem(tmp_path: Path, read: Read) -> None:
    for path, reason in ((tmp_path / "none.json", "no such file or directory"), (tmp_path, "is a directory")):
        problems: list[Problem] = []
        assert list(read(path, Row, problems.append)) == []
        assert problems[0] == Problem(
            path, f"the file cannot be read ({reason})", "Check the path and its permissions."
        )


def test_a_line_of_ten_megabytes_is_a_problem_and_reading_goes_on(file: Path) -> None:
    long = b'{"id": "' + b"x" * (10 * 1024 * 1024) + b'"}'
    records, problems = read_all(read_lines, file, b'{"id": "a"}\n' + long + b'\n{"id": "b"}\n' + long)
    assert [(record.value.id, record.line) for record in records] == [("a", 1), ("b", 3)]
    assert [(problem.line, problem.message) for problem in problems] == [
        (2, "the line is longer than 8 MB"),
        (4, "the line is longer than 8 MB"),
    ]


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_the_longest_line_is_exactly_the_limit(
    file: Path, monkeypatch: pytest.MonkeyPatch, over: int
) -> None:
    assert LONGEST_LINE == 8 * 1024 * 1024
    monkeypatch.setattr(jsonfiles, "LONGEST_LINE", 64)
    line = b"x" * (64 + over - 1) + b"\n"
    file.write_bytes(line + b"next\n")
    problems: list[Problem] = []
    lines = list(numbered_lines(file, problems.append))
    assert lines[-1] == (2, b"next\n")
    assert (len(lines), len(problems)) == ((1, 1) if over == 1 else (2, 0))


@READERS
def test_brackets_nested_too_deep_are_a_problem(file: Path, read: Read) -> None:
    deep = b'{"id": "a", "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    problem = the_problem(read, file, deep if read is read_lines else b"[" + deep + b"]")
    assert problem.message == "brackets are nested too deeply"


def test_after_a_record_nested_too_deep_reading_goes_on(file: Path) -> None:
    deep = b'{"id": "a", "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    records, problems = read_all(read_lines, file, deep + b'\n{"id": "b"}')
    assert [record.value.id for record in records] == ["b"]
    assert [problem.line for problem in problems] == [1]


names = st.text(max_size=8).filter(lambda name: name not in ("id", "count", "inner"))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(names, values, max_size=4), min_size=1, max_size=4), st.booleans())
def test_unknown_fields_are_kept_word_for_word(
    tmp_path_factory: pytest.TempPathFactory, extras: list[dict[str, Any]], pretty: bool
) -> None:
    folder = tmp_path_factory.getbasetemp()
    rows = [{"id": str(number), **extra} for number, extra in enumerate(extras)]
    lines, array = folder / "kept.jsonl", folder / "kept.json"
    lines.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    array.write_bytes(json.dumps(rows, indent=2 if pretty else None, ensure_ascii=False).encode())
    for read, path in ((read_lines, lines), (read_array, array)):
        records = list(read(path, Row, fail))
        assert [record.unknown for record in records] == extras
        assert [record.value.id for record in records] == [row["id"] for row in rows]


@given(st.binary(max_size=200) | st.text(alphabet='[]{}":,\n 1aétrue\\u', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_are_a_problem(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(content)
    for read in (read_lines, read_array):
        problems: list[Problem] = []
        records = list(read(path, Row, problems.append))
        assert records or problems
        assert all(str(problem).startswith(str(path)) for problem in problems)
        try:
            list(read(path, Row, fail))
        except InvalidRecords as error:
            assert error.problems == tuple(problems[:1])  # noqa: PT017
        else:
            assert problems == []


def test_the_first_record_with_an_unknown_field_does_not_change_the_others(file: Path) -> None:
    rows = [{"id": "a"}, {"id": "b", "x": 1}, {"id": "c"}, {"id": "d", "y": None}]
    records, _ = read_all(read_lines, file, b"\n".join(json.dumps(row).encode() for row in rows))
    assert [record.unknown for record in records] == [{}, {"x": 1}, {}, {"y": None}]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": "a"}\n')
    assert [number for number, _ in numbered_lines(path)] == [1]
    assert next(line for _, line in numbered_lines(path)).startswith(b"{")
    assert read_bytes(path) == b'{"id": "a"}\n'
