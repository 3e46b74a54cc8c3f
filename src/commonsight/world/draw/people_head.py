"""A head: its turn, its hair, and whatever sits on it. Faces are in `people_face`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin

from commonsight.world.draw.pen import Pen, Point
from commonsight.world.draw.people_body import Body
from commonsight.world.draw.people_clothes import GOLD, INK, WHITE, blend, dark
from commonsight.world.model import COLOURS, HAIRS, Look

STRAW, HARD = "#e6c878", "#f0b92c"


class Skull:
    """Draws in the head's own frame: radius 1, forward (where the face is turned) and up, tilted with it."""

    def __init__(self, pen: Pen, body: Body, look_towards: Point | None) -> None:
        self._pen, self._radius = pen, body.radius
        self._x, self._y = body.head
        self._cos, self._sin = cos(body.tilt), sin(body.tilt)
        dx, dy = self._direction(look_towards) if look_towards else (body.side * 0.5, 0.0)
        self.side = -1 if dx < -0.15 else 1 if dx > 0.15 else body.side
        self.gaze = (dx * self.side, dy)
        """Where the eyes go: forward and up, at most 1 long."""
        self.turn = (0.34 * min(1.0, max(0.0, dx * self.side) * 1.2), 0.16 * dy)
        """How far the middle of the face is from the middle of the head."""

    def _direction(self, target: Point) -> Point:
        dx, dy = target[0] - self._x, target[1] - self._y
        away = hypot(dx, dy) or 1.0
        dx, dy = dx / away, dy / away
        return dx * self._cos + dy * self._sin, dx * self._sin - dy * self._cos

    def at(self, forward: float, up: float) -> Point:
        """From the head to the picture."""
        across, up = forward * self.side * self._radius, up * self._radius
        return self._x + across * self._cos + up * self._sin, self._y + across * self._sin - up * self._cos

    def poly(self, points: Sequence[Point], fill: str, *, edge: bool = True) -> None:
        """A filled polygon."""
        self._pen.polygon([self.at(*point) for point in points], fill, dark(fill) if edge else None)

    def line(self, points: Sequence[Point], fill: str, width: float) -> None:
        """A line; its width is a share of the radius."""
        self._pen.line([self.at(*point) for point in points], fill, max(0.5, width * self._radius))

    def dot(self, forward: float, up: float, radius: float, fill: str, *, edge: bool = True) -> None:
        """A filled circle."""
        self._pen.circle(*self.at(forward, up), radius * self._radius, fill, dark(fill) if edge else None)


