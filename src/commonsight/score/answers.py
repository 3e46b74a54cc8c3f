"""A run's answers, sorted by item, with the failures counted apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from commonsight.core.answer import FAILURES, Given
from commonsight.errors import PredictionError
from commonsight.score.scoring import LoggedAnswer


class Tally(NamedTuple):
    """What was said of each item, by task; how often nothing could be read; which tasks were asked at all."""

    given: dict[str, dict[str, Given]]
    failures: dict[str, int]
    tasks: frozenset[str]


def tally(answers: Iterable[LoggedAnswer]) -> Tally:
    """Sort answers by item; an item whose every answer failed is still there, with nothing given.

    An item that was asked in one task and not in another that the run did ask scores 0 there, and is counted
    as unanswered.
    """
    given: dict[str, dict[str, Given]] = {}
    failures: dict[str, int] = {}
    tasks: set[str] = set()
    answered: set[tuple[str, str]] = set()
    for logged in answers:
        tasks.add(logged.task)  # a task whose every answer failed was asked all the same, and scores 0
        if (logged.item, logged.task) in answered:
            raise PredictionError(
                f"The run holds more than one answer for item {logged.item} in task {logged.task}. Keep one."
            )
        answered.add((logged.item, logged.task))
        of_item = given.setdefault(logged.item, {})
        if isinstance(logged.answer, FAILURES):
            kind = type(logged.answer).__name__.lower()
            failures[kind] = failures.get(kind, 0) + 1
        else:
            of_item[logged.task] = logged.answer
    unanswered = len(given) * len(tasks) - len(answered)
    if unanswered:
        failures["unanswered"] = unanswered
    return Tally(given, failures, frozenset(tasks))
