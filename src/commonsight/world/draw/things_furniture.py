"""Furniture: what people sit, lie and put things on."""

from __future__ import annotations

from commonsight.world.draw.box import (
    DARK,
    GLASS,
    GOLD,
    INK,
    PAPER,
    STEEL,
    WATER,
    WHITE,
    WOOD,
    tint,
)  # fmt: skip
from commonsight.world.draw.pen import shade
from commonsight.world.draw.places_scenery import HEAVENS, RAINY
from commonsight.world.draw.things_brush import Brush


def chair(b: Brush) -> None:
    """A kitchen chair from the front; slats in wood, a shell in plastic."""
    if b.state == "fallen":
        b.lay()
    for left in (0.2, 0.72):
        b.rect(left, 0.6, left + 0.08, 0.93, b.dark, edge=False)
    if b.material == "plastic":
        for left in (0.22, 0.7):
            b.rect(left, 0.36, left + 0.08, 0.52, b.dark, edge=False)
        b.rect(0.1, 0.0, 0.9, 0.38, b.colour, radius=0.09)
        b.rect(0.2, 0.07, 0.8, 0.31, b.light, radius=0.06, edge=False)
    else:
        for left in (0.1, 0.78):
            b.rect(left, 0.0, left + 0.12, 0.5, b.colour)
        b.rect(0.08, 0.03, 0.92, 0.14, b.light, radius=0.06)
        b.rect(0.2, 0.22, 0.8, 0.31, b.colour)
    b.poly([(0.1, 0.47), (0.9, 0.47), (1.0, 0.59), (0.0, 0.59)], b.light)
    b.rect(0.0, 0.59, 1.0, 0.66, b.colour)
    for left in (0.02, 0.86):
        b.rect(left, 0.66, left + 0.12, 1.0, b.colour)
    b.finish(0.08, 0.03, 0.92, 0.14)


def couch(b: Brush) -> None:
    """Two cushions, a back and two arms."""
    for left in (0.1, 0.84):
        b.rect(left, 0.88, left + 0.06, 1.0, INK)
    b.rect(0.06, 0.0, 0.94, 0.7, b.colour, radius=0.16)
    b.rect(0.08, 0.66, 0.92, 0.92, b.dark, radius=0.06)
    for left in (0.13, 0.5):
        b.rect(left, 0.06, left + 0.37, 0.48, b.light, radius=0.12)
        b.rect(left, 0.46, left + 0.37, 0.72, b.colour, radius=0.1)
    for left in (0.0, 0.86):
        b.rect(left, 0.26, left + 0.14, 0.93, b.colour, radius=0.14)
    b.finish(0.13, 0.08, 0.5, 0.3)
    for x in (0.23, 0.4, 0.6, 0.77):
        if b.material == "leather":
            b.disc(x, 0.27, 0.03, b.dark, edge=False)
        elif b.material == "cloth":
            b.line([(x, 0.09), (x, 0.45)], tint(b.colour, WHITE, 0.65), 0.03)


def bench(b: Brush) -> None:
    """A park bench: slats on two iron feet."""
    iron = shade(STEEL, 0.6)
    for x in (0.12, 0.88):
        b.line([(x, 0.02), (x, 0.5), (x, 1.0)], iron, 0.09)
        b.line([(x - 0.06, 0.98), (x + 0.06, 0.98)], iron, 0.09)
        b.line([(x - 0.05, 0.32), (x + 0.05, 0.32)], iron, 0.07)
    for top in (0.0, 0.16):
        b.rect(0.02, top, 0.98, top + 0.11, b.colour)
    b.poly([(0.03, 0.38), (0.97, 0.38), (1.0, 0.48), (0.0, 0.48)], b.light)
    b.rect(0.0, 0.48, 1.0, 0.56, b.colour)
    b.finish(0.02, 0.0, 0.98, 0.11)


