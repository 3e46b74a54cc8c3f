"""Which of many overlapping boxes to keep: the surest of each label (non-maximum suppression)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonsight.graph.boxes import overlaps

Numbers = NDArray[np.floating]

OVERLAP = 0.5
"""Two boxes of one label that overlap by more than this are taken for one object."""
MOST = 100
"""Boxes of a picture at most, as COCO counts them."""
CANDIDATES = 1000
"""Only so many of the surest boxes are compared, for a threshold of nearly zero lets in thousands."""


def surest(
    boxes: Numbers,
    scores: Numbers,
    labels: NDArray[np.integer],
    *,
    overlap: float = OVERLAP,
    most: int = MOST,
) -> NDArray[np.int64]:
    """Places of the boxes to keep, the surest first; of equal ones the earlier."""
    order = np.argsort(-np.asarray(scores, np.float64), kind="stable")[:CANDIDATES]
    alike = overlaps(boxes[order], boxes[order]) > overlap
    alike &= labels[order][:, None] == labels[order][None]
    gone = np.zeros(len(order), np.bool_)
    kept: list[int] = []
    for place in range(len(order)):
        if gone[place]:
            continue
        kept.append(int(order[place]))
        if len(kept) == most:
            break
        gone |= alike[place]
    return np.array(kept, np.int64)
