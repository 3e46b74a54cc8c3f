"""Rounds of matching: each gives every query one more wrong choice (VCR, section 4).

W = log P_rel(query, response) + lambda log(1 - P_sim). In the first round P_sim is that of the response with
the query's own; in later ones the greatest with any response that the query has by then, so that its choices
differ from one another as well.

So a weight never rises from round to round. All pairs are judged once: kept as a whole for a dense matching;
for a sparse one the best are, and weighed again by what their queries were given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.assign import (
    CANDIDATES,
    DENSE_MOST,
    MEMORY,
    Matching,
    affordable,
    dense_prices,
    match_dense,
    match_sparse,
)
from commonsight.build.matching.candidates import ROWS, Block, Thinned, Weights, chosen
from commonsight.build.matching.feasible import Keys as Keys
from commonsight.build.matching.feasible import Rules, full_matching
from commonsight.build.matching.joint import JOINT_MOST, match_jointly
from commonsight.build.matching.prices import Prices
from commonsight.build.matching.scorers import RelevanceBlocks, Rows, Scores, SimilarityBlocks
from commonsight.build.matching.values import Pair, normalised
from commonsight.errors import InputError

ROUNDS = 3
LAMBDA_ANSWER = 0.1
LAMBDA_RATIONALE = 0.01
"""The paper's values (appendix C, Figure 13), for questions to answers and for answers to rationales."""
SURELY = 1e-6
"""1 - P_sim is never taken for less, as its logarithm would be infinite."""


class Rounds(NamedTuple):
    """The responses that each query was given, round by round: (queries, rounds), and how it went."""

    responses: NDArray[np.int64]
    weights: tuple[float, ...]
    exact: bool


def keys(bucket: Sequence[Pair]) -> Keys:
    """Numbers for the bucket's images and for its responses as they read."""
    return Keys(
        _numbers([pair.image for pair in bucket]), _numbers([normalised(pair.response) for pair in bucket])
    )


def _numbers(names: Sequence[str]) -> NDArray[np.int64]:
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True)
class Judged:
    """A bucket as its judges see it: what the weights of all rounds are made from."""

    relevance: RelevanceBlocks
    similarity: SimilarityBlocks
    trade: float
    allowed: Keys
    same_image: bool = False

    def __len__(self) -> int:
        return len(self.relevance)

    def rules(self, had: Rows) -> Rules:
        """Who may have what, where each query has these responses: (queries, responses), its own first."""
        return Rules(self.allowed, had, same_image=self.same_image)

    def weights(self, queries: Rows, had: Rows) -> Weights:
        """The weights of these queries with every response, by their definition."""
        weights = self.relevance.rows(queries).astype(np.float32, copy=True)
        unlike = self.unlike(self.similarity.rows(had[queries, 0]))
        for column in range(1, had.shape[1]):
            np.minimum(unlike, self.unlike(self.similarity.rows(had[queries, column])), out=unlike)
        weights += unlike
        weights[~self.rules(had).rows(queries)] = -np.inf
        return weights

    def unlike(self, similar: Scores) -> Weights:
        """lambda log(1 - P_sim): never positive."""
        unlike = np.subtract(np.float32(1), similar)
        np.maximum(unlike, np.float32(SURELY), out=unlike)
        np.log(unlike, out=unlike)
        unlike *= np.float32(self.trade)
        return unlike

    def blocks(self) -> Iterator[Rows]:
        """All queries, so many at a time."""
        for start in range(0, len(self), ROWS):
            yield np.arange(start, min(start + ROWS, len(self)), dtype=np.int64)


class Dense:
    """The weights of all pairs, lowered after each round."""

    def __init__(self, judged: Judged) -> None:
        n = len(judged)
        self._judged = judged
        self._prices: Prices | None = None
        self._relevance, self._unlike = np.empty((n, n), np.float32), np.empty((n, n), np.float32)
        self._weights = np.full((n, n), np.inf, np.float32)
        for queries in judged.blocks():
            self._relevance[queries] = judged.relevance.rows(queries)
            self._unlike[queries] = judged.unlike(judged.similarity.rows(queries))
        self.give(np.arange(n, dtype=np.int64)[:, None])

    def give(self, had: Rows) -> None:
        """Take into account what each query has, of which only the last is new."""
        rules = self._judged.rules(had)
        for queries in self._judged.blocks():
            weights = self._unlike[had[queries, -1]]
            weights += self._relevance[queries]
            np.minimum(weights, self._weights[queries], out=weights)
            weights[~rules.rows(queries)] = -np.inf
            self._weights[queries] = weights

    def match(self, had: Rows) -> Matching:
        """The best matching there is."""
        del had
        self._prices = dense_prices(self._weights, self._prices)
        return match_dense(self._weights, self._prices)


