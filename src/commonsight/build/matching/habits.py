"""Of what people speak: how often a response points to an object with this number, or of this class.

Numbers tell: what a picture shows first is spoken of, the thirteenth thing hardly ever. Counted over many
pairs, mostly those of other folds, so that a small bucket knows as much as a large one.
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
"""So many objects of each number are taken to be like the mean of all."""
MOST = 20_000
"""More pairs than this are not counted: the shares are known well enough."""


class Habits(NamedTuple):
    """Shares of the objects there are that responses point to."""

    persons: tuple[float, ...]
    """By the number of the object; the last stands for all beyond."""
    things: tuple[float, ...]
    classes: dict[str, float]
    """By class: how many of the images that have it have a response that points to it."""

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> Habits:
        """Counted in these pairs, each object once a response."""
        pairs = pairs[:: max(1, -(-len(pairs) // MOST))]
        there, spoken = Counter[tuple[bool, int]](), Counter[tuple[bool, int]]()
        had, named = Counter[str](), Counter[str]()
        for pair in pairs:
            there.update((label == PERSON, min(n, NUMBERS)) for n, label in enumerate(pair.objects))
            had.update(set(pair.objects))
            tags = set(pair.response.references())
            spoken.update((pair.objects[tag] == PERSON, min(tag, NUMBERS)) for tag in tags)
            named.update({pair.objects[tag] for tag in tags})
        classes = {label: named[label] / count for label, count in had.items()}
        return cls(_shares(there, spoken, person=True), _shares(there, spoken, person=False), classes)

    def share(self, label: str, number: int) -> float:
        """How often an object of this class and number is pointed to, among persons or among things."""
        return (self.persons if label == PERSON else self.things)[min(number, NUMBERS)]

    def weights(self, objects: Sequence[str], places: Sequence[int], *, by_class: bool) -> list[float]:
        """How often each of these objects is pointed to; if they differ in class, by that as well."""
        found = [self.share(objects[place], place) for place in places]
        if by_class:
            spoken = [self.classes.get(objects[place], 0.0) for place in places]
            if any(spoken):
                return [share * often for share, often in zip(found, spoken, strict=True)]
        return found

    def apart(self, label: str, one: int, other: int) -> float:
        """How differently often people speak of objects of two numbers: in logarithms, never negative."""
        return abs(math.log(self.share(label, one) / self.share(label, other)))


def _shares(
    there: Counter[tuple[bool, int]], spoken: Counter[tuple[bool, int]], *, person: bool
) -> tuple[float, ...]:
    """Never zero: what was never seen is not impossible."""
    numbers = [(person, number) for number in range(NUMBERS + 1)]
    mean = (sum(spoken[n] for n in numbers) + 1) / (sum(there[n] for n in numbers) + 1)
    return tuple((spoken[n] + DOUBT * mean) / (there[n] + DOUBT) for n in numbers)
