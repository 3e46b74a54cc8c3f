"""Masks as polygons, which is how people's files tell outlines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonsight.core.scene import Polygon

HALF = 0.5
"""What a mask says more than this of, is the object."""
CRUMB = 0.01
"""Parts smaller than this share of the largest are left out."""
_DIGITS = 1


def polygons(mask: NDArray[np.floating]) -> tuple[Polygon, ...]:
    """(height, width) of chances -> the outer edges of its parts, in pixels, the largest first; () for none.

    Holes are filled, as in VCR's files. Corners on a straight line are left out.
    """
    from contourpy import FillType, contour_generator

    bordered = np.pad(np.asarray(mask, np.float64), 1)  # so that edges of the picture close a part, too
    # Pixels are squares: the middle of the first, which the border has moved by one, is at a half.
    down, across = (np.arange(length) - 0.5 for length in bordered.shape)
    made = contour_generator(across, down, bordered, fill_type=FillType.OuterOffset)
    filled: Any = made.filled(HALF, np.inf)  # of this type: points of each part, and where its holes begin
    parts, offsets = filled
    tall, wide = mask.shape
    outer = [
        np.clip(points[: cut[1] - 1], 0, (wide, tall)) for points, cut in zip(parts, offsets, strict=True)
    ]
    areas = [_area(points) for points in outer]
    order = sorted(range(len(outer)), key=lambda place: -areas[place])
    kept = [outer[place] for place in order if areas[place] > CRUMB * areas[order[0]]]
    return tuple(tuple((float(x), float(y)) for x, y in np.round(_plain(points), _DIGITS)) for points in kept)


def _area(points: NDArray[np.float64]) -> float:
    x, y = points[:, 0], points[:, 1]
    return float(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2)


def _plain(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without the corners that lie on the line between their neighbours."""
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turns = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) > 1e-9
    return points[turns] if turns.sum() >= 3 else points


def pasted(
    mask: NDArray[np.floating], box: tuple[float, float, float, float], width: int, height: int
) -> NDArray[np.float32]:
    """A mask of a box alone, as Mask R-CNN makes it, stretched to where it belongs in the picture."""
    from PIL import Image

    left, top = int(np.floor(box[0])), int(np.floor(box[1]))
    right, bottom = max(left + 1, int(np.ceil(box[2]))), max(top + 1, int(np.ceil(box[3])))
    small = Image.fromarray(np.asarray(mask, np.float32))
    stretched = np.asarray(small.resize((right - left, bottom - top), Image.Resampling.BILINEAR))
    whole = np.zeros((height, width), np.float32)
    inside = slice(max(0, top), min(height, bottom)), slice(max(0, left), min(width, right))
    whole[inside] = stretched[
        inside[0].start - top : inside[0].stop - top, inside[1].start - left : inside[1].stop - left
    ]
    return whole
