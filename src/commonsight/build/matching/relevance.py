"""The embedded relevance model: no torch, and all pairs of a bucket by one matrix product.

What a query expects of its response is learned in closed form (regularised canonical correlation of both
sides' views), beside plain features such as shared rare words. A logistic regression weighs them, trained as
the paper trains its model: to tell a query's actual response (25 %) from a random, remapped one. It only sees
features of pairs whose images the first step did not see, so what comes out is a calibrated probability.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.relevance_chances import Bend, Logistic, fit_bend, logistic
from commonsight.build.matching.relevance_expects import Expectation, Floats, Moments, moments, together
from commonsight.build.matching.relevance_views import (
    Circumstances,
    Index,
    Matrix,
    Overlap,
    Views,
    Vocabulary,
    circumstances,
    learn_vocabulary,
    look,
    rare_words,
    reading,
)
from commonsight.build.matching.remap import Remap, remapped
from commonsight.build.matching.scorers import Rows, Scores
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.text.encoders import Encoder, default_encoder

DRAWS = 4
"""Responses that each query is trained with; one of them is its own: the paper's 25 %, without the luck."""
PARTS = 4
"""Images are cut into so many parts; what is learned in closed form is tried on the part left out."""
RIDGES = (0.3, 1.0, 3.0, 9.0)
"""How much to distrust correlations, in mean variances; the best on parts left out is taken."""
MOST_PAIRS = 50_000
"""More pairs than this are sampled for training, which bounds its memory by about 1 GB."""
_CHUNK = 4096
_TRIES = 20


class EmbeddedRelevance:
    """A relevance model made of an encoder and counted words."""

    def __init__(self, encoder: Encoder | None = None, *, most_pairs: int = MOST_PAIRS) -> None:
        self._encoder = encoder if encoder is not None else default_encoder()
        self._most_pairs = most_pairs
        self.name = f"embedded-relevance-1({self._encoder.name})"

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedEmbeddedRelevance:
        """Learn from these pairs; the same pairs and seed give the same model."""
        rng = random.Random(f"{seed}:relevance")
        pairs = pairs if len(pairs) <= self._most_pairs else rng.sample(list(pairs), self._most_pairs)
        parts = _parts(pairs, rng)
        draws = _draw(pairs, parts, rng)
        queries = [reading(pair.query, pair.objects) for pair in pairs]
        own = [reading(pair.response, pair.objects) for pair in pairs]
        seen = _Seen(self._encoder, learn_vocabulary(queries, own, pairs))
        left, right = seen.queries(pairs, queries), seen.responses(draws.texts)
        actual = draws.response[draws.actual]  # the response of each query
        sums = [moments(left.view[parts == part], right.view[actual[parts == part]]) for part in range(PARTS)]
        tried = _out_of_part(left, right, draws, parts, sums)
        shared = rare_words(queries, draws.texts, seen.vocabulary).of(draws.query, draws.response)
        features = np.column_stack((tried.scores, _plain_features(left, right, draws), shared))
        weights = logistic(features, draws.actual)
        bend = fit_bend(features @ weights.weights + weights.constant, draws.actual)
        return FittedEmbeddedRelevance(seen, together(sums).solve(tried.ridge), weights, bend)


class _Left(NamedTuple):
    """Queries: what expectation is computed from, and what plain features need."""

    view: Matrix
    texts: Views
    around: Circumstances


class _Right(NamedTuple):
    """Responses: every number that a query may weigh, in one matrix."""

    all: Matrix
    texts: Views

    @property
    def view(self) -> Matrix:
        """The columns that expectations are about."""
        return self.all[:, _columns(self).view]


class _Columns(NamedTuple):
    """Where in the matrix of responses a kind of number stands."""

    view: slice
    meaning: slice
    classes: slice
    length: slice
    gender: slice


def _columns(right: _Right) -> _Columns:
    meaning = right.texts.meaning.shape[1]
    view = meaning + right.texts.form.shape[1]
    classes = view + right.texts.classes.shape[1]
    return _Columns(
        slice(0, view), slice(0, meaning), slice(view, classes), slice(classes, classes + 2), slice(-2, None)
    )


class _Seen:
    """Turns texts into numbers, with what was learned about words."""

    def __init__(self, encoder: Encoder, vocabulary: Vocabulary) -> None:
        self.encoder, self.vocabulary = encoder, vocabulary

    def queries(self, pairs: Sequence[Pair], texts: Sequence[str]) -> _Left:
        views = look(texts, self.vocabulary.queries, self.vocabulary, self.encoder)
        around = circumstances(pairs, texts, self.vocabulary)
        return _Left(np.hstack((views.meaning, views.form, around.types, around.present)), views, around)

    def responses(self, texts: Sequence[str]) -> _Right:
        views = look(texts, self.vocabulary.responses, self.vocabulary, self.encoder)
        length = np.hstack((views.length, np.square(views.length)))
        return _Right(np.hstack((views.meaning, views.form, views.classes, length, views.gender)), views)


