"""Signs: what a sentence says of numbers, crossed with how many objects of each kind its pictures show.

MAXENT of NLVR2 (section 6, appendix E.2). For every n-gram with a number in it, every kind of object in any
of the pictures, and every picture as well as all of them together there are two signs: the n-gram and the
kind with how many there are, and the same with whether that is less than the number, equal or greater.

A single picture is also counted part by part, from left to right: drawn shapes lie in three boxes side by
side, and sentences about them speak of a box.

An object is of its label's kind, and where it has attributes also of each of those, and of both together:
among drawn shapes a yellow square is a "square", a "yellow" and a "yellow square".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from commonsight.core.scene import Region, Scene

Counts = tuple[tuple[str, int], ...]
"""Kinds of objects, and how many of each a picture shows."""

_SPOKEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
NUMBERS = {word: number for number, word in enumerate(_SPOKEN.split())}
TOGETHER = "all"
_MOST_DIGITS = 4
"""Longer numbers are years and the like: nothing that a picture shows so often."""


class Counting(Struct, frozen=True):
    """Which signs there are; the numbers are NLVR2's."""

    shortest: int = 2
    longest: int = 6
    """Words of an n-gram."""
    threshold: float = 0.5
    """Objects that a detector is less sure of are not counted; those without a score are."""
    at_least: int = 2
    """Questions of training that a sign must occur in: our choice, for most occur in one."""
    panels: int = 3
    """Parts of the same width that a single picture is counted in, too: as many as drawings of shapes have
    boxes; our choice."""

    def __post_init__(self) -> None:
        """Numbers by which nothing could be counted are refused."""
        if not 1 <= self.shortest <= self.longest:
            raise ValueError(f"n-grams of {self.shortest} to {self.longest} words are none")
        if self.panels < 1:
            raise ValueError(f"a picture has one part at least, not {self.panels}")

    def counted(self, scenes: Iterable[Scene]) -> tuple[Counts, ...]:
        """How many objects of each kind each picture shows."""
        return tuple(tuple(sorted(self._kinds(scene.regions).items())) for scene in scenes)

    def in_panels(self, scenes: Sequence[Scene]) -> tuple[Counts, ...]:
        """The same of each part of a single picture, by where the middle of an object is; nothing where there
        are several pictures, or where it is not known of every object."""
        width = scenes[0].width if len(scenes) == 1 else None
        if width is None or self.panels == 1:
            return ()
        parts: list[list[Region]] = [[] for _ in range(self.panels)]
        for region in scenes[0].regions:
            if region.box is None:
                return ()
            middle = (region.box.left + region.box.right) / 2
            parts[min(int(self.panels * middle / width), self.panels - 1)].append(region)
        return tuple(tuple(sorted(self._kinds(part).items())) for part in parts)

    def _kinds(self, regions: Iterable[Region]) -> Counter[str]:
        sure = (one for one in regions if one.score is None or one.score >= self.threshold)
        return Counter(kind for region in sure for kind in kinds(region))

    def signs(
        self, words: Sequence[str], pictures: Sequence[Counts], panels: Sequence[Counts] = ()
    ) -> list[str]:
        """The signs of one question, each once."""
        views = _views(pictures, panels)
        found = dict.fromkeys(
            f"{' '.join(gram.words)} | {kind} | {view} | {told}"
            for gram in self.grams(words)
            for kind, in_views in views.items()
            for view, count in in_views.items()
            for told in (str(count), _compared(count, gram.number))
        )
        return list(found)

    def grams(self, words: Sequence[str]) -> Iterator[Gram]:
        """N-grams with a number in them; one with several numbers stands there once for each."""
        for place, number in enumerate(map(number_of, words)):
            if number is None:
                continue
            for size in range(self.shortest, self.longest + 1):
                for start in range(max(0, place - size + 1), min(place, len(words) - size) + 1):
                    yield Gram(tuple(words[start : start + size]), number)


class Gram(Struct, frozen=True):
    """Some words in a row, and one number among them."""

    words: tuple[str, ...]
    number: int


def number_of(word: str) -> int | None:
    """The number that a word means, if it is one."""
    if word.isascii() and word.isdecimal() and len(word) <= _MOST_DIGITS:
        return int(word)
    return NUMBERS.get(word.lower())


def kinds(region: Region) -> list[str]:
    """What an object is counted as."""
    label, attributes = region.label.lower(), [one.lower() for one in region.attributes]
    return list(dict.fromkeys([label, *attributes, *(f"{one} {label}" for one in attributes)]))


def _views(pictures: Sequence[Counts], panels: Sequence[Counts]) -> dict[str, dict[str, int]]:
    """Of every kind how many each picture shows, by its number from 1, how many all of them together, and how
    many each part of a single one."""
    counted, parts = ([dict(counts) for counts in several] for several in (pictures, panels))
    every = dict.fromkeys(kind for counts in counted for kind in counts)
    views: dict[str, dict[str, int]] = {}
    for kind in every:
        single = [counts.get(kind, 0) for counts in counted]
        views[kind] = {str(number): count for number, count in enumerate(single, start=1)}
        if len(single) > 1:  # else together is the same
            views[kind][TOGETHER] = sum(single)
        views[kind] |= {
            f"{number} of {len(parts)}": counts.get(kind, 0) for number, counts in enumerate(parts, start=1)
        }
    return views


def _compared(count: int, number: int) -> str:
    """With the number, for an n-gram may have several."""
    told = "less than" if count < number else "greater than" if count > number else "equal to"
    return f"{told} {number}"
