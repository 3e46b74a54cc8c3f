"""Buckets: responses are lent within one only (VCR, appendix C, semantic categories).

By the pronoun of the response, so that no choice gives itself away by "she" where the picture shows him; for
answers by the type of the question too. What is still too large is cut by meaning. A bucket in which no full
matching need exist is merged with the nearest one, and that is said.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.build.matching.rounds import ROUNDS
from commonsight.build.matching.scorers import worded
from commonsight.build.matching.values import Pair, normalised
from commonsight.core.text import TaggedText
from commonsight.text.pronouns import pronoun_gender

BUCKET = 3000
"""The paper's size of a bucket."""
PASSES = 12
"""Of 2-means: halves need not be perfect."""
SMALLEST_PART = 4
"""Of a bucket that is cut, the smaller part is at least one in so many."""

Task = Literal["answers", "rationales"]
Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Vectors of texts: (texts, numbers)."""

ASKING = {
    "who": "who", "whose": "who", "whom": "who", "what": "what", "where": "where", "when": "when",
    "why": "why", "how": "how", "which": "which",
}  # fmt: skip
AUXILIARY = frozenset((
    "is", "are", "was", "were", "am", "do", "does", "did", "can", "could", "will", "would", "should",
    "has", "have", "had", "may", "might", "must", "shall",
))  # fmt: skip


class Bucket(Struct, frozen=True):
    """Some pairs of a fold, by their places in it."""

    name: str
    members: tuple[int, ...]


class Merged(Struct, frozen=True):
    """A note that a bucket could not stand alone."""

    bucket: str
    items: int
    into: str
    why: str


class Bucketed(NamedTuple):
    """The buckets of a fold, in the order of their names, and which were merged."""

    buckets: tuple[Bucket, ...]
    merged: tuple[Merged, ...]


class Limits(Struct, frozen=True):
    """What makes a bucket: at most so many pairs, and room for so many rounds."""

    most: int | None = BUCKET
    rounds: int = ROUNDS
    same_image: bool = False


def question_word(query: TaggedText) -> str:
    """Who, what, where, when, why, how, which; `is` for what asks for yes or no; else `other`."""
    words = ["" if isinstance(token, tuple) else token.lower() for token in query.tokens]
    if words and words[0] in AUXILIARY:
        return "is"
    asking = next((ASKING[word] for word in words if word in ASKING), None)
    return asking or ("is" if words[-1:] == ["?"] and not AUXILIARY.isdisjoint(words) else "other")


def buckets(
    pairs: Sequence[Pair], task: Task, limits: Limits, *, embed: Embed | None = None, seed: int = 0
) -> Bucketed:
    """The buckets of a fold's pairs: every pair in one of them."""
    if limits.most is None:
        return Bucketed((Bucket("all", tuple(range(len(pairs)))),), ())
    kinds: dict[str, list[int]] = {}
    for place, pair in enumerate(pairs):
        kinds.setdefault(_kind(pair, task), []).append(place)
    vectors = _Vectors(pairs, embed)
    cut: dict[str, list[int]] = {}
    for name in sorted(kinds):
        parts = _cut(kinds[name], vectors, limits.most, f"{seed}:{name}")
        for number, part in enumerate(parts):
            cut[name if len(parts) == 1 else f"{name}/{number}"] = part
    merged = _merge(cut, pairs, limits, vectors)
    return Bucketed(tuple(Bucket(name, tuple(sorted(cut[name]))) for name in sorted(cut)), tuple(merged))


def _kind(pair: Pair, task: Task) -> str:
    gender = pronoun_gender(worded(pair.response, pair.objects))
    return f"{gender}/{question_word(pair.query)}" if task == "answers" else gender


class _Vectors:
    """Vectors of the pairs' queries, made when first asked for: most folds need none."""

    def __init__(self, pairs: Sequence[Pair], embed: Embed | None) -> None:
        self._pairs, self._embed = pairs, embed
        self._made: NDArray[np.float32] | None = None

    def of(self, places: Sequence[int]) -> NDArray[np.float32] | None:
        if self._embed is None:
            return None
        if self._made is None:
            texts = [worded(pair.query, pair.objects) for pair in self._pairs]
            self._made = np.asarray(self._embed(texts), np.float32)
        return self._made[np.asarray(places, np.int64)]


