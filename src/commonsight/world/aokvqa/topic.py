"""What a topic of questions is: its subjects, its right answers with their grounds, and answers of the same
kind that are surely wrong.

Writer and checker both ask a topic's functions, so a label is right exactly if it can be derived again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from commonsight.world.aokvqa.view import View
from commonsight.world.facts import Fact

KnowledgeType = Literal["visual", "commonsense", "knowledge base", "physical"]
ENOUGH = 3
"""Wrong choices of a question."""
Subject = tuple[object, ...]
"""What is asked about: entities by id, other things by name; empty for the scene as a whole."""


class Ground(NamedTuple):
    """Why an answer is right: seen facts, and the rule, triple or table row that leads on from them."""

    evidence: tuple[Fact, ...]
    by: tuple[str, ...]


Right = dict[str, Ground]


class Topic(NamedTuple):
    """One kind of question."""

    name: str
    knowledge: KnowledgeType
    subjects: Callable[[View], Iterable[Subject]]
    right: Callable[[View, Subject], Right]
    wrong: Callable[[View, Subject], Iterable[str]]
    hides: tuple[str, ...] = ()
    """What the description of the subject must not speak of."""
    scatter: float = 0.35
    """How far people's own answers spread."""
    rare: float = 1.0
    """How often it is asked, against its sisters."""


def apart(answers: Iterable[str], right: Iterable[str], alike: Iterable[tuple[str, ...]]) -> list[str]:
    """The answers that are neither right nor too close to what is right."""
    near = {word for row in alike for word in row if any(answer in row for answer in right)}
    return [answer for answer in dict.fromkeys(answers) if answer not in right and answer not in near]


def ample(
    known: Iterable[str], more: Iterable[str], right: Iterable[str], alike: Iterable[tuple[str, ...]] = ()
) -> list[str]:
    """Wrong answers that are right elsewhere; only where those are too few, others that never are."""
    found = apart(known, tuple(right), tuple(alike))
    return found if len(found) >= ENOUGH else apart((*found, *more), tuple(right), tuple(alike))


def entity(subject: Subject) -> int:
    """The entity that a subject begins with."""
    assert isinstance(subject[0], int)
    return subject[0]
