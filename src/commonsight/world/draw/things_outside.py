"""What stands and drives outside. Vehicles face right."""

from __future__ import annotations

from commonsight.world.draw.box import (
    DARK,
    GLOW,
    GOLD,
    INK,
    SAND,
    STEEL,
    WATER,
    WHITE,
    WOOD,
    tint,
)  # fmt: skip
from commonsight.world.draw.pen import shade
from commonsight.world.draw.things_brush import Brush
from commonsight.world.model import COLOURS

PANE, TYRE = "#b4dbe8", "#34322f"


def _wheel(b: Brush, x: float, y: float, radius: float) -> None:
    b.disc(x, y, radius, TYRE)
    b.disc(x, y, radius * 0.5, "#c9ccd0")


def tree(b: Brush) -> None:
    """A round crown on a trunk."""
    b.poly([(0.42, 1.0), (0.45, 0.5), (0.55, 0.5), (0.58, 1.0)], "#7d5536")
    b.line([(0.5, 0.72), (0.66, 0.54)], "#7d5536", 0.05)
    b.disc(0.24, 0.46, 0.125, b.dark)
    b.disc(0.76, 0.45, 0.13, b.dark)
    b.oval(0.08, 0.06, 0.92, 0.58, b.colour)
    b.disc(0.4, 0.19, 0.1, b.light, edge=False)
    for x, y in ((0.66, 0.22), (0.3, 0.4), (0.62, 0.45)):
        b.arc(x - 0.1, y - 0.04, x + 0.1, y + 0.04, 180, 330, b.dark, 0.02)


def car(b: Brush) -> None:
    """From the side; broken down, its bonnet is up and smokes."""
    if b.state == "broken":
        for x, y, r in ((0.9, -0.06, 0.13), (0.98, 0.08, 0.1), (0.9, 0.2, 0.09), (0.93, 0.32, 0.07)):
            b.disc(x, y, r, "#8f8b88", edge=False)
        b.poly([(0.74, 0.42), (0.8, 0.0), (0.85, 0.02), (0.79, 0.42)], b.light)
    b.poly([(0.2, 0.44), (0.32, 0.04), (0.62, 0.0), (0.78, 0.44)], b.colour)
    b.poly([(0.26, 0.42), (0.345, 0.12), (0.46, 0.1), (0.46, 0.42)], PANE)
    b.poly([(0.5, 0.42), (0.5, 0.1), (0.6, 0.09), (0.71, 0.42)], PANE)
    b.rect(0.01, 0.4, 0.99, 0.82, b.colour, radius=0.16)
    b.rect(0.02, 0.68, 0.98, 0.8, b.dark, radius=0.05, edge=False)
    b.line([(0.48, 0.42), (0.48, 0.7)], b.dark, 0.02)
    b.line([(0.52, 0.5), (0.58, 0.5)], b.dark, 0.04)
    b.oval(0.93, 0.46, 1.0, 0.6, GLOW)
    b.rect(0.0, 0.46, 0.04, 0.6, "#a8322a")
    b.line([(0.06, 0.45), (0.4, 0.45)], b.light, 0.03)
    _wheel(b, 0.22, 0.8, 0.2)
    if b.state == "broken":
        b.oval(0.7, 0.76, 0.88, 1.0, TYRE)
        b.oval(0.75, 0.8, 0.83, 0.96, "#c9ccd0")
        b.line([(0.62, 0.52), (0.68, 0.6), (0.66, 0.66), (0.74, 0.72)], INK, 0.03)
    else:
        _wheel(b, 0.78, 0.8, 0.2)


def bus(b: Brush) -> None:
    """A long box with a row of windows and a door."""
    b.rect(0.0, 0.0, 1.0, 0.88, b.colour, radius=0.1)
    b.rect(0.01, 0.6, 0.99, 0.68, WHITE, edge=False)
    for i in range(5):
        left = 0.035 + i * 0.145
        b.rect(left, 0.14, left + 0.125, 0.5, PANE, radius=0.03)
    b.rect(0.765, 0.14, 0.875, 0.84, "#8fc0d2")
    b.line([(0.82, 0.15), (0.82, 0.83)], b.dark, 0.015)
    b.poly([(0.9, 0.14), (0.985, 0.14), (1.0, 0.52), (0.9, 0.52)], PANE)
    b.rect(0.3, 0.03, 0.62, 0.1, GLOW)
    b.disc(0.975, 0.75, 0.045, GLOW)
    _wheel(b, 0.19, 0.87, 0.13)
    _wheel(b, 0.66, 0.87, 0.13)


