"""The trunk and what is worn on it: an outfit's cut, buttons, badges and ties."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from commonsight.world.draw.pen import Pen, Point
from commonsight.world.draw.people_body import Body
from commonsight.world.draw.people_clothes import GOLD, INK, WHITE, blend, dark, stripe
from commonsight.world.model import COLOURS, Look

VEST, STRIP, RED, NAVY = "#f08a24", "#f6f3c4", "#c8402f", "#2f3f66"


class Trunk:
    """Draws in the trunk's own frame: across from -1 (back) to 1 (front), up from 0 (hips) to 1 (neck)."""

    def __init__(self, pen: Pen, body: Body) -> None:
        (hx, hy), (nx, ny) = body.hip, body.neck
        length = hypot(nx - hx, ny - hy) or 1.0
        self._pen = pen
        self._hip, self._along = (hx, hy), (nx - hx, ny - hy)
        wide = 0.118 * body.scale * body.side / length
        self._across = (-(ny - hy) * wide, (nx - hx) * wide)
        self.scale, self.side = body.scale, body.side

    def at(self, across: float, up: float) -> Point:
        """From the trunk to the picture."""
        (hx, hy), (ax, ay), (ux, uy) = self._hip, self._across, self._along
        return hx + ax * across + ux * up, hy + ay * across + uy * up

    def poly(self, points: Sequence[Point], fill: str, *, edge: bool = True) -> None:
        """A filled polygon."""
        self._pen.polygon([self.at(*point) for point in points], fill, dark(fill) if edge else None)

    def line(self, points: Sequence[Point], fill: str, width: float = 0.012) -> None:
        """A line; its width is a share of the body's measure."""
        self._pen.line([self.at(*point) for point in points], fill, max(0.5, width * self.scale))

    def dot(self, across: float, up: float, radius: float, fill: str) -> None:
        """A button, a badge."""
        self._pen.circle(*self.at(across, up), max(0.6, radius * self.scale), fill, dark(fill))


_SHAPE = ((-0.4, 1.02), (-0.85, 0.95), (-1, 0.8), (-0.86, 0.4), (-0.88, 0.06), (-0.7, -0.1), (0.7, -0.1),
          (0.88, 0.06), (0.86, 0.4), (1, 0.8), (0.85, 0.95), (0.4, 1.02))  # fmt: skip


def draw_torso(pen: Pen, body: Body, look: Look) -> None:
    """The trunk in its clothes."""
    trunk, top, bottom = Trunk(pen, body), COLOURS[look.top], COLOURS[look.bottom]
    match look.outfit:
        case "casual":
            _casual(trunk, look, top)
        case "suit":
            _suit(trunk, top, bottom)
        case "dress":
            _dress(trunk, pen, body, top)
        case "apron":
            _apron(trunk, pen, body, look, top)
        case "chef jacket":
            _chef(trunk, top)
        case "doctor coat":
            _doctor(trunk, pen, body, top)
        case "police uniform":
            _police(trunk, top)
        case "work vest":
            _vest(trunk, top)
        case "swimwear":
            _swim(trunk, look, top, bottom)
        case "pyjamas":
            _pyjamas(trunk, top)
        case "sports kit":
            _sports(trunk, top)


def _collar(trunk: Trunk, fill: str) -> None:
    for side in (-1, 1):
        trunk.poly([(0, 0.86), (side * 0.42, 0.88), (side * 0.4, 1.03), (0.0, 0.98)], fill)


def _casual(trunk: Trunk, look: Look, top: str) -> None:
    trunk.poly(_SHAPE, top)
    trunk.poly([(-0.34, 1.02), (0, 0.9), (0.34, 1.02)], look.skin)
    trunk.line([(-0.7, 0.0), (0.7, 0.0)], dark(top), 0.008)


def _suit(trunk: Trunk, top: str, bottom: str) -> None:
    trunk.poly(_SHAPE, top)
    trunk.poly([(-0.42, 1.02), (0, 0.42), (0.42, 1.02)], WHITE)
    tie = RED if top not in (COLOURS["red"], COLOURS["orange"], COLOURS["pink"]) else NAVY
    trunk.poly([(-0.1, 0.96), (0.1, 0.96), (0.14, 0.56), (0, 0.46), (-0.14, 0.56)], tie)
    for side in (-1, 1):  # lapels
        trunk.poly(
            [(side * 0.4, 1.03), (side * 0.66, 0.76), (side * 0.4, 0.72), (0, 0.4)], blend(top, INK, 0.2)
        )
    for up in (0.3, 0.14):
        trunk.dot(0, up, 0.01, dark(bottom))


