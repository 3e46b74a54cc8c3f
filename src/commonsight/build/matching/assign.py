"""Maximum-weight matching of queries to responses: exact for small numbers, nearly exact for large ones.

Dense, every pair is weighed and the matching is the best there is. That takes memory with the square of the
number and time with nearly its cube, so for many the matching is sought among the best candidates of each
query and of each response only. A ring of edges that is always allowed makes sure that there is a full one.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InputError

Weights = NDArray[np.float32]
"""Weights of pairs, queries in rows; minus infinity where a pair is not allowed."""

DENSE_MOST = 4000
"""Up to this many the dense matching is used: its matrix is then 128 MB in the solver's precision."""
CANDIDATES = 100
"""How many candidates each query keeps, and each response, in the sparse matching."""
MEMORY = 4 * 1024**3
"""Bytes that weighing pairs may take at once."""
WORKING_COPIES = 6
"""How many times a block's own size scoring it and choosing from it takes at once."""


class WeightBlocks(Protocol):
    """Weights of all pairs, computed block by block so that they need never be in memory at once."""

    def __len__(self) -> int:
        """How many queries there are, and as many responses."""
        ...

    def block(self, rows: slice) -> Weights:
        """The weights of these queries with every response: (rows, responses)."""
        ...


class Matching(NamedTuple):
    """The response that each query got, and what all of it weighs."""

    response: NDArray[np.int64]
    weight: float
    exact: bool


class MatrixWeights:
    """Weights that are in memory already."""

    def __init__(self, matrix: Weights) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return len(self._matrix)

    def block(self, rows: slice) -> Weights:
        """These rows of the matrix."""
        return self._matrix[rows]


def match(
    weights: WeightBlocks,
    *,
    dense_most: int = DENSE_MOST,
    candidates: int = CANDIDATES,
    memory: int = MEMORY,
) -> Matching:
    """The best matching: the dense one if it fits, else the sparse one."""
    if len(weights) <= dense_most:
        return match_dense(weights)
    return match_sparse(weights, candidates=candidates, memory=memory)


def match_dense(weights: WeightBlocks) -> Matching:
    """The matching of the greatest weight there is."""
    from scipy.optimize import linear_sum_assignment

    matrix = weights.block(slice(0, len(weights))).astype(np.float64)
    allowed = np.isfinite(matrix)
    if not matrix.size or not allowed.any():
        raise InputError(_NO_MATCHING)
    # A pair that is not allowed costs more than any number of allowed ones could make up for.
    spread = float(np.ptp(matrix[allowed])) + 1.0
    matrix[~allowed] = float(matrix[allowed].min()) - spread * (len(matrix) + 1)
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    if not allowed[rows, columns].all():
        raise InputError(_NO_MATCHING)
    return Matching(columns.astype(np.int64), float(matrix[rows, columns].sum()), exact=True)


_NO_MATCHING = (
    "There is no way to give every query a response that it is allowed to have. "
    "Use larger buckets, or allow responses of the same image."
)


class Candidates(NamedTuple):
    """Pairs worth considering, in no order."""

    queries: NDArray[np.int64]
    responses: NDArray[np.int64]
    weights: Weights


