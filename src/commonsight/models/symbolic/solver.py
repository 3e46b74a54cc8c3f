"""What a solver is that answers by a program, and what it says."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from commonsight.core.answer import Given
from commonsight.core.benchmark import Ask


class Solved(NamedTuple):
    """An answer, and how it came about."""

    answer: Given
    program: str
    trace: tuple[str, ...]
    """What every step gave, one line each."""
    fell_back: bool
    """Whether the program gave no answer, and a common one was said instead."""


class Solver(Protocol):
    """Answers questions one by one."""

    name: str

    def solve(self, ask: Ask) -> Solved: ...
