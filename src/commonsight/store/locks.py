"""One process at a time: a lock that the system lets go of when its holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonsight.errors import UsageError

_NAME = ".lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The folder is this process's while the block lasts; another that wants it is told so."""
    folder.mkdir(parents=True, exist_ok=True)
    file = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"{folder} is in use by another process. Wait for it, or stop it.") from error
        yield
    finally:
        os.close(file)
