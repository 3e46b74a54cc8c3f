"""Limbs, and the clothes on them: what one wears must be told from afar.

The colour of the upper garment is always the look's `top`, that of the lower one its `bottom`; an outfit is
known by its cut, its badges and what is worn over it.
"""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import NamedTuple

from commonsight.world.draw.pen import Pen, Point, mix, shade
from commonsight.world.draw.people_body import Body, Limb
from commonsight.world.model import COLOURS, Look, Outfit

WHITE, INK, GOLD = "#fbf8f0", "#3a3532", "#e2b93f"
ARM_WIDTH, LEG_WIDTH = 0.078, 0.096
"""Shares of the body's measure."""

dark = lru_cache(maxsize=1024)(lambda colour: shade(colour, 0.7))
blend = lru_cache(maxsize=1024)(mix)


def stripe(colour: str) -> str:
    """The colour of stripes that show on this one."""
    return "#9fb8dc" if min(colour[1], colour[3], colour[5]) > "b" else blend(colour, WHITE, 0.65)


class Cloth(NamedTuple):
    """What an outfit is made of."""

    sleeve: str | None
    """Colour of the sleeves; None for bare arms."""
    sleeve_share: float
    """How much of the arm they cover: 1 to the wrist, below 0.6 short."""
    leg: str | None
    leg_share: float
    """How much of the leg is covered: 1 to the ankle, below 0.6 shorts."""
    shoe: str | None


_SHORT: dict[Outfit, float] = {
    "sports kit": 0.45,
    "work vest": 0.5,
    "apron": 0.5,
    "dress": 0.35,
    "swimwear": 0,
}


def cloth(look: Look) -> Cloth:
    """Sleeves, legs and shoes of an outfit."""
    top, bottom = COLOURS[look.top], COLOURS[look.bottom]
    sleeve: str | None = WHITE if look.outfit == "doctor coat" else top
    leg: str | None = bottom
    shoe: str | None = "#4a3b33"
    leg_share = 1.0
    if look.outfit == "swimwear":
        sleeve, leg, shoe = None, bottom, None
        leg_share = 0.42
    elif look.outfit == "sports kit":
        leg_share, shoe = 0.48, WHITE
    elif look.outfit == "dress":
        leg = None
    elif look.outfit == "pyjamas":
        leg, shoe = top, blend(top, WHITE, 0.6)
    elif look.outfit == "suit":
        leg, shoe = bottom, "#2c2523"
    elif look.outfit == "police uniform":
        shoe = "#26262b"
    elif look.outfit == "work vest":
        shoe = "#a9773f"
    return Cloth(sleeve, _SHORT.get(look.outfit, 1.0), leg, leg_share, shoe)


def tube(pen: Pen, limb: Limb, width: float, fill: str, *, taper: float = 1.0) -> None:
    """A limb of two straight parts with rounded joints and a contour, as one polygon."""
    (ax, ay), (bx, by), (cx, cy) = limb
    first, second = hypot(bx - ax, by - ay) or 1.0, hypot(cx - bx, cy - by) or 1.0
    ux, uy, vx, vy = (bx - ax) / first, (by - ay) / first, (cx - bx) / second, (cy - by) / second
    w, e = width / 2, width / 2 * taper
    mx, my = -(uy + vy), ux + vx  # across the joint, halfway between both parts' normals
    length = hypot(mx, my) or 1.0
    reach = w * min(1.25, 2 / length)  # a mitre, blunted where the bend is sharp
    mx, my = mx / length * reach, my / length * reach
    points = [
        (ax - uy * w, ay + ux * w), (bx + mx, by + my), (cx - vy * e, cy + vx * e),
        (cx - vy * e * 0.6 + vx * e * 0.8, cy + vx * e * 0.6 + vy * e * 0.8),
        (cx + vy * e * 0.6 + vx * e * 0.8, cy - vx * e * 0.6 + vy * e * 0.8),
        (cx + vy * e, cy - vx * e), (bx - mx, by - my), (ax + uy * w, ay - ux * w),
        (ax + uy * w * 0.6 - ux * w * 0.8, ay - ux * w * 0.6 - uy * w * 0.8),
        (ax - uy * w * 0.6 - ux * w * 0.8, ay + ux * w * 0.6 - uy * w * 0.8),
    ]  # fmt: skip
    pen.polygon(points, fill, dark(fill))
    if ux * vx + uy * vy < 0.6:  # a sharp bend: round off what the blunt mitre leaves
        pen.circle(bx, by, w * 0.98, fill)


