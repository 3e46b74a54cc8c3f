"""Animals, facing right. A dog has drooping ears and a snout; a cat has pointed ears and whiskers."""

from __future__ import annotations

from commonsight.world.draw.box import FLAME, INK, WHITE, tint
from commonsight.world.draw.pen import shade
from commonsight.world.draw.things_brush import Brush
from commonsight.world.model import COLOURS

NOSE = "#2c2624"


def _eye_paint(b: Brush) -> str:
    return "#e9d9a0" if b.colour == COLOURS["black"] else NOSE


def dog(b: Brush) -> None:
    """Standing with its tail up, or curled up."""
    ear = shade(b.colour, 0.6) if b.colour != COLOURS["black"] else "#5a5b63"
    if b.state == "asleep":
        b.oval(0.02, 0.42, 0.86, 1.0, b.colour)
        b.arc(0.0, 0.5, 0.5, 1.04, 60, 200, b.dark, 0.1)
        b.limb([(0.5, 0.95), (0.86, 0.95)], b.light, 0.12)
        b.oval(0.56, 0.46, 0.92, 0.94, b.colour)
        b.rect(0.76, 0.66, 1.04, 0.92, b.light, radius=0.12)
        b.disc(1.02, 0.74, 0.05, NOSE)
        b.oval(0.54, 0.52, 0.68, 0.92, ear)
        b.arc(0.72, 0.58, 0.84, 0.72, 10, 170, _eye_paint(b), 0.05)
        return
    b.limb([(0.1, 0.46), (0.0, 0.2), (0.04, 0.1)], b.colour, 0.1)
    for x in (0.2, 0.58):
        b.limb([(x, 0.66), (x, 0.96)], b.dark, 0.12)
    b.rect(0.06, 0.38, 0.74, 0.74, b.colour, radius=0.24)
    for x in (0.12, 0.66):
        b.limb([(x, 0.62), (x, 0.95)], b.colour, 0.13)
    b.poly([(0.56, 0.5), (0.62, 0.2), (0.84, 0.3), (0.74, 0.68)], b.colour, edge=False)
    b.oval(0.58, 0.0, 0.88, 0.44, b.colour)
    b.rect(0.76, 0.18, 1.04, 0.4, b.light, radius=0.14)
    b.disc(1.01, 0.22, 0.055, NOSE)
    b.oval(0.56, 0.04, 0.7, 0.44, ear)
    b.disc(0.79, 0.14, 0.035, _eye_paint(b), edge=False)
    b.line([(0.6, 0.48), (0.76, 0.46)], "#c8402f", 0.07)


def cat(b: Brush) -> None:
    """Sitting with its tail round it, or curled into a ball."""
    stripe = b.dark if b.colour != COLOURS["black"] else "#55565e"
    if b.state == "asleep":
        b.oval(0.02, 0.36, 0.94, 1.0, b.colour)
        for left in (0.16, 0.3, 0.44):
            b.arc(left, 0.4, left + 0.2, 0.8, 190, 280, stripe, 0.05)
        _cat_head(b, 0.74, 0.72, asleep=True)
        b.limb([(0.06, 0.78), (0.2, 0.95), (0.56, 0.95)], b.dark, 0.11)
        return
    b.limb([(0.34, 0.93), (0.06, 0.9), (0.02, 0.6), (0.1, 0.44)], b.dark, 0.1)
    b.poly([(0.26, 0.98), (0.24, 0.7), (0.46, 0.4), (0.78, 0.42), (0.82, 0.98)], b.colour)
    b.oval(0.18, 0.58, 0.56, 1.0, b.colour)
    for y in (0.56, 0.68):
        b.line([(0.34, y + 0.06), (0.46, y)], stripe, 0.05)
    for x in (0.64, 0.76):
        b.limb([(x, 0.72), (x, 0.95)], b.light, 0.1)
    _cat_head(b, 0.66, 0.27, asleep=False)


