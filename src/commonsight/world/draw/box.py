"""A pen that works in a box of its own, so that a drawing reads like a recipe.

Coordinates run from the box's upper left corner (0, 0) to its lower right corner (1, 1), radii are shares of
its height, widths of lines shares of its shorter side. Filled shapes get a thin darker contour unless told
otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from commonsight.world.draw.pen import Pen, Point, mix, shade

WHITE, INK, PAPER = "#fbf8f0", "#3a3532", "#f4eddc"
STEEL, WOOD, CLAY, GOLD = "#aab0b6", "#a8764c", "#c4734a", "#dcae4a"
LEAF, SOIL, SAND = "#5f9a50", "#5a4032", "#e3c27c"
WATER, SKY, GLASS = "#6fb1d8", "#bfe0ef", "#dcedf1"
GLOW, FLAME, DARK = "#fff0b0", "#f4952c", "#4a4446"
COFFEE, BREAD, CREAM = "#6b4226", "#d79f55", "#fdf3dc"

@lru_cache(maxsize=4096)
def contour(fill: str) -> str:
    """The darker colour of a thin outline."""
    pale = min(int(fill[i : i + 2], 16) for i in (1, 3, 5)) > 200
    return shade(fill, 0.58 if pale else 0.7)  # white things must not melt into white walls


@lru_cache(maxsize=4096)
def tint(first: str, second: str, share: float) -> str:
    """A colour between two, remembered: the same few are mixed in every scene."""
    return mix(first, second, share)


_CORNER = ((0.0, 1.0), (0.134, 0.5), (0.5, 0.134), (1.0, 0.0))


def rounded(x0: float, y0: float, x1: float, y1: float, radius: float) -> list[Point]:
    """A rectangle with rounded corners as a polygon: several times faster than Pillow's own."""
    left, right, top, bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    r = min(radius, (right - left) / 2, (bottom - top) / 2)
    return [
        *((left + r * dx, top + r * dy) for dx, dy in _CORNER),
        *((right - r * dx, top + r * dy) for dx, dy in reversed(_CORNER)),
        *((right - r * dx, bottom - r * dy) for dx, dy in _CORNER),
        *((left + r * dx, bottom - r * dy) for dx, dy in reversed(_CORNER)),
    ]


class Box:
    """The pen and a box on the picture."""

    def __init__(self, pen: Pen, left: float, top: float, width: float, height: float) -> None:
        self._pen = pen
        self._left, self._top, self._width, self._height = left, top, width, height
        self._short = min(width, height)
        self._lies = False

    def at(self, x: float, y: float) -> Point:
        """From the box to the picture."""
        if self._lies:
            return self._left + (1.0 - y) * self._height, self._top + (1.0 - x) * self._width
        return self._left + x * self._width, self._top + y * self._height

    def poly(self, points: Sequence[Point], fill: str, *, edge: bool = True) -> None:
        """A filled polygon."""
        self._pen.polygon([self.at(*point) for point in points], fill, contour(fill) if edge else None)

    def rect(
        self, left: float, top: float, right: float, bottom: float, fill: str, *, radius: float = 0,
        edge: bool = True,
    ) -> None:  # fmt: skip
        """A filled rectangle; `radius` is a share of the box's shorter side."""
        (x0, y0), (x1, y1) = self.at(left, top), self.at(right, bottom)
        outline = contour(fill) if edge else None
        if radius:
            self._pen.polygon(rounded(x0, y0, x1, y1, radius * self._short), fill, outline)
        else:
            self._pen.rectangle(x0, y0, x1, y1, fill, outline=outline)

    def oval(
        self, left: float, top: float, right: float, bottom: float, fill: str, *, edge: bool = True
    ) -> None:
        """A filled ellipse."""
        self._pen.ellipse(*self.at(left, top), *self.at(right, bottom), fill, contour(fill) if edge else None)

    def disc(self, x: float, y: float, radius: float, fill: str, *, edge: bool = True) -> None:
        """A filled circle; `radius` is a share of the box's height."""
        self._pen.circle(*self.at(x, y), radius * self._height, fill, contour(fill) if edge else None)

    def line(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line; `width` is a share of the box's shorter side, at least half a pixel."""
        self._pen.line([self.at(*point) for point in points], fill, max(0.5, width * self._short))

    def limb(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line with round ends."""
        self._pen.limb([self.at(*point) for point in points], fill, max(0.5, width * self._short))

    def arc(
        self, left: float, top: float, right: float, bottom: float, start: float, end: float, fill: str,
        width: float,
    ) -> None:  # fmt: skip
        """Part of an ellipse's edge, in degrees clockwise from three o'clock."""
        if self._lies:
            start, end = 270 - end, 270 - start
        box = (*self.at(left, top), *self.at(right, bottom))
        self._pen.arc(*box, start, end, fill, max(0.5, width * self._short))

    def pie(
        self, left: float, top: float, right: float, bottom: float, start: float, end: float, fill: str
    ) -> None:  # fmt: skip
        """A filled sector of an ellipse."""
        if self._lies:
            start, end = 270 - end, 270 - start
        self._pen.pie(*self.at(left, top), *self.at(right, bottom), start, end, fill)

    def ring(self, x: float, y: float, radius: float, fill: str, width: float) -> None:
        """A circle that one can look through: a wheel, the edge of a drum."""
        px, py = self.at(x, y)
        reach = radius * self._height
        self._pen.arc(px - reach, py - reach, px + reach, py + reach, 0, 360, fill,
            max(0.5, width * self._short))  # fmt: skip
