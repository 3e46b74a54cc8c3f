"""One pen, two sheets: every stroke goes onto the picture in colour and onto a map as the thing's number.

So boxes and masks come from what is visible in the end, occlusion included, at the price of a second stroke.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

SCALE = 2
"""Pictures are drawn this many times larger and averaged down: soft edges without a drawing library."""

Point = tuple[float, float]
BACKGROUND = 0


@cache
def ink(colour: str | None) -> tuple[int, int, int] | None:
    """A colour as Pillow takes it fastest; it would parse the name again at every stroke."""
    if colour is None:
        return None
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _box(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    if left > right:
        left, right = right, left
    if top > bottom:
        top, bottom = bottom, top
    return left * SCALE, top * SCALE, right * SCALE, bottom * SCALE


class Pen:
    """Draws in the final picture's pixels; the enlargement happens here and nowhere else.

    `entity` is the number that strokes leave on the map: an entity's id plus one, or `BACKGROUND`.
    """

    def __init__(self, width: int, height: int, paper: str = "#ffffff") -> None:
        self.width, self.height = width, height
        self._picture = Image.new("RGB", (width * SCALE, height * SCALE), paper)
        self._map = Image.new("L", (width * SCALE, height * SCALE), BACKGROUND)
        self._ink = ImageDraw.Draw(self._picture)
        self._number = ImageDraw.Draw(self._map)
        self.entity = BACKGROUND

    def polygon(self, points: Sequence[Point], fill: str, outline: str | None = None) -> None:
        """A filled polygon."""
        flat = [(x * SCALE, y * SCALE) for x, y in points]
        self._ink.polygon(flat, fill=ink(fill), outline=ink(outline))
        self._number.polygon(flat, fill=self.entity)

    def rectangle(
        self, left: float, top: float, right: float, bottom: float, fill: str, *, radius: float = 0,
        outline: str | None = None,
    ) -> None:  # fmt: skip
        """A filled rectangle, its corners rounded if `radius` is given."""
        box = _box(left, top, right, bottom)
        if radius:
            self._ink.rounded_rectangle(box, radius * SCALE, fill=ink(fill), outline=ink(outline))
            self._number.rounded_rectangle(box, radius * SCALE, fill=self.entity)
        else:
            self._ink.rectangle(box, fill=ink(fill), outline=ink(outline))
            self._number.rectangle(box, fill=self.entity)

    def ellipse(
        self, left: float, top: float, right: float, bottom: float, fill: str, outline: str | None = None
    ) -> None:
        """A filled ellipse in this box."""
        box = _box(left, top, right, bottom)
        self._ink.ellipse(box, fill=ink(fill), outline=ink(outline))
        self._number.ellipse(box, fill=self.entity)

    def circle(self, x: float, y: float, radius: float, fill: str, outline: str | None = None) -> None:
        """A filled circle."""
        self.ellipse(x - radius, y - radius, x + radius, y + radius, fill, outline)

    def line(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line with round joints."""
        flat = [(x * SCALE, y * SCALE) for x, y in points]
        thick = max(1, round(width * SCALE))
        self._ink.line(flat, fill=ink(fill), width=thick, joint="curve")
        self._number.line(flat, fill=self.entity, width=thick, joint="curve")

    def limb(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line with round ends: an arm, a leg, a rope."""
        self.line(points, fill, width)
        for x, y in (points[0], points[-1]):
            self.circle(x, y, width / 2, fill)

    def arc(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        start: float,
        end: float,
        fill: str,
        width: float,
    ) -> None:
        """Part of an ellipse's edge, in degrees clockwise from three o'clock."""
        box = _box(left, top, right, bottom)
        thick = max(1, round(width * SCALE))
        self._ink.arc(box, start, end, fill=ink(fill), width=thick)
        self._number.arc(box, start, end, fill=self.entity, width=thick)

    def pie(
        self, left: float, top: float, right: float, bottom: float, start: float, end: float, fill: str
    ) -> None:
        """A filled sector of an ellipse."""
        box = _box(left, top, right, bottom)
        self._ink.pieslice(box, start, end, fill=ink(fill))
        self._number.pieslice(box, start, end, fill=self.entity)

    def picture(self) -> Image.Image:
        """The picture at its final size."""
        return self._picture.reduce(SCALE)

    def numbers(self) -> NDArray[np.uint8]:
        """Which entity shows at each pixel: (height, width), id plus one, 0 for the background."""
        return np.asarray(self._map)[::SCALE, ::SCALE]


@cache
def shade(colour: str, by: float) -> str:
    """A colour darker (`by` below 1) or lighter (above 1)."""
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{max(0, min(255, round(c * by))):02x}" for c in channels)


@cache
def mix(first: str, second: str, share: float) -> str:
    """A colour between two: `share` of the second."""
    pairs = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
