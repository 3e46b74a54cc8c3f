"""Whether one picture really is another, or a part of it: both laid upon one another as well as can be.

Near hashes are a hint: pictures of one room share their lowest frequencies. Laid upon one another, a crop
agrees with its source cell by cell, and another scene does not, however much alike its walls are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.hashes import THUMB, Window

CELLS = 16
"""Cells each way in which the two are compared."""
STEPS = (0.03, 0.012, 0.005)
"""How far a window is moved and resized at a time, in shares of a side: from coarse to fine."""
LEAST_SIZE = 0.5
REACH = np.array([(shift, grow) for shift in range(-2, 3) for grow in range(-2, 3)], np.float64)


class Overlay(NamedTuple):
    """How two pictures agree where they are laid upon one another."""

    likeness: float
    """The correlation of their cells, 1 at best."""
    worst: float
    """How far apart the cell is that differs most, in standard deviations of the picture's shades."""


def overlay(part: NDArray[np.uint8], source: NDArray[np.uint8], window: Window) -> Overlay:
    """How well `part` agrees with what `source` shows near the window.

    Place and size are settled across and down in turn, so that the part may be stretched.
    """
    whole = _cells(np.array([[0.0, 1.0]]))[0]
    wanted = _centred((whole @ part.astype(np.float64) @ whole.T)[None])[0]
    shades = source.astype(np.float64)
    across, down = np.array([window.left, window.size]), np.array([window.top, window.size])
    best = -1.0
    for step in STEPS:
        for _ in range(2):
            across, best = _settled(across, step, _cells(down[None])[0] @ shades, wanted)
            down, best = _settled(down, step, (shades @ _cells(across[None])[0].T).T, wanted.T)
    seen = _centred((_cells(down[None])[0] @ shades @ _cells(across[None])[0].T)[None])[0]
    return Overlay(best, float(np.abs(seen - wanted).max()) * CELLS)


def _settled(
    span: NDArray[np.float64], step: float, strips: NDArray[np.float64], wanted: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """The best of the spans around this one, given the other way: `strips` is (cell, pixel)."""
    spans = span + step * REACH
    spans[:, 1] = np.clip(spans[:, 1], LEAST_SIZE, 1.0)
    spans[:, 0] = np.clip(spans[:, 0], 0.0, 1.0 - spans[:, 1])
    seen = _centred(strips @ _cells(spans).transpose(0, 2, 1))  # (span, cell, cell)
    scores = (seen * wanted).sum(axis=(1, 2))
    at = int(scores.argmax())
    return spans[at], float(scores[at])


def _cells(spans: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the pixels in each cell of each span (start, size): (span, cell, pixel)."""
    edges = (spans[:, :1] + spans[:, 1:] * np.arange(CELLS + 1) / CELLS) * THUMB
    pixels = np.arange(THUMB)
    covered = np.minimum(edges[:, 1:, None], pixels + 1) - np.maximum(edges[:, :-1, None], pixels)
    weights: NDArray[np.float64] = np.maximum(covered, 0) / np.diff(edges)[:, :, None]
    return weights


def _centred(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each without its mean and of length one, so that products are correlations: (some, cell, cell)."""
    level = cells - cells.mean(axis=(1, 2), keepdims=True)
    length = np.sqrt((level**2).sum(axis=(1, 2), keepdims=True))
    unit: NDArray[np.float64] = level / np.maximum(length, 1e-9)
    return unit