def _cat_head(b: Brush, x: float, y: float, *, asleep: bool) -> None:
    for side in (-1, 1):
        b.poly([(x + side * 0.22, y - 0.02), (x + side * 0.2, y - 0.31), (x + side * 0.04, y - 0.18)],
            b.colour)  # fmt: skip
        b.poly([(x + side * 0.18, y - 0.1), (x + side * 0.175, y - 0.23), (x + side * 0.09, y - 0.16)],
            "#e8a0a0", edge=False)  # fmt: skip
    b.oval(x - 0.25, y - 0.22, x + 0.25, y + 0.2, b.colour)
    for side in (-1, 1):
        if asleep:
            b.arc(x + side * 0.11 - 0.06, y - 0.08, x + side * 0.11 + 0.06, y + 0.02, 10, 170,
                _eye_paint(b), 0.05)  # fmt: skip
        else:
            b.disc(x + side * 0.1, y - 0.02, 0.055, "#8fbf4f")
            b.line([(x + side * 0.1, y - 0.06), (x + side * 0.1, y + 0.03)], NOSE, 0.03)
        b.line([(x + side * 0.12, y + 0.1), (x + side * 0.34, y + 0.06)], tint(b.light, WHITE, 0.4), 0.02)
    b.poly([(x - 0.045, y + 0.05), (x + 0.045, y + 0.05), (x, y + 0.11)], "#d97a7a", edge=False)


def bird(b: Brush) -> None:
    """A round small bird with a beak."""
    b.poly([(0.24, 0.5), (-0.06, 0.34), (0.0, 0.62), (0.28, 0.68)], b.dark)
    for x in (0.46, 0.58):
        b.line([(x, 0.78), (x, 1.0), (x + 0.1, 1.0)], "#b5762c", 0.06)
    b.oval(0.14, 0.26, 0.78, 0.88, b.colour)
    b.oval(0.44, 0.5, 0.78, 0.86, tint(b.colour, WHITE, 0.6), edge=False)
    b.disc(0.68, 0.28, 0.26, b.colour)
    b.poly([(0.86, 0.2), (1.08, 0.32), (0.86, 0.42)], FLAME)
    b.poly([(0.2, 0.44), (0.52, 0.4), (0.34, 0.74)], b.dark)
    b.disc(0.74, 0.22, 0.085, WHITE, edge=False)
    b.disc(0.75, 0.22, 0.05, NOSE, edge=False)


def horse(b: Brush) -> None:
    """Standing: long neck, mane, tail and legs."""
    mane = {COLOURS["brown"]: "#4a3222", COLOURS["black"]: "#8d8a88"}.get(b.colour, "#b8ad9c")
    b.poly([(0.1, 0.38), (0.02, 0.46), (0.0, 0.8), (0.06, 0.84), (0.12, 0.56)], mane)
    for top, bottom in ((0.2, 0.18), (0.56, 0.58)):
        b.poly([(top - 0.04, 0.6), (top + 0.06, 0.6), (bottom + 0.03, 0.97), (bottom - 0.03, 0.97)], b.dark)
    b.poly([(0.54, 0.44), (0.72, 0.08), (0.84, 0.16), (0.7, 0.58)], b.colour)
    b.rect(0.07, 0.36, 0.7, 0.66, b.colour, radius=0.17)
    for x in (0.12, 0.62):
        b.poly([(x - 0.05, 0.56), (x + 0.06, 0.56), (x + 0.03, 0.96), (x - 0.03, 0.96)], b.colour)
        b.rect(x - 0.035, 0.94, x + 0.04, 1.0, INK)
    b.poly([(0.58, 0.44), (0.66, 0.36), (0.78, 0.3), (0.68, 0.54)], b.colour, edge=False)
    b.poly([(0.7, 0.1), (0.8, 0.03), (0.9, 0.1), (1.02, 0.26), (0.98, 0.34), (0.88, 0.3), (0.76, 0.26)],
        b.colour)  # fmt: skip
    b.poly([(0.73, 0.08), (0.74, -0.04), (0.79, 0.05)], b.colour)
    b.poly([(0.72, 0.02), (0.64, 0.12), (0.54, 0.4), (0.62, 0.38), (0.76, 0.08)], mane)
    b.disc(0.83, 0.13, 0.018, WHITE if b.colour == COLOURS["black"] else NOSE, edge=False)
    b.disc(0.985, 0.27, 0.012, NOSE, edge=False)
