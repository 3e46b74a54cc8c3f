"""What people read, carry and talk into."""

from __future__ import annotations

from commonsight.world.draw.box import (
    CREAM,
    DARK,
    FLAME,
    GLOW,
    GOLD,
    INK,
    LEAF,
    PAPER,
    STEEL,
    WATER,
    WHITE,
    WOOD,
    tint,
)  # fmt: skip
from commonsight.world.draw.pen import shade
from commonsight.world.draw.things_brush import Brush
from commonsight.world.model import COLOURS

PRINT = "#8a8680"
SCREEN = "#8fd3f0"


def book(b: Brush) -> None:
    """Standing shut with its cover to us, or lying open."""
    if b.state == "open":
        b.poly([(-0.12, 0.4), (0.5, 0.5), (1.12, 0.4), (1.12, 0.94), (0.5, 1.02), (-0.12, 0.94)], b.colour)
        b.poly([(-0.06, 0.32), (0.26, 0.3), (0.5, 0.44), (0.5, 0.94), (0.24, 0.84), (-0.06, 0.86)], PAPER)
        b.poly([(1.06, 0.32), (0.74, 0.3), (0.5, 0.44), (0.5, 0.94), (0.76, 0.84), (1.06, 0.86)], CREAM)
        for y in (0.46, 0.58, 0.7):
            b.line([(0.02, y - 0.02), (0.4, y + 0.06)], PRINT, 0.035)
            b.line([(0.6, y + 0.06), (0.98, y - 0.02)], PRINT, 0.035)
        return
    b.rect(0.08, 0.03, 1.0, 1.0, PAPER)
    b.rect(0.0, 0.0, 0.94, 0.96, b.colour, radius=0.06)
    b.rect(0.0, 0.0, 0.16, 0.96, b.dark, edge=False)
    b.rect(0.3, 0.16, 0.8, 0.4, CREAM)
    b.line([(0.38, 0.28), (0.72, 0.28)], b.dark, 0.06)
    b.line([(0.3, 0.8), (0.8, 0.8)], b.light, 0.05)


def newspaper(b: Brush) -> None:
    """A headline, a photograph and columns; twice as wide and held apart when open."""
    paper = tint(b.colour, PAPER, 0.5)
    if b.state == "open":
        b.poly([(-0.08, 0.06), (0.5, 0.0), (0.5, 0.94), (-0.08, 1.0)], paper)
        b.poly([(1.08, 0.06), (0.5, 0.0), (0.5, 0.94), (1.08, 1.0)], shade(paper, 0.9))
        b.line([(0.0, 0.18), (0.42, 0.14)], INK, 0.1)
        b.poly([(0.0, 0.3), (0.2, 0.28), (0.2, 0.56), (0.0, 0.58)], "#77736e", edge=False)
        for y in (0.32, 0.44, 0.56, 0.68, 0.8):
            b.line([(0.56, y - 0.12), (1.0, y - 0.1)], PRINT, 0.025)
            b.line([(0.26 if y < 0.6 else 0.0, y), (0.44, y - 0.02)], PRINT, 0.025)
        return
    b.rect(0.1, 0.04, 0.96, 1.0, shade(paper, 0.82))
    b.rect(0.04, 0.0, 0.9, 0.96, paper)
    b.rect(0.1, 0.07, 0.84, 0.2, INK, edge=False)
    b.rect(0.1, 0.28, 0.46, 0.6, "#77736e", edge=False)
    for y in (0.32, 0.42, 0.52):
        b.line([(0.54, y), (0.84, y)], PRINT, 0.03)
    for y in (0.7, 0.78, 0.86):
        b.line([(0.1, y), (0.84, y)], PRINT, 0.03)


