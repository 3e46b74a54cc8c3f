"""Write beside, then rename: nothing half-written is ever left under its final name."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonsight.errors import UsageError


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the final name only if the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A folder beside `path` to fill; it takes the final name only if the block ends well."""
    if path.exists() and not overwrite and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} exists already. Choose another folder, or add --overwrite to replace it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    try:
        yield beside
        _replace_folder(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _replace_folder(new: Path, path: Path) -> None:
    if not path.exists():
        new.replace(path)
        return
    old = path.with_name(f".{path.name}.{os.getpid()}.old")
    path.replace(old)  # two renames: there is a moment without the folder, never one with half of it
    new.replace(path)
    if old.is_dir():
        shutil.rmtree(old)
    else:
        old.unlink()


@contextmanager
def with_ordinary_mode(path: Path) -> Iterator[None]:
    """Whatever the block writes to `path` may be read by whoever may read files that are made here.

    Some libraries keep what they write to its owner, whom a shared folder is not for alone.
    """
    path.touch()
    ordinary = stat.S_IMODE(path.stat().st_mode)
    yield
    path.chmod(ordinary)