class _Draws(NamedTuple):
    """Training pairs: numbers of a query and of a response in `texts`, and whether it is the actual one."""

    query: Index
    response: Index
    actual: NDArray[np.bool_]
    texts: tuple[str, ...]


def _parts(pairs: Sequence[Pair], rng: random.Random) -> Index:
    """The part of each pair; pairs of one image share theirs."""
    images = sorted({pair.image for pair in pairs})
    rng.shuffle(images)
    part = {image: place % PARTS for place, image in enumerate(images)}
    return np.array([part[pair.image] for pair in pairs], np.int64)


def _draw(pairs: Sequence[Pair], parts: Index, rng: random.Random) -> _Draws:
    """Each query with its own response and with random ones of its part, remapped to its objects."""
    readings = [reading(pair.response, pair.objects) for pair in pairs]
    if len(set(readings)) < 2:
        raise InputError(
            "The relevance model needs at least two different responses to learn from. "
            "Give more annotations, or annotations whose responses differ."
        )
    members = [np.flatnonzero(parts == part).tolist() for part in range(PARTS)]
    pools = [found if len({readings[one] for one in found}) > 1 else range(len(pairs)) for found in members]
    numbers: dict[str, int] = {}
    rows: list[tuple[int, int, bool]] = []
    for place, pair in enumerate(pairs):
        rows.append((place, numbers.setdefault(readings[place], len(numbers)), True))
        for _ in range(DRAWS - 1):
            other = pairs[_other(place, pools[parts[place]], readings, rng)]
            text = reading(remapped(other.response, other.objects, pair, rng), pair.objects)
            rows.append((place, numbers.setdefault(text, len(numbers)), False))
    query, response, actual = (np.array(column) for column in zip(*rows, strict=True))
    return _Draws(query.astype(np.int64), response.astype(np.int64), actual.astype(np.bool_), tuple(numbers))


def _other(place: int, pool: Sequence[int], readings: Sequence[str], rng: random.Random) -> int:
    """A random pair whose response does not read like this one's, as far as some tries find one."""
    found = place
    for _ in range(_TRIES):
        found = rng.choice(pool)
        if readings[found] != readings[place]:
            break
    return found