def letter(b: Brush) -> None:
    """An envelope with a stamp and a seal; the sheet comes out of it when open."""
    if b.state == "open":
        b.poly([(0.0, 0.4), (0.5, -0.1), (1.0, 0.4)], shade(b.colour, 0.85))
        b.rect(0.12, -0.08, 0.88, 0.7, WHITE)
        for y in (0.06, 0.2, 0.34):
            b.line([(0.22, y), (0.78, y)], "#5f7fae", 0.05)
    b.rect(0.0, 0.36 if b.state == "open" else 0.02, 1.0, 1.0, b.colour)
    if b.state == "open":
        b.line([(0.0, 0.38), (0.5, 0.76), (1.0, 0.38)], shade(b.colour, 0.6), 0.04)
        return
    b.line([(0.0, 0.04), (0.5, 0.56), (1.0, 0.04)], shade(b.colour, 0.6), 0.06)
    b.disc(0.5, 0.54, 0.14, "#c8402f")


def map_(b: Brush) -> None:
    """Land, water, a red route; folded to a third of its width, or spread out."""
    land = tint(b.colour, "#e9efc8", 0.6)
    if b.state == "open":
        b.poly([(0.0, 0.1), (0.25, 0.0), (0.5, 0.1), (0.75, 0.0), (1.0, 0.1), (1.0, 1.0), (0.75, 0.9),
            (0.5, 1.0), (0.25, 0.9), (0.0, 1.0)], land)  # fmt: skip
        for left in (0.25, 0.75):
            b.poly([(left, 0.01), (left + 0.25, 0.11), (left + 0.25, 0.98), (left, 0.89)], shade(land, 0.9),
                edge=False)  # fmt: skip
        b.line([(0.08, 0.2), (0.3, 0.45), (0.52, 0.4), (0.7, 0.72), (0.98, 0.8)], WATER, 0.09)
        b.oval(0.7, 0.12, 0.92, 0.36, b.colour, edge=False)
        b.line([(0.14, 0.84), (0.34, 0.66), (0.56, 0.66), (0.62, 0.24)], "#c8402f", 0.05)
        b.disc(0.62, 0.24, 0.08, "#c8402f")
        return
    b.poly([(0.24, 0.06), (0.34, 0.0), (0.34, 0.94), (0.24, 1.0)], shade(land, 0.75))
    b.rect(0.34, 0.0, 0.76, 0.94, land)
    b.line([(0.34, 0.5), (0.54, 0.62), (0.76, 0.5)], WATER, 0.08)
    b.oval(0.4, 0.1, 0.6, 0.34, b.colour, edge=False)
    b.line([(0.42, 0.82), (0.56, 0.72), (0.66, 0.3)], "#c8402f", 0.05)
    b.disc(0.66, 0.28, 0.07, "#c8402f")


def laptop(b: Brush) -> None:
    """A screen above keys, dark or lit."""
    b.rect(0.12, 0.0, 0.88, 0.72, b.colour, radius=0.05)
    b.rect(0.17, 0.06, 0.83, 0.66, SCREEN if b.state == "lit" else "#2b2f36")
    if b.state == "lit":
        b.rect(0.22, 0.13, 0.6, 0.58, WHITE)
        for y in (0.22, 0.34, 0.46):
            b.line([(0.27, y), (0.55, y)], "#5f7fae", 0.035)
        b.rect(0.65, 0.13, 0.78, 0.34, FLAME, edge=False)
    else:
        b.poly([(0.26, 0.6), (0.42, 0.12), (0.5, 0.12), (0.34, 0.6)], "#474d56", edge=False)
    b.poly([(0.12, 0.72), (0.88, 0.72), (1.02, 0.96), (-0.02, 0.96)], b.light)
    b.poly([(0.16, 0.76), (0.84, 0.76), (0.89, 0.86), (0.11, 0.86)], DARK, edge=False)
    b.rect(-0.02, 0.94, 1.02, 1.0, b.dark)


def cell_phone(b: Brush) -> None:
    """A dark, lit or cracked screen."""
    b.rect(0.0, 0.0, 1.0, 1.0, b.colour, radius=0.2)
    b.rect(0.1, 0.09, 0.9, 0.86, SCREEN if b.state == "lit" else "#4a5058")
    if b.state == "lit":
        for y in (0.2, 0.42):
            for x, paint in ((0.3, FLAME), (0.7, "#6aa84f")):
                b.rect(x - 0.13, y, x + 0.13, y + 0.13, paint, edge=False)
    elif b.state == "broken":
        for points in ([(0.1, 0.14), (0.5, 0.4), (0.9, 0.24)], [(0.5, 0.4), (0.3, 0.86)],
                [(0.5, 0.4), (0.9, 0.7)]):  # fmt: skip
            b.line(points, WHITE, 0.12)
    else:
        b.line([(0.25, 0.6), (0.6, 0.2)], "#8b929a", 0.1)
    b.disc(0.5, 0.93, 0.035, WHITE if b.colour != COLOURS["white"] else INK, edge=False)