def truck(b: Brush) -> None:
    """A load in a box behind a cab."""
    b.rect(0.02, 0.76, 0.96, 0.86, DARK)
    b.rect(0.0, 0.0, 0.68, 0.78, tint(b.colour, WHITE, 0.55))
    for x in (0.17, 0.34, 0.51):
        b.line([(x, 0.05), (x, 0.74)], b.dark, 0.012)
    b.rect(0.0, 0.34, 0.68, 0.46, b.colour, edge=False)
    b.poly([(0.71, 0.84), (0.71, 0.2), (0.88, 0.2), (0.95, 0.48), (1.0, 0.54), (1.0, 0.84)], b.colour)
    b.poly([(0.76, 0.27), (0.865, 0.27), (0.92, 0.5), (0.76, 0.5)], PANE)
    b.line([(0.75, 0.58), (0.79, 0.58)], b.dark, 0.03)
    b.disc(0.98, 0.68, 0.04, GLOW)
    for x in (0.13, 0.3, 0.84):
        _wheel(b, x, 0.86, 0.14)


def bicycle(b: Brush) -> None:
    """Two thin wheels and a frame; on its side when fallen, the front wheel off when broken."""
    if b.state == "fallen":
        b.flatten(0.5)
        for left in (0.02, 0.58):
            b.arc(left, 0.3, left + 0.42, 1.0, 0, 360, TYRE, 0.07)
    elif b.state == "broken":
        b.ring(0.22, 0.68, 0.32, TYRE, 0.06)
        b.arc(0.58, 0.84, 1.06, 1.02, 0, 360, TYRE, 0.06)
        b.line([(0.64, 0.98), (0.98, 0.88)], STEEL, 0.02)
    else:
        for x in (0.22, 0.78):
            b.ring(x, 0.68, 0.32, TYRE, 0.06)
            b.ring(x, 0.68, 0.05, STEEL, 0.05)
            b.line([(x - 0.13, 0.48), (x + 0.13, 0.88)], STEEL, 0.015)
            b.line([(x - 0.13, 0.88), (x + 0.13, 0.48)], STEEL, 0.015)
    b.line([(0.22, 0.68), (0.36, 0.3), (0.68, 0.28), (0.46, 0.7), (0.22, 0.68)], b.colour, 0.065)
    b.line([(0.33, 0.18), (0.46, 0.7)], b.colour, 0.065)
    b.line([(0.66, 0.1), (0.78, 0.68)], b.colour, 0.065)
    b.limb([(0.26, 0.16), (0.4, 0.16)], INK, 0.09)
    b.limb([(0.76, 0.1), (0.66, 0.08), (0.6, 0.14)], INK, 0.06)
    b.line([(0.42, 0.8), (0.5, 0.8), (0.48, 0.66)], INK, 0.05)


def motorcycle(b: Brush) -> None:
    """Two thick wheels, a tank, a seat, an engine."""
    for x in (0.2, 0.8):
        b.disc(x, 0.7, 0.3, TYRE)
        b.disc(x, 0.7, 0.17, "#d3d5d8")
        b.disc(x, 0.7, 0.05, DARK)
    b.line([(0.66, 0.14), (0.8, 0.7)], STEEL, 0.08)
    b.rect(0.36, 0.46, 0.62, 0.82, STEEL, radius=0.08)
    for y in (0.56, 0.64, 0.72):
        b.line([(0.4, y), (0.58, y)], DARK, 0.03)
    b.limb([(0.08, 0.84), (0.44, 0.82)], "#d3d5d8", 0.09)
    b.poly([(0.04, 0.3), (0.42, 0.3), (0.46, 0.44), (0.12, 0.44)], INK)
    b.poly([(0.02, 0.4), (0.3, 0.42), (0.4, 0.56), (0.22, 0.5)], b.colour)
    b.poly([(0.38, 0.3), (0.48, 0.16), (0.66, 0.18), (0.7, 0.42), (0.46, 0.48)], b.colour)
    b.line([(0.48, 0.22), (0.6, 0.22)], b.light, 0.05)
    b.disc(0.78, 0.26, 0.1, GLOW)
    b.limb([(0.56, 0.06), (0.66, 0.02), (0.72, 0.16)], INK, 0.06)
    b.arc(0.64, 0.36, 0.98, 1.02, 200, 320, b.colour, 0.06)


