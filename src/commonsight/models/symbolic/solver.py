"""What every symbolic solver is: it answers by a program, and the program's steps are the explanation.

A kind of solver is a value that knows which questions it can be fitted on; `kinds.py` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from commonsight.core.answer import Given
from commonsight.core.benchmark import Ask
from commonsight.graph.knowledge import Knowledge
from commonsight.models.progress import Progress, silent

if TYPE_CHECKING:  # torch, which not every kind needs
    from commonsight.models.engine.loop import Watch


Need = Literal["judged", "regions", "knowledge"]
"""What a kind of solver cannot be fitted without: questions to choose by, an encoder of objects, facts."""


class Solved(NamedTuple):
    """An answer, and how it was come to."""

    answer: Given
    program: str
    """As text; empty where none was found."""
    trace: tuple[str, ...]
    """What every step gave, the first one first."""
    fell_back: bool
    """Whether no program told the answer, so that it is only the commonest one."""
    came_to_nothing: bool = False
    """Of those: whether there is a program that was read and executed, and nothing came of it."""


class Solver(Protocol):
    """Answers questions, one at a time."""

    name: str

    def solve(self, ask: Ask) -> Solved:
        """The answer to one question."""
        ...


class Where(NamedTuple):
    """What a solver sees by, and where a dataset keeps its pictures."""

    sight: str
    dataset: Path
    regions: Path | None = None
    """The encoder of objects, for kinds that need one; to answer, only where it has moved."""


class Fitted(NamedTuple):
    """What came of fitting: files for the folder that a solver is loaded from, and what was measured."""

    files: Mapping[str, bytes]
    measured: dict[str, float]
    kept: tuple[str, ...] = ()
    """Further files, which were written to the folder while fitting."""


class Fitting(NamedTuple):
    """How to fit, and what with."""

    where: Where
    folder: Path
    """Of the solver: kinds that take long keep there how far they have come, and go on."""
    judged: Sequence[Ask] = ()
    """Questions that are not learned from, to choose by."""
    knowledge: Knowledge | None = None
    watch: Callable[[str], Watch] | None = None
    """For kinds that train networks: who watches the one of this name."""
    folds: int = 0
    """Parts of the questions that are held out in turn, to measure with; none where 0."""
    seed: int = 0
    told: Progress = silent


@dataclass(frozen=True)
class Kind:
    """One kind of solver."""

    name: str
    title: str
    """What it answers, for people."""
    sights: tuple[str, ...]
    """What it can see by; the first is what it sees by unless a person says otherwise."""
    fits: Callable[[Ask], bool]
    """Whether it can be fitted on such a question, and answer it."""
    needs: frozenset[Need]
    fit: Callable[[Sequence[Ask], Fitting], Fitted]
    load: Callable[[Path, Where], Solver]
    goes_on: bool = False
    """Whether fitting keeps in its folder how far it has come."""
