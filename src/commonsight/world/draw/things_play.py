"""Toys, sports, music and tools."""

from __future__ import annotations

from commonsight.world.draw.box import CREAM, GOLD, INK, LEAF, STEEL, WHITE, WOOD, tint
from commonsight.world.draw.pen import shade
from commonsight.world.draw.things_brush import Brush
from commonsight.world.model import COLOURS


def balloon(b: Brush) -> None:
    """A balloon on a string."""
    b.line([(0.5, 0.46), (0.6, 0.62), (0.4, 0.8), (0.5, 1.0)], "#7d7a76", 0.05)
    b.oval(0.02, 0.0, 0.98, 0.46, b.colour)
    b.poly([(0.5, 0.44), (0.6, 0.5), (0.4, 0.5)], b.dark)
    b.oval(0.22, 0.08, 0.42, 0.2, tint(b.colour, WHITE, 0.65), edge=False)


def drum(b: Brush) -> None:
    """A shell with lacing, a skin and two sticks."""
    b.poly([(0.0, 0.28), (1.0, 0.28), (1.0, 0.88), (0.0, 0.88)], b.colour)
    b.pie(0.0, 0.74, 1.0, 1.0, 0, 180, b.colour)
    b.line([(0.0, 0.84), (0.12, 0.4), (0.25, 0.92), (0.38, 0.42), (0.5, 0.96), (0.62, 0.42), (0.75, 0.92),
        (0.88, 0.4), (1.0, 0.84)], CREAM, 0.035)  # fmt: skip
    b.arc(0.0, 0.72, 1.0, 1.0, 0, 180, GOLD, 0.07)
    b.oval(0.0, 0.14, 1.0, 0.44, GOLD)
    b.oval(0.05, 0.16, 0.95, 0.4, CREAM)
    for points in ([(0.3, 0.3), (0.02, 0.02)], [(0.62, 0.28), (0.98, 0.04)]):
        b.limb(points, shade(WOOD, 0.8), 0.06)


def guitar(b: Brush) -> None:
    """A waisted body with a hole, a neck and pegs."""
    b.rect(0.42, 0.06, 0.58, 0.62, "#5a3c28")
    b.poly([(0.36, 0.0), (0.64, 0.0), (0.6, 0.12), (0.4, 0.12)], "#5a3c28")
    for y in (0.03, 0.08):
        b.disc(0.3, y, 0.016, STEEL)
        b.disc(0.7, y, 0.016, STEEL)
    b.oval(0.12, 0.44, 0.88, 0.74, b.colour)
    b.oval(0.0, 0.6, 1.0, 1.0, b.colour)
    b.oval(0.18, 0.5, 0.82, 0.9, b.colour, edge=False)
    b.oval(0.14, 0.7, 0.4, 0.92, b.light, edge=False)
    b.disc(0.5, 0.66, 0.07, "#2e2420")
    b.rect(0.44, 0.44, 0.56, 0.6, "#5a3c28", edge=False)
    b.rect(0.32, 0.83, 0.68, 0.88, "#3d2a1e")
    for x in (0.46, 0.54):
        b.line([(x, 0.1), (x, 0.85)], CREAM, 0.018)


def teddy_bear(b: Brush) -> None:
    """Round ears, a muzzle, a light tummy."""
    for x in (0.2, 0.8):
        b.disc(x, 0.1, 0.11, b.colour)
        b.disc(x, 0.1, 0.05, b.light, edge=False)
        b.oval(x - 0.2, 0.76, x + 0.16 if x < 0.5 else x + 0.2, 1.0, b.colour)
    b.limb([(0.3, 0.56), (0.06, 0.7)], b.colour, 0.2)
    b.limb([(0.7, 0.56), (0.94, 0.7)], b.colour, 0.2)
    b.oval(0.2, 0.44, 0.8, 0.96, b.colour)
    b.oval(0.32, 0.54, 0.68, 0.88, b.light, edge=False)
    b.oval(0.12, 0.02, 0.88, 0.5, b.colour)
    b.oval(0.34, 0.26, 0.66, 0.46, tint(b.colour, WHITE, 0.55), edge=False)
    for x in (0.32, 0.68):
        b.disc(x, 0.22, 0.035, INK, edge=False)
    b.oval(0.43, 0.27, 0.57, 0.34, INK, edge=False)
    b.poly([(0.5, 0.5), (0.32, 0.44), (0.32, 0.56), (0.5, 0.5), (0.68, 0.44), (0.68, 0.56)], "#c8402f")


def sports_ball(b: Brush) -> None:
    """A football in white, a basketball in orange, a striped beach ball otherwise."""
    b.disc(0.5, 0.5, 0.5, b.colour)
    if b.colour == COLOURS["white"]:
        b.poly([(0.5, 0.32), (0.68, 0.45), (0.61, 0.66), (0.39, 0.66), (0.32, 0.45)], INK, edge=False)
        for x, y in ((0.5, 0.02), (0.97, 0.36), (0.79, 0.9), (0.21, 0.9), (0.03, 0.36)):
            b.line([(0.5 + (x - 0.5) * 0.4, 0.5 + (y - 0.5) * 0.4), (x, y)], INK, 0.035)
            b.disc(0.5 + (x - 0.5) * 0.9, 0.5 + (y - 0.5) * 0.9, 0.075, INK, edge=False)
    elif b.colour == COLOURS["orange"]:
        b.line([(0.5, 0.0), (0.5, 1.0)], INK, 0.045)
        b.line([(0.0, 0.5), (1.0, 0.5)], INK, 0.045)
        b.arc(-0.5, 0.08, 0.3, 0.92, 300, 420, INK, 0.045)
        b.arc(0.7, 0.08, 1.5, 0.92, 120, 240, INK, 0.045)
    else:
        for start in (0, 120, 240):
            b.pie(0.02, 0.02, 0.98, 0.98, start, start + 60, CREAM)
        b.disc(0.5, 0.5, 0.1, b.colour)
    b.oval(0.2, 0.14, 0.38, 0.26, tint(b.colour, WHITE, 0.6), edge=False)