def remote(b: Brush) -> None:
    """A narrow bar of many buttons, one of them red."""
    b.rect(0.08, 0.0, 0.92, 1.0, tint(b.colour, WHITE, 0.12), radius=0.3)
    b.disc(0.5, 0.11, 0.06, "#e0483a", edge=False)
    b.disc(0.5, 0.32, 0.1, "#c9ccd0", edge=False)
    for y in (0.54, 0.68, 0.82):
        for x in (0.32, 0.68):
            b.disc(x, y, 0.045, WHITE, edge=False)


def camera(b: Brush) -> None:
    """A body, a round lens, a flash."""
    b.rect(0.3, 0.0, 0.7, 0.26, b.dark, radius=0.06)
    b.rect(0.08, 0.1, 0.22, 0.2, "#c8402f")
    b.rect(0.0, 0.16, 1.0, 1.0, b.colour, radius=0.12)
    b.rect(0.0, 0.3, 1.0, 0.42, tint(b.colour, WHITE, 0.55), edge=False)
    b.disc(0.5, 0.6, 0.33, STEEL)
    b.disc(0.5, 0.6, 0.24, "#262a33")
    b.disc(0.42, 0.52, 0.08, SCREEN, edge=False)
    b.rect(0.78, 0.2, 0.92, 0.3, GLOW, edge=False)


def microphone(b: Brush) -> None:
    """A ball of mesh on a grip."""
    b.poly([(0.28, 0.4), (0.72, 0.4), (0.62, 1.0), (0.38, 1.0)], b.colour)
    b.line([(0.4, 0.5), (0.44, 0.92)], b.light, 0.1)
    b.disc(0.5, 0.19, 0.18, STEEL)
    for y in (0.12, 0.22):
        b.line([(0.1, y), (0.9, y)], "#6d7278", 0.06)
    b.line([(0.5, 0.03), (0.5, 0.35)], "#6d7278", 0.06)
    b.rect(0.14, 0.33, 0.86, 0.41, GOLD)


def umbrella(b: Brush) -> None:
    """A dome on a crooked handle, or furled and leaning."""
    if b.state == "open":
        b.line([(0.5, 0.0), (0.5, 0.86)], INK, 0.03)
        b.arc(0.5, 0.76, 0.64, 1.0, 0, 180, INK, 0.04)
        b.pie(0.0, 0.02, 1.0, 1.0, 180, 360, b.colour)
        b.pie(0.3, 0.02, 0.7, 1.0, 180, 360, b.light)
        for left in (0.0, 0.25, 0.5, 0.75):
            b.pie(left, 0.44, left + 0.25, 0.6, 180, 360, b.dark)
        b.line([(0.5, -0.06), (0.5, 0.04)], INK, 0.03)
        return
    b.line([(0.5, 0.0), (0.5, 1.0)], INK, 0.03)
    b.poly([(0.5, 0.98), (0.36, 0.3), (0.42, 0.24), (0.5, 0.2), (0.58, 0.24), (0.64, 0.3)], b.colour)
    b.poly([(0.5, 0.96), (0.44, 0.28), (0.53, 0.24)], b.light, edge=False)
    b.line([(0.38, 0.44), (0.62, 0.44)], b.dark, 0.05)
    b.arc(0.5, -0.04, 0.66, 0.14, 180, 360, WOOD, 0.045)
    b.line([(0.51, 0.04), (0.51, 0.2)], WOOD, 0.045)


