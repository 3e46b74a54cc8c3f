"""Aligning detections: a response of one image is made to speak of another's objects (VCR, appendix C).

Most responses point to objects that the query's image does not have. Each of their tags is remapped, to an
object of the same class where there is one: with some probability to one that the query or its own response
mentions, so that the response seems to belong, otherwise to any. That is not perfect and need not be.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText, Token, named

MENTIONED = 0.5
"""How likely a tag becomes one that query or response mention: "some probability" in the paper, ours here."""


def remapped(
    response: TaggedText,
    labels: Sequence[str],
    query: Pair,
    rng: random.Random,
    *,
    mentioned: float = MENTIONED,
) -> TaggedText:
    """A response whose own image has objects of these labels, as a response to the query.

    Two tags become two different objects as long as there are enough. A tag whose class the query's image
    does not have becomes the words for it.
    """
    near = list(dict.fromkeys((*query.query.references(), *query.response.references())))
    given: dict[int, int | None] = {}
    for tag in response.references():
        if tag not in given:
            given[tag] = _object_for(labels[tag], query.objects, near, set(given.values()), rng, mentioned)
    tokens: list[Token] = []
    for part in response.tokens:
        before = tokens[-1] if tokens and isinstance(tokens[-1], str) else ""
        tokens.extend(_retagged(part, given, labels, before))
    return TaggedText(tuple(tokens))


def _object_for(
    label: str,
    objects: Sequence[str],
    near: Sequence[int],
    taken: set[int | None],
    rng: random.Random,
    mentioned: float,
) -> int | None:
    fitting = [place for place, other in enumerate(objects) if other == label]
    if not fitting:
        return None
    fresh = [place for place in fitting if place not in taken] or fitting
    close = [place for place in near if place in fresh]
    if close and rng.random() < mentioned:
        return rng.choice(close)
    return rng.choice(fresh)


def _retagged(
    token: Token, given: dict[int, int | None], labels: Sequence[str], before: str
) -> Sequence[Token]:
    """The objects that a reference points to now, each once, and the words for those that are not there."""
    if isinstance(token, str) or not token:
        return (token,)
    objects = tuple(dict.fromkeys(place for tag in token if (place := given[tag]) is not None))
    absent = dict.fromkeys(f"the {labels[tag]}" for tag in token if given[tag] is None)
    if not absent:
        return (objects,)
    if not objects:
        return tuple(named(absent, before).split())
    return (objects, "and", *" and ".join(absent).split())
