"""Cells of a space, so that a picture is compared with those nearby and not with all.

The middles of the cells are those of a spherical k-means over a sample. A picture belongs to the few cells
whose middles are nearest to it: near a border its neighbours lie beyond, and are met there.
"""

from __future__ import annotations

import numpy as np

from commonsight.build.imaging.sets.vectors import Floats, Places, Vectors, blocks, unit, unit_rows

SAMPLE = 16_384
"""Pictures that middles are found from, at most."""
STEPS = 4
"""Of k-means: the cells are a means to an end, and need not be perfect."""


def middles(vectors: Vectors, count: int, rng: np.random.Generator) -> Floats:
    """The middles of so many cells: (cell, dim), each of length 1."""
    some = np.sort(rng.permutation(len(vectors))[:SAMPLE])
    sample = unit_rows(vectors, some)
    found = sample[np.sort(rng.permutation(len(sample))[:count])]
    for _ in range(STEPS):
        cell = (sample @ found.T).argmax(axis=1)
        order = np.argsort(cell, kind="stable")
        own, starts = np.unique(cell[order], return_index=True)
        found[own] = unit(np.add.reduceat(sample[order], starts))  # nobody's middle stays where it was
    return found


def nearest_cells(vectors: Vectors, found: Floats, count: int) -> Places:
    """The cells that each picture belongs to, the nearest first: (picture, count)."""
    count = min(count, len(found))
    parts = []
    for block in blocks(len(vectors)):
        score = unit_rows(vectors, block) @ found.T
        near = np.argpartition(-score, count - 1, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(score, near, axis=1), axis=1, kind="stable")
        parts.append(np.take_along_axis(near, order, axis=1))
    return np.concatenate(parts)
