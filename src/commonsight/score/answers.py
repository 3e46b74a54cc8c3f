"""A run's answers, sorted by item, with the failures counted apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from commonsight.core.answer import FAILURES, Given
from commonsight.score.scoring import LoggedAnswer


class Tally(NamedTuple):
    """What was said of each item, by task, and how often nothing could be read."""

    given: dict[str, dict[str, Given]]
    failures: dict[str, int]


def tally(answers: Iterable[LoggedAnswer]) -> Tally:
    """Sort answers by item; an item whose every answer failed is still there, with nothing given."""
    given: dict[str, dict[str, Given]] = {}
    failures: dict[str, int] = {}
    for logged in answers:
        of_item = given.setdefault(logged.item, {})
        if isinstance(logged.answer, FAILURES):
            kind = type(logged.answer).__name__.lower()
            failures[kind] = failures.get(kind, 0) + 1
        else:
            of_item[logged.task] = logged.answer
    return Tally(given, failures)
