"""Examples to show before a question: drawn from a labelled split, the same for a question each time.

A-OKVQA's prompted language model saw ten random training questions, each with a context of its own where the
question has one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice

from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.contexts import ContextOf, with_context
from commonsight.vlm.render import Example, right_answer

KEPT = 5_000
"""Items that examples are drawn from at most: a uniform sample of however many there are."""


class Shots:
    """Examples of one task."""

    def __init__(
        self, items: Iterable[Item], task: Task, count: int, seed: int, context: ContextOf | None = None
    ) -> None:
        """With `context`, every item that may be drawn must have one."""
        self._count, self._seed, self._task = count, seed, task.name
        self._pool = [
            ask for item in sampled(items, seed) if (ask := _labelled(item, task, context)) is not None
        ]
        if len(self._pool) < count:
            raise UsageError(
                f"--shots {count}: the examples' split has {len(self._pool)} labelled items for {task.name}. "
                "Ask for fewer, or name a larger split."
            )

    def of(self, ask: Ask) -> list[Example]:
        """The examples of a question: never itself, nor one about its picture."""
        rng = random.Random(f"{self._seed}:{self._task}:{ask.item_id}")
        own = {scene.image for scene in ask.scenes}
        fitting = (shot for shot in _shuffled(self._pool, rng) if _apart(shot, ask, own))
        return [Example(shot, right_answer(shot)) for shot in islice(fitting, self._count)]


def sampled(items: Iterable[Item], seed: int, most: int = KEPT) -> list[Item]:
    """A uniform sample of a stream (reservoir)."""
    rng = random.Random(f"{seed}:shots")
    kept: list[Item] = []
    for number, item in enumerate(items):
        if number < most:
            kept.append(item)
        elif (place := rng.randrange(number + 1)) < most:
            kept[place] = item
    return kept


def _labelled(item: Item, task: Task, context: ContextOf | None) -> Ask | None:
    try:
        ask = task.ask(item)
    except ValueError:
        return None
    if ask.gold is None:
        return None
    return ask if context is None else with_context(ask, context(item))


def _shuffled(pool: list[Ask], rng: random.Random) -> Iterator[Ask]:
    """In random order, without shuffling all where few are wanted."""
    seen: set[int] = set()
    while len(seen) < len(pool):
        place = rng.randrange(len(pool))
        if place not in seen:
            seen.add(place)
            yield pool[place]


def _apart(shot: Ask, ask: Ask, own: set[str]) -> bool:
    return shot.item_id != ask.item_id and own.isdisjoint(scene.image for scene in shot.scenes)