@lru_cache(maxsize=64)
def arch(radius: float, start: int, end: int, squash: float = 1.0, raised: float = 0.0) -> tuple[Point, ...]:
    """Points on a circle from `start` to `end` degrees, anticlockwise from the front."""
    steps = 9
    angles = [radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return tuple((cos(a) * radius, sin(a) * radius * squash + raised) for a in angles)


def hair_colour(look: Look) -> str:
    """The paint of the hair; it greys with age, but its colour still shows."""
    return blend(HAIRS[look.hair], "#d5d3ce", 0.3) if look.age == "old" else HAIRS[look.hair]


def draw_head(skull: Skull, look: Look) -> None:
    """The head, its ear, and the hair on top. The hair behind comes before the trunk, the face after."""
    hair = hair_colour(look)
    skull.dot(-0.86 + skull.turn[0] * 0.6, -0.12, 0.2, look.skin)
    skull.dot(0, 0, 1.0, look.skin)
    _top_hair(skull, look, hair)


def draw_back_hair(skull: Skull, look: Look) -> None:
    """Hair that hangs behind."""
    hair = hair_colour(look)
    match look.hair_style:
        case "long":
            skull.poly([(0.95, 0.4), (1.0, -0.5), (0.92, -1.3), (-0.9, -1.75), (-1.3, -1.5),
                        (-1.25, 0.2), (-0.8, 0.8)], hair)  # fmt: skip
        case "ponytail":
            skull.poly([(-0.75, 0.75), (-1.35, 0.75), (-1.8, 0.2), (-1.85, -0.55), (-1.6, -1.05),
                        (-1.45, -0.3), (-1.15, 0.2), (-0.8, 0.4)], hair)  # fmt: skip
            skull.dot(-1.02, 0.6, 0.17, COLOURS["red"])
        case "bun":
            skull.dot(-0.3 if look.hat is None else -1.0, 1.22 if look.hat is None else 0.1, 0.44, hair)
        case "curly":
            for forward, up in (
                (-1.0, 0.35),
                (-1.12, -0.15),
                (-0.95, -0.6),
                (0.92, 0.35),
                (0.98, -0.1),
                (-0.8, 0.8),
            ):
                skull.dot(forward, up, 0.38, hair)
        case "short" | "bald":
            skull.poly([(-0.6, 0.7), (-1.04, 0.3), (-1.03, -0.25), (-0.75, -0.55), (-0.5, 0)], hair)


_FRINGE = ((0.55, 0.42), (0.2, 0.52), (-0.3, 0.4), (-0.7, 0.12), (-0.82, -0.3))


def _top_hair(skull: Skull, look: Look, hair: str) -> None:
    style = look.hair_style
    if style == "bald":
        skull.poly([(-0.97, 0.25), (-0.72, 0.22), (-0.7, -0.15), (-0.9, -0.4), (-1.0, -0.1)], hair)
        skull.line([(0.05, 0.72), (0.4, 0.68)], blend(look.skin, WHITE, 0.6), 0.1)
        return
    tx = skull.turn[0]
    if style == "curly":
        skull.poly([*arch(1.06, 12, 168), (-0.75, 0.3), (0, 0.5), (0.6, 0.4)], hair, edge=False)
        for forward, up in (
            (-0.62, 0.86),
            (-0.15, 1.06),
            (0.35, 0.98),
            (0.74, 0.68),
            (-0.55, 0.4),
            (0.1, 0.62),
        ):
            skull.dot(forward, up, 0.33, hair)
        return
    fringe = [(x + tx * 0.45, y) for x, y in _FRINGE]
    if style == "short":
        fringe = [(0.86, 0.28), (0.62 + tx * 0.3, 0.5), (0.3, 0.42), (0.05, 0.56), (-0.3, 0.45), (-0.66, 0.3),
                  (-0.74, -0.1), (-0.95, -0.3)]  # fmt: skip
    elif style == "long":
        skull.poly([(-0.8, 0.5), (-0.62, -0.3), (-0.72, -0.9), (-0.85, -1.6), (-1.25, -1.5),
                    (-1.28, -0.6), (-1.1, 0.3)], hair)  # fmt: skip
        fringe = [(0.88, 0.1), (0.68 + tx * 0.3, 0.4), (0.1, 0.72), (-0.4, 0.42), (-0.66, -0.3), (-0.9, -0.7)]
    skull.poly([*arch(1.07, 14, 190), *reversed(fringe)], hair)
    skull.line([(-0.2, 0.86), (0.25, 0.84)], blend(hair, WHITE, 0.3), 0.08)


def draw_hat(skull: Skull, look: Look) -> None:
    """What sits on the head, over hair and brow."""
    if look.hat is not None:
        _HATS[look.hat](skull, look)


def _dome(skull: Skull, fill: str, brow: float = 0.38, radius: float = 1.12) -> None:
    skull.poly([*arch(radius, 20, 160), (-radius * 0.97, brow), (radius * 0.97, brow)], fill)


def _cap(skull: Skull, look: Look) -> None:
    fill = COLOURS["blue" if look.top == "red" else "red"]
    _dome(skull, fill)
    skull.poly([(0.15, 0.56), (0.9, 0.58), (1.75, 0.4), (1.7, 0.25), (0.9, 0.32), (0.15, 0.34)], dark(fill))
    skull.dot(0, 1.12, 0.09, dark(fill))
    skull.line([(0.1, 1.08), (0.3, 0.58)], dark(fill), 0.05)


def _chef_hat(skull: Skull, _: Look) -> None:
    for forward, up, radius in ((-0.72, 1.6, 0.52), (0.72, 1.6, 0.52), (0, 1.85, 0.66)):
        skull.dot(forward, up, radius, WHITE)
    skull.poly([(-0.95, 0.42), (0.95, 0.42), (0.92, 1.5), (-0.92, 1.5)], WHITE)
    skull.poly([(-0.86, 1.2), (0.86, 1.2), (0.86, 1.7), (-0.86, 1.7)], WHITE, edge=False)
    for forward in (-0.4, 0, 0.4):
        skull.line([(forward, 1.0), (forward * 1.2, 1.5)], blend(WHITE, INK, 0.25), 0.05)
    skull.line([(-0.94, 0.86), (0.94, 0.86)], blend(WHITE, INK, 0.3), 0.05)


def _police_cap(skull: Skull, _: Look) -> None:
    navy = "#2b3a61"
    skull.poly([(-1.0, 0.75), (-1.45, 1.2), (-0.9, 1.5), (0.7, 1.55), (1.4, 1.25), (1.0, 0.75)], navy)
    skull.poly([(-1.04, 0.42), (1.04, 0.42), (1.02, 0.8), (-1.02, 0.8)], "#1d2335")
    skull.poly([(0.0, 0.45), (1.1, 0.45), (1.5, 0.2), (0.9, 0.22), (0.2, 0.3)], "#1b1b20")
    skull.line([(-1.0, 0.78), (1.0, 0.78)], GOLD, 0.08)
    skull.dot(0.3, 1.06, 0.22, GOLD)


def _hard_hat(skull: Skull, _: Look) -> None:
    skull.poly([*arch(1.2, 5, 175, 0.95, 0.3), (-1.2, 0.34), (1.2, 0.34)], HARD)
    skull.poly([(-1.35, 0.3), (1.65, 0.3), (1.6, 0.46), (-1.3, 0.46)], HARD)
    skull.poly([(-0.2, 0.5), (0.2, 0.5), (0.2, 1.5), (-0.2, 1.5)], blend(HARD, WHITE, 0.35))


def _party_hat(skull: Skull, look: Look) -> None:
    fill = COLOURS["purple" if look.top != "purple" else "green"]
    skull.poly([(-0.72, 0.66), (0.72, 0.66), (0.05, 2.3)], fill)
    skull.poly([(-0.5, 1.08), (0.55, 0.9), (0.5, 1.15), (-0.42, 1.34)], COLOURS["yellow"], edge=False)
    skull.poly([(-0.3, 1.58), (0.38, 1.42), (0.3, 1.64), (-0.2, 1.8)], COLOURS["pink"], edge=False)
    skull.dot(0.05, 2.3, 0.24, COLOURS["yellow"])


def _straw_hat(skull: Skull, _: Look) -> None:
    skull.poly([(-1.95, 0.34), (-1.4, 0.62), (1.4, 0.62), (1.95, 0.34), (1.3, 0.24), (-1.3, 0.24)], STRAW)
    skull.poly([*arch(1.0, 15, 165, 1.05, 0.32), (-0.98, 0.5), (0.98, 0.5)], STRAW)
    skull.poly([(-0.98, 0.5), (0.98, 0.5), (0.96, 0.74), (-0.96, 0.74)], COLOURS["red"])
    for forward in (-1.5, 1.45):
        skull.line([(forward, 0.34), (forward * 0.85, 0.54)], dark(STRAW), 0.05)


def _beanie(skull: Skull, look: Look) -> None:
    fill = COLOURS["green" if look.top != "green" else "orange"]
    _dome(skull, fill, 0.5, 1.14)
    for forward in (-0.55, 0, 0.55):
        skull.line([(forward, 0.75), (forward * 0.7, 1.0)], dark(fill), 0.06)
    skull.poly([(-1.14, 0.34), (1.14, 0.34), (1.1, 0.68), (-1.1, 0.68)], blend(fill, WHITE, 0.4))
    skull.dot(0, 1.3, 0.3, blend(fill, WHITE, 0.55))


_HATS = {
    "cap": _cap, "chef hat": _chef_hat, "police cap": _police_cap, "hard hat": _hard_hat,
    "party hat": _party_hat,
    "straw hat": _straw_hat, "beanie": _beanie,
}  # fmt: skip
