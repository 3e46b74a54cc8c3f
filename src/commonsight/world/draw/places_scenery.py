"""What backgrounds are painted with: the picture as one box, a palette, the light and weather outside."""

from __future__ import annotations

import random
from typing import NamedTuple

from commonsight.world.draw.box import GLOW, INK, LEAF, WHITE, Box, tint
from commonsight.world.draw.geometry import HORIZON
from commonsight.world.draw.pen import Pen, shade


class Palette(NamedTuple):
    """The colours of one place in one movie."""

    wall: str
    """The wall; outside, what stands on the skyline."""
    floor: str
    accent: str
    """Curtains, doors of cupboards, seats, awnings."""
    trim: str
    """Skirting, frames, beams."""


class Heaven(NamedTuple):
    """The sky's two colours and what lies under it."""

    high: str
    low: str
    land: str


HEAVENS = {
    "day": Heaven("#a9d8f0", "#dff1f6", "#7fb069"),
    "dusk": Heaven("#e8895a", "#f8cf8f", "#8a7a5a"),
    "night": Heaven("#1c2748", "#33457a", "#26384a"),
}
RAINY = {"day": "#aebac4", "dusk": "#a8877c", "night": "#2a3350"}


class Scenery(Box):
    """The background's brush. Coordinates are shares of the whole picture."""

    def __init__(self, pen: Pen, palette: Palette, light: str, weather: str, rng: random.Random) -> None:
        super().__init__(pen, 0.0, 0.0, pen.width, pen.height)
        self.wall, self.floor, self.accent, self.trim = palette
        self.light, self.rain, self.rng = light, weather == "rain", rng
        high, low, land = HEAVENS[light]
        grey = RAINY[light]
        self.high = tint(high, grey, 0.75) if self.rain else high
        self.low = tint(low, grey, 0.6) if self.rain else low
        self.land = tint(land, grey, 0.3) if self.rain else land
        self.lamp_lit = light != "day"
        self.cloud = tint(self.low, WHITE, 0.3 if light == "dusk" else 0.8)
        self._risen = False

    def plain(self, left: float, top: float, right: float, bottom: float, fill: str) -> None:
        """A rectangle without a contour."""
        self.rect(left, top, right, bottom, fill, edge=False)

    def room(self, skirting: float = 0.015) -> None:
        """A wall, a floor, and the strip where they meet."""
        self.plain(0, 0, 1, HORIZON, self.wall)
        self.plain(0, HORIZON, 1, 1, self.floor)
        if skirting:
            self.plain(0, HORIZON - skirting, 1, HORIZON, self.trim)
            self.plain(0, HORIZON, 1, HORIZON + 0.008, shade(self.floor, 0.85))

    def boards(self, paint: str | None = None) -> None:
        """Floorboards that run towards us."""
        paint = paint or shade(self.floor, 0.9)
        for i in range(-2, 13):
            far, near = i / 10, 0.5 + (i / 10 - 0.5) * 1.9
            self.line([(far, HORIZON + 0.008), (near, 1.0)], paint, 0.004)

    def checks(self, paint: str, rows: int = 4, columns: int = 8) -> None:
        """Every other tile of a floor, larger towards us."""
        depth = [HORIZON + 0.008 + (1 - HORIZON) * (row / rows) ** 1.6 for row in range(rows + 1)]
        for row in range(rows):
            for column in range(-1 + row % 2, columns + 1, 2):
                far, near = (self._tile(column + i, columns, depth[row + side]) for side,
                    i in ((0, 0), (1, 0)))  # fmt: skip
                far_end, near_end = (self._tile(column + 1, columns, depth[row + side]) for side in (0, 1))
                corners = [(far, depth[row]), (far_end, depth[row]), (near_end, depth[row + 1]),
                    (near, depth[row + 1])]  # fmt: skip
                self.poly(corners, paint, edge=False)

    @staticmethod
    def _tile(column: int, columns: int, y: float) -> float:
        return 0.5 + (column / columns - 0.5) * (1.0 + 0.9 * (y - HORIZON) / (1 - HORIZON))

    def sky(
        self, left: float, top: float, right: float, bottom: float, *, stars: int = 14, clouds: int = 2
    ) -> None:
        """Three bands of sky, and sun, moon, stars, clouds or rain in it. Only the first one has the sun."""
        wide, high = right - left, bottom - top
        self.plain(left, top, right, bottom, self.high)
        self.plain(left, top + high * 0.62, right, bottom, tint(self.high, self.low, 0.55))
        self.plain(left, top + high * 0.82, right, bottom, self.low)
        if self.rain:
            self._cloud(left + wide * 0.3, top + high * 0.3, wide * 0.16, shade(self.high, 0.88))
            self._streaks(left, top, right, bottom)
            return
        for _ in range(stars if self.light == "night" else 0):
            x, y = left + wide * self.rng.uniform(0.04, 0.96), top + high * self.rng.uniform(0.05, 0.7)
            self.disc(x, y, 0.006, "#f6efcf", edge=False)
        if not self._risen:
            self._risen = True
            down = 0.72 if self.light == "dusk" else 0.3
            self._sun(left + wide * self.rng.uniform(0.2, 0.8), top + high * down, min(0.055, high * 0.16))
        for _ in range(0 if self.light == "night" else clouds):
            x, y = left + wide * self.rng.uniform(0.2, 0.8), top + high * self.rng.uniform(0.15, 0.5)
            self._cloud(x, y, min(0.07, wide * 0.14), self.cloud)

    def _sun(self, x: float, y: float, radius: float) -> None:
        if self.light == "night":
            self.disc(x, y, radius, "#f7efc8", edge=False)
            self.disc(x + radius * 0.35, y - radius * 0.25, radius * 0.85, self.high, edge=False)
        elif self.light == "dusk":
            self.disc(x, y, radius * 1.3, "#fbe7a1", edge=False)
        else:
            self.disc(x, y, radius, "#fff3c4", edge=False)

    def _cloud(self, x: float, y: float, size: float, paint: str) -> None:
        for dx, dy, share in ((-0.7, 0.0, 0.6), (0.0, -0.3, 0.8), (0.7, 0.0, 0.65)):
            reach = size * share
            self.oval(x + dx * size - reach, y + dy * size - reach * 0.7, x + dx * size + reach,
                y + dy * size + reach * 0.7, paint, edge=False)  # fmt: skip

    def _streaks(self, left: float, top: float, right: float, bottom: float) -> None:
        wide, high = right - left, bottom - top
        paint = tint(self.low, WHITE, 0.5 if self.light != "night" else 0.25)
        for _ in range(max(5, round(wide * high * 110))):
            x, y = left + wide * self.rng.uniform(0.05, 0.97), top + high * self.rng.uniform(0.02, 0.75)
            self.line([(x, y), (x - min(0.012, wide * 0.05), y + high * 0.2)], paint, 0.004)

    def window(self, left: float, top: float, right: float, bottom: float, *, panes: int = 2) -> None:
        """A window onto the weather and a strip of land."""
        rim = 0.012
        self.rect(left - rim, top - rim * 1.5, right + rim, bottom + rim * 1.5, self.trim)
        self.sky(left, top, right, bottom, stars=5, clouds=1)
        wide, high = right - left, bottom - top
        hill = self.rng.uniform(0.3, 0.7)
        points = [(left, bottom), (left, bottom - high * 0.16), (left + wide * hill, bottom - high * 0.3),
            (right, bottom - high * 0.14), (right, bottom)]  # fmt: skip
        self.poly(points, self.land, edge=False)
        for i in range(1, panes):
            x = left + wide * i / panes
            self.plain(x - 0.004, top, x + 0.004, bottom, self.trim)
        self.plain(left, top + high * 0.42, right, top + high * 0.42 + 0.01, self.trim)
        self.rect(left - rim * 1.6, bottom + rim, right + rim * 1.6, bottom + rim * 2.6,
            tint(self.trim, WHITE, 0.3))  # fmt: skip

    def curtains(self, left: float, top: float, right: float, bottom: float) -> None:
        """Two drapes drawn back from a window, on a rod."""
        wide = (right - left) * 0.24
        self.line([(left - 0.05, top - 0.035), (right + 0.05, top - 0.035)], INK, 0.012)
        for outer, inner in ((left - 0.035, left + wide), (right + 0.035, right - wide)):
            waist = outer + (inner - outer) * 0.45
            shape = [(outer, top - 0.035), (inner, top - 0.035), (waist, top + (bottom - top) * 0.62),
                (inner, bottom + 0.05), (outer, bottom + 0.05)]  # fmt: skip
            self.poly(shape, self.accent)
            middle = outer + (inner - outer) * 0.3
            self.line([(middle, top - 0.02), (middle, bottom + 0.04)], shade(self.accent, 0.8), 0.006)

    def pendant(self, x: float, y: float, paint: str) -> None:
        """A lamp on a cord from the ceiling, alight when it is not day."""
        self.line([(x, 0.0), (x, y - 0.04)], INK, 0.006)
        if self.lamp_lit:
            self.oval(x - 0.055, y - 0.02, x + 0.055, y + 0.06, tint(self.wall, GLOW, 0.5), edge=False)
        self.poly([(x - 0.012, y - 0.045), (x + 0.012, y - 0.045), (x + 0.04, y + 0.01),
            (x - 0.04, y + 0.01)], paint)  # fmt: skip
        self.oval(x - 0.016, y, x + 0.016, y + 0.025, GLOW if self.lamp_lit else "#efe9da", edge=False)

    def rug(self, x: float, y: float, paint: str, *, rounded: bool = True) -> None:
        """A rug on the floor, flat as things on a floor are."""
        if rounded:
            self.oval(x - 0.28, y - 0.12, x + 0.28, y + 0.12, paint)
            self.oval(x - 0.24, y - 0.1, x + 0.24, y + 0.1, tint(paint, WHITE, 0.3), edge=False)
            self.oval(x - 0.2, y - 0.08, x + 0.2, y + 0.08, paint, edge=False)
        else:
            self.poly([(x - 0.24, y - 0.11), (x + 0.24, y - 0.11), (x + 0.32, y + 0.12),
                (x - 0.32, y + 0.12)], paint)  # fmt: skip
            self.poly([(x - 0.21, y - 0.085), (x + 0.21, y - 0.085), (x + 0.27, y + 0.095),
                (x - 0.27, y + 0.095)], tint(paint, WHITE, 0.3), edge=False)  # fmt: skip

    def crown(self, x: float, y: float, size: float, paint: str) -> None:
        """A far tree."""
        self.plain(x - size * 0.08, y - size * 0.3, x + size * 0.08, y, tint("#6b4a34", self.land, 0.4))
        self.oval(x - size * 0.5, y - size * 1.5, x + size * 0.5, y - size * 0.2, paint)
        self.oval(x - size * 0.3, y - size * 1.35, x + size * 0.12, y - size * 0.85,
            tint(paint, WHITE, 0.15), edge=False)  # fmt: skip

    def leaf(self) -> str:
        """A green for far leaves in this light."""
        return tint(tint(LEAF, self.land, 0.5), self.wall, self.rng.uniform(0.0, 0.25))
