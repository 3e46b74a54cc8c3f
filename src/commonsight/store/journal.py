"""A log of work on many things, one line each, that goes on where it was stopped, however it was stopped.

    NAME.jsonl           one line for each thing that is done
    NAME.begun.json      what the lines depend on: nobody goes on with other options
    NAME.refused.jsonl   what could not be done, and why; begun anew each time, as it is tried again

Lines go to the disk some at a time. Whatever kills the process, the last few can be missing, and one torn;
opening the log again drops the torn one, and those few are done again. Nothing else is.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.errors import OnProblem, Problem, UsageError, fail
from commonsight.store.atomic import new_file
from commonsight.store.lines import Lines, whole_lines

BATCH = 64
"""Lines that wait for one trip to the disk, at most …"""
SECONDS = 2.0
"""… and for how long."""


class NamedLine(Protocol):
    """What a journal keeps: a struct that says which thing it is about."""

    @property
    def name(self) -> str:
        """The thing's name, which no other has."""
        ...


L = TypeVar("L", bound=NamedLine)


class Refused(Struct, frozen=True):
    """A thing that could not be done: which, why, and the remedy."""

    name: str
    message: str
    remedy: str

    @classmethod
    def of(cls, problem: Problem, name: str | None = None) -> Refused:
        """A problem, under the name of the thing that has it, or else its path."""
        return cls(str(problem.path) if name is None else name, problem.message, problem.remedy)

    def __str__(self) -> str:
        return f"{self.name}: {self.message}. {self.remedy}"


class _Name(Struct):
    name: str


class Journal(Generic[L]):
    """The log, open for appending. One process at a time may hold it."""

    def __init__(
        self, path: Path, begun: Any, *, batch: int = BATCH, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """A new log, or one that was begun with the same `begun`: whatever its lines depend on."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self._batch, self._clock = path, batch, clock
        self._lines = Lines(path)
        try:
            _begin(path, begun)
            self._done = _digests(path)
            refused = path.with_suffix(".refused.jsonl")
            refused.unlink(missing_ok=True)
            self._refused = Lines(refused)
        except BaseException:
            self._lines.close()
            raise
        self._waiting: list[L] = []
        self._since = clock()
        self.refusals = 0

    def __len__(self) -> int:
        """How many lines there were when it was opened."""
        return len(self._done)

    def has(self, name: str) -> bool:
        """Whether the thing was done when the log was opened."""
        wanted = np.uint64(_digest(name))
        place = int(np.searchsorted(self._done, wanted))
        return place < len(self._done) and bool(self._done[place] == wanted)

    def append(self, line: L) -> None:
        """Write that a thing is done: soon on the disk, and surely once the log is closed."""
        self._waiting.append(line)
        if len(self._waiting) >= self._batch or self._clock() - self._since >= SECONDS:
            self.flush()

    def refuse(self, refused: Refused) -> None:
        """Write that a thing cannot be done."""
        self._refused.append([refused])
        self.refusals += 1

    def flush(self) -> None:
        """Put all lines on the disk, where they are when this returns."""
        if self._waiting:
            self._lines.append(self._waiting)
            self._waiting = []
        self._since = self._clock()

    def close(self) -> None:
        """Put all lines on the disk, and let the log go."""
        try:
            self.flush()
        finally:
            self._lines.close()
            self._refused.close()
            if not self.refusals:
                self._refused.path.unlink(missing_ok=True)

    def __enter__(self) -> Journal[L]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_journal(path: Path, kind: type[L], on_problem: OnProblem = fail) -> Iterator[L]:
    """Every whole line, in the order in which they were written."""
    return whole_lines(path, kind, on_problem)


def _begin(path: Path, begun: Any) -> None:
    kept, told = path.with_suffix(".begun.json"), msgspec.json.encode(begun, order="sorted")
    if kept.is_file():
        if kept.read_bytes() != told:
            raise UsageError(
                f"{path} was begun with other options, which {kept.name} tells. "
                "Give the same options to go on with it, or choose another place."
            )
        return
    with new_file(kept) as beside:
        beside.write_bytes(told)


def _digest(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())


def _digests(path: Path) -> NDArray[np.uint64]:
    """What is done: eight bytes each, so that a million names take 8 MB."""
    names = whole_lines(path, _Name)
    return np.unique(np.fromiter((_digest(line.name) for line in names), np.uint64))
