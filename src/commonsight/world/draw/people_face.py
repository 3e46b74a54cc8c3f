"""Faces: a mood must be read from a head that is twenty pixels tall, so everything is exaggerated."""

from __future__ import annotations

from typing import NamedTuple

from commonsight.world.draw.pen import Point
from commonsight.world.draw.people_clothes import GOLD, INK, WHITE, blend, dark
from commonsight.world.draw.people_head import Skull, hair_colour
from commonsight.world.model import SKINS, Actor, Expression, Look

MOUTH, TEAR, BLUSH = "#7a2626", "#6db6ea", "#e8806e"


class _Eyes(NamedTuple):
    radius: float
    pupil: float
    lid: float
    """How much of the eye the upper lid covers."""
    brow: float
    """How high the brow is over the eye."""
    inner: float
    """How much higher the brow's inner end is than its outer end."""


_EYES: dict[Expression, _Eyes] = {
    "neutral": _Eyes(0.22, 0.13, 0.0, 0.38, 0.02),
    "happy": _Eyes(0.23, 0.14, 0.0, 0.42, 0.04),
    "sad": _Eyes(0.22, 0.13, 0.15, 0.36, 0.24),
    "angry": _Eyes(0.22, 0.11, 0.2, 0.24, -0.3),
    "surprised": _Eyes(0.29, 0.12, 0.0, 0.56, 0.0),
    "afraid": _Eyes(0.33, 0.085, 0.0, 0.5, 0.22),
    "tired": _Eyes(0.23, 0.12, 0.52, 0.4, 0.08),
}


def draw_face(skull: Skull, actor: Actor) -> None:
    """Eyes, brows, nose and mouth; glasses over them."""
    look, mood, asleep = actor.look, actor.expression, actor.pose == "sleeping"
    tx, ty = skull.turn
    middle = (tx, ty - (0.1 if actor.pose == "reading" else 0.0))
    _cheeks(skull, look, mood, middle, asleep)
    for eye in (-1, 1):
        centre = middle[0] + eye * (0.39 - 0.06 * tx), middle[1] + 0.06
        if asleep:
            _closed(skull, centre, look)
        else:
            _eye(skull, centre, eye, look, _EYES[mood], actor.pose == "reading")
    nose = blend(dark(look.skin), look.skin, 0.25)
    skull.line([(tx + 0.03, ty - 0.08), (tx + 0.13, ty - 0.24), (tx + 0.01, ty - 0.25)], nose, 0.07)
    _mouth(skull, (tx, ty - 0.52), "neutral" if asleep else mood, look, open_wide=actor.pose == "eating")
    _marks(skull, look, mood, middle, asleep)


def _eye(skull: Skull, centre: Point, eye: int, look: Look, eyes: _Eyes, down: bool) -> None:
    x, y = centre
    skull.dot(x, y, eyes.radius, WHITE, edge=False)
    r = eyes.radius
    skull.line(
        [(x - r, y + 0.05), (x - r * 0.5, y + r * 0.88), (x + r * 0.5, y + r * 0.88), (x + r, y + 0.05)],
        INK,
        0.05,
    )
    room = eyes.radius - eyes.pupil * 0.8
    gx, gy = skull.gaze if not down else (0.3, -0.9)
    skull.dot(x + gx * room, y + gy * room, eyes.pupil, "#2a2220", edge=False)
    if eyes.lid:
        level = y + eyes.radius * (1 - 2 * eyes.lid)
        top, wide = y + eyes.radius * 1.1, eyes.radius * 1.1
        lid = blend(look.skin, dark(look.skin), 0.25)
        skull.poly(
            [(x - wide, level), (x + wide, level), (x + wide * 0.7, top), (x - wide * 0.7, top)],
            lid,
            edge=False,
        )
        skull.line([(x - wide, level), (x + wide, level)], INK, 0.08)
    brow = blend(hair_colour(look), INK, 0.45)
    outer, inner = (
        (x + eye * 0.26, y + eyes.brow - eyes.inner / 2),
        (x - eye * 0.22, y + eyes.brow + eyes.inner / 2),
    )
    skull.line([outer, inner], brow, 0.15 if eyes.inner < 0 else 0.11)


def _closed(skull: Skull, centre: Point, look: Look) -> None:
    x, y = centre
    skull.line([(x - 0.22, y + 0.0), (x - 0.1, y - 0.1), (x + 0.1, y - 0.1), (x + 0.22, y)], INK, 0.09)
    brow = blend(hair_colour(look), INK, 0.45)
    skull.line([(x - 0.2, y + 0.36), (x + 0.2, y + 0.36)], brow, 0.08)