def _dress(trunk: Trunk, pen: Pen, body: Body, top: str) -> None:
    (fx, fy), (bx, by) = body.front_leg.joint, body.back_leg.joint
    (ffx, ffy), (bfx, bfy) = body.front_leg.end, body.back_leg.end
    front = fx + (ffx - fx) * 0.25, fy + (ffy - fy) * 0.25
    back = bx + (bfx - bx) * 0.25, by + (bfy - by) * 0.25
    flare = 0.085 * body.scale * body.side
    up = 0.085 * body.scale
    if body.lies:
        hem = [(front[0], front[1] - up), (back[0], max(front[1], back[1]) + up * 0.4)]
    elif body.front_leg.joint[1] > body.hip[1] + 0.1 * body.scale:  # upright: a bell
        low = max(front[1], back[1])
        hem = [(front[0] + flare, low), (back[0] - flare, low)]
    else:  # seated: over the knees
        hem = [
            (fx + flare * 0.4, fy - up * 0.55),
            (front[0] + flare * 0.6, front[1]),
            (bx - flare * 0.3, by + up),
        ]
    pen.polygon([trunk.at(0.8, 0.42), *hem, trunk.at(-0.9, -0.1), trunk.at(-0.8, 0.42)], top, dark(top))
    trunk.poly((*_SHAPE[:4], (-0.8, 0.36), (0.8, 0.36), *_SHAPE[8:]), top)
    trunk.poly([(-0.4, 1.03), (0, 0.85), (0.4, 1.03)], blend(top, WHITE, 0.75))
    trunk.line([(-0.8, 0.38), (0.8, 0.38)], blend(top, WHITE, 0.55), 0.028)
    for across, at in ((-0.4, 0.16), (0.3, 0.05), (0.45, 0.62), (-0.5, 0.65)):
        trunk.dot(across, at, 0.01, blend(top, WHITE, 0.6))


def _apron(trunk: Trunk, pen: Pen, body: Body, look: Look, top: str) -> None:
    _casual(trunk, look, top)
    fill = "#e9dcc0" if look.top in ("white", "yellow") else WHITE
    (fx, fy), (bx, by) = body.front_leg.joint, body.back_leg.joint
    reach = 0.045 * body.scale * body.side
    if not body.lies:
        low = [(fx + reach, fy), (bx - reach, by)]
        pen.polygon([trunk.at(0.8, 0.4), *low, trunk.at(-0.8, 0.4)], fill, dark(fill))
    for side in (-1, 1):
        trunk.line([(side * 0.45, 0.75), (side * 0.36, 1.0)], fill, 0.022)
    trunk.poly([(-0.52, 0.78), (0.52, 0.78), (0.7, 0.36), (-0.7, 0.36)], fill)
    trunk.line([(-0.85, 0.36), (0.85, 0.36)], RED, 0.02)
    trunk.poly([(-0.35, 0.2), (0.35, 0.2), (0.3, -0.04), (-0.3, -0.04)], blend(fill, INK, 0.08))


def _chef(trunk: Trunk, top: str) -> None:
    trunk.poly(_SHAPE, top)
    flap = blend(top, INK, 0.08) if top == COLOURS["white"] else blend(top, WHITE, 0.4)
    trunk.poly([(-0.62, 0.9), (0.5, 0.9), (0.42, -0.08), (-0.52, -0.08)], flap)
    for up in (0.72, 0.5, 0.28, 0.08):
        for across in (-0.38, 0.26):
            trunk.dot(across, up, 0.013, INK)
    cloth = WHITE if top in (COLOURS["red"], COLOURS["pink"], COLOURS["orange"]) else RED
    trunk.poly([(-0.5, 1.04), (0, 0.86), (0.5, 1.04), (0.15, 0.9), (0.2, 0.76), (0, 0.84), (-0.2, 0.76),
                (-0.15, 0.9)], cloth)  # fmt: skip


