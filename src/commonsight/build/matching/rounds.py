"""Rounds of matching: each gives every query one more wrong choice (VCR, section 4).

W = log P_rel(query, response) + lambda log(1 - P_sim). In the first round P_sim is that of the response with
the query's own; in later ones the greatest with any response that the query has by then, so that its choices
differ from one another as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.assign import CANDIDATES, DENSE_MOST, MEMORY, Weights, match
from commonsight.build.matching.scorers import RelevanceBlocks, SimilarityBlocks
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


class Keys(NamedTuple):
    """What decides whether a query may have a response at all."""

    images: NDArray[np.int64]
    texts: NDArray[np.int64]


def keys(bucket: Sequence[Pair]) -> Keys:
    """Numbers for the bucket's images and for its responses as they read."""
    return Keys(
        _numbers([pair.image for pair in bucket]), _numbers([normalised(pair.response) for pair in bucket])
    )


def _numbers(names: Sequence[str]) -> NDArray[np.int64]:
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


class RoundWeights:
    """The weights of one round, block by block."""

    def __init__(
        self,
        relevance: RelevanceBlocks,
        similarity: SimilarityBlocks,
        trade: float,
        allowed: Keys,
        had: NDArray[np.int64],  # (queries, responses that each has so far, its own first)
        *,
        same_image: bool = False,
    ) -> None:
        self._relevance, self._similarity, self._trade = relevance, similarity, trade
        self._allowed, self._had, self._same_image = allowed, had, same_image

    def __len__(self) -> int:
        return len(self._relevance)

    def block(self, rows: slice) -> Weights:
        """The weights of these queries with every response."""
        queries = np.arange(*rows.indices(len(self)), dtype=np.int64)
        weights = self._relevance.rows(queries).astype(np.float32, copy=True)
        similar = self._similarity.rows(self._had[queries, 0])
        for column in range(1, self._had.shape[1]):
            similar = np.maximum(similar, self._similarity.rows(self._had[queries, column]))
        weights += self._trade * np.log(np.maximum(1.0 - similar, SURELY))
        for column in range(self._had.shape[1]):  # nothing that reads like what the query has already
            texts = self._allowed.texts[self._had[queries, column]]
            weights[texts[:, None] == self._allowed.texts[None, :]] = -np.inf
        if not self._same_image:
            images = self._allowed.images
            weights[images[queries][:, None] == images[None, :]] = -np.inf
        return weights


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
    """Give every query one response of another item in each round; every response is used in each."""
    if trade < 0:
        raise InputError(f"lambda must not be negative, but is {trade:g}.")
    allowed = keys(bucket)
    had = np.arange(len(bucket), dtype=np.int64)[:, None]
    weights: list[float] = []
    exact = True
    for _ in range(rounds):
        found = match(
            RoundWeights(relevance, similarity, trade, allowed, had, same_image=same_image),
            dense_most=dense_most,
            candidates=candidates,
            memory=memory,
        )
        had = np.concatenate((had, found.response[:, None]), axis=1)
        weights.append(found.weight)
        exact = exact and found.exact
    return Rounds(had[:, 1:], tuple(weights), exact)