def part(limb: Limb, share: float) -> Limb:
    """The first `share` of a limb."""
    (ax, ay), (bx, by), (cx, cy) = limb
    if share >= 1:
        return limb
    if share > 0.5:
        t = (share - 0.5) * 2
        return Limb(limb.root, limb.joint, (bx + (cx - bx) * t, by + (cy - by) * t))
    t = share * 2
    end = ax + (bx - ax) * t, ay + (by - ay) * t
    return Limb(limb.root, ((ax + end[0]) / 2, (ay + end[1]) / 2), end)


def draw_leg(pen: Pen, body: Body, leg: Limb, look: Look, *, far: bool = False) -> None:
    """A leg with what covers it, and the foot."""
    worn, width = cloth(look), LEG_WIDTH * body.scale
    skin = blend(look.skin, INK, 0.12) if far else look.skin
    x, y = leg.end
    leg, foot = (leg if body.lies else leg._replace(end=(x, y - 0.035 * body.scale))), leg
    if worn.leg is None or worn.leg_share < 1:
        tube(pen, leg, width * 0.8, skin, taper=0.8)
    if worn.leg is not None:
        colour = blend(worn.leg, INK, 0.15) if far else worn.leg
        tube(pen, part(leg, worn.leg_share), width, colour, taper=0.85 if worn.leg_share == 1 else 1.1)
    if look.outfit == "pyjamas":
        _stripes(pen, part(leg, 0.9), width, stripe(worn.leg or WHITE))
    _foot(pen, body, foot, worn.shoe or skin)


def _foot(pen: Pen, body: Body, leg: Limb, colour: str) -> None:
    x, y = leg.end
    s = body.scale
    if body.lies:  # toes up
        pen.ellipse(x - 0.03 * s, y - 0.065 * s, x + 0.035 * s, y + 0.03 * s, colour, dark(colour))
    else:
        fore, back = x + body.side * 0.075 * s, x - body.side * 0.045 * s
        pen.ellipse(min(fore, back), y - 0.045 * s, max(fore, back), y + 0.012 * s, colour, dark(colour))


def draw_arm(pen: Pen, body: Body, arm: Limb, look: Look, *, far: bool = False) -> None:
    """An arm with its sleeve, and the hand."""
    worn, width = cloth(look), ARM_WIDTH * body.scale
    skin = blend(look.skin, INK, 0.1) if far else look.skin
    if worn.sleeve is None or worn.sleeve_share < 1:
        tube(pen, arm, width * 0.8, skin, taper=0.9)
    if worn.sleeve is not None:
        colour = blend(worn.sleeve, INK, 0.12) if far else worn.sleeve
        tube(pen, part(arm, worn.sleeve_share), width, colour, taper=0.95 if worn.sleeve_share == 1 else 1.15)
        if look.outfit == "pyjamas":
            _stripes(pen, arm, width, stripe(colour))
    draw_hand(pen, arm.end, body.scale, skin)


def draw_hand(pen: Pen, hand: Point, scale: float, skin: str) -> None:
    """A mitten of a hand."""
    pen.circle(*hand, 0.044 * scale, skin, dark(skin))


def draw_finger(pen: Pen, arm: Limb, scale: float, skin: str) -> None:
    """A pointing finger that goes on from the arm."""
    (ax, ay), (hx, hy) = arm.root, arm.end
    length = hypot(hx - ax, hy - ay) or 1.0
    ux, uy = (hx - ax) / length * scale, (hy - ay) / length * scale
    points = [
        (hx + ux * along - uy * w, hy + uy * along + ux * w)
        for along, w in ((0.02, 0.017), (0.11, 0.012), (0.11, -0.012), (0.02, -0.017))
    ]
    pen.polygon(points, skin, dark(skin))


def _stripes(pen: Pen, limb: Limb, width: float, colour: str) -> None:
    (ax, ay), (bx, by), (cx, cy) = limb
    for (px, py), (qx, qy) in (((ax, ay), (bx, by)), ((bx, by), (cx, cy))):
        length = hypot(qx - px, qy - py) or 1.0
        nx, ny = -(qy - py) / length * width * 0.42, (qx - px) / length * width * 0.42
        for t in (0.3, 0.75):
            mx, my = px + (qx - px) * t, py + (qy - py) * t
            pen.line([(mx - nx, my - ny), (mx + nx, my + ny)], colour, width * 0.2)
