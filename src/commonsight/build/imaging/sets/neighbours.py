"""The pictures most like each one.

Few pictures are compared all with all. Of many, each is compared with those that share a cell with it, which
finds nearly all of the nearest for a small part of the work.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from commonsight.build.imaging.sets.cells import middles, nearest_cells
from commonsight.build.imaging.sets.vectors import Floats, Places, Vectors, unit_rows

EXACT = 4096
"""Pictures up to which all are compared with all."""
SPREAD = 6
"""Cells that a picture is looked for in."""
AT_ONCE = 1024
"""Pictures whose neighbours are looked for together."""


class Neighbours(NamedTuple):
    """For each picture the others most like it, the likest first."""

    places: Places
    """(picture, neighbour); -1 where there are not so many."""
    cosines: Floats
    """(picture, neighbour); minus infinity where there are not so many."""


def neighbours(
    vectors: Vectors, count: int, *, seed: int, exact: int = EXACT, spread: int = SPREAD
) -> Neighbours:
    """The `count` nearest of every picture: exactly for up to `exact` pictures, beyond that nearly always."""
    n = len(vectors)
    best = Neighbours(np.full((n, count), -1), np.full((n, count), -np.inf, np.float32))
    if n <= exact:
        _look(vectors, np.arange(n), np.arange(n), best)
        return best
    found = middles(vectors, math.isqrt(n), np.random.default_rng(seed))
    near = nearest_cells(vectors, found, spread)
    by_cell = np.argsort(near.ravel(), kind="stable")
    cell = near.ravel()[by_cell]
    member = by_cell // near.shape[1]
    for number in range(len(found)):
        own = np.flatnonzero(near[:, 0] == number)
        first, last = np.searchsorted(cell, (number, number + 1))
        _look(vectors, own, member[first:last], best)
    return best


def _look(vectors: Vectors, own: Places, among: Places, best: Neighbours) -> None:
    """Find the nearest of some pictures among others, in the order of likeness."""
    count = min(best.places.shape[1], len(among) - 1)
    if count < 1:
        return
    others = unit_rows(vectors, among)
    for start in range(0, len(own), AT_ONCE):
        asking = own[start : start + AT_ONCE]
        score = unit_rows(vectors, asking) @ others.T
        score[asking[:, None] == among[None, :]] = -np.inf
        near = np.argpartition(-score, count - 1, axis=1)[:, :count]
        worth = np.take_along_axis(score, near, axis=1)
        order = np.lexsort((among[near], -worth), axis=1)
        best.places[asking, :count] = among[np.take_along_axis(near, order, axis=1)]
        best.cosines[asking, :count] = np.take_along_axis(worth, order, axis=1)
