"""How much two boxes overlap, and which of many are one and the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.core.scene import Box

FEW = 16
"""Up to so many boxes a plain loop is faster than arrays."""


def overlap(one: Box, other: Box) -> float:
    """Intersection over union."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / (_area(one) + _area(other) - shared)


def _area(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def overlaps(first: NDArray[np.floating], second: NDArray[np.floating]) -> NDArray[np.float64]:
    """(box, 4) and (other, 4) -> (box, other): intersection over union; 0 for boxes without an area."""
    one, other = np.asarray(first, np.float64)[:, None], np.asarray(second, np.float64)[None]
    low, high = np.maximum(one[..., :2], other[..., :2]), np.minimum(one[..., 2:], other[..., 2:])
    shared = np.clip(high - low, 0.0, None).prod(axis=-1)
    united = _areas(one) + _areas(other) - shared
    share: NDArray[np.float64] = np.divide(shared, united, out=np.zeros_like(shared), where=united > 0)
    return share


def _areas(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    areas: NDArray[np.float64] = np.clip(boxes[..., 2:] - boxes[..., :2], 0.0, None).prod(axis=-1)
    return areas


def overlapping(boxes: Sequence[Box], over: float) -> Iterator[tuple[int, int]]:
    """Pairs of boxes that overlap by more than `over`, the lower position first."""
    if len(boxes) <= FEW:
        for second, other in enumerate(boxes):
            for first in range(second):
                if overlap(boxes[first], other) > over:
                    yield first, second
        return
    sides = np.array([(box.left, box.top, box.right, box.bottom) for box in boxes], dtype=np.float64).T
    areas = (sides[2] - sides[0]) * (sides[3] - sides[1])
    for second in range(1, len(boxes)):  # a row at a time: all pairs of a crowd would not fit in memory
        low = np.maximum(sides[:2, :second], sides[:2, second : second + 1])
        high = np.minimum(sides[2:, :second], sides[2:, second : second + 1])
        shared = np.prod(np.maximum(high - low, 0.0), axis=0)
        united = areas[:second] + areas[second] - shared
        yield from ((int(first), second) for first in np.flatnonzero(shared > over * united))


def same_object(boxes: Sequence[Box], over: float) -> list[int]:
    """For every box the position of the first one that it is the same as, through others if need be.

    That a chain counts as one makes the outcome independent of the order in which pairs are looked at.
    """
    first_of = list(range(len(boxes)))

    def root(place: int) -> int:
        while first_of[place] != place:
            place = first_of[place]
        return place

    for one, other in overlapping(boxes, over):
        low, high = sorted((root(one), root(other)))
        first_of[high] = low
    return [root(place) for place in range(len(boxes))]