def _mouth(skull: Skull, at: Point, mood: Expression, look: Look, *, open_wide: bool) -> None:
    x, y = at
    line = blend(MOUTH, look.skin, 0.1) if look.skin > "#a" else "#3c1512"
    if open_wide:
        skull.dot(x + 0.1, y, 0.2, MOUTH)
        return
    match mood:
        case "happy":
            skull.poly([(x - 0.46, y + 0.14), (x + 0.46, y + 0.14), (x + 0.32, y - 0.16), (x, y - 0.28),
                        (x - 0.32, y - 0.16)], MOUTH)  # fmt: skip
            skull.poly(
                [(x - 0.4, y + 0.13), (x + 0.4, y + 0.13), (x + 0.34, y), (x - 0.34, y)], WHITE, edge=False
            )
        case "sad":
            curve = [(x - 0.32, y - 0.24), (x - 0.18, y - 0.06), (x + 0.18, y - 0.06), (x + 0.32, y - 0.24)]
            skull.line(curve, line, 0.12)
        case "angry":
            skull.poly(
                [(x - 0.36, y - 0.2), (x - 0.26, y + 0.1), (x + 0.26, y + 0.1), (x + 0.36, y - 0.2)], WHITE
            )
            skull.line(
                [(x - 0.36, y - 0.2), (x - 0.26, y + 0.1), (x + 0.26, y + 0.1), (x + 0.36, y - 0.2)],
                line,
                0.08,
            )
            for step in (-0.12, 0.12):
                skull.line([(x + step, y + 0.1), (x + step, y - 0.2)], line, 0.05)
        case "surprised":
            skull.poly([(x - 0.2, y), (x - 0.12, y + 0.2), (x + 0.12, y + 0.2), (x + 0.2, y),
                        (x + 0.14, y - 0.28), (x - 0.14, y - 0.28)], MOUTH)  # fmt: skip
        case "afraid":
            wave = [
                (x - 0.4, y - 0.12),
                (x - 0.22, y + 0.1),
                (x, y + 0.0),
                (x + 0.22, y + 0.1),
                (x + 0.4, y - 0.12),
            ]
            skull.poly([*wave, (x + 0.2, y - 0.22), (x, y - 0.14), (x - 0.2, y - 0.22)], WHITE)
            skull.line([*wave, (x + 0.2, y - 0.22), (x, y - 0.14), (x - 0.2, y - 0.22), wave[0]], line, 0.07)
        case "tired":
            skull.line([(x - 0.2, y - 0.1), (x + 0.05, y - 0.06), (x + 0.24, y - 0.14)], line, 0.1)
        case "neutral":
            skull.line([(x - 0.2, y + 0.02), (x, y - 0.03), (x + 0.2, y + 0.02)], line, 0.1)


def _cheeks(skull: Skull, look: Look, mood: Expression, middle: Point, asleep: bool) -> None:
    x, y = middle
    if mood == "afraid" and not asleep:
        pale = blend(look.skin, "#a9c4dc", 0.5)
        skull.poly([(-0.5 + x, 0.3), (0.52 + x, 0.3), (0.4 + x, 0.55), (-0.4 + x, 0.55)], pale, edge=False)
    if mood in ("happy", "angry") or look.age == "child":
        blush = blend(look.skin, "#d8402f" if mood == "angry" else BLUSH, 0.5)
        for side in (-0.56, 0.56):
            skull.dot(x + side, y - 0.32, 0.19, blush, edge=False)


def _marks(skull: Skull, look: Look, mood: Expression, middle: Point, asleep: bool) -> None:
    """Tears, sweat, bags, wrinkles, glasses."""
    x, y = middle
    if not asleep and mood == "sad":
        tx, ty = x + 0.5, y - 0.36
        skull.poly([(tx, ty + 0.28), (tx + 0.16, ty - 0.06), (tx, ty - 0.2), (tx - 0.16, ty - 0.06)], TEAR)
    elif not asleep and mood == "afraid":
        tx, ty = x - 0.85, y + 0.35
        skull.poly([(tx, ty + 0.28), (tx + 0.15, ty - 0.05), (tx, ty - 0.18), (tx - 0.15, ty - 0.05)], TEAR)
    elif not asleep and mood == "tired":
        bag = blend(look.skin, "#5b3f63", 0.45)
        for side in (-0.37, 0.37):
            skull.line(
                [(x + side - 0.18, y - 0.2), (x + side, y - 0.27), (x + side + 0.18, y - 0.2)], bag, 0.1
            )
    if look.age == "old":
        fold = blend(look.skin, dark(look.skin), 0.6)
        for side in (-1, 1):
            skull.line([(x + side * 0.44, y - 0.34), (x + side * 0.5, y - 0.6)], fold, 0.06)
        skull.line([(x - 0.3, y + 0.66), (x + 0.3, y + 0.66)], fold, 0.05)
    if look.glasses:
        frame = INK if look.skin not in SKINS[3:] else GOLD
        for side in (-0.38, 0.38):
            ring = [
                (0.3, 0),
                (0.21, 0.21),
                (0, 0.3),
                (-0.21, 0.21),
                (-0.3, 0),
                (-0.21, -0.21),
                (0, -0.3),
                (0.21, -0.21),
            ]
            points = [(x + side + a, y + 0.06 + b) for a, b in ring]
            skull.line([*points, points[0]], frame, 0.07)
        skull.line([(x - 0.1, y + 0.08), (x + 0.1, y + 0.08)], frame, 0.07)
        skull.line([(x - 0.68, y + 0.08), (-0.9, y + 0.1)], frame, 0.07)