def kite(b: Brush) -> None:
    """A diamond with a cross and a tail of bows."""
    b.line([(0.5, 0.66), (0.42, 0.78), (0.58, 0.88), (0.5, 1.0)], INK, 0.025)
    for x, y in ((0.43, 0.78), (0.57, 0.88), (0.5, 0.98)):
        b.poly([(x - 0.12, y - 0.03), (x + 0.12, y + 0.03), (x + 0.12, y - 0.03), (x - 0.12, y + 0.03)],
            b.dark)  # fmt: skip
    b.poly([(0.5, 0.0), (1.0, 0.26), (0.5, 0.68), (0.0, 0.26)], b.colour)
    b.poly([(0.5, 0.0), (0.5, 0.26), (0.0, 0.26)], b.light)
    b.poly([(0.5, 0.68), (0.5, 0.26), (1.0, 0.26)], b.light)
    b.line([(0.5, 0.0), (0.5, 0.68)], INK, 0.02)
    b.line([(0.0, 0.26), (1.0, 0.26)], INK, 0.02)


def frisbee(b: Brush) -> None:
    """A flat disc with rings."""
    b.oval(0.0, 0.0, 1.0, 1.0, b.dark)
    b.oval(0.0, 0.0, 1.0, 0.8, b.colour)
    b.oval(0.16, 0.12, 0.84, 0.66, b.light)
    b.oval(0.3, 0.24, 0.7, 0.54, b.colour)


def tennis_racket(b: Brush) -> None:
    """Strings in an oval frame on a grip."""
    b.line([(0.5, 0.58), (0.5, 1.0)], INK, 0.16)
    b.poly([(0.32, 0.52), (0.68, 0.52), (0.56, 0.7), (0.44, 0.7)], b.colour)
    b.oval(0.04, 0.0, 0.96, 0.6, CREAM)
    for x in (0.28, 0.43, 0.57, 0.72):
        b.line([(x, 0.06), (x, 0.54)], "#9a958c", 0.02)
    for y in (0.14, 0.26, 0.38, 0.48):
        b.line([(0.1, y), (0.9, y)], "#9a958c", 0.02)
    b.arc(0.02, 0.0, 0.98, 0.61, 0, 360, b.colour, 0.11)
    b.line([(0.44, 0.84), (0.56, 0.8)], WHITE, 0.04)


def hammer(b: Brush) -> None:
    """A steel head across a wooden shaft: a flat face left, a claw right."""
    b.rect(0.42, 0.2, 0.58, 1.0, WOOD, radius=0.06)
    b.rect(0.39, 0.62, 0.61, 1.0, "#b4473a", radius=0.1)
    b.arc(0.34, 0.1, 1.04, 0.62, 255, 350, b.dark, 0.14)
    b.rect(0.14, 0.1, 0.66, 0.26, b.colour)
    b.rect(0.0, 0.05, 0.18, 0.31, b.dark, radius=0.04)
    b.line([(0.2, 0.14), (0.6, 0.14)], tint(b.colour, WHITE, 0.7), 0.05)


def scissors(b: Brush) -> None:
    """Two crossed blades, two rings."""
    b.poly([(0.16, 0.0), (0.3, 0.04), (0.66, 0.6), (0.54, 0.66)], "#c3c8cd")
    b.poly([(0.84, 0.0), (0.7, 0.04), (0.34, 0.6), (0.46, 0.66)], "#d8dcdf")
    for left in (0.02, 0.54):
        b.arc(left, 0.58, left + 0.44, 1.0, 0, 360, b.colour, 0.14)
    b.disc(0.5, 0.5, 0.055, INK, edge=False)


def pencil(b: Brush) -> None:
    """A sharpened tip down, a pink rubber up."""
    b.rect(0.05, 0.04, 0.95, 0.8, b.colour)
    b.rect(0.05, -0.02, 0.95, 0.08, "#e08a8f", radius=0.2)
    b.rect(0.05, 0.08, 0.95, 0.14, STEEL)
    b.poly([(0.05, 0.8), (0.95, 0.8), (0.5, 1.02)], "#f0cf9a")
    b.poly([(0.32, 0.93), (0.68, 0.93), (0.5, 1.02)], INK, edge=False)
    b.line([(0.4, 0.16), (0.4, 0.78)], b.light, 0.2)


def flower(b: Brush) -> None:
    """Petals round a yellow middle, a stem with two leaves."""
    b.line([(0.5, 0.3), (0.5, 1.0)], shade(LEAF, 0.85), 0.1)
    b.poly([(0.5, 0.86), (0.12, 0.62), (0.24, 0.82)], LEAF)
    b.poly([(0.5, 0.78), (0.9, 0.54), (0.78, 0.74)], LEAF)
    for x, y in ((0.5, 0.09), (0.84, 0.2), (0.71, 0.39), (0.29, 0.39), (0.16, 0.2)):
        b.disc(x, y, 0.1, b.colour)
    b.disc(0.5, 0.25, 0.085, GOLD if b.colour != COLOURS["yellow"] else "#8a5a35")
