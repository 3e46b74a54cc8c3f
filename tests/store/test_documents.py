"""One value in a file: what was written is read, and whatever else is there is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from commonsight.errors import InputError
from commonsight.store.documents import read_document, write_document


class Told(Struct):
    name: str
    count: int = 0

    def __post_init__(self) -> None:
        if self.count < 0:
            raise InputError("Give no less than 0.")


def read(path: Path) -> Told:
    return read_document(path, Told, remedy="Begin anew.")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x.json"
    write_document(path, Told("a", 2))
    assert read(path) == Told("a", 2)
    assert path.read_text() == '{\n  "name": "a",\n  "count": 2\n}\n'
    assert [one.name for one in path.parent.iterdir()] == ["x.json"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Input data was truncated"),
        (b"\xff\xfe", "JSON is malformed"),
        (b'{"name": "\xff"}', "utf-8"),
        (b'{"count": 2}', "missing required field `name`"),
        (b'{"name": 3}', r"Expected `str`, got `int` - at `\$\.name`"),
        (b'{"name": "a", "count": -1}', "Give no less than 0"),
        (b'{"zzz": ' + b"[" * 100_000, "recursion"),
    ],
)
def test_whatever_else_is_there_is_told(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"(?s)x\.json: this cannot be read \(.*{reason}.*\)\. Begin anew"):
        read(path)


def test_a_file_that_is_not_there_or_is_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x\.json: this cannot be read \(no such file or directory\)\."):
        read(tmp_path / "x.json")
    with pytest.raises(InputError, match=r"this cannot be read \(is a directory\)\."):
        read(tmp_path)
