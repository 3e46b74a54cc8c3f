"""Nothing half-written is ever left under its final name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from commonsight.errors import UsageError
from commonsight.store.atomic import new_file, new_folder, with_ordinary_mode


class StopError(Exception):
    pass


def fill(path: Path, text: str | None) -> None:
    """Write half of something, and fail."""
    if text is not None:
        path.write_text(text)
    raise StopError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_the_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b.json"
    with new_file(target) as beside:
        beside.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new"
    assert names(target.parent) == ["b.json"]


@pytest.mark.parametrize("write", [True, False])
def test_a_file_keeps_its_old_content_when_the_block_fails(tmp_path: Path, write: bool) -> None:
    target = tmp_path / "b.json"
    target.write_text("old")
    with pytest.raises(StopError), new_file(target) as beside:
        fill(beside, "half" if write else None)
    assert target.read_text() == "old"
    assert names(tmp_path) == ["b.json"]


def test_a_folder_appears_when_the_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "set"
    with new_folder(target) as beside:
        (beside / "x").write_text("1")
        assert not target.exists()
    assert names(target) == ["x"]
    assert names(target.parent) == ["set"]


def test_nothing_is_left_when_the_block_fails(tmp_path: Path) -> None:
    with pytest.raises(StopError), new_folder(tmp_path / "set") as beside:
        fill(beside / "x", "1")
    assert names(tmp_path) == []


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    with new_folder(tmp_path / "set") as beside:
        (beside / "x").write_text("1")
    assert names(tmp_path / "set") == ["x"]


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_is_there_is_never_replaced_unasked(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "set"
    if kind == "folder":
        target.mkdir()
        (target / "precious").write_text("1")
    else:
        target.write_text("1")
    refused = pytest.raises(UsageError, match=r"exists already\. Choose another folder, or add --overwrite")
    with refused, new_folder(target):
        pytest.fail("the block must not run")
    assert names(tmp_path) == ["set"]


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_overwrite_replaces_all_of_it(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "set"
    if kind == "folder":
        target.mkdir()
        (target / "old").write_text("1")
    else:
        target.write_text("1")
    with new_folder(target, overwrite=True) as beside:
        (beside / "new").write_text("2")
    assert names(target) == ["new"]
    assert names(tmp_path) == ["set"]


def test_a_failed_overwrite_leaves_the_old_folder(tmp_path: Path) -> None:
    target = tmp_path / "set"
    target.mkdir()
    (target / "old").write_text("1")
    with pytest.raises(StopError), new_folder(target, overwrite=True) as beside:
        fill(beside / "x", "1")
    assert names(target) == ["old"]
    assert names(tmp_path) == ["set"]


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)])
def test_what_a_library_keeps_to_itself_is_as_open_as_any_file(tmp_path: Path, mask: int, mode: int) -> None:
    path, before = tmp_path / "x", os.umask(mask)
    try:
        with with_ordinary_mode(path):
            path.unlink()
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)
