"""Premises that people have changed, each given its category again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from commonsight.build.premises.recover import Recovered, recovered
from commonsight.build.premises.templates import CATEGORIES, SAME_CATEGORY, Category
from commonsight.core.text import TaggedText, Token
from commonsight.errors import OnProblem, Problem, fail
from commonsight.store.jsonfiles import Record, read_lines


class Line(Struct):
    """What is read of a line: the premise as tokens or in bracket notation, its category if it has one."""

    premise: str | tuple[Token, ...]
    category: str | UnsetType = UNSET


class Labelled(Struct, frozen=True):
    """A line with its category, the one that it had, and everything else that it says."""

    found: Recovered
    before: str | None
    premise: str | tuple[Token, ...]
    unknown: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """The line as it is written: its own fields, the category new, the former one beside it."""
        former = {} if self.before is None else {"category_before": self.before}
        return {
            **self.unknown,
            "premise": self.premise,
            "category": self.found.category,
            **former,
            "category_bleu": round(self.found.bleu, 4),
            "category_template": self.found.template,
        }


def labelled(path: Path, on_problem: OnProblem = fail) -> Iterator[Labelled]:
    """The lines of a file of premises, in the layout of PMR's or of what is offered."""
    for record in read_lines(path, Line, on_problem):
        text = record.value.premise
        premise = text if isinstance(text, str) else TaggedText(text)
        if _empty(premise):
            remedy = "Write it, or leave the line out."
            on_problem(Problem(path, "the premise is empty", remedy, record.line, field="premise"))
            continue
        yield _labelled(record, premise)


def _empty(premise: str | TaggedText) -> bool:
    tokens = (premise,) if isinstance(premise, str) else premise.tokens
    return not any(isinstance(token, tuple) or token.strip() for token in tokens)


def _labelled(record: Record[Line], premise: str | TaggedText) -> Labelled:
    given = record.value.category
    before = None if given is UNSET else given
    return Labelled(recovered(premise), before, record.value.premise, record.unknown)


class Tally(Struct):
    """How many premises are of each category, and how many of those that had one keep it."""

    found: Counter[str]
    before: Counter[str]
    compared: int
    same: int

    @property
    def total(self) -> int:
        """All premises."""
        return self.found.total()


def tallied(lines: Iterable[Labelled], tally: Tally) -> Iterator[Labelled]:
    """The same lines, counted as they pass."""
    for line in lines:
        tally.found[line.found.category] += 1
        known = None if line.before is None else SAME_CATEGORY.get(line.before.lower())
        if known is not None:
            tally.before[known] += 1
            tally.compared += 1
            tally.same += known == line.found.category
        yield line


def empty_tally() -> Tally:
    """Nothing counted yet."""
    return Tally(Counter(), Counter(), 0, 0)


PUBLISHED: dict[Category, float] = dict(zip(CATEGORIES, (0.37, 0.26, 0.12, 0.10, 0.10, 0.05), strict=True))
"""The shares that the paper's Figure 4 shows for the whole of PMR."""