def boat(b: Brush) -> None:
    """A hull, a mast, a white sail."""
    b.line([(0.46, 0.0), (0.46, 0.66)], shade(WOOD, 0.8), 0.04)
    b.poly([(0.5, 0.02), (0.9, 0.56), (0.5, 0.56)], WHITE)
    b.poly([(0.42, 0.1), (0.14, 0.56), (0.42, 0.56)], "#f0e2c4")
    b.poly([(0.46, 0.0), (0.6, 0.04), (0.46, 0.09)], "#c8402f")
    b.poly([(0.0, 0.64), (1.0, 0.64), (0.84, 0.98), (0.16, 0.98)], b.colour)
    b.poly([(0.0, 0.64), (1.0, 0.64), (0.975, 0.71), (0.03, 0.71)], b.light)
    b.finish(0.14, 0.72, 0.86, 0.92)


def traffic_light(b: Brush) -> None:
    """Three lamps on a post; the one of the thing's colour shines."""
    b.rect(0.38, 0.34, 0.62, 0.98, shade(STEEL, 0.7))
    b.rect(0.2, 0.96, 0.8, 1.0, shade(STEEL, 0.55))
    b.rect(0.05, 0.0, 0.95, 0.38, "#3b3f44", radius=0.2)
    lamps = {COLOURS["red"]: 0, COLOURS["yellow"]: 1, COLOURS["green"]: 2}
    shining = lamps.get(b.colour, 1)
    for i, dim in enumerate(("#5e3a36", "#5f5436", "#3a5240")):
        y = 0.065 + i * 0.125
        if i == shining:
            b.disc(0.5, y, 0.058, tint(b.colour, WHITE, 0.45), edge=False)
            b.disc(0.5, y, 0.045, tint(b.colour, "#ffe28a", 0.15), edge=False)
            b.disc(0.38, y - 0.013, 0.012, WHITE, edge=False)
        else:
            b.disc(0.5, y, 0.045, dim)


def stop_sign(b: Brush) -> None:
    """An eight-cornered sign with the word in white."""
    b.rect(0.44, 0.22, 0.56, 1.0, STEEL)
    corners = [(0.3, 0.0), (0.7, 0.0), (1.0, 0.075), (1.0, 0.178), (0.7, 0.253), (0.3, 0.253), (0.0, 0.178),
        (0.0, 0.075)]  # fmt: skip
    b.poly(corners, WHITE)
    b.poly([(0.5 + (x - 0.5) * 0.88, 0.1265 + (y - 0.1265) * 0.88) for x, y in corners], b.colour, edge=False)
    top, middle, bottom = 0.09, 0.1265, 0.163
    for points in (
        [(0.27, top), (0.16, top), (0.16, middle), (0.27, middle), (0.27, bottom), (0.16, bottom)],
        [(0.32, top), (0.48, top)],
        [(0.4, top), (0.4, bottom)],
        [(0.53, top), (0.65, top), (0.65, bottom), (0.53, bottom), (0.53, top)],
        [(0.73, bottom), (0.73, top), (0.85, top), (0.85, middle), (0.73, middle)],
    ):
        b.line(points, WHITE, 0.04)


