"""Aligning detections: a response of one image is made to speak of another's objects (VCR, appendix C).

Most responses point to objects that the query's image does not have. Each of their tags is remapped, to an
object of the same class where there is one: with some probability to one that the query or its own response
mentions, so that the response seems to belong, otherwise to any. That is not perfect and need not be.

But it must not give wrong choices away. People speak of the first few persons and of what is held and eaten,
hardly ever of the ninth person or a tree, and who comes first mostly acts. So a tag keeps its place among its
class where it can, and else is drawn as often as responses point to its like. And where all else is tagged,
words in the place of a tag tell a borrowed response; so a tag whose class is not there becomes another thing
that people speak of. All this needs to know of what people speak; without it any object is as good.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText, Token, named

MENTIONED = 0.5
"""How likely a tag becomes one that query or response mention: "some probability" in the paper, ours here."""

PERSON = "person"
"""A class that nothing else stands in for, and that stands in for nothing else."""
RANKS = 12
"""Persons beyond this many are all alike, and things beyond the first two."""


class Salience(NamedTuple):
    """How often responses point to an object, of its class and place among its class, that an image has."""

    shares: dict[tuple[str, int], float]

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> Salience:
        """Counted in these pairs, each object once a response."""
        there, spoken = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
        for pair in pairs:
            kinds = _kinds(pair.objects)
            there.update(kinds)
            spoken.update(kinds[place] for place in set(pair.response.references()))
        return cls({kind: spoken[kind] / count for kind, count in there.items()})

    def weights(self, objects: Sequence[str], places: Sequence[int]) -> list[float]:
        """How often each of these objects is pointed to; alike if none ever is."""
        kinds = _kinds(objects)
        found = [self.shares.get(kinds[place], 0.0) for place in places]
        return found if any(found) else [1.0] * len(places)


def _kinds(objects: Sequence[str]) -> list[tuple[str, int]]:
    """The class of each object, and its place among those of its class."""
    seen = Counter[str]()
    kinds = []
    for label in objects:
        kinds.append((label, min(seen[label], RANKS if label == PERSON else 2)))
        seen[label] += 1
    return kinds


def remapped(
    response: TaggedText,
    labels: Sequence[str],
    query: Pair,
    rng: random.Random,
    *,
    mentioned: float = MENTIONED,
    salience: Salience | None = None,
) -> TaggedText:
    """A response whose own image has objects of these labels, as a response to the query.

    Two tags become two different objects as long as there are enough. A tag whose class the query's image
    does not have becomes another thing if it is known of what people speak, else the words for it.
    """
    near = list(dict.fromkeys((*query.query.references(), *query.response.references())))
    given: dict[int, int | None] = {}
    for tag in response.references():
        if tag not in given:
            fitting = _fitting(labels[tag], query.objects, things=salience is not None)
            fresh = [place for place in fitting if place not in given.values()] or fitting
            close = [place for place in near if place in fresh]
            close = close if close and rng.random() < mentioned else []
            given[tag] = _drawn(close, fresh, query.objects, _kinds(labels)[tag], salience, rng)
    tokens: list[Token] = []
    for part in response.tokens:
        before = tokens[-1] if tokens and isinstance(tokens[-1], str) else ""
        tokens.extend(_retagged(part, given, labels, before))
    return TaggedText(tuple(tokens))


def _fitting(label: str, objects: Sequence[str], *, things: bool) -> list[int]:
    """The objects of this class; if there are none, and other things will do for a thing, all of these."""
    same = [place for place, other in enumerate(objects) if other == label]
    if same or not things or label == PERSON:
        return same
    return [place for place, other in enumerate(objects) if other != PERSON]


def _drawn(
    close: Sequence[int],
    fitting: Sequence[int],
    objects: Sequence[str],
    own: tuple[str, int],
    salience: Salience | None,
    rng: random.Random,
) -> int | None:
    """One of the close ones if there are any, else one that fits; that in the tag's own place if possible."""
    places = close or fitting
    if not places:
        return None
    if salience is None:
        return rng.choice(places)
    kinds = _kinds(objects)
    same = [place for place in places if kinds[place] == own]
    if same:
        return same[0]
    return rng.choice(places) if close else rng.choices(places, salience.weights(objects, places))[0]


def _retagged(
    token: Token, given: dict[int, int | None], labels: Sequence[str], before: str
) -> Sequence[Token]:
    """The objects that a reference points to now, each once, and the words for those that are not there."""
    if isinstance(token, str) or not token:
        return (token,)
    objects = tuple(dict.fromkeys(place for tag in token if (place := given[tag]) is not None))
    if tuple(sorted(token)) == token:  # people name several in order
        objects = tuple(sorted(objects))
    absent = dict.fromkeys(f"the {labels[tag]}" for tag in token if given[tag] is None)
    if not absent:
        return (objects,)
    if not objects:
        return tuple(named(absent, before).split())
    return (objects, "and", *" and ".join(absent).split())
