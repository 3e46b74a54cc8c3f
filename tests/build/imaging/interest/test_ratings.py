"""Ratings: as lines and as tables, whatever they hold."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.imaging.interest.ratings import Rated, read_ratings, refuse_one_sided
from commonsight.errors import InvalidRecords, Problem


def test_lines_and_tables_say_the_same(tmp_path: Path) -> None:
    rows = [
        ("a.jpg", "interesting"),
        ("b.jpg", "Just  okay"),
        ("a.jpg", "boring"),
        ("c.jpg", "1"),
        ("d.jpg", "0.25"),
    ]
    (tmp_path / "r.csv").write_text(
        "image,rating\n" + "".join(f"{image},{rating}\n" for image, rating in rows)
    )
    (tmp_path / "r.jsonl").write_text("".join(json.dumps({"image": i, "rating": r}) + "\n" for i, r in rows))
    wanted = [Rated("a.jpg", 0.0), Rated("b.jpg", 0.0), Rated("c.jpg", 1.0), Rated("d.jpg", 0.25)]
    assert read_ratings(tmp_path / "r.csv") == read_ratings(tmp_path / "r.jsonl") == wanted


def test_truth_values_are_ratings(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"image": "a", "rating": true}\n{"image": "b", "rating": false}\n')
    assert [one.mean for one in read_ratings(tmp_path / "r.jsonl")] == [1.0, -1.0]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "r.csv",
            "image,rating\na.jpg,lovely\n",
            "r.csv:2: rating: 'lovely' is no rating. Write a number, or one of",
        ),
        ("r.csv", "image,rating\na.jpg,nan\n", "'nan' is no rating"),
        ("r.csv", "image,rating\n,1\n", "r.csv:2: image: the line names no picture"),
        (
            "r.csv",
            "picture;rating\na;1\n",
            "its columns are picture;rating. Begin with a line `image,rating`.",
        ),
        ("r.csv", "", "its columns are nothing"),
        ("r.csv", "image,rating\n", "there is no rating in it"),
        ("r.csv", "image,rating\na.jpg\n", "'' is no rating"),
        ("r.jsonl", '{"image": "a"}\n', "r.jsonl:1"),
        ("r.jsonl", '{"image": "a", "rating": [1]}\n', "rating"),
        ("r.jsonl", "", "the file holds no records"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InvalidRecords) as refused:
        read_ratings(tmp_path / name)
    assert message in str(refused.value)


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_bytes(b"image,rating\n\xff\xfe,1\n")
    with pytest.raises(InvalidRecords, match="not UTF-8"):
        read_ratings(tmp_path / "r.csv")
    with pytest.raises(InvalidRecords, match=r"gone\.csv"):
        read_ratings(tmp_path / "gone.csv")


@given(
    content=st.binary(max_size=80) | st.text(max_size=80).map(str.encode),
    name=st.sampled_from(("r.csv", "r.jsonl")),
)
def test_any_bytes_are_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("ratings") / name
    path.write_bytes(content)
    problems: list[Problem] = []
    found = read_ratings(path, problems.append)
    assert found or problems
    assert all(-1e308 < one.mean < 1e308 for one in found)


@given(rows=st.lists(st.tuples(st.text(min_size=1).filter(str.strip), st.floats(-5, 5)), min_size=1))
def test_any_names_in_a_table_are_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, float]]
) -> None:
    rows = [
        (name.replace("\r", "").replace("\0", "").encode("utf-8", "ignore").decode() or "x", r)
        for name, r in rows
    ]
    written = io.StringIO()
    csv.writer(written).writerows([("image", "rating"), *rows])
    path = tmp_path_factory.mktemp("ratings") / "r.csv"
    path.write_bytes(written.getvalue().encode())
    assert {one.image for one in read_ratings(path)} == {name for name, _ in rows}


@pytest.mark.parametrize(
    ("told", "message"),
    [([], "no picture that was rated"), ([True], "only interesting"), ([False] * 2, "only uninteresting")],
)
def test_one_kind_alone_teaches_nothing(told: list[bool], message: str) -> None:
    with pytest.raises(InvalidRecords, match=message):
        refuse_one_sided(Path("r.csv"), told)
    refuse_one_sided(Path("r.csv"), [True, False])