class Sparse:
    """The weights of the best pairs of the first round, lowered after each."""

    def __init__(self, judged: Judged, candidates: int = CANDIDATES) -> None:
        self._judged = judged
        self._prices: Prices | None = None
        self._pairs = chosen(self._first(candidates), len(judged), candidates)

    def _first(self, candidates: int) -> Iterator[Block]:
        judged, thin = self._judged, Thinned(self._judged.allowed.texts, candidates)
        rules = judged.rules(np.arange(len(judged), dtype=np.int64)[:, None])
        for queries in judged.blocks():
            relevance = judged.relevance.rows(queries).astype(np.float32, copy=False)
            weights = judged.unlike(judged.similarity.rows(queries))
            weights += relevance
            weights[~rules.rows(queries)] = -np.inf
            thin(int(queries[0]), weights)
            yield Block(int(queries[0]), weights, relevance)

    def give(self, had: Rows) -> None:
        """Take into account what each query has, of which only the last is new."""
        judged, (queries, responses, weights, relevance) = self._judged, self._pairs
        lowered = judged.unlike(judged.similarity.pairs(had[queries, -1], responses))
        lowered += relevance
        np.minimum(lowered, weights, out=lowered)
        lowered[~judged.rules(had).pairs(queries, responses)] = -np.inf
        self._pairs = self._pairs._replace(weights=lowered)

    def match(self, had: Rows) -> Matching:
        """The best matching among the candidates; where they have none, any that is allowed helps out."""
        found = match_sparse(self._pairs, full_matching(self._judged.rules(had)), self._prices)
        self._prices = found.prices
        unknown = np.flatnonzero(np.isnan(found.weights))
        for start in range(0, len(unknown), ROWS):
            some = unknown[start : start + ROWS]
            found.weights[some] = self._judged.weights(some, had)[np.arange(len(some)), found.response[some]]
        return Matching(found.response, float(found.weights.sum(dtype=np.float64)), exact=False)


def match_rounds(
    bucket: Sequence[Pair],
    relevance: RelevanceBlocks,
    similarity: SimilarityBlocks,
    *,
    trade: float,
    rounds: int = ROUNDS,
    same_image: bool = False,
    dense_most: int = DENSE_MOST,
    candidates: int = CANDIDATES,
    memory: int = MEMORY,
) -> Rounds:
    """Give every query one response of another item in each round; every response is used in each.

    The memory decides whether it is done at all, never what is found.
    """
    if trade < 0:
        raise InputError(f"lambda must not be negative, but is {trade:g}.")
    n = len(bucket)
    affordable(n, memory, dense_most=dense_most, candidates=candidates)
    judged = Judged(relevance, similarity, trade, keys(bucket), same_image)
    way = Dense(judged) if n <= dense_most else Sparse(judged, candidates)
    try:
        found = _one_by_one(way, n, rounds)
    except InputError:
        if n > JOINT_MOST:
            raise
        own = np.arange(n, dtype=np.int64)
        found = match_jointly(judged.weights(own, own[:, None]), judged.allowed.texts, rounds)
    responses = np.stack([each.response for each in found], axis=1)
    return Rounds(responses, tuple(each.weight for each in found), all(each.exact for each in found))


def _one_by_one(way: Dense | Sparse, n: int, rounds: int) -> list[Matching]:
    """Each round the best there is after those before it."""
    had = np.arange(n, dtype=np.int64)[:, None]
    found: list[Matching] = []
    for number in range(rounds):
        if number:
            way.give(had)
        found.append(way.match(had))
        had = np.concatenate((had, found[-1].response[:, None]), axis=1)
    return found