class _Feature(NamedTuple):
    """A feature of all pairs: what each query makes of some columns of any response, and a constant."""

    columns: slice
    weights: Floats | Matrix  # (queries, columns)
    constant: Floats | Matrix  # (queries,)

    def of(self, query: Index, right: _Right, response: Index) -> Floats:
        """The feature of queries with the responses beside them."""
        values = np.empty(len(query))
        for start in range(0, len(query), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            weighed = self.weights[query[chunk]] * right.all[response[chunk], self.columns]
            values[chunk] = weighed.sum(axis=1, dtype=np.float64)
        return values + self.constant[query]


def _expected(queries: Matrix, expects: Expectation, columns: _Columns) -> _Feature:
    weights = (queries - expects.query_mean) @ expects.weights  # (queries, columns of a response's view)
    return _Feature(columns.view, weights, -(weights * expects.response_mean).sum(axis=1))


def _plain(left: _Left, columns: _Columns) -> Iterator[_Feature]:
    """Features that are not learned: nearness, classes, length, pronouns."""
    none = np.zeros(len(left.view))
    length, gender, present = left.texts.length, left.texts.gender, left.around.present
    yield _Feature(columns.meaning, left.texts.meaning, none)
    yield _Feature(columns.classes, present, none)  # classes that the image has
    yield _Feature(columns.classes, 1.0 - present, none)  # and that it lacks
    yield _Feature(columns.classes, left.texts.classes, none)  # and that the query speaks of
    yield _Feature(columns.length, np.hstack((-2.0 * length, np.ones_like(length))), np.square(length[:, 0]))
    yield _Feature(columns.gender, gender, none)  # pronouns that agree
    yield _Feature(columns.gender, gender[:, ::-1], none)  # and that do not


def _plain_features(left: _Left, right: _Right, draws: _Draws) -> Floats:
    features = _plain(left, _columns(right))
    return np.column_stack([feature.of(draws.query, right, draws.response) for feature in features])


class _OutOfPart(NamedTuple):
    """How well each training pair meets expectations learned from other parts, with the best ridge."""

    scores: Floats
    ridge: float


def _out_of_part(
    left: _Left, right: _Right, draws: _Draws, parts: Index, sums: Sequence[Moments]
) -> _OutOfPart:
    tried = [_OutOfPart(np.zeros(len(draws.query)), ridge) for ridge in RIDGES]
    columns = _columns(right)
    for part in range(PARTS):
        others = together([*sums[:part], *sums[part + 1 :]])
        members, pairs = np.flatnonzero(parts == part), np.flatnonzero(parts[draws.query] == part)
        places = np.searchsorted(members, draws.query[pairs])
        for scores, ridge in tried:
            feature = _expected(left.view[members], others.solve(ridge), columns)
            scores[pairs] = feature.of(places, right, draws.response[pairs])
    return min(tried, key=lambda found: logistic(found.scores[:, None], draws.actual).loss)


class FittedEmbeddedRelevance:
    """The trained model."""

    def __init__(self, seen: _Seen, expects: Expectation, chances: Logistic, bend: Bend) -> None:
        self._seen, self._expects, self._logistic, self._bend = seen, expects, chances, bend

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> EmbeddedBlocks:
        """All pairs of a bucket, each response as it reads before it is remapped to a query's objects."""
        del remap
        queries = [reading(pair.query, pair.objects) for pair in bucket]
        responses = [reading(pair.response, pair.objects) for pair in bucket]
        left, right = self._seen.queries(bucket, queries), self._seen.responses(responses)
        weights = np.zeros((len(bucket), right.all.shape[1]))
        constant = np.full(len(bucket), self._logistic.constant)
        for share, feature in self._features(left, right):
            weights[:, feature.columns] += share * feature.weights
            constant += share * feature.constant
        overlap = rare_words(queries, responses, self._seen.vocabulary)
        overlap.queries.data *= np.float32(self._logistic.weights[-1])
        return EmbeddedBlocks(weights, right.all, constant, overlap, self._bend)

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """log P_rel of each query with the response beside it."""
        texts = [reading(pair.query, pair.objects) for pair in queries]
        others = [reading(text, pair.objects) for text, pair in zip(responses, queries, strict=True)]
        left, right = self._seen.queries(queries, texts), self._seen.responses(others)
        places = np.arange(len(queries), dtype=np.int64)
        logit = np.full(len(queries), self._logistic.constant)
        for share, feature in self._features(left, right):
            logit += share * feature.of(places, right, places)
        shared = rare_words(texts, others, self._seen.vocabulary).of(places, places)
        logit += self._logistic.weights[-1] * shared
        return self._bend.log_chance(logit.astype(np.float32))

    def _features(self, left: _Left, right: _Right) -> Iterator[tuple[float, _Feature]]:
        """Every feature but the overlap of words, with its weight."""
        columns = _columns(right)
        yield self._logistic.weights[0], _expected(left.view, self._expects, columns)
        yield from zip(self._logistic.weights[1:-1], _plain(left, columns), strict=True)


_EXACT = 4080.0
"""Rows of whole numbers no longer than this: every sum in their product is below 2**24, hence exact."""
_AT_ONCE = 1 << 20
"""Pairs that are worked on at once: few enough for temporary arrays to cost nothing beside the result."""


class EmbeddedBlocks:
    """log P_rel of all pairs of a bucket: the product of two matrices of whole numbers, and shared words.

    Sums of whole numbers below 2**24 are exact in single precision in whatever order they are summed, so the
    result does not depend on the number of threads, on the linear algebra at hand or on the rows asked for.
    """

    def __init__(
        self, queries: Floats, responses: Matrix, constant: Floats, overlap: Overlap, bend: Bend
    ) -> None:
        even = np.sqrt((_spread(responses) + 1e-9) / (_spread(queries) + 1e-9))
        left, right = _whole(queries, even), _whole(responses, 1 / even)
        self._queries, self._responses = left.numbers, right.numbers.T
        self._unit = np.float32(left.unit * right.unit)
        self._constant, self._bend = constant.astype(np.float32), bend
        self._words, self._answered = overlap.queries, overlap.responses.T.tocsr()

    def __len__(self) -> int:
        return len(self._queries)

    def rows(self, queries: Rows) -> Scores:
        """log P_rel of these queries with all responses."""
        scores = np.empty((len(queries), len(self)), np.float32)
        step = max(1, _AT_ONCE // max(len(self), 1))
        for start in range(0, len(queries), step):
            scores[start : start + step] = self._few(queries[start : start + step])
        return scores

    def _few(self, queries: Rows) -> Scores:
        logit: Scores = self._queries[queries] @ self._responses  # (queries, responses)
        logit *= self._unit
        logit += self._constant[queries][:, None]
        shared = (self._words[queries] @ self._answered).tocoo()
        logit[shared.row, shared.col] += shared.data
        return self._bend.log_chance(logit)


class _Whole(NamedTuple):
    numbers: Matrix
    unit: float


def _whole(rows: Floats | Matrix, scale: Floats) -> _Whole:
    """Rows times the scale of their columns, in whole units; a part at a time, as all of it is large."""
    parts = [slice(start, start + _CHUNK) for start in range(0, len(rows), _CHUNK)]
    lengths = [float(np.square(rows[part] * scale).sum(axis=1).max()) for part in parts]
    unit = max(lengths, default=0.0) ** 0.5 / _EXACT or 1.0
    numbers = np.empty(rows.shape, np.float32)
    for part in parts:
        numbers[part] = np.round(rows[part] * scale / unit)
    return _Whole(numbers, unit)


def _spread(rows: Floats | Matrix) -> Floats:
    return np.sqrt(np.square(rows, dtype=np.float64).mean(axis=0)) if len(rows) else np.zeros(rows.shape[1])