def bed(b: Brush) -> None:
    """From the side: headboard and pillow left, blanket right."""
    b.rect(0.03, 0.64, 0.97, 0.84, WOOD)
    for left in (0.05, 0.9):
        b.rect(left, 0.8, left + 0.05, 1.0, shade(WOOD, 0.8))
    b.rect(0.04, 0.44, 0.96, 0.7, WHITE, radius=0.08)
    b.rect(0.0, 0.0, 0.055, 1.0, WOOD, radius=0.06)
    b.rect(0.95, 0.36, 1.0, 1.0, WOOD, radius=0.06)
    b.rect(0.07, 0.26, 0.27, 0.48, "#fffdf6", radius=0.1)
    b.rect(0.29, 0.38, 0.95, 0.8, b.colour, radius=0.1)
    b.rect(0.29, 0.38, 0.37, 0.8, b.light, radius=0.06)
    for x in (0.5, 0.65, 0.8):
        b.line([(x, 0.44), (x, 0.76)], b.dark, 0.02)


def dining_table(b: Brush) -> None:
    """A slab on four legs; the surface is seen a little from above."""
    for left in (0.14, 0.8):
        b.rect(left, 0.14, left + 0.05, 0.9, b.dark, edge=False)
    for left in (0.04, 0.9):
        b.rect(left, 0.14, left + 0.06, 1.0, b.colour)
    b.rect(0.06, 0.12, 0.94, 0.22, b.dark, edge=False)
    b.poly([(0.05, -0.06), (0.95, -0.06), (1.0, 0.08), (0.0, 0.08)], b.light)
    b.rect(0.0, 0.08, 1.0, 0.15, b.colour)
    b.finish(0.1, -0.06, 0.9, 0.08)


def desk(b: Brush) -> None:
    """A slab with drawers on the right."""
    b.rect(0.04, 0.12, 0.1, 1.0, b.colour)
    b.rect(0.1, 0.18, 0.62, 0.3, b.dark, edge=False)
    b.rect(0.62, 0.12, 0.97, 1.0, b.colour)
    for top in (0.2, 0.45, 0.7):
        b.rect(0.66, top, 0.93, top + 0.2, b.light, radius=0.03)
        b.rect(0.76, top + 0.07, 0.83, top + 0.11, GOLD, edge=False)
    b.poly([(0.05, -0.06), (0.95, -0.06), (1.0, 0.08), (0.0, 0.08)], b.light)
    b.rect(0.0, 0.08, 1.0, 0.15, b.colour)
    b.finish(0.1, -0.06, 0.9, 0.08)


def counter(b: Brush) -> None:
    """A worktop on cupboards."""
    top = tint(b.colour, WHITE, 0.6)
    b.rect(0.02, 0.1, 0.98, 0.93, b.colour)
    b.rect(0.04, 0.93, 0.96, 1.0, shade(b.colour, 0.5), edge=False)
    for i in range(4):
        left = 0.04 + i * 0.235
        b.rect(left, 0.22, left + 0.215, 0.88, b.light, radius=0.03)
        b.disc(left + (0.18 if i % 2 == 0 else 0.035), 0.5, 0.03, GOLD)
    b.poly([(0.02, -0.06), (0.98, -0.06), (1.0, 0.06), (0.0, 0.06)], top)
    b.rect(0.0, 0.06, 1.0, 0.14, shade(top, 0.88))
    b.finish(0.06, -0.05, 0.9, 0.06)


SPINES = ("#c8574a", "#4f7db8", "#e0b44c", "#6a9e63", "#8a6aa8", "#d98a4a", "#5a9ea8")


def shelf(b: Brush) -> None:
    """Four boards; books on all of them when full, on none when empty, on two otherwise."""
    b.rect(0.0, 0.0, 1.0, 1.0, b.colour)
    for row in range(4):
        top = 0.04 + row * 0.238
        b.rect(0.05, top, 0.95, top + 0.21, shade(b.colour, 0.55), edge=False)
        if b.state == "empty" or (b.state != "full" and row in (0, 3)):
            continue
        _books(b, top + 0.21, 9 if b.state == "full" else 4, row)
    b.finish(0.0, 0.9, 1.0, 1.0)


def _books(b: Brush, bottom: float, many: int, row: int) -> None:
    step = 0.86 / 9
    for i in range(many):
        left, high = 0.07 + i * step, 0.13 + 0.02 * ((i * 7 + row * 3) % 4)
        b.rect(left, bottom - high, left + step * 0.88, bottom, SPINES[(i * 3 + row * 2) % 7])


