"""How much of each part of its box an object covers, from its outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from commonsight.core.scene import Box, Polygon
from commonsight.models.features.batch import Seen
from commonsight.models.features.examples import Example, SeenObject

SIZE = 14
"""Bins of a box each way, as RoIAlign has them."""
_FINE = 8
"""Points of a bin each way at which it is asked whether the object is there."""


def object_mask(seen: SeenObject, size: int = SIZE) -> NDArray[np.float32]:
    """(size, size): shares from 0 to 1. An object without an outline fills its box."""
    box, outlines = seen.box, [polygon for polygon in seen.polygons or () if len(polygon) > 2]
    if box is None or not outlines or not (box.right > box.left and box.bottom > box.top):
        return np.ones((size, size), np.float32)
    image = Image.new("L", (size * _FINE, size * _FINE))
    draw = ImageDraw.Draw(image)
    for outline in outlines:
        draw.polygon(_within(outline, box, size * _FINE), fill=1)
    fine = np.asarray(image, np.float32).reshape(size, _FINE, size, _FINE)
    shares: NDArray[np.float32] = fine.mean(axis=(1, 3))
    return shares


def _within(outline: Polygon, box: Box, points: int) -> list[tuple[float, float]]:
    """An outline on a grid of so many points each way over the box; a point's place is its middle."""
    across, down = points / (box.right - box.left), points / (box.bottom - box.top)
    return [((x - box.left) * across - 0.5, (y - box.top) * down - 0.5) for x, y in outline]


def with_masks(seen: Seen, examples: Sequence[Example]) -> Seen:
    """The objects in view with their masks; zeros for padding."""
    filled = np.zeros((*seen.mask.shape, SIZE, SIZE), np.float32)
    for row, example in enumerate(examples):
        for place, found in enumerate(example.objects):
            filled[row, place] = object_mask(found)
    return replace(seen, masks=torch.from_numpy(filled))
