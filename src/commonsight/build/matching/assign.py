"""Maximum-weight matching of queries to responses: exact for small numbers, nearly exact for large ones.

Dense, every pair is weighed and the matching is the best there is. That takes memory with the square of the
number and time with nearly its cube, so for many the matching is sought among candidates only, beside which
stands one full matching that is allowed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonsight.build.matching.candidates import BLOCK_COPIES as WORKING_COPIES
from commonsight.build.matching.candidates import (
    ROWS,
    Candidates,
    Places,
    WeightBlocks,
    Weights,
    best_candidates,
)
from commonsight.build.matching.feasible import NO_MATCHING
from commonsight.build.matching.prices import Edges, Prices, prices
from commonsight.errors import InputError

__all__ = [
    "CANDIDATES",
    "DENSE_MOST",
    "MEMORY",
    "WORKING_COPIES",
    "Candidates",
    "Matching",
    "MatrixWeights",
    "WeightBlocks",
    "Weights",
    "affordable",
    "best_candidates",
    "dense_prices",
    "match_dense",
    "match_sparse",
    "needed",
]

DENSE_MOST = 4000
"""Up to this many the dense matching is used: weights of all pairs are then kept."""
CANDIDATES = 200
"""How many candidates each query keeps, and each response, in the sparse matching."""
MEMORY = 4 * 1024**3
"""Bytes that a matching may take."""
DENSE_PAIR = 24
"""Bytes for each pair of a dense matching: relevance, similarity and weight, and the solver's costs."""
PRICED = 50
"""Candidates of each query and response from which a dense matching's prices come."""
SPARSE_EDGE = 140
"""Bytes for each candidate of a sparse matching while they are united or the solver works on them."""


class MatrixWeights:
    """Weights that are in memory already."""

    def __init__(self, matrix: Weights) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return len(self._matrix)

    def block(self, rows: slice) -> Weights:
        """These rows of the matrix."""
        return self._matrix[rows]


class Matching(NamedTuple):
    """The response that each query got, and what all of it weighs."""

    response: Places
    weight: float
    exact: bool


def needed(n: int, *, dense_most: int = DENSE_MOST, candidates: int = CANDIDATES) -> int:
    """Bytes that a matching of so many takes at most, beside what its judges hold."""
    block = 4 * ROWS * n * WORKING_COPIES
    return block + (DENSE_PAIR * n * n if n <= dense_most else SPARSE_EDGE * 2 * n * min(candidates, n))


def affordable(n: int, memory: int, *, dense_most: int = DENSE_MOST, candidates: int = CANDIDATES) -> None:
    """Refuse a matching of so many that would take more bytes than this."""
    wanted = needed(n, dense_most=dense_most, candidates=candidates)
    if wanted > memory:
        raise InputError(
            f"Matching {n:,} at once takes about {_size(wanted)}, more than the {_size(memory)} that are "
            f"allowed. Give --memory {_size(wanted)} or more, or a smaller --bucket."
        )


def _size(count: int) -> str:
    """Rounded up to what --memory understands."""
    return f"{-(-count // 1024**2)}MB"


def match_dense(weights: Weights, price: Prices | None = None) -> Matching:
    """The matching of the greatest weight there is; with good prices for the responses it is soon found."""
    from scipy.optimize import linear_sum_assignment

    allowed = np.isfinite(weights)
    if not weights.size or not allowed.any(axis=1).all():
        raise InputError(NO_MATCHING)
    costs = np.negative(weights, dtype=np.float64)
    if price is not None:
        costs += price
    costs -= costs.min(axis=1, where=allowed, initial=np.inf, keepdims=True)
    # A pair that is not allowed costs more than any number of allowed ones could make up for.
    costs[~allowed] = (costs.max(where=allowed, initial=0.0) + 1.0) * (len(weights) + 1)
    rows, columns = linear_sum_assignment(costs)
    if not allowed[rows, columns].all():
        raise InputError(NO_MATCHING)
    return Matching(columns.astype(np.int64), float(weights[rows, columns].sum(dtype=np.float64)), exact=True)


def dense_prices(weights: Weights, before: Prices | None = None) -> Prices:
    """Prices from the best few pairs."""
    pairs = best_candidates(MatrixWeights(weights), PRICED)
    return prices(Edges(pairs.queries, pairs.responses, pairs.weights), len(weights), before)


class SparseMatching(NamedTuple):
    """The response that each query got, what each pair weighs (nan if it is unknown), and the prices."""

    response: Places
    weights: Weights
    prices: Prices


def match_sparse(pairs: Candidates, beside: Places, before: Prices | None = None) -> SparseMatching:
    """The best matching among the candidates, helped out by a full one where they have none.

    What the helping pairs weigh is not known: they count for less than any candidate.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n = len(beside)
    edges = _helped(pairs, beside)
    price = prices(edges, n, before)
    starts = np.searchsorted(edges.queries, np.arange(n + 1)).astype(np.int32)
    costs = np.subtract(price[edges.responses], edges.weights, dtype=np.float64)
    costs -= np.minimum.reduceat(costs, starts[:-1])[edges.queries]
    costs += 1.0  # the solver takes zero for "no pair"
    graph = csr_array((costs, edges.responses.astype(np.int32), starts), shape=(n, n))
    rows, columns = min_weight_full_bipartite_matching(graph)
    response = columns[np.argsort(rows)].astype(np.int64)
    return SparseMatching(response, _weights_of(pairs, response), price)


def _helped(pairs: Candidates, beside: Places) -> Edges:
    """The candidates that are allowed, and pairs of a full matching where they are none."""
    n = len(beside)
    kept = np.isfinite(pairs.weights)
    number, weights = pairs.queries[kept] * n + pairs.responses[kept], pairs.weights[kept]
    helping = np.setdiff1d(np.arange(n, dtype=np.int64) * n + beside, number, assume_unique=True)
    places = np.searchsorted(number, helping)
    number = np.insert(number, places, helping)
    weights = np.insert(weights, places, weights.min(initial=0.0) - 1)
    return Edges(number // n, number % n, weights)


def _weights_of(pairs: Candidates, response: Places) -> Weights:
    n = len(response)
    number, wanted = pairs.queries * n + pairs.responses, np.arange(n, dtype=np.int64) * n + response
    place = np.minimum(np.searchsorted(number, wanted), len(number) - 1)
    return np.where(number[place] == wanted, pairs.weights[place], np.float32(np.nan))
