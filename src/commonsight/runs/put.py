"""Questions as they are put to trained networks, and the lines that what these say become in a log.

A rationale is asked for each answer that could have been given; a choice may be found for what was named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from commonsight.core.answer import FreeText, Pick, Verdict
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.models.catalogue import find
from commonsight.models.engine.evaluate import Predicted
from commonsight.runs.answers import PROBABILITIES
from commonsight.runs.choosing import Chosen, Nearest
from commonsight.runs.naming import drawn_place, named
from commonsight.runs.variants import Key
from commonsight.runs.writing import meant
from commonsight.store.runs import AnswerLine

NAMED = "named"
"""Where an answer's `extra` tells what was named, of which the pick is the nearest choice."""


class Put(NamedTuple):
    """A question, under the name that it is logged by."""

    key: str
    ask: Ask
    choices: tuple[Put, ...] = ()
    """Of the same item, answered by the choice nearest to what is named here."""

    @property
    def place(self) -> tuple[str, str]:
        """Where its answer stands in a log."""
        return self.ask.item_id, self.key

    def places(self) -> Iterator[tuple[str, str]]:
        """Where its answers stand, those by the nearest choice included."""
        yield self.place
        for other in self.choices:
            yield other.place


def put(task: Task, items: Iterable[Item]) -> Iterator[Put]:
    """Every question of a task; a rationale is asked for each answer given."""
    for item in items:
        if task.given is None:
            yield Put(task.name, task.ask(item))
            continue
        gold = item.gold.index if isinstance(item.gold, Pick) else None
        for place in range(len(item.choices)):
            key = task.name if place == gold else str(Key(task.name, given=place))
            yield Put(key, task.given(item, place))


def along(one: Put, item: Item, tasks: Iterable[Task]) -> Put:
    """The question with those of these tasks, which are answered by the choice nearest to its answer."""
    return one._replace(choices=tuple(Put(task.name, task.ask(item)) for task in tasks))


class Voice(NamedTuple):
    """Whose answers are written down."""

    network: str
    seed: int
    nearest: Nearest | None
    """How a choice is found for what is named, where the network does so."""


def lines_of(voice: Voice, one: Put, said: Predicted, answers: Sequence[str]) -> Iterator[AnswerLine]:
    """What is logged of a question, and of those that are answered along with it."""
    line = _line(voice, one, said, answers)
    yield line
    for other in one.choices:
        assert voice.nearest is not None
        assert isinstance(line.answer, FreeText)
        yield _chosen_line(other, line.answer.text, voice.nearest.pick(other.ask, line.answer.text))


def _chosen_line(one: Put, text: str, found: Chosen) -> AnswerLine:
    return AnswerLine(*one.place, found.answer, extra={NAMED: text} | found.told)


def _line(voice: Voice, one: Put, said: Predicted, answers: Sequence[str]) -> AnswerLine:
    if said.text is not None:
        found = meant(one.ask, said.text, voice.nearest)
        if one.ask.expects == "text":
            return AnswerLine(*one.place, found.answer)
        return _chosen_line(one, said.text, found)
    best = int(np.argmax(said.chances))
    if find(voice.network).drawn:
        best = drawn_place(said.chances, voice.seed, *one.place)
    if answers and one.ask.expects != "pick":
        return AnswerLine(*one.place, named(one.ask, said, answers, best))
    if one.ask.expects == "verdict":
        return AnswerLine(*one.place, Verdict(bool(best)))
    return AnswerLine(*one.place, Pick(best), extra={PROBABILITIES: list(said.chances)})