def _cut(places: list[int], vectors: _Vectors, most: int, seed: str) -> list[list[int]]:
    """The places in parts of at most `most` each: halved by meaning until they are."""
    if len(places) <= most:
        return [places]
    found = vectors.of(places)
    if found is None:
        parts = -(-len(places) // most)
        return [places[number::parts] for number in range(parts)]
    first = halves(found, random.Random(seed))
    sides = ([p for p, one in zip(places, first, strict=True) if one is side] for side in (True, False))
    return [
        part for number, side in enumerate(sides) for part in _cut(side, vectors, most, f"{seed}:{number}")
    ]


def halves(vectors: NDArray[np.float32], rng: random.Random) -> list[bool]:
    """Which vectors are on the first of two sides: 2-means, neither side smaller than a quarter."""
    n = len(vectors)
    ends = vectors[rng.sample(range(n), 2)].astype(np.float64)  # (2, numbers)
    nearer = np.zeros(n)
    for _ in range(PASSES):
        nearer = vectors @ (ends[0] - ends[1]) - (ends[0] @ ends[0] - ends[1] @ ends[1]) / 2
        first = _first_side(nearer)
        moved = np.stack((vectors[first].mean(axis=0), vectors[~first].mean(axis=0))).astype(np.float64)
        if np.allclose(moved, ends):
            break
        ends = moved
    return [bool(side) for side in _first_side(nearer)]


def _first_side(nearer: NDArray[np.float64]) -> NDArray[np.bool_]:
    n = len(nearer)
    least = max(1, n // SMALLEST_PART)
    count = min(max(int((nearer > 0).sum()), least), n - least)
    side = np.zeros(n, bool)
    side[np.argsort(-nearer, kind="stable")[:count]] = True
    return side


def _merge(
    cut: dict[str, list[int]], pairs: Sequence[Pair], limits: Limits, vectors: _Vectors
) -> list[Merged]:
    """Merge, the smallest first, until every bucket is sure to have its matchings or only one is left."""
    notes = []
    unsure = {name: why for name, places in cut.items() if (why := _doubt(pairs, places, limits))}
    while unsure and len(cut) > 1:
        name = min(unsure, key=lambda each: (len(cut[each]), each))
        into = _nearest(name, cut, vectors)
        notes.append(Merged(name, len(cut[name]), into, unsure.pop(name)))
        cut[into] += cut.pop(name)
        unsure.pop(into, None)
        if why := _doubt(pairs, cut[into], limits):
            unsure[into] = why
    return notes


def _nearest(name: str, cut: dict[str, list[int]], vectors: _Vectors) -> str:
    """The bucket to merge with: of the same pronoun if there is one, and of these the nearest in meaning."""
    others = [other for other in cut if other != name]
    gender = name.partition("/")[0]
    near = [other for other in others if other.partition("/")[0] == gender] or others
    own = vectors.of(cut[name])
    if own is None:
        return min(near, key=lambda other: (len(cut[other]), other))
    middle = own.mean(axis=0)

    def distance(other: str) -> float:
        found = vectors.of(cut[other])
        assert found is not None
        return float(np.linalg.norm(found.mean(axis=0) - middle))

    return min(near, key=lambda other: (distance(other), other))


class _Crowd(NamedTuple):
    """How many pairs there are, how many different responses, and how often the commonest text and image."""

    pairs: int
    different: int
    text: int
    image: int


def _crowd(pairs: Sequence[Pair], places: Sequence[int], same_image: bool) -> _Crowd:
    texts = Counter(normalised(pairs[place].response) for place in places)
    images = Counter(pairs[place].image for place in places)
    image = 0 if same_image else max(images.values(), default=0)
    return _Crowd(len(places), len(texts), max(texts.values(), default=0), image)


def _doubt(pairs: Sequence[Pair], places: Sequence[int], limits: Limits) -> str | None:
    """Why a bucket might lack a full matching in some round, or None if it surely has them all.

    In the last round a response is refused by the queries of its image and by those that have its text, at
    most `rounds` times as many as it is there; a query refuses as many. While both leave half of the bucket,
    there is a full matching (Hall); and where no text and no image is there twice, all have equally many.
    """
    crowd = _crowd(pairs, places, limits.same_image)
    if crowd.different <= limits.rounds:
        return f"it has {crowd.different} of the {limits.rounds + 1} different responses that are needed"
    if crowd.text == 1 and crowd.image <= 1:
        return None
    if 2 * (limits.rounds * crowd.text + crowd.image) <= crowd.pairs:
        return None
    often = [f"one response is there {crowd.text} times"] if crowd.text > 1 else []
    often += [f"one image holds {crowd.image}"] if crowd.image > 1 else []
    return f"of {crowd.pairs} {' and '.join(often)}"


def impossible(pairs: Sequence[Pair], limits: Limits) -> str | None:
    """Why no matching can exist among these pairs at all, or None if there may be one."""
    crowd = _crowd(pairs, range(len(pairs)), limits.same_image)
    if crowd.different <= limits.rounds:
        return f"there are {crowd.different} different responses, and {limits.rounds + 1} are needed"
    if (limits.rounds + 1) * crowd.text > crowd.pairs:
        return f"{crowd.text} of {crowd.pairs} responses read alike, more than one in {limits.rounds + 1}"
    if 2 * crowd.image > crowd.pairs:
        return f"{crowd.image} of {crowd.pairs} annotations are of one image, more than half"
    return None
