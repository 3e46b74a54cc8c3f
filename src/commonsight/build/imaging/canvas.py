"""Pictures of any size on a canvas of one size: made to fit, in the middle, with grey around."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
GREY = 114
"""What is around; the grey that detectors in the manner of YOLO are trained with."""


class Placed(NamedTuple):
    """Where a picture is on its canvas."""

    scale: float
    """Canvas pixels for one of the picture."""
    left: int
    top: int

    def on_canvas(self, boxes: NDArray[np.floating]) -> NDArray[np.float64]:
        """(box, 4) of the picture as (box, 4) of the canvas."""
        return np.asarray(boxes, np.float64) * self.scale + self._corner

    def in_picture(self, boxes: NDArray[np.floating], width: int, height: int) -> NDArray[np.float64]:
        """(box, 4) of the canvas as (box, 4) of the picture, none beyond its edges."""
        back = (np.asarray(boxes, np.float64) - self._corner) / self.scale
        return np.clip(back, 0.0, (width, height, width, height))

    @property
    def _corner(self) -> NDArray[np.float64]:
        return np.array((self.left, self.top, self.left, self.top), np.float64)


class Fitted(NamedTuple):
    """A canvas with a picture on it."""

    pixels: Pixels
    """(height, width, 3)"""
    placed: Placed


def fitted(picture: Pixels, canvas: tuple[int, int]) -> Fitted:
    """A picture (height, width, 3) as large as a canvas (width, height) allows."""
    tall, wide = picture.shape[:2]
    scale = min(canvas[0] / wide, canvas[1] / tall)
    size = max(1, min(canvas[0], round(wide * scale))), max(1, min(canvas[1], round(tall * scale)))
    if size != (wide, tall):
        picture = np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BILINEAR))
    if size == tuple(canvas):
        return Fitted(picture, Placed(scale, 0, 0))
    left, top = (canvas[0] - size[0]) // 2, (canvas[1] - size[1]) // 2
    pixels = np.full((canvas[1], canvas[0], 3), GREY, np.uint8)
    pixels[top : top + size[1], left : left + size[0]] = picture
    return Fitted(pixels, Placed(scale, left, top))


def next_multiple(length: float, of: int) -> int:
    """The least multiple that is not below a length, and not zero."""
    return max(1, -(-int(np.ceil(length)) // of)) * of