def backpack(b: Brush) -> None:
    """A pocket in front and a loop on top; open, books look out."""
    b.arc(0.36, -0.06, 0.64, 0.24, 180, 360, b.dark, 0.07)
    for left in (-0.02, 0.88):
        b.rect(left, 0.44, left + 0.14, 0.94, b.dark, radius=0.06)
    if b.state == "open":
        b.rect(0.24, -0.08, 0.48, 0.4, "#f1d9a0")
        b.rect(0.5, 0.0, 0.74, 0.4, "#6f9fd0")
        b.rect(0.06, 0.22, 0.94, 1.0, b.colour, radius=0.16)
        b.oval(0.08, 0.16, 0.92, 0.34, INK)
        b.rect(0.26, 0.04, 0.46, 0.28, "#f1d9a0")
        b.rect(0.54, 0.08, 0.74, 0.28, "#6f9fd0")
        b.poly([(0.08, 0.26), (0.92, 0.26), (0.84, 0.4), (0.16, 0.4)], b.light)
    else:
        b.rect(0.06, 0.06, 0.94, 1.0, b.colour, radius=0.3)
        b.arc(0.14, 0.14, 0.86, 0.8, 190, 350, GOLD, 0.04)
    b.rect(0.2, 0.54, 0.8, 0.92, b.light, radius=0.1)
    b.line([(0.22, 0.66), (0.78, 0.66)], b.dark, 0.04)
    b.rect(0.46, 0.64, 0.54, 0.74, GOLD, edge=False)


def handbag(b: Brush) -> None:
    """A flap, a clasp, an arched handle."""
    b.arc(0.24, 0.0, 0.76, 0.9, 180, 360, b.dark, 0.08)
    b.poly([(0.12, 0.4), (0.88, 0.4), (1.0, 0.98), (0.0, 0.98)], b.colour)
    b.poly([(0.1, 0.36), (0.9, 0.36), (0.84, 0.62), (0.5, 0.72), (0.16, 0.62)], b.light)
    b.disc(0.5, 0.69, 0.07, GOLD)
    b.line([(0.08, 0.9), (0.92, 0.9)], b.dark, 0.03)


def suitcase(b: Brush) -> None:
    """A handle and two straps; open, clothes lie in it."""
    if b.state == "open":
        b.poly([(0.06, 0.02), (0.94, 0.02), (1.04, 0.5), (-0.04, 0.5)], b.dark)
        b.poly([(0.13, 0.08), (0.87, 0.08), (0.95, 0.46), (0.05, 0.46)], CREAM)
        b.line([(0.13, 0.1), (0.92, 0.44)], b.light, 0.04)
        b.poly([(-0.04, 0.5), (1.04, 0.5), (1.06, 0.74), (-0.06, 0.74)], INK)
        for left, right, paint in ((0.0, 0.36, "#6f9fd0"), (0.32, 0.7, WHITE), (0.64, 1.0, "#d98ab0")):
            b.rect(left, 0.46, right, 0.74, paint, radius=0.08)
        b.rect(-0.06, 0.66, 1.06, 1.0, b.colour, radius=0.06)
        b.rect(0.42, 0.78, 0.58, 0.86, GOLD)
        return
    b.rect(0.32, 0.0, 0.68, 0.2, b.dark, radius=0.08)
    b.rect(0.4, 0.06, 0.6, 0.2, b.light, edge=False)
    b.rect(0.0, 0.14, 1.0, 0.95, b.colour, radius=0.1)
    for left in (0.18, 0.7):
        b.rect(left, 0.14, left + 0.12, 0.95, b.dark, edge=False)
        b.rect(left + 0.01, 0.3, left + 0.11, 0.38, GOLD, edge=False)
        b.disc(left + 0.06, 0.965, 0.04, INK)
    b.rect(0.4, 0.44, 0.62, 0.62, PAPER)