def _doctor(trunk: Trunk, pen: Pen, body: Body, top: str) -> None:
    trunk.poly(_SHAPE, top)
    _collar(trunk, blend(top, WHITE, 0.4))
    (fx, fy), (bx, by) = body.front_leg.joint, body.back_leg.joint
    reach = 0.05 * body.scale * body.side
    for side, (kx, ky) in ((-1, (bx - reach, by)), (1, (fx + reach, fy))):
        points = [
            trunk.at(side * a, u) for a, u in ((0.4, 1.04), (0.85, 0.96), (1.02, 0.8), (0.88, 0.4), (0.95, 0))
        ]
        inner = [trunk.at(side * a, u) for a, u in ((0.34, -0.1), (0.26, 0.5))]
        tail = [] if body.lies else [(kx, ky), (kx - side * reach * 1.3, ky)]
        pen.polygon([*points, *tail, *inner], WHITE, dark(WHITE))
    trunk.line(
        [(-0.36, 1.0), (-0.3, 0.6), (0.08, 0.5), (0.3, 0.66), (0.36, 1.0)], INK, 0.014
    )  # a stethoscope
    trunk.dot(0.06, 0.46, 0.02, "#aab0b6")
    trunk.poly([(0.5, 0.3), (0.78, 0.3), (0.78, 0.14), (0.5, 0.14)], blend(WHITE, INK, 0.1))
    trunk.line([(-0.62, 0.62), (-0.62, 0.78)], RED, 0.014)
    trunk.line([(-0.76, 0.7), (-0.48, 0.7)], RED, 0.014)


def _police(trunk: Trunk, top: str) -> None:
    trunk.poly(_SHAPE, top)
    _collar(trunk, blend(top, INK, 0.25))
    trunk.poly([(-0.1, 0.92), (0.1, 0.92), (0.12, 0.3), (0, 0.22), (-0.12, 0.3)], "#23242c")
    for side in (-1, 1):
        trunk.line([(side * 0.55, 0.99), (side * 0.95, 0.88)], GOLD, 0.02)
    star = [(-0.5, 0.82), (-0.4, 0.7), (-0.24, 0.7), (-0.36, 0.6), (-0.34, 0.46), (-0.5, 0.54), (-0.66, 0.46),
            (-0.64, 0.6), (-0.76, 0.7), (-0.6, 0.7)]  # fmt: skip
    trunk.poly(star, GOLD)
    trunk.line([(-0.88, 0.05), (0.88, 0.05)], "#23242c", 0.04)
    trunk.poly([(-0.14, 0.11), (0.14, 0.11), (0.14, -0.01), (-0.14, -0.01)], GOLD)


def _vest(trunk: Trunk, top: str) -> None:
    trunk.poly(_SHAPE, top)
    for side in (-1, 1):
        shape = [(0.1, 0.0), (0.9, 0.02), (0.88, 0.42), (0.94, 0.84), (0.78, 0.98), (0.42, 1.03), (0.1, 0.66)]
        trunk.poly([(side * a, u) for a, u in shape], VEST)
        trunk.line([(side * 0.6, 0.98), (side * 0.55, 0.42)], STRIP, 0.03)
    for up in (0.42, 0.2):
        trunk.line([(-0.86, up), (0.86, up)], STRIP, 0.032)
    trunk.line([(0, 0.02), (0, 0.66)], dark(VEST), 0.01)


def _swim(trunk: Trunk, look: Look, top: str, bottom: str) -> None:
    trunk.poly(_SHAPE, look.skin)
    suit = [(-0.62, 1.0), (-0.42, 1.0), (-0.34, 0.74), (0.34, 0.74), (0.42, 1.0), (0.62, 1.0), (0.8, 0.66),
            (0.84, 0.4), (0.88, 0.2), (-0.88, 0.2), (-0.84, 0.4), (-0.8, 0.66)]  # fmt: skip
    trunk.poly(suit, top)
    for up in (0.56, 0.4):
        trunk.line([(-0.78, up), (0.78, up)], blend(top, WHITE, 0.6), 0.018)
    trunk.poly([(-0.88, 0.22), (0.88, 0.22), (0.86, -0.1), (-0.86, -0.1)], bottom)


def _pyjamas(trunk: Trunk, top: str) -> None:
    trunk.poly(_SHAPE, top)
    for across in (-0.66, -0.36, 0.36, 0.66):
        trunk.line([(across * 0.95, 0.0), (across, 0.92)], stripe(top), 0.02)
    _collar(trunk, stripe(top))
    for up in (0.72, 0.48, 0.24):
        trunk.dot(0, up, 0.011, WHITE)


def _sports(trunk: Trunk, top: str) -> None:
    trunk.poly(_SHAPE, top)
    light = WHITE if top != COLOURS["white"] else RED
    for side in (-1, 1):
        trunk.line([(side * 0.86, 0.02), (side * 0.94, 0.8)], light, 0.02)
    trunk.line([(-0.4, 1.02), (0, 0.9), (0.4, 1.02)], light, 0.02)
    right = trunk.side  # a 7 must not be mirrored
    trunk.line([(-0.3 * right, 0.7), (0.32 * right, 0.7), (-0.06 * right, 0.2)], light, 0.042)