def match_sparse(weights: WeightBlocks, *, candidates: int = CANDIDATES, memory: int = MEMORY) -> Matching:
    """The best matching among the best candidates and a ring that is always allowed."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n = len(weights)
    pairs = best_candidates(weights, candidates, memory)
    # The solver takes costs, and takes zero for "no edge": shift all costs above it.
    costs = float(pairs.weights.max()) - pairs.weights.astype(np.float64) + 1.0
    graph = coo_matrix((costs, (pairs.queries, pairs.responses)), shape=(n, n)).tocsr()
    try:
        rows, columns = min_weight_full_bipartite_matching(graph)
    except ValueError as error:
        raise InputError(_NO_MATCHING) from error
    order = np.argsort(rows)
    chosen = columns[order].astype(np.int64)
    total = n * (float(pairs.weights.max()) + 1.0) - float(graph[np.arange(n), chosen].sum())
    return Matching(chosen, total, exact=False)


def best_candidates(weights: WeightBlocks, count: int, memory: int = MEMORY) -> Candidates:
    """The `count` best responses of every query, the `count` best queries of every response, and a ring.

    One pass over the blocks: rows are chosen from at once; columns keep their best so far.
    """
    n = len(weights)
    count = min(count, n)
    rows = max(1, min(n, memory // (4 * n * WORKING_COPIES)))
    by_query: list[Candidates] = []
    by_response = _Columns(np.zeros((0, n), np.int64), np.zeros((0, n), np.float32))
    rings = _Rings(n)
    for start in range(0, n, rows):
        block = weights.block(slice(start, min(start + rows, n)))
        by_query.append(_best_of_rows(block, start, count))
        by_response = _best_of_columns(block, start, count, by_response)
        rings.see(block, start)
    responses = np.broadcast_to(np.arange(n), by_response.weights.shape)
    columns = Candidates(by_response.queries.ravel(), responses.ravel(), by_response.weights.ravel())
    return _united([*by_query, columns, rings.allowed()], n)


class _Columns(NamedTuple):
    """The best queries of every response so far: (how many, responses)."""

    queries: NDArray[np.int64]
    weights: Weights


def _best_of_rows(block: Weights, start: int, count: int) -> Candidates:
    best = np.argpartition(block, block.shape[1] - count, axis=1)[:, block.shape[1] - count :]
    queries = np.repeat(np.arange(start, start + len(block)), count)
    return Candidates(queries, best.ravel(), np.take_along_axis(block, best, axis=1).ravel())


def _best_of_columns(block: Weights, start: int, count: int, before: _Columns) -> _Columns:
    best = _top(block, count)
    queries = np.concatenate((before.queries, best + start))
    weights = np.concatenate((before.weights, np.take_along_axis(block, best, axis=0)))
    kept = _top(weights, count)
    return _Columns(np.take_along_axis(queries, kept, axis=0), np.take_along_axis(weights, kept, axis=0))


def _top(weights: Weights, count: int) -> NDArray[np.int64]:
    """Which rows hold the best values of each column."""
    if len(weights) <= count:
        return np.broadcast_to(np.arange(len(weights))[:, None], weights.shape)
    return np.argpartition(weights, len(weights) - count, axis=0)[len(weights) - count :]


RINGS = 64
"""How many rings are tried."""


class _Rings:
    """Full matchings in which everyone gets the response of one some way further on.

    Items of one image stand together, so a shift by about half of all is mostly allowed; others are kept in
    case it is not. Their weights are noted while the blocks pass: weighing all pairs again would cost most.
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self._shifts = sorted(range(1, n), key=lambda shift: (abs(shift - n // 2), shift))[:RINGS]
        self._weights = np.full((len(self._shifts), n), -np.inf, dtype=np.float32)

    def see(self, block: Weights, start: int) -> None:
        """Note the rings' weights in a block that begins with this query."""
        own = np.arange(start, start + len(block))
        for number, shift in enumerate(self._shifts):
            self._weights[number, own] = block[np.arange(len(block)), (own + shift) % self._n]

    def allowed(self) -> Candidates:
        """The first ring of which every pair is allowed; none, if there is no such ring."""
        for shift, weights in zip(self._shifts, self._weights, strict=True):
            if np.isfinite(weights).all():
                return Candidates(np.arange(self._n), (np.arange(self._n) + shift) % self._n, weights)
        return Candidates(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))


def _united(found: list[Candidates], n: int) -> Candidates:
    """All pairs once, those that are not allowed left out."""
    queries = np.concatenate([part.queries for part in found])
    responses = np.concatenate([part.responses for part in found])
    weights = np.concatenate([part.weights for part in found])
    allowed = np.isfinite(weights)
    _, once = np.unique(queries[allowed] * n + responses[allowed], return_index=True)
    return Candidates(queries[allowed][once], responses[allowed][once], weights[allowed][once])
