"""Writing a feature file: beside, row by row, going on where another was stopped."""

from __future__ import annotations

import fcntl
import math
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InputError
from commonsight.models.features.files import Rows, header


class RowWriter:
    """The part of a file that is being written."""

    def __init__(self, file: int, path: Path, start: int, rows: Rows, done: int) -> None:
        self._file, self._path, self._start, self._rows = file, path, start, rows
        self.done = done
        """Rows that are there, of one that was stopped before too."""

    def keep(self, done: int) -> None:
        """Forget rows beyond these: work goes on from where a piece of it began."""
        if not 0 <= done <= self.done:
            raise ValueError(f"{done} rows cannot be kept of {self.done}")
        os.ftruncate(self._file, self._start + done * row_bytes(self._rows))
        self.done = done

    def go_on(self, starts: NDArray[np.int64], at_once: int) -> int:
        """The block to go on with, where blocks of rows begin at `starts` and are made so many at once.

        What a stopped one wrote counts by whole pieces of work, so that encoders' batches, and with them the
        last bits of what they give, are those of one that was not stopped.
        """
        ready = int(np.searchsorted(starts, self.done, side="right")) - 1
        ready = ready if ready == len(starts) - 1 else ready - ready % at_once
        self.keep(int(starts[ready]))
        return ready

    def append(self, block: NDArray[Any]) -> None:
        """Add rows: (row, ...)."""
        if block.shape[1:] != self._rows.shape or self.done + len(block) > self._rows.total:
            raise ValueError(
                f"{block.shape} after {self.done} rows does not fit {self._rows.total} x {self._rows.shape}"
            )
        content = narrowed(block, self._rows.dtype).tobytes()
        place = self._start + self.done * row_bytes(self._rows)
        _write_all(self._file, self._path, content, place)
        self.done += len(block)


def narrowed(block: NDArray[Any], dtype: str) -> NDArray[Any]:
    """As it is kept; numbers that 16 bits do not reach are told, not made infinite."""
    if block.dtype == np.dtype(dtype):
        return np.ascontiguousarray(block)
    with np.errstate(over="ignore"):
        small = np.ascontiguousarray(block.astype(np.dtype(dtype)))
    if small.dtype.kind == "f" and not np.isfinite(small).all():
        raise InputError(
            f"An encoder gave a number that is not finite as {dtype} (the largest was "
            f"{np.abs(block).max():g}). Keep its vectors as float32, or check the encoder."
        )
    return small


def row_bytes(rows: Rows) -> int:
    """How many bytes a row has."""
    return math.prod(rows.shape) * np.dtype(rows.dtype).itemsize


@contextmanager
def row_writer(
    path: Path, small: Mapping[str, NDArray[Any]], rows: Rows, told: Mapping[str, str]
) -> Iterator[RowWriter]:
    """A file to add rows to; it takes its name once all of them are there.

    What a killed process left is gone on with, if its header is the same; see `done`. It stays after an
    error, too.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    begin = header(small, rows, told)
    beside = path.with_name(f".{path.name}.part")
    file = _claimed(beside)
    shared = file is not None
    if file is None:  # another process is writing it; what both make is the same, and either may come last
        beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
        file = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        writer = RowWriter(file, beside, len(begin), rows, _begun(file, beside, begin, rows))
        yield writer
        if writer.done != rows.total:
            raise ValueError(f"{writer.done} rows were written of {rows.total}")
        os.fsync(file)
        beside.replace(path)
    except BaseException:
        if not shared:
            beside.unlink(missing_ok=True)
        raise
    finally:
        os.close(file)


def _claimed(beside: Path) -> int | None:
    """The file that was begun, held by no one else; None where someone is writing it."""
    while True:
        file = os.open(beside, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # It may have been finished and renamed since it was opened: then it is no longer the one begun.
            if beside.exists() and os.path.samestat(os.fstat(file), beside.stat()):
                return file
        except BlockingIOError:
            os.close(file)
            return None
        except FileNotFoundError:  # renamed between the two looks
            os.close(file)
            continue
        os.close(file)


def _begun(file: int, path: Path, begin: bytes, rows: Rows) -> int:
    """How many whole rows are there; of another header, or none, the file begins anew."""
    size = os.fstat(file).st_size
    if size < len(begin) or os.pread(file, len(begin), 0) != begin:
        os.ftruncate(file, 0)
        _write_all(file, path, begin, 0)
        return 0
    done = min(rows.total, (size - len(begin)) // max(1, row_bytes(rows)))
    os.ftruncate(file, len(begin) + done * row_bytes(rows))
    return done


def _write_all(file: int, path: Path, content: bytes, place: int) -> None:
    rest = memoryview(content)
    try:
        while rest:
            written = os.pwrite(file, rest, place)
            rest, place = rest[written:], place + written
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(
            f"{path} cannot be written ({reason}). Make room, then begin again; what is there stays."
        ) from error
