"""Replies that a peer collected, whichever peer it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from commonsight.errors import Problem
from commonsight.runs.variants import Key
from commonsight.vlm.client import Reply


class Place(NamedTuple):
    """Where a reply stands, for messages: the file, and the line if it has lines."""

    path: Path
    line: int | None = None

    def problem(self, message: str, remedy: str, field: str | None = None) -> Problem:
        """A problem at this place."""
        return Problem(self.path, message, remedy, self.line, field=field)


class Collected(NamedTuple):
    """What came back for one question: a reply, or why there is none."""

    item: str
    key: Key
    reply: Reply | None
    why: str
    place: Place


@dataclass(frozen=True)
class Replies:
    """Everything that a peer's result holds."""

    model: str
    """Whose replies they are, as the peer calls it; empty where it does not tell."""
    collected: Iterable[Collected]

    def __iter__(self) -> Iterator[Collected]:
        return iter(self.collected)
