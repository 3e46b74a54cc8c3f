"""A box that knows the thing in it: its paint, its material, its state."""

from __future__ import annotations

from commonsight.world.draw.box import GLASS, WHITE, Box, contour, tint
from commonsight.world.draw.geometry import extent
from commonsight.world.draw.pen import Pen
from commonsight.world.model import COLOURS, Prop

LYING = 1.2
"""How much wider than its box a fallen thing may be."""


class Brush(Box):
    """What a thing is drawn with. `colour`, `dark` and `light` are the thing's own paint."""

    def __init__(
        self, pen: Pen, prop: Prop, x: float, y: float, unit: float, light: str = "day",
        weather: str = "clear",
    ) -> None:  # fmt: skip
        width, height = extent(prop, unit)
        super().__init__(pen, x - width / 2, y - height, width, height)
        self._foot = (x, y)
        self.material, self.state = prop.material, prop.state
        self.hour, self.rain = light, weather == "rain"
        paint = COLOURS[prop.colour]
        self.colour = tint(paint, GLASS, 0.5) if prop.material == "glass" else paint
        self.dark, self.light = contour(self.colour), tint(self.colour, WHITE, 0.35)

    def lay(self) -> None:
        """Tip the thing over to the right: from here on, its top is drawn to the right."""
        x, y = self._foot
        shrink = min(1.0, LYING * self._width / self._height)
        self._left, self._top = x - self._height * shrink / 2, y - self._width * shrink
        self._width, self._height = self._width * shrink, self._height * shrink
        self._short *= shrink
        self._lies = True

    def flatten(self, share: float) -> None:
        """Press the thing down to this share of its height, its foot where it was."""
        self._top = self._foot[1] - self._height * share
        self._height *= share

    def finish(self, left: float, top: float, right: float, bottom: float) -> None:
        """Show on this panel what the thing is made of, if that shows."""
        wide, high = right - left, bottom - top
        if self.material == "wooden":
            for share, start, end in ((0.35, 0.08, 0.6), (0.68, 0.35, 0.92)):
                along_x = wide * self._width >= high * self._height
                ends = [(start, share), (end, share)] if along_x else [(share, start), (share, end)]
                points = [(left + x * wide, top + y * high) for x, y in ends]
                self.line(points, tint(self.colour, self.dark, 0.7), 0.01)
        elif self.material in ("metal", "glass"):
            points = [(left + 0.2 * wide, bottom - 0.2 * high), (left + 0.35 * wide, top + 0.2 * high)]
            self.line(points, tint(self.colour, WHITE, 0.75), 0.035)
        elif self.material in ("plastic", "leather"):
            points = [(left + 0.15 * wide, top + 0.25 * high), (left + 0.4 * wide, top + 0.25 * high)]
            self.line(points, tint(self.colour, WHITE, 0.5), 0.025)
        elif self.material == "stone":
            for x, y in ((0.2, 0.3), (0.45, 0.7), (0.75, 0.4)):
                self.disc(left + x * wide, top + y * high, 0.012, contour(self.colour), edge=False)