def piano(b: Brush) -> None:
    """An upright piano: keys, pedals, a sheet of music."""
    b.rect(0.02, 0.0, 0.98, 0.96, b.colour)
    b.rect(0.0, -0.02, 1.0, 0.06, b.light)
    b.rect(0.1, 0.12, 0.9, 0.4, b.dark, radius=0.03)
    b.rect(0.37, 0.1, 0.63, 0.36, PAPER)
    for y in (0.18, 0.26):
        b.line([(0.41, y), (0.59, y)], INK, 0.01)
    b.rect(0.0, 0.42, 1.0, 0.5, b.light)
    b.rect(0.05, 0.5, 0.95, 0.6, WHITE)
    for i in range(11):
        if i % 4 != 3:
            b.rect(0.1 + i * 0.075, 0.5, 0.135 + i * 0.075, 0.56, INK, edge=False)
    b.rect(0.0, 0.6, 1.0, 0.66, b.colour)
    for left in (0.02, 0.9):
        b.rect(left, 0.66, left + 0.08, 1.0, b.light)
    b.rect(0.14, 0.7, 0.86, 0.9, b.dark, radius=0.03)
    b.rect(0.45, 0.92, 0.55, 0.98, GOLD)


def beach_towel(b: Brush) -> None:
    """Flat on the ground, with stripes."""
    b.poly([(0.06, 0.0), (0.97, 0.0), (1.0, 1.0), (0.0, 1.0)], b.colour)
    for x in (0.12, 0.3, 0.66, 0.84):
        b.poly([(x + 0.02, 0.06), (x + 0.07, 0.06), (x + 0.06, 0.94), (x, 0.94)], WHITE, edge=False)
    b.line([(0.01, 0.9), (0.01, 1.1)], b.light, 0.08)
    b.line([(0.99, 0.9), (0.99, 1.1)], b.light, 0.08)


def window(b: Brush) -> None:
    """Panes of sky in a frame; shut, open or broken."""
    b.rect(0.0, 0.0, 1.0, 0.94, b.colour)
    _outlook(b)
    if b.state == "open":
        for outer, inner in ((-0.1, 0.16), (1.1, 0.84)):
            leaf = [(outer, -0.04), (inner, 0.08), (inner, 0.87), (outer, 1.0)]
            b.poly(leaf, b.light)
            near, far = outer + (inner - outer) * 0.2, outer + (inner - outer) * 0.8
            b.poly([(near, 0.08), (far, 0.14), (far, 0.8), (near, 0.88)], GLASS)
    else:
        b.line([(0.5, 0.05), (0.5, 0.9)], b.colour, 0.06)
        b.line([(0.05, 0.46), (0.95, 0.46)], b.colour, 0.06)
        b.line([(0.6, 0.82), (0.76, 0.6)], tint(WHITE, HEAVENS[b.hour].low, 0.4), 0.03)
    if b.state == "broken":
        _hole(b)
    b.rect(-0.04, 0.92, 1.04, 1.0, b.light)


def _outlook(b: Brush) -> None:
    """What is behind the panes: the sky of the hour and of the weather, sun or moon, a strip of land."""
    high, low, land = HEAVENS[b.hour]
    if b.rain:
        high, low, land = (tint(paint, RAINY[b.hour], 0.65) for paint in (high, low, land))
    b.rect(0.07, 0.07, 0.93, 0.88, high)
    b.rect(0.07, 0.55, 0.93, 0.88, tint(high, low, 0.6), edge=False)
    if b.rain:
        for x in (0.2, 0.34, 0.62, 0.76, 0.88):
            b.line([(x, 0.14 + x % 0.3), (x - 0.04, 0.3 + x % 0.3)], tint(low, WHITE, 0.5), 0.02)
    elif b.hour == "night":
        b.disc(0.7, 0.26, 0.09, "#f7efc8", edge=False)
        b.disc(0.74, 0.23, 0.08, high, edge=False)
        for x, y in ((0.2, 0.2), (0.36, 0.34), (0.6, 0.5)):
            b.disc(x, y, 0.018, "#f6efcf", edge=False)
    elif b.hour == "dusk":
        b.disc(0.28, 0.6, 0.12, "#fbe7a1", edge=False)
    else:
        for x, y, size in ((0.22, 0.3, 0.07), (0.32, 0.27, 0.09), (0.42, 0.31, 0.06)):
            b.disc(x, y, size, WHITE, edge=False)
    b.poly([(0.07, 0.88), (0.07, 0.7), (0.35, 0.6), (0.65, 0.72), (0.93, 0.64), (0.93, 0.88)], land,
        edge=False)  # fmt: skip


