"""What two texts have in common, for millions of pairs side by side."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from commonsight.build.matching.similarity_features import Matrix, OneWay, Places, Texts

ROWS_AT_ONCE = 256
"""Rows that are spread out at a time."""
DOTS_AT_ONCE = 1 << 10
PAIRS_AT_ONCE = 1 << 15
"""Pairs whose words are looked up at a time: few enough for all that to stay near the processor."""


def beside(texts: Texts, premises: Places, hypotheses: Places) -> OneWay:
    """What the features of pairs are made from, each (pairs,), in one direction."""
    held = row_products(texts.says, texts.weighed, premises, hypotheses)
    opposed = row_products(texts.not_opposites, texts.opposites, premises, hypotheses).nonzero()
    return OneWay(held, texts.mass[hypotheses], opposed)


def dot_products(vectors: Matrix, a: Places, b: Places) -> Matrix:
    """The products of vectors side by side."""
    products = np.empty(len(a), np.float32)
    for start in range(0, len(a), DOTS_AT_ONCE):
        some = slice(start, start + DOTS_AT_ONCE)
        products[some] = np.einsum("ij,ij->i", vectors[a[some]], vectors[b[some]])
    return products


def row_products(left: Any, right: Any, a: Places, b: Places) -> Matrix:
    """The products of sparse rows: row a of `left` with row b of `right`, for each a and the b beside it.

    The rows of `left` are spread out, some at a time, and looked up where those of `right` have something.
    """
    sums = np.zeros(len(a), np.float32)
    wanted, place = np.unique(a, return_inverse=True)
    order = np.argsort(place, kind="stable")
    ends = np.searchsorted(place[order], np.arange(0, len(wanted) + ROWS_AT_ONCE, ROWS_AT_ONCE))
    for number, (start, end) in enumerate(pairwise(ends)):
        first = number * ROWS_AT_ONCE
        spread = left[wanted[first : first + ROWS_AT_ONCE]].toarray()
        for at in range(start, end, PAIRS_AT_ONCE):
            some = order[at : min(at + PAIRS_AT_ONCE, end)]
            sums[some] = _looked_up(spread, place[some] - first, right, b[some])
    return sums


def _looked_up(spread: Matrix, rows: Places, right: Any, b: Places) -> Matrix:
    starts, counts = right.indptr[b], np.diff(right.indptr)[b]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    sums = np.zeros(len(b), np.float32)
    if not total:
        return sums
    at = np.arange(total) + np.repeat(starts - (ends - counts), counts)  # where each word of each row stands
    flat = np.repeat(rows * spread.shape[1], counts) + right.indices[at]
    products = spread.ravel()[flat] * right.data[at]
    filled = np.flatnonzero(counts)
    sums[filled] = np.add.reduceat(products, (ends - counts)[filled])
    return sums
