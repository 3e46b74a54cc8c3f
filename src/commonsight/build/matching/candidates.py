"""Pairs worth considering: the best responses of every query and the best queries of every response.

All pairs pass by once, in blocks of queries. Rows are chosen from at once; columns keep their best so far,
and of equals the earlier query, so that the blocks' size does not show in what is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]
"""Weights of pairs, queries in rows; minus infinity where a pair is not allowed."""
Places = NDArray[np.int64]

ROWS = 256
"""Queries in a block. It does not depend on the memory at hand, so that rounding does not either."""
BLOCK_COPIES = 8
"""How many times a block's own size scoring it and choosing from it takes at once."""
BLOCK_MEMORY = 1024**3


class WeightBlocks(Protocol):
    """Weights of all pairs, computed block by block so that they need never be in memory at once."""

    def __len__(self) -> int:
        """How many queries there are, and as many responses."""
        ...

    def block(self, rows: slice) -> Weights:
        """The weights of these queries with every response: (rows, responses)."""
        ...


class Candidates(NamedTuple):
    """Pairs worth considering, ordered by query and then by response."""

    queries: Places
    responses: Places
    weights: Weights
    relevance: Weights
    """The part of the weight that stays the same in all rounds."""


class Block(NamedTuple):
    """The weights of some queries with all responses, and the part of them that is relevance."""

    start: int
    weights: Weights
    relevance: Weights


def best_candidates(weights: WeightBlocks, count: int, memory: int = BLOCK_MEMORY) -> Candidates:
    """The `count` best responses of every query, and the `count` best queries of every response."""
    return chosen(_plain_blocks(weights, memory), len(weights), count)


def _plain_blocks(weights: WeightBlocks, memory: int) -> Iterator[Block]:
    n = len(weights)
    rows = max(1, min(ROWS, memory // (4 * max(n, 1) * BLOCK_COPIES)))
    for start in range(0, n, rows):
        block = weights.block(slice(start, min(start + rows, n)))
        yield Block(start, block, block)


def chosen(blocks: Iterable[Block], n: int, count: int) -> Candidates:
    """The same, from blocks in the order of their queries."""
    count = min(count, n)
    found: list[_Few] = []
    columns = _Columns(n, count)
    for block in blocks:
        found.append(_best_of_rows(block, count))
        columns.see(block)
    return _united([*found, columns.best()], n)


class _Few(NamedTuple):
    """Some pairs, in as little memory as they need."""

    queries: NDArray[np.int32]
    responses: NDArray[np.int32]
    weights: Weights
    relevance: Weights

    def at(self, places: NDArray[np.intp]) -> _Few:
        return _Few(
            self.queries[places], self.responses[places], self.weights[places], self.relevance[places]
        )


def _together(parts: list[_Few]) -> _Few:
    return _Few(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _taken(block: Block, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> _Few:
    queries = (rows + block.start).astype(np.int32)
    return _Few(
        queries, columns.astype(np.int32), block.weights[rows, columns], block.relevance[rows, columns]
    )


def _best_of_rows(block: Block, count: int) -> _Few:
    n = block.weights.shape[1]
    best = np.argpartition(block.weights, n - count, axis=1)[:, n - count :]
    found = _taken(block, np.repeat(np.arange(len(best)), count), best.ravel())
    return found.at(np.flatnonzero(np.isfinite(found.weights)))


class _Columns:
    """The best queries of every response so far.

    Only what is better than the worst of a response's best is looked at, which soon is little.
    """

    def __init__(self, n: int, count: int) -> None:
        self._count, self._most = count, 2 * count * n
        self._least = np.full(n, -np.inf, np.float32)
        self._found = [_Few(np.zeros(0, np.int32), np.zeros(0, np.int32), self._least[:0], self._least[:0])]

    def see(self, block: Block) -> None:
        """Take from this block what is among the best."""
        self._found.append(_taken(block, *(block.weights > self._least).nonzero()))
        if sum(len(part.queries) for part in self._found) > self._most:
            self._prune()

    def best(self) -> _Few:
        """The best of all blocks."""
        self._prune()
        return self._found[0]

    def _prune(self) -> None:
        found = _together(self._found)
        order = np.argsort(_falling(found), kind="stable")  # earlier queries stay before later ones
        response = found.responses[order]
        rank = np.arange(len(order)) - np.searchsorted(response, response)
        last = rank == self._count - 1
        self._least[response[last]] = found.weights[order[last]]
        self._found = [found.at(order[rank < self._count])]


def _falling(found: _Few) -> NDArray[np.uint64]:
    """Numbers that rise with the response and, for the same one, as the weight falls."""
    bits = found.weights.view(np.uint32)
    rising = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))  # as unsigned numbers, like the floats
    return found.responses.astype(np.uint64) << np.uint64(32) | (~rising).astype(np.uint64)


def _united(parts: list[_Few], n: int) -> Candidates:
    """All pairs once."""
    found = _together(parts)
    _, once = np.unique(found.queries.astype(np.int64) * n + found.responses, return_index=True)
    queries, responses, weights, relevance = found.at(once)
    return Candidates(queries.astype(np.int64), responses.astype(np.int64), weights, relevance)


COPIES = 24
OF_CANDIDATES = 200
"""Of responses that read alike, about how many a query considers among so many candidates."""


class Thinned:
    """Which of many responses that read alike each query considers: a few, and each query another few.

    Otherwise all of a query's candidates could be the same text, and all copies of a text would have the same
    few queries as candidates, too few for all of them.
    """

    def __init__(self, texts: Places, candidates: int = OF_CANDIDATES) -> None:
        most = max(1, COPIES * candidates // OF_CANDIDATES)
        _, number, copies = np.unique(texts, return_inverse=True, return_counts=True)
        copies = copies[number]
        self._many = np.flatnonzero(copies > most)
        self._salt = _mixed(self._many.astype(np.uint32))
        self._share = (2.0**32 * most / copies[self._many]).astype(np.uint32)

    def __call__(self, start: int, weights: Weights) -> None:
        """Take the others out of a block of weights that begins with this query."""
        if not len(self._many):
            return
        for place, row in enumerate(weights):
            query = _mixed(np.array([start + place], np.uint32))
            row[self._many[_mixed(self._salt + query) >= self._share]] = -np.inf


def _mixed(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Numbers that look random, always the same for the same."""
    mixed = numbers ^ numbers >> np.uint32(16)
    for odd in (0x7FEB352D, 0x846CA68B):
        mixed *= np.uint32(odd)
        mixed ^= mixed >> np.uint32(15)
    return mixed
