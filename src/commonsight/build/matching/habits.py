"""Of what people speak: how often a response points to an object of this class and number.

Numbers tell: what a picture shows first is spoken of, the thirteenth thing hardly ever. Counted over many
pairs, mostly those of other folds, so that a small bucket knows as much as a large one. A class with a number
is rare, so what was counted for it is eked out with what holds for the class and for the number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from commonsight.build.matching.values import Pair

PERSON = "person"
"""A class that nothing else stands in for, and that stands in for nothing else."""
NUMBERS = 40
"""Objects beyond this number are all alike."""
DOUBT = 2.0
"""So many objects of each number are taken to be like the mean of all persons, or of all things."""
CLASS_DOUBT = 5.0
"""So many objects of each class and number are taken to be like others of the class and of the number."""
MOST = 20_000
"""More pairs than this are not counted: the shares are known well enough."""

_Kind = tuple[str, int]
"""A class and a number."""


class Habits(NamedTuple):
    """Shares of the objects there are that responses point to."""

    persons: tuple[float, ...]
    """By the number of the object; the last stands for all beyond."""
    things: tuple[float, ...]
    classes: dict[str, float]
    """How many times as often as that people speak of a class."""
    kinds: dict[_Kind, float]

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> Habits:
        """Counted in these pairs, each object once a response."""
        there, spoken = Counter[_Kind](), Counter[_Kind]()
        for pair in pairs[:: max(1, -(-len(pairs) // MOST))]:
            there.update((label, min(n, NUMBERS)) for n, label in enumerate(pair.objects))
            spoken.update((pair.objects[n], min(n, NUMBERS)) for n in set(pair.response.references()))
        numbers = (_numbers(there, spoken, person=True), _numbers(there, spoken, person=False))
        plain = cls(*numbers, {}, {})
        classes = _classes(there, spoken, plain)
        expected = {kind: plain.share(*kind) * classes[kind[0]] for kind in there}
        kinds = {
            kind: (spoken[kind] + CLASS_DOUBT * expected[kind]) / (count + CLASS_DOUBT)
            for kind, count in there.items()
        }
        return cls(*numbers, classes, kinds)

    def share(self, label: str, number: int) -> float:
        """How often an object of this class and number is pointed to: never never."""
        number = min(number, NUMBERS)
        known = self.kinds.get((label, number))
        if known is not None:
            return known
        return (self.persons if label == PERSON else self.things)[number] * self.classes.get(label, 1.0)

    def shares(self, objects: Sequence[str], places: Sequence[int]) -> list[float]:
        """How often each of these objects is pointed to."""
        return [self.share(objects[place], place) for place in places]

    def given_up(self, label: str, one: int, other: int) -> float:
        """What is lost when an object of one number becomes that of another: in logarithms, never negative.

        For a thing, how much more rarely people speak of the other. Of persons there are many, and were they
        to move to the commoner ones for nothing, nobody would speak of the others any more: there it counts
        in both directions.
        """
        ratio = math.log(self.share(label, one) / self.share(label, other))
        return abs(ratio) if label == PERSON else max(0.0, ratio)


def _numbers(there: Counter[_Kind], spoken: Counter[_Kind], *, person: bool) -> tuple[float, ...]:
    """Of persons or of things, by number."""
    had, named = Counter[int](), Counter[int]()
    for (label, number), count in there.items():
        if (label == PERSON) is person:
            had[number] += count
            named[number] += spoken[label, number]
    mean = (named.total() + 1) / (had.total() + 1)
    return tuple((named[n] + DOUBT * mean) / (had[n] + DOUBT) for n in range(NUMBERS + 1))


def _classes(there: Counter[_Kind], spoken: Counter[_Kind], plain: Habits) -> dict[str, float]:
    named = Counter[str]()
    weights: dict[str, float] = {}
    for (label, number), count in there.items():
        weights[label] = weights.get(label, 0.0) + count * plain.share(label, number)
        named[label] += spoken[label, number]
    return {label: (named[label] + 1) / (weight + 1) for label, weight in weights.items()}