def gift_box(b: Brush) -> None:
    """Ribbon and bow; open, the lid leans on it and stars come out."""
    ribbon = "#f7e3a0" if b.colour != COLOURS["yellow"] else "#c8402f"
    if b.state == "open":
        b.rect(0.06, 0.4, 0.94, 0.52, INK)
        for x, y, paint in ((0.28, 0.22, "#d98ab0"), (0.5, 0.1, "#6fb1d8"), (0.72, 0.24, LEAF)):
            b.disc(x, y, 0.1, paint)
            b.line([(x, y + 0.1), (0.5, 0.46)], paint, 0.04)
        b.poly([(0.84, 0.94), (0.98, 0.4), (1.12, 0.44), (1.0, 1.0)], b.light)
    b.rect(0.05, 0.46 if b.state == "open" else 0.36, 0.95, 1.0, b.colour)
    b.rect(0.42, 0.46 if b.state == "open" else 0.36, 0.58, 1.0, ribbon)
    if b.state == "open":
        return
    b.rect(0.0, 0.26, 1.0, 0.44, b.light)
    b.rect(0.42, 0.26, 0.58, 0.44, ribbon)
    b.oval(0.16, 0.0, 0.5, 0.26, ribbon)
    b.oval(0.5, 0.0, 0.84, 0.26, ribbon)
    b.disc(0.5, 0.16, 0.08, shade(ribbon, 0.85))


def candle(b: Brush) -> None:
    """Wax and a wick; a flame when lit."""
    b.rect(0.12, 0.3, 0.88, 0.94, b.colour, radius=0.1)
    b.line([(0.28, 0.4), (0.28, 0.86)], tint(b.colour, WHITE, 0.7), 0.14)
    b.rect(-0.1, 0.92, 1.1, 1.0, GOLD)
    b.line([(0.5, 0.32), (0.5, 0.2)], INK, 0.2)
    if b.state == "lit":
        b.oval(0.08, -0.08, 0.92, 0.26, FLAME)
        b.oval(0.3, 0.06, 0.7, 0.24, GLOW, edge=False)


def stethoscope(b: Brush) -> None:
    """Two ear tips, a tube, a round chest piece."""
    b.arc(0.08, -0.3, 0.72, 0.6, 10, 170, b.colour, 0.09)
    b.line([(0.09, 0.2), (0.18, 0.02)], STEEL, 0.1)
    b.line([(0.71, 0.2), (0.62, 0.02)], STEEL, 0.1)
    b.arc(0.4, 0.46, 0.86, 1.0, 0, 180, b.colour, 0.09)
    b.line([(0.4, 0.58), (0.43, 0.76)], b.colour, 0.09)
    b.line([(0.85, 0.74), (0.85, 0.64)], b.colour, 0.09)
    b.disc(0.85, 0.52, 0.14, STEEL)
    b.disc(0.85, 0.52, 0.08, WHITE)
    for x in (0.18, 0.62):
        b.disc(x, 0.03, 0.045, INK, edge=False)


def money(b: Brush) -> None:
    """A banknote with a medallion, and a second one under it."""
    b.poly([(0.06, 0.0), (1.06, 0.08), (1.0, 0.86), (0.02, 0.8)], b.dark)
    b.rect(0.0, 0.14, 0.98, 1.0, b.colour)
    b.rect(0.07, 0.26, 0.91, 0.88, tint(b.colour, WHITE, 0.55), edge=False)
    b.disc(0.49, 0.57, 0.26, b.dark)
    b.line([(0.49, 0.4), (0.49, 0.74)], WHITE, 0.1)
    for x in (0.18, 0.8):
        b.disc(x, 0.57, 0.09, b.dark, edge=False)


def ticket(b: Brush) -> None:
    """Notched ends, a dashed tear line, a star."""
    b.poly([(0.0, 0.05), (1.0, 0.05), (1.0, 0.36), (0.93, 0.5), (1.0, 0.64), (1.0, 0.95), (0.0, 0.95),
        (0.0, 0.64), (0.07, 0.5), (0.0, 0.36)], b.colour)  # fmt: skip
    for y in (0.14, 0.4, 0.66):
        b.line([(0.7, y), (0.7, y + 0.16)], INK, 0.07)
    for y in (0.3, 0.5, 0.7):
        b.line([(0.16, y), (0.58, y)], "#a8322a" if y < 0.4 else INK, 0.12 if y < 0.4 else 0.06)
    b.disc(0.83, 0.5, 0.14, "#a8322a", edge=False)
