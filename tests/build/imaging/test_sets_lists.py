"""Lists of search results and folders, as candidates."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from commonsight.build.imaging.sets.lists import Listed, candidates, is_collective, read_list
from commonsight.build.queries.heuristics import Query
from commonsight.errors import InputError, InvalidRecords, Problem, UsageError

plain = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"))
text = st.text(plain, min_size=1, max_size=12)
listed = st.builds(
    Listed, query=text, url=text, path=text | st.none(), result=st.integers(0, 99) | st.none(),
    rank=st.integers(0, 99) | st.none(), synset=text | st.none(),
)  # fmt: skip


def _read(content: bytes, name: str) -> tuple[list[Listed], list[Problem]]:
    problems: list[Problem] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return [line for _, line in read_list(path, problems.append)], problems


def _same(some: list[Listed], others: list[Listed]) -> bool:
    return [msgspec.to_builtins(one) for one in some] == [msgspec.to_builtins(one) for one in others]


@given(st.lists(listed, min_size=1, max_size=6))
def test_what_is_written_is_read_back_from_lines(lines: list[Listed]) -> None:
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    read, problems = _read(content, "list.jsonl")
    assert not problems
    assert _same(read, lines)


@given(st.lists(listed, min_size=1, max_size=6))
def test_what_is_written_is_read_back_from_csv(lines: list[Listed]) -> None:
    names = [field.name for field in msgspec.structs.fields(Listed)]
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, names)
    writer.writeheader()
    for line in lines:
        writer.writerow({name: value for name in names if (value := getattr(line, name)) is not None})
    read, problems = _read(stream.getvalue().encode(), "list.csv")
    assert not problems
    assert _same(read, lines)


@given(st.binary(max_size=200), st.sampled_from(["list.jsonl", "list.csv"]))
def test_whatever_else_a_file_holds_is_told(content: bytes, name: str) -> None:
    read, problems = _read(content, name)
    assert read or problems
    assert all(line.path or line.url for line in read)


@given(st.text(max_size=60), st.sampled_from([b"", b"url,result\n"]))
def test_any_text_is_read_or_told(content: str, head: bytes) -> None:
    read, problems = _read(head + content.encode("utf-8", "surrogatepass"), "list.csv")
    assert read or problems


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"query": "two cups"}', "list.jsonl:1: url: the line names no picture"),
        ('{"url": "http://x/a", "result": -1, "query": "q"}', "list.jsonl:1: result: -1 is below 0"),
        ('{"url": "http://x/a", "query": "q", "rank": -3}', "list.jsonl:1: rank: -3 is below 0"),
        ('{"url": "http://x/a", "result": 0}', "list.jsonl:1: query: a result of no query"),
        ('{"path": "../secret.png"}', "list.jsonl:1: path: '../secret.png' is not a path below"),
        ('{"path": "/etc/a.png"}', "list.jsonl:1: path: '/etc/a.png' is not a path below"),
        ('{"url": 3}', "list.jsonl:1: url: expected `str | null`, got `int`"),
        ("not json", "list.jsonl:1: this is not JSON"),
        ("", "the file holds no records"),
    ],
)
def test_bad_lines_are_told_with_their_place(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text(line)
    with pytest.raises(InvalidRecords) as told:
        candidates([path])
    assert message in str(told.value)


def test_a_csv_without_the_names_of_its_columns_is_told(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("a.png,two cups\n")
    with pytest.raises(InvalidRecords, match="no column is called url or path"):
        candidates([path])
    path.write_text("path,result\na.png,soon\n")
    with pytest.raises(InvalidRecords, match=r"list.csv:2: Expected `int \| null`|list.csv:2: .*'\$.result'"):
        candidates([path])


def test_queries_tell_what_was_searched_for(tmp_path: Path) -> None:
    query = Query("two cups", "quantities", "cup", "cup", "two", "object", "n03147509")
    (tmp_path / "queries.jsonl").write_bytes(msgspec.json.encode(query) + b"\n")
    lines = [Listed("Two cups", path="a.png"), Listed("some mugs", path="b.png"),
             Listed("two cups", path="c.png", synset="tea cup")]  # fmt: skip
    path = tmp_path / "list.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    found = candidates([path], tmp_path / "queries.jsonl")
    assert [one.synset for one in found] == ["cup", None, "tea cup"]
    assert [one.path for one in found] == [tmp_path / name for name in ("a.png", "b.png", "c.png")]


def test_folders_give_their_pictures_in_order(tmp_path: Path) -> None:
    for name in ("b.png", "a/z.jpg", "a/c.png"):
        (tmp_path / "one" / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (4, 4)).save(tmp_path / "one" / name)
    (tmp_path / "one" / "notes.txt").write_text("no picture")
    (tmp_path / "one" / "broken.png").write_text("no picture either")
    found = candidates([tmp_path / "one"])
    broken = str(tmp_path / "one" / "broken.png")
    assert [one.image for one in found] == ["a/c.png", "a/z.jpg", "b.png", broken]
    assert all(one.query is None for one in found)


def test_a_name_that_means_two_pictures_is_refused(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "list.jsonl").write_text('{"path": "a.png"}\n')
    with pytest.raises(UsageError, match=r"a\.png is both"):
        candidates([tmp_path / "one" / "list.jsonl", tmp_path / "two" / "list.jsonl"])


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder holds no pictures"):
        candidates([tmp_path])


@pytest.mark.parametrize(
    ("query", "collective"),
    [("two cups", True), ("group of cups", True), ("Herd of cows", True), ("stack of plates", True),
     ("three cups", False), ("twofold cups", False), ("cup crockery", False)],
)  # fmt: skip
def test_queries_for_groups_and_for_two_are_known(query: str, collective: bool) -> None:
    assert is_collective(query) is collective
