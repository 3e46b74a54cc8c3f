"""Append-only files of JSON lines: what was appended is on the disk, and only a last line can be torn."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from commonsight.errors import InputError, OnProblem, UsageError, fail
from commonsight.store.jsonfiles import json_problem, numbered_lines

_L = TypeVar("_L")


def whole_lines(path: Path, kind: type[_L], on_problem: OnProblem = fail) -> Iterator[_L]:
    """Every whole line of a file that may not be there yet; a torn last line is none, and no problem."""
    if not path.is_file():
        return
    decode = msgspec.json.Decoder(kind).decode
    for number, line in numbered_lines(path, on_problem):
        if not line.endswith(b"\n"):
            return
        try:
            yield decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            on_problem(json_problem(path, error, line, number))


def _whole_length(path: Path) -> int:
    """How many bytes of the log are whole lines."""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        while size:
            start = max(0, size - 65536)
            stream.seek(start)
            newline = stream.read(size - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            size = start
    return 0


class Lines:
    """A file of JSON lines, open for appending. One process at a time may hold it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            raise UsageError(
                f"{path.parent} is in use by another process. Wait for it, or stop it."
            ) from error
        self._size = _whole_length(path)
        os.ftruncate(self._file, self._size)

    def append(self, lines: Sequence[object]) -> list[None]:
        """Write all of them with one trip to the disk, where they are when this returns."""
        content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        try:
            _write_all(self._file, content)
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._size)  # or the next line would be glued to half of this one
            reason = error.strerror or str(error)
            raise InputError(
                f"{self.path} cannot be written ({reason.lower()}). Make room, then resume the run."
            ) from error
        self._size += len(content)
        return [None] * len(lines)

    def close(self) -> None:
        """Let the file go."""
        os.close(self._file)


def _write_all(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