def _hole(b: Brush) -> None:
    for end in ((0.08, 0.1), (0.92, 0.16), (0.9, 0.8), (0.1, 0.78), (0.5, 0.08)):
        b.line([(0.5, 0.46), end], WHITE, 0.03)
    star = [(0.34, 0.22), (0.45, 0.32), (0.58, 0.2), (0.6, 0.38), (0.78, 0.42), (0.62, 0.52), (0.7, 0.7),
            (0.52, 0.6), (0.38, 0.74), (0.39, 0.56), (0.2, 0.54), (0.36, 0.42)]  # fmt: skip
    b.poly(star, DARK)
    b.poly([(0.3, 0.96), (0.38, 0.86), (0.44, 0.96)], GLASS)
    b.poly([(0.6, 0.96), (0.72, 0.87), (0.74, 0.96)], GLASS)


def door(b: Brush) -> None:
    """Two panels and a knob; ajar onto a dark room when open."""
    b.rect(-0.04, -0.03, 1.04, 1.0, tint(b.colour, WHITE, 0.55))
    if b.state == "open":
        b.rect(0.06, 0.02, 0.94, 1.0, DARK)
        b.poly([(0.06, 1.0), (0.94, 1.0), (0.94, 0.9), (0.06, 0.94)], "#7d6a58", edge=False)
        b.poly([(0.06, 0.02), (0.36, 0.07), (0.36, 1.04), (0.06, 1.0)], b.colour)
        b.poly([(0.12, 0.12), (0.3, 0.15), (0.3, 0.5), (0.12, 0.48)], b.light)
        b.disc(0.32, 0.56, 0.02, GOLD)
        return
    b.rect(0.04, 0.02, 0.96, 1.0, b.colour)
    for top, bottom in ((0.08, 0.42), (0.56, 0.92)):
        b.rect(0.16, top, 0.84, bottom, b.light, radius=0.03)
    b.disc(0.86, 0.5, 0.03, GOLD)
    b.finish(0.16, 0.08, 0.84, 0.42)


def sink(b: Brush) -> None:
    """A cupboard with a deep basin in front and a tap; suds and dishes when full."""
    b.rect(0.02, 0.06, 0.98, 1.0, tint(WOOD, WHITE, 0.45))
    for left in (0.08, 0.53):
        b.rect(left, 0.48, left + 0.39, 0.94, tint(WOOD, WHITE, 0.6), radius=0.03)
    for x in (0.43, 0.57):
        b.disc(x, 0.68, 0.025, STEEL)
    b.arc(0.4, -0.24, 0.62, 0.06, 180, 350, shade(STEEL, 0.75), 0.06)
    b.line([(0.41, -0.1), (0.41, 0.04)], shade(STEEL, 0.75), 0.06)
    if b.state == "full":
        b.oval(0.66, -0.16, 0.88, 0.2, WHITE)
        b.oval(0.7, -0.11, 0.84, 0.15, "#cfe0ea", edge=False)
    b.rect(0.0, -0.02, 1.0, 0.08, b.light)
    b.rect(0.12, 0.02, 0.88, 0.42, b.colour, radius=0.08)
    if b.state == "full":
        b.rect(0.17, 0.05, 0.83, 0.2, WATER, radius=0.05)
        for x, y, r in ((0.24, 0.04, 0.06), (0.36, 0.0, 0.07), (0.48, 0.05, 0.05), (0.58, 0.02, 0.06)):
            b.disc(x, y, r, WHITE)
    else:
        b.rect(0.17, 0.06, 0.83, 0.14, b.dark, radius=0.04, edge=False)
    b.finish(0.15, 0.16, 0.4, 0.4)
