"""What is learned from: pictures that were detected and rated; and what came of learning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from commonsight.build.imaging.interest.curves import Chosen, Curve
from commonsight.build.imaging.interest.ratings import ABOVE, read_ratings, refuse_one_sided
from commonsight.build.imaging.interest.rules import Rule
from commonsight.build.imaging.sightings import Sighting

AT_ONCE = 512
"""Pictures that are judged together."""


class Rated(NamedTuple):
    """Pictures, and whether each is interesting."""

    seen: list[Sighting]
    interesting: list[bool]


class Learned(NamedTuple):
    """How well pictures that were held out are told apart."""

    rated: int
    interesting: int
    chosen: Chosen
    curve: Curve
    average: float


class Judgement(NamedTuple):
    """How likely a picture is interesting, and whether that is enough."""

    seen: Sighting
    chance: float
    enough: bool


def by_ratings(seen: Iterable[Sighting], ratings: Path, above: float = ABOVE) -> Rated:
    """The pictures that were rated, of those that were detected."""
    means = {one.image: one.mean for one in read_ratings(ratings)}
    kept = [one for one in seen if one.name in means]
    interesting = [means[one.name] > above for one in kept]
    refuse_one_sided(ratings, interesting)
    return Rated(kept, interesting)


def by_rule(seen: Iterable[Sighting], rule: Rule, place: Path) -> Rated:
    """Pictures whose rule stands for a rating: A-OKVQA trains its classifier so."""
    kept = list(seen)
    interesting = [not rule.against(one) for one in kept]
    refuse_one_sided(place, interesting)
    return Rated(kept, interesting)


def groups(seen: Iterable[Sighting], size: int = AT_ONCE) -> Iterator[list[Sighting]]:
    """Some hundreds at a time."""
    left = iter(seen)
    while group := list(islice(left, size)):
        yield group
