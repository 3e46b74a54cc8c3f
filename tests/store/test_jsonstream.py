"""One huge array or object, member by member: the same for every size of chunk, and faults in their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InvalidRecords, Problem, fail
from commonsight.store import jsonstream
from commonsight.store.jsonstream import Member, members_of, read_members

HARD = st.text(alphabet='ab"\\[]{},: \n\té漢😀', max_size=8)
"""What could be taken for structure, and characters of two to four bytes."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | HARD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HARD, inner, max_size=3),
    max_leaves=8,
)
WRITTEN = st.sampled_from(
    [
        {},
        {"ensure_ascii": False},
        {"indent": 1},
        {"separators": (",", ":")},
        {"indent": 2, "ensure_ascii": False},
    ]
)


def read(path: Path, content: bytes, chunk: int = jsonstream.CHUNK) -> tuple[list[Member], list[Problem]]:
    path.write_bytes(content)
    problems: list[Problem] = []
    return list(read_members(path, problems.append, chunk=chunk)), problems


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stream") / "members.json"


@given(values=st.lists(VALUES, max_size=5), chunk=st.integers(1, 40), written=WRITTEN)
def test_an_array_comes_back_whatever_the_chunks(
    file: Path, values: list[object], chunk: int, written: dict[str, object]
) -> None:
    content = json.dumps(values, **written).encode()  # type: ignore[arg-type]
    members, problems = read(file, content, chunk)
    assert [json.loads(member.raw) for member in members] == values
    assert len(problems) == (0 if values else 1)
    for member in members:
        at = content.decode().split("\n")[member.line - 1]
        assert member.raw.decode().split("\n")[0] in at
    assert list(members_of(content)) == members


@given(pairs=st.dictionaries(HARD, VALUES, max_size=5), chunk=st.integers(1, 40), written=WRITTEN)
def test_an_object_comes_back_whatever_the_chunks(
    file: Path, pairs: dict[str, object], chunk: int, written: dict[str, object]
) -> None:
    members, problems = read(file, json.dumps(pairs, **written).encode(), chunk)  # type: ignore[arg-type]
    assert {member.key: json.loads(member.raw) for member in members} == pairs
    assert len(problems) == (0 if pairs else 1)


@given(
    content=st.binary(max_size=60) | st.text('[]{}",:1\\\n é', max_size=40).map(str.encode),
    chunk=st.integers(1, 20),
)
def test_any_bytes_are_members_or_problems(file: Path, content: bytes, chunk: int) -> None:
    members, problems = read(file, content, chunk)
    assert members or problems
    assert (members, problems) == read(file, content)


@given(values=st.lists(VALUES, min_size=1, max_size=4), data=st.data(), chunk=st.integers(1, 40))
def test_a_cut_is_told_and_what_came_before_stays(
    file: Path, values: list[object], data: st.DataObject, chunk: int
) -> None:
    content = json.dumps(values).encode()
    cut = data.draw(st.integers(1, len(content) - 1))
    members, problems = read(file, content[:cut], chunk)
    assert [json.loads(member.raw) for member in members] == values[: len(members)]
    assert [problem.message for problem in problems] == ["the JSON is cut off"]


@pytest.mark.parametrize(
    ("content", "count", "message", "line"),
    [
        (b"", 0, "the file holds no records", None),
        (b" \n", 0, "the file holds no records", None),
        (b"[]", 0, "the file holds no records", None),
        (b"7", 0, "this is neither a JSON array nor a JSON object", 1),
        (b"[1,\n2\n", 1, "the JSON is cut off", 1),
        (b"[1,\n,2]", 2, "nothing stands before this comma or bracket", 2),
        (b"[1,]", 1, "nothing stands before this comma or bracket", 1),
        (b"[1]\n[2]", 1, "something stands behind the last bracket", 2),
        (b'{"a": 1,\n"b"}', 1, "this is not JSON: expected ':'", 2),
        (b'{"a": 1, "\xff": 2}', 1, "the text is not UTF-8", 1),
    ],
)
def test_faults_have_their_place(
    tmp_path: Path, content: bytes, count: int, message: str, line: int | None
) -> None:
    members, problems = read(tmp_path / "a.json", content)
    assert len(members) == count
    assert [(problem.message.partition(" (byte")[0], problem.line) for problem in problems] == [
        (message, line)
    ]
    with pytest.raises(InvalidRecords):
        list(read_members(tmp_path / "a.json", fail))


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    for chunk in (1, 2, 3, 100):
        members, problems = read(tmp_path / "a.json", b"\xef\xbb\xbf[1, 2]", chunk)
        assert [member.raw for member in members] == [b"1", b"2"]
        assert problems == []


def test_a_bracket_never_closed_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonstream, "LONGEST_MEMBER", 2 * 1024 * 1024)
    members, problems = read(tmp_path / "a.json", b"[1, {" + b'"a": 1, ' * 1_000_000, chunk=1 << 16)
    assert [member.raw for member in members] == [b"1"]
    assert [problem.message for problem in problems] == ["a member is longer than 2 MB"]


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert list(read_members(tmp_path / "none.json", problems.append)) == []
    assert "cannot be read" in problems[0].message