def fire_hydrant(b: Brush) -> None:
    """A stout post with a cap and arms; it spouts when broken."""
    if b.state == "broken":
        for left, right in ((-0.1, 0.5), (0.5, 1.1)):
            b.arc(left, -0.2, right, 0.9, 190, 350, WATER, 0.12)
        b.line([(0.5, -0.22), (0.5, 0.2)], tint(WATER, WHITE, 0.4), 0.2)
        b.oval(-0.1, 0.9, 1.1, 1.05, WATER)
    else:
        b.disc(0.5, 0.03, 0.04, b.dark)
        b.pie(0.16, 0.03, 0.84, 0.5, 180, 360, b.light)
    b.rect(0.22, 0.26, 0.78, 0.92, b.colour)
    b.rect(0.12, 0.24, 0.88, 0.32, b.dark)
    for left in (0.0, 0.8):
        b.rect(left, 0.42, left + 0.2, 0.62, b.dark, radius=0.06)
    b.disc(0.5, 0.52, 0.11, b.light)
    b.disc(0.5, 0.52, 0.045, STEEL)
    b.rect(0.1, 0.9, 0.9, 1.0, b.dark)
    b.line([(0.3, 0.36), (0.3, 0.86)], b.light, 0.06)


def sand_castle(b: Brush) -> None:
    """Two towers, a gate and a flag; a slumped heap when broken."""
    sand = tint(b.colour, SAND, 0.55)
    deep = shade(sand, 0.72)
    b.oval(-0.06, 0.8, 1.06, 1.06, shade(sand, 0.9))
    if b.state == "broken":
        b.poly([(0.04, 0.96), (0.2, 0.62), (0.36, 0.72), (0.52, 0.5), (0.66, 0.74), (0.86, 0.68),
            (0.98, 0.96)], sand)  # fmt: skip
        b.poly([(0.12, 0.94), (0.12, 0.4), (0.2, 0.5), (0.26, 0.38), (0.34, 0.56), (0.34, 0.94)],
            shade(sand, 1.05))  # fmt: skip
        b.line([(0.6, 0.9), (0.92, 0.78)], INK, 0.03)
        b.poly([(0.92, 0.78), (0.84, 0.64), (0.74, 0.76)], "#c8402f")
        return
    for left in (0.04, 0.7):
        b.rect(left, 0.34, left + 0.26, 0.96, sand)
        for notch in (0.0, 0.1, 0.2):
            b.rect(left + notch, 0.26, left + notch + 0.06, 0.36, sand)
        b.rect(left + 0.1, 0.48, left + 0.16, 0.62, deep, edge=False)
    b.rect(0.3, 0.52, 0.7, 0.96, shade(sand, 1.06))
    for left in (0.3, 0.46, 0.62):
        b.rect(left, 0.45, left + 0.08, 0.54, shade(sand, 1.06))
    b.pie(0.4, 0.64, 0.6, 1.28, 180, 360, deep)
    b.line([(0.17, 0.28), (0.17, 0.0)], INK, 0.03)
    b.poly([(0.17, 0.0), (0.36, 0.07), (0.17, 0.15)], "#c8402f")


def surfboard(b: Brush) -> None:
    """A board set upright in the sand."""
    b.oval(0.08, 0.0, 0.92, 1.0, b.colour)
    b.oval(0.2, 0.04, 0.8, 0.96, b.light, edge=False)
    b.rect(0.42, 0.03, 0.58, 0.97, b.colour, edge=False)
    for y in (0.3, 0.36):
        b.line([(0.12, y + 0.05), (0.5, y), (0.88, y + 0.05)],
            WHITE if b.colour != COLOURS["white"] else WATER, 0.09)  # fmt: skip
    b.line([(0.24, 0.62), (0.22, 0.4)], WHITE, 0.05)


def skateboard(b: Brush) -> None:
    """A deck turned up at both ends, on four wheels of which two show."""
    for x in (0.24, 0.76):
        b.rect(x - 0.06, 0.4, x + 0.06, 0.62, STEEL)
        b.disc(x, 0.74, 0.27, GOLD)
        b.disc(x, 0.74, 0.1, INK, edge=False)
    b.poly([(0.0, 0.0), (0.1, 0.2), (0.9, 0.2), (1.0, 0.0), (1.0, 0.18), (0.91, 0.46), (0.09, 0.46),
        (0.0, 0.18)], b.colour)  # fmt: skip
    b.line([(0.1, 0.2), (0.9, 0.2)], INK, 0.12)
