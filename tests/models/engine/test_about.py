"""Files that say what the weights beside them are."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from commonsight.errors import InputError, UsageError
from commonsight.models.engine.about import AboutFile


class Kite(Struct, frozen=True):
    tails: int


KITES = AboutFile("kite.json", Kite, what="trained kite", command="train-kite")


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    assert not KITES.there(tmp_path)
    KITES.save(tmp_path, Kite(2))
    assert KITES.there(tmp_path)
    assert KITES.read(tmp_path) == Kite(2)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    remedy = r"Give a folder that `commonsight train-kite` wrote\."
    with pytest.raises(InputError, match=rf"there is no trained kite here \(no kite\.json\)\. {remedy}"):
        KITES.read(tmp_path)
    (tmp_path / "kite.json").write_text('{"tails": "two"}')
    with pytest.raises(InputError, match=rf"kite\.json: this cannot be read \(.*tails.*\)\. {remedy}"):
        KITES.read(tmp_path)


def test_a_folder_goes_on_with_what_was_begun_alone(tmp_path: Path) -> None:
    for _ in range(2):
        KITES.begin(tmp_path, Kite(2), holds="a kite", learned="winds")
    with pytest.raises(UsageError, match=r"holds a kite that was begun otherwise\..* same winds and options"):
        KITES.begin(tmp_path, Kite(3), holds="a kite", learned="winds")
    assert KITES.read(tmp_path) == Kite(2)
