"""Names from files, made safe before they become paths: data must not reach outside its own folder."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from commonsight.errors import InputError

_SPLIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


def below(folder: Path, name: str) -> Path:
    """`folder / name`, once it is sure that the name stays below the folder."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or parts[0].startswith("/") or ".." in parts or "\0" in name or name.startswith("~"):
        raise InputError(f"'{name}' is not a path below {folder}. Write names relative to that folder.")
    return folder / name


def is_split_name(name: str) -> bool:
    """Whether a split may be called so: it becomes a file's name."""
    return _SPLIT.fullmatch(name) is not None


def cache_folder() -> Path:
    """Where what can be made again is kept: `COMMONSIGHT_CACHE`, or the user's folder for such things."""
    named = os.environ.get("COMMONSIGHT_CACHE")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "commonsight"
