"""The ways in which one item may be put to a model, and the key under which each answer is logged.

A key reads `task`, then what is special: `qa2r@2` is asked with answer 2 given, `mc~1` with the choices
turned by one place, `mc#3` for the fourth time. A plain `task` is the question as the paper asks it, with the
right answer given where one is. What was turned is turned back before an answer is logged, so that a pick
always counts in the item's own order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from msgspec import structs

from commonsight.core.answer import Answer, Pick
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import UsageError

Blind = Literal["none", "other"]
"""Without the picture, or with another item's."""
GivenAnswers = Literal["gold", "own", "all"]
"""Which answers are given to a task that builds on one: the right one, the model's own too, or all."""

_KEY = re.compile(r"^(?P<task>[^@~#]+)(?:@(?P<given>\d+))?(?:~(?P<turned>\d+))?(?:#(?P<epoch>\d+))?$")


class Key(NamedTuple):
    """Which way of asking an answer belongs to."""

    task: str
    given: int | None = None
    turned: int = 0
    epoch: int = 0

    def __str__(self) -> str:
        given = "" if self.given is None else f"@{self.given}"
        turned = f"~{self.turned}" if self.turned else ""
        return f"{self.task}{given}{turned}{f'#{self.epoch}' if self.epoch else ''}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """Read a key as it stands in a log."""
        found = _KEY.match(text)
        if found is None:
            raise UsageError(f"'{text}' is no task of a run. Such read mc, qa2r@2, mc~1 or mc#3.")
        given = None if found["given"] is None else int(found["given"])
        return cls(found["task"], given, int(found["turned"] or 0), int(found["epoch"] or 0))


@dataclass(frozen=True)
class Variants:
    """Which ways of asking are wanted."""

    circular: bool = False
    """All rotations of the choices; right only if right in all."""
    given: GivenAnswers = "gold"
    """With `all`, tasks that build on an answer are asked for each: VCR's leaderboard wants 16 columns."""
    choices_only: bool = False
    """Nothing but the choices is told."""
    without: tuple[str, ...] = ()
    """Texts to leave out, by role: PMR without its premise."""
    epochs: int = 1

    def of(self, item: Item, task: Task) -> Iterator[tuple[Key, Ask]]:
        """Every way in which the item is asked in this task; none where it cannot be asked."""
        yield from self._told(task, self._given(item, task))

    def with_given(self, item: Item, task: Task, place: int) -> Iterator[tuple[Key, Ask]]:
        """The same with the answer at this place given, unless it is the one that is given anyway."""
        yield from self._told(task, others_given(item, task, (place,)))

    def _told(self, task: Task, asks: Iterable[tuple[int | None, Ask]]) -> Iterator[tuple[Key, Ask]]:
        for given, ask in asks:
            kept = {role: text for role, text in ask.texts.items() if role not in self.without}
            told = structs.replace(ask, texts={} if self.choices_only else kept)
            turns = range(len(ask.choices)) if self.circular and ask.choices else (0,)
            for turned in turns:
                for epoch in range(self.epochs):
                    yield Key(task.name, given, turned, epoch), rotated(told, turned)

    def _given(self, item: Item, task: Task) -> Iterator[tuple[int | None, Ask]]:
        plain = _plain(item, task)
        if plain is not None:
            yield None, plain
        if self.given == "all" and task.given is not None:
            yield from others_given(item, task, range(len(item.choices)))


def others_given(item: Item, task: Task, places: Iterable[int]) -> Iterator[tuple[int, Ask]]:
    """The task with these answers given; the right one is what the plain task gives, and not asked twice."""
    assert task.given is not None
    plain = _plain(item, task)
    for place in places:
        ask = task.given(item, place)
        if ask != plain:
            yield place, ask


def _plain(item: Item, task: Task) -> Ask | None:
    """The question as the paper asks it; None where what it needs is hidden."""
    try:
        ask = task.ask(item)
    except ValueError:
        return None
    return ask if ask.expects != "pick" or ask.choices else None


def rotated(ask: Ask, turned: int) -> Ask:
    """The choices moved up by so many places; the gold moves with them."""
    if not turned:
        return ask
    count = len(ask.choices)
    gold = Pick((ask.gold.index - turned) % count) if isinstance(ask.gold, Pick) else ask.gold
    return structs.replace(ask, choices=ask.choices[turned:] + ask.choices[:turned], gold=gold)


def turned_back(answer: Answer, turned: int, choices: int) -> Answer:
    """The answer in the item's own order."""
    return Pick((answer.index + turned) % choices) if isinstance(answer, Pick) and turned else answer


def _images(ask: Ask) -> Iterator[str]:
    return (scene.image for scene in ask.scenes)


def other_scenes(ask: Ask, others: list[Ask], rng: random.Random) -> Ask:
    """The question with the pictures of another item, the regions of its own: what tags mean must stay."""
    own_images = {scene.image for scene in ask.scenes}
    strangers = [other for other in others if other.scenes and own_images.isdisjoint(_images(other))]
    if not strangers or not ask.scenes:
        raise UsageError("--blind other needs items with different pictures. Use --blind none.")
    shown = rng.choice(strangers).scenes
    scenes = tuple(
        structs.replace(own, image=shown[place % len(shown)].image, stored=shown[place % len(shown)].stored)
        for place, own in enumerate(ask.scenes)
    )
    return structs.replace(ask, scenes=scenes)
