"""Aligning detections: a response of one image is made to speak of another's objects (VCR, appendix C).

Most responses point to objects that the query's image does not have. Each of their tags is remapped, to an
object of the same class where there is one: with some probability to one that the query or its own response
mentions, so that the response seems to belong, otherwise to any. That is not perfect and need not be.

But it must not give wrong choices away, and drawn at random it does: people speak of the first few persons
and of what is held and eaten, hardly ever of the ninth person or a tree, and who comes first mostly acts. So,
where it is known of what people speak, a tag stays what it is if the query's image has such an object in that
place. Else it becomes another of its class, or else another thing, drawn as often as people speak of objects
of that class and number: where all else is tagged, words in the place of a tag would tell.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from commonsight.build.matching.habits import PERSON, Habits
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText, Token, named

Way = Literal["spoken", "paper"]
"""How tags are remapped: as people speak, or at random as in the paper."""

MENTIONED = 0.5
"""How likely a tag becomes one that query or response mention: "some probability" in the paper, ours here."""
MENTIONED_SPOKEN = 0.25
"""The same for persons where it is known how people speak: who does what to whom shows in numbers too."""


class Remap:
    """Responses of a bucket as responses to its queries, each pair with a chance of its own.

    Without habits tags are drawn at random, as in the paper.
    """

    def __init__(self, pairs: Sequence[Pair], seed: str, habits: Habits | None = None) -> None:
        self._pairs, self._seed, self._habits = pairs, seed, habits

    def __call__(self, query: int, response: int) -> TaggedText:
        one, other = self._pairs[query], self._pairs[response]
        rng = random.Random(f"{self._seed}:{one.id}:{other.id}")
        if self._habits is None:
            return remapped(other.response, other.objects, one, rng)
        return respoken(other.response, other.objects, one, rng, self._habits)


def remapped(
    response: TaggedText,
    labels: Sequence[str],
    query: Pair,
    rng: random.Random,
    *,
    mentioned: float = MENTIONED,
) -> TaggedText:
    """A response whose own image has objects of these labels, as a response to the query: as in the paper.

    Two tags become two different objects as long as there are enough. A tag whose class the query's image
    does not have becomes the words for it.
    """
    near = query.mentions()
    given: dict[int, int | None] = {}
    for tag in response.references():
        if tag not in given:
            fresh = _fresh(_of_class(labels[tag], query.objects), given)
            close = [place for place in near if place in fresh]
            places = close if close and rng.random() < mentioned else fresh
            given[tag] = rng.choice(places) if places else None
    return _retagged(response, given, labels)


def respoken(
    response: TaggedText,
    labels: Sequence[str],
    query: Pair,
    rng: random.Random,
    habits: Habits,
    *,
    mentioned: float = MENTIONED_SPOKEN,
) -> TaggedText:
    """The same as people speak: tags stay what they are where they can."""
    near = query.mentions()
    tags = list(dict.fromkeys(response.references()))
    stay = [tag for tag in tags if labels[tag] != PERSON and labels[tag] in query.objects[tag : tag + 1]]
    given: dict[int, int | None] = {tag: tag for tag in stay}
    for tag in tags:
        if tag in given:
            continue
        person = labels[tag] == PERSON
        same = _of_class(labels[tag], query.objects)
        fresh = _fresh(same or ([] if person else _things(query.objects)), given)
        close = [place for place in near if place in fresh] if person else []
        places = close if close and rng.random() < mentioned else fresh
        if same and tag in places:
            given[tag] = tag
        else:
            shares = habits.shares(query.objects, places)
            given[tag] = rng.choices(places, shares)[0] if places else None
    return _retagged(response, given, labels)


def _of_class(label: str, objects: Sequence[str]) -> list[int]:
    return [place for place, other in enumerate(objects) if other == label]


def _things(objects: Sequence[str]) -> list[int]:
    return [place for place, other in enumerate(objects) if other != PERSON]


def _fresh(places: list[int], given: dict[int, int | None]) -> list[int]:
    """Those that no tag has become yet; all if there are none left."""
    return [place for place in places if place not in given.values()] or places


def _retagged(response: TaggedText, given: dict[int, int | None], labels: Sequence[str]) -> TaggedText:
    tokens: list[Token] = []
    for part in response.tokens:
        before = tokens[-1] if tokens and isinstance(tokens[-1], str) else ""
        tokens.extend(_reference(part, given, labels, before))
    return TaggedText(tuple(tokens))


def _reference(
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
