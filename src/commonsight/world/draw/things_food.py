"""Food, and what it is cooked and served in."""

from __future__ import annotations

from commonsight.world.draw.box import (
    BREAD,
    COFFEE,
    CREAM,
    DARK,
    FLAME,
    GLASS,
    GLOW,
    INK,
    LEAF,
    STEEL,
    WATER,
    WHITE,
    tint,
)  # fmt: skip
from commonsight.world.draw.pen import shade
from commonsight.world.draw.things_brush import Brush

WINE, SOUP = "#8e2a3e", "#d98b3a"


def _steam(b: Brush, x: float, bottom: float, top: float) -> None:
    middle = (bottom + top) / 2
    b.line([(x, bottom), (x + 0.07, (bottom + middle) / 2), (x - 0.03, middle), (x + 0.05, top)], "#b9b6b2",
        0.06)  # fmt: skip


def cup(b: Brush) -> None:
    """A mug with a handle; coffee and steam when full, its dark inside when empty."""
    if b.state == "fallen":
        b.poly([(0.5, 0.9), (1.2, 0.82), (1.2, 1.0), (0.5, 1.04)], COFFEE)
        b.lay()
    if b.material == "paper":
        b.poly([(0.1, 0.16), (0.86, 0.16), (0.74, 1.0), (0.22, 1.0)], WHITE)
        b.poly([(0.14, 0.42), (0.82, 0.42), (0.77, 0.8), (0.19, 0.8)], b.colour)
    else:
        b.arc(0.6, 0.3, 1.06, 0.8, 270, 450, b.dark, 0.14)
        b.rect(0.06, 0.16, 0.8, 1.0, b.colour, radius=0.14)
        b.line([(0.18, 0.4), (0.18, 0.84)], tint(b.colour, WHITE, 0.7), 0.08)
    inside = {"full": COFFEE, "empty": shade(b.colour, 0.4), "fallen": COFFEE}.get(b.state or "", b.light)
    b.oval(0.06, 0.04, 0.84, 0.3, WHITE)
    b.oval(0.13, 0.09, 0.77, 0.27, inside)
    if b.state == "full":
        _steam(b, 0.34, 0.02, -0.24)
        _steam(b, 0.6, 0.02, -0.24)


def wine_glass(b: Brush) -> None:
    """A bowl on a stem; red wine to the rim when full, a little otherwise."""
    rim = tint(b.dark, "#5f7f8a", 0.5)
    b.oval(0.14, 0.92, 0.86, 1.0, GLASS)
    b.line([(0.5, 0.5), (0.5, 0.95)], rim, 0.1)
    if b.state == "broken":
        b.oval(-0.12, 0.9, 1.12, 1.04, WINE)
        b.line([(0.5, 0.5), (0.5, 0.95)], rim, 0.14)
        jagged = [(0.0, 0.14), (0.22, 0.36), (0.36, 0.22), (0.54, 0.44), (0.74, 0.3), (0.98, 0.36)]
        b.poly([*jagged, (0.78, 0.5), (0.5, 0.58), (0.2, 0.5), (0.02, 0.32)], GLASS)
        b.line(jagged, rim, 0.08)
        b.poly([(0.72, 0.98), (0.86, 0.78), (1.08, 0.98)], GLASS)
        return
    b.poly([(0.06, 0.0), (0.94, 0.0), (1.0, 0.28), (0.8, 0.5), (0.5, 0.58), (0.2, 0.5), (0.0, 0.28)],
        tint(b.colour, GLASS, 0.6))  # fmt: skip
    if b.state == "full":
        b.poly([(0.04, 0.08), (0.96, 0.08), (0.98, 0.28), (0.79, 0.48), (0.5, 0.55), (0.21, 0.48),
            (0.02, 0.28)], WINE)  # fmt: skip
    elif b.state is None:
        b.poly([(0.08, 0.36), (0.92, 0.36), (0.79, 0.48), (0.5, 0.55), (0.21, 0.48)], WINE)
    b.line([(0.06, 0.0), (0.94, 0.0)], rim, 0.08)
    b.line([(0.2, 0.1), (0.16, 0.3)], WHITE, 0.12)


def bottle(b: Brush) -> None:
    """A neck, shoulders, a label. Corked when full; light and without a cork when empty."""
    body = tint(b.colour, GLASS, {"full": 0.0, "empty": 0.65}.get(b.state or "", 0.3))
    if b.state == "broken":
        b.oval(-0.12, 0.93, 1.12, 1.03, tint(b.dark, WATER, 0.4))
        jagged = [(0.04, 0.44), (0.34, 0.32), (0.42, 0.5), (0.6, 0.42), (0.7, 0.62), (0.96, 0.56)]
        b.poly([*jagged, (0.96, 0.98), (0.04, 0.98)], b.colour)
        b.rect(0.08, 0.7, 0.92, 0.88, CREAM, edge=False)
        b.line(jagged, tint(b.colour, WHITE, 0.6), 0.1)
        return
    outline = [(0.36, 0.06), (0.64, 0.06), (0.64, 0.3), (0.96, 0.44), (0.96, 0.98), (0.04, 0.98),
        (0.04, 0.44), (0.36, 0.3)]  # fmt: skip
    b.poly(outline, body)
    if b.state != "empty":
        b.rect(0.08, 0.48 if b.state == "full" else 0.6, 0.92, 0.96, b.dark, edge=False)
    if b.state == "full":
        b.rect(0.3, -0.02, 0.7, 0.1, "#b5482f" if b.material == "glass" else "#e9e4d8")
    b.rect(0.3, 0.1, 0.7, 0.15, b.dark, edge=False)
    b.rect(0.08, 0.66, 0.92, 0.88, CREAM, edge=False)
    b.line([(0.2, 0.5), (0.2, 0.9)], WHITE, 0.12)


def bowl(b: Brush) -> None:
    """Half a ball; soup heaped with green when full, hollow when empty."""
    b.rect(0.34, 0.86, 0.66, 1.0, b.dark)
    if b.state == "full":
        b.oval(0.06, -0.1, 0.94, 0.5, SOUP)
        b.oval(0.3, -0.02, 0.44, 0.16, LEAF, edge=False)
        b.oval(0.56, 0.0, 0.68, 0.16, "#c8402f", edge=False)
    b.pie(0.0, -0.5, 1.0, 0.94, 0, 180, b.colour)
    if b.state == "empty":
        b.oval(0.0, -0.06, 1.0, 0.5, b.light)
        b.oval(0.07, 0.02, 0.93, 0.45, shade(b.colour, 0.5), edge=False)
    else:
        b.rect(-0.01, 0.18, 1.01, 0.3, b.light)
        b.line([(0.08, 0.42), (0.92, 0.42)], b.dark, 0.06)
    b.line([(0.14, 0.54), (0.26, 0.74)], tint(b.colour, WHITE, 0.75), 0.1)


def plate(b: Brush) -> None:
    """Flat, seen a little from above; a meal, crumbs, or two halves."""
    if b.state == "broken":
        b.poly([(-0.08, 0.7), (0.06, 0.1), (0.36, -0.1), (0.28, 0.3), (0.38, 0.5), (0.26, 1.0),
            (0.06, 1.0)], b.colour)  # fmt: skip
        b.poly([(0.66, 0.0), (0.98, 0.2), (1.1, 0.7), (0.9, 1.05), (0.62, 1.0), (0.72, 0.6), (0.6, 0.4)],
            b.colour)  # fmt: skip
        b.poly([(0.4, 1.0), (0.46, 0.6), (0.56, 0.7), (0.52, 1.05)], b.light)
        b.line([(0.08, 0.7), (0.2, 0.36)], b.dark, 0.1)
        b.line([(0.94, 0.7), (0.86, 0.36)], b.dark, 0.1)
        return
    b.oval(0.0, 0.1, 1.0, 1.05, b.colour)
    b.oval(0.18, 0.24, 0.82, 0.82, b.light)
    if b.state == "full":
        b.oval(0.22, -0.2, 0.54, 0.66, "#8a4f2d")
        b.oval(0.48, 0.0, 0.68, 0.66, "#5f9a50")
        b.oval(0.62, -0.12, 0.8, 0.62, "#e8b94d")
    elif b.state == "empty":
        b.line([(0.32, 0.42), (0.46, 0.62), (0.6, 0.5)], "#b5673a", 0.12)
        for x, y in ((0.36, 0.62), (0.54, 0.34), (0.7, 0.42), (0.68, 0.66)):
            b.disc(x, y, 0.09, "#6b4226", edge=False)
    else:
        b.arc(0.1, 0.18, 0.9, 0.92, 0, 360, "#6f93b5" if b.colour == "#f1efe9" else WHITE, 0.08)


def fork(b: Brush) -> None:
    """Three tines."""
    edge = shade(b.colour, 0.5)
    b.line([(0.5, 0.3), (0.5, 1.0)], edge, 0.5)
    b.rect(-0.1, 0.2, 1.1, 0.42, edge, radius=0.3, edge=False)
    for x in (0.0, 0.5, 1.0):
        b.line([(x, 0.0), (x, 0.3)], edge, 0.26)
    b.line([(0.5, 0.3), (0.5, 0.98)], b.light, 0.22)


def knife(b: Brush) -> None:
    """A blade with a slant tip on a dark handle."""
    b.poly([(0.1, 0.62), (0.1, 0.1), (0.4, -0.02), (0.95, 0.2), (0.95, 0.62)], tint(b.colour, WHITE, 0.55))
    b.line([(0.85, 0.18), (0.85, 0.6)], shade(b.colour, 0.6), 0.16)
    b.rect(0.05, 0.6, 0.85, 1.0, INK, radius=0.3)


def spoon(b: Brush) -> None:
    """An oval on a handle."""
    paint = "#b98552" if b.material == "wooden" else b.colour
    edge = shade(paint, 0.5)
    b.line([(0.5, 0.3), (0.5, 1.0)], edge, 0.5)
    b.oval(-0.1, 0.0, 1.1, 0.4, edge, edge=False)
    b.oval(0.1, 0.04, 0.9, 0.35, tint(paint, WHITE, 0.4), edge=False)
    b.line([(0.5, 0.42), (0.5, 0.98)], tint(paint, WHITE, 0.4), 0.22)


def pot(b: Brush) -> None:
    """Two handles and a lid; without one, soup steams in it or its dark inside shows."""
    for left in (-0.06, 0.86):
        b.rect(left, 0.4, left + 0.2, 0.52, INK, radius=0.06)
    b.rect(0.08, 0.28, 0.92, 1.0, b.colour, radius=0.12)
    if b.state is None:
        b.pie(0.06, 0.04, 0.94, 0.56, 180, 360, b.light)
        b.line([(0.06, 0.3), (0.94, 0.3)], b.dark, 0.05)
        b.disc(0.5, 0.05, 0.07, INK)
    else:
        b.oval(0.06, 0.16, 0.94, 0.42, b.light)
        b.oval(0.12, 0.19, 0.88, 0.4, SOUP if b.state == "full" else "#2d2a2b")
    if b.state == "full":
        for x in (0.3, 0.5, 0.7):
            _steam(b, x, 0.16, -0.14)
    b.line([(0.2, 0.46), (0.2, 0.88)], tint(b.colour, WHITE, 0.6), 0.07)


def tray(b: Brush) -> None:
    """Flat, with a raised rim and two grips."""
    b.poly([(0.08, 0.0), (0.92, 0.0), (1.0, 0.7), (0.0, 0.7)], b.dark)
    b.poly([(0.12, 0.12), (0.88, 0.12), (0.93, 0.6), (0.07, 0.6)], b.light, edge=False)
    b.rect(0.0, 0.66, 1.0, 1.0, b.colour, radius=0.2)
    for x in (-0.02, 0.92):
        b.rect(x, 0.2, x + 0.1, 0.52, INK, radius=0.1, edge=False)
    b.finish(0.2, 0.1, 0.8, 0.6)


def apple(b: Brush) -> None:
    """Two cheeks, a stalk, a leaf."""
    b.oval(0.0, 0.22, 0.62, 1.0, b.colour)
    b.oval(0.38, 0.22, 1.0, 1.0, b.colour)
    b.oval(0.14, 0.28, 0.86, 0.98, b.colour, edge=False)
    b.line([(0.5, 0.34), (0.56, 0.02)], "#5f4128", 0.1)
    b.poly([(0.56, 0.18), (0.76, 0.0), (0.98, 0.06), (0.8, 0.22)], LEAF)
    b.oval(0.14, 0.36, 0.32, 0.56, tint(b.colour, WHITE, 0.6), edge=False)


def banana(b: Brush) -> None:
    """A crescent with dark ends."""
    b.poly(
        [(0.02, 0.12), (0.1, 0.06), (0.2, 0.4), (0.46, 0.58), (0.76, 0.46), (0.92, 0.12), (1.0, 0.16),
         (0.96, 0.56), (0.76, 0.9), (0.46, 1.0), (0.18, 0.86), (0.04, 0.5)],
        b.colour,
    )  # fmt: skip
    b.line([(0.1, 0.5), (0.26, 0.72), (0.5, 0.8), (0.78, 0.66)], b.dark, 0.07)
    b.line([(0.06, 0.14), (0.04, -0.04)], "#5f4128", 0.14)
    b.disc(0.97, 0.14, 0.09, "#5f4128", edge=False)


def orange(b: Brush) -> None:
    """A ball with pores and a leaf."""
    b.disc(0.5, 0.54, 0.47, b.colour)
    b.oval(0.16, 0.22, 0.46, 0.5, b.light, edge=False)
    for x, y in ((0.6, 0.66), (0.76, 0.5), (0.42, 0.78)):
        b.disc(x, y, 0.035, b.dark, edge=False)
    b.disc(0.52, 0.14, 0.07, "#4f6b34", edge=False)
    b.poly([(0.52, 0.12), (0.7, -0.06), (0.94, 0.06), (0.74, 0.18)], LEAF)


def carrot(b: Brush) -> None:
    """A root that tapers to the right, green at its left end."""
    for y in (-0.1, 0.3, 0.8):
        b.line([(0.26, 0.5), (0.0, y)], LEAF, 0.3)
    b.poly([(0.22, 0.2), (0.34, 0.04), (0.6, 0.2), (1.0, 0.62), (0.6, 0.86), (0.34, 1.0), (0.22, 0.8)],
        b.colour)  # fmt: skip
    for x in (0.4, 0.56, 0.7):
        b.line([(x, 0.24 + (x - 0.4) * 0.6), (x + 0.02, 0.52)], b.dark, 0.12)


def sandwich(b: Brush) -> None:
    """Two triangles of bread, what is between them showing."""
    crumb = tint(b.colour, "#f3dca8", 0.75)
    b.poly([(0.02, 0.62), (0.62, 0.0), (0.98, 0.62)], crumb)
    b.rect(0.0, 0.46, 1.0, 0.6, b.colour, edge=False)
    b.rect(0.0, 0.58, 1.0, 0.68, "#e05a4a", edge=False)
    b.poly([(-0.03, 0.66), (1.03, 0.66), (0.94, 0.82), (0.8, 0.74), (0.64, 0.84), (0.5, 0.74), (0.32, 0.84),
        (0.16, 0.74), (0.06, 0.82)], "#7dbb52")  # fmt: skip
    b.rect(0.02, 0.8, 0.98, 1.0, crumb)
    b.line([(0.02, 0.98), (0.98, 0.98)], b.colour, 0.08)


def pizza(b: Brush) -> None:
    """Round, flat, with red slices on yellow."""
    b.oval(0.0, -0.1, 1.0, 1.05, "#c07f3e")
    b.oval(0.06, 0.0, 0.94, 0.86, tint(b.colour, "#f5d77a", 0.25))
    for x, y in ((0.26, 0.38), (0.5, 0.18), (0.74, 0.36), (0.42, 0.64), (0.66, 0.68)):
        b.oval(x - 0.08, y - 0.13, x + 0.08, y + 0.13, "#c23b2e")
    for x, y in ((0.38, 0.4), (0.6, 0.46)):
        b.disc(x, y, 0.09, LEAF, edge=False)


def hot_dog(b: Brush) -> None:
    """A sausage longer than its bun, with mustard."""
    bun = tint(b.colour, "#e6b56a", 0.6)
    b.rect(0.06, 0.1, 0.94, 0.7, bun, radius=0.3)
    b.limb([(0.06, 0.42), (0.94, 0.42)], "#b5432e", 0.42)
    b.line([(0.1, 0.34), (0.2, 0.48), (0.32, 0.3), (0.44, 0.48), (0.56, 0.3), (0.68, 0.48), (0.8, 0.3),
        (0.9, 0.44)], "#f5d03c", 0.13)  # fmt: skip
    b.rect(0.06, 0.52, 0.94, 1.0, bun, radius=0.3)
    b.line([(0.2, 0.68), (0.6, 0.68)], tint(bun, WHITE, 0.5), 0.1)


def donut(b: Brush) -> None:
    """A ring with icing and sprinkles."""
    b.oval(0.0, 0.1, 1.0, 1.02, BREAD)
    b.oval(0.02, 0.0, 0.98, 0.82, b.colour)
    b.oval(0.33, 0.24, 0.67, 0.5, "#f7ead0")
    b.arc(0.33, 0.24, 0.67, 0.54, 180, 360, shade(BREAD, 0.7), 0.1)
    for x, y, paint in ((0.2, 0.26, WHITE), (0.5, 0.1, "#f5d03c"), (0.78, 0.24, "#6fb1d8"),
            (0.82, 0.5, WHITE), (0.5, 0.66, "#7dbb52"), (0.22, 0.54, "#f5d03c")):  # fmt: skip
        b.line([(x - 0.04, y), (x + 0.04, y + 0.05)], paint, 0.09)


def cake(b: Brush) -> None:
    """Two layers under icing on a stand; candles burn on it when lit."""
    b.oval(0.0, 0.9, 1.0, 1.0, STEEL)
    b.rect(0.06, 0.56, 0.94, 0.95, "#c98f56" if b.colour != "#8a5a35" else "#6b4226", radius=0.06)
    b.rect(0.06, 0.72, 0.94, 0.78, CREAM, edge=False)
    b.rect(0.04, 0.44, 0.96, 0.6, b.colour, radius=0.06)
    for i in range(5):
        b.disc(0.14 + i * 0.18, 0.61, 0.06 + 0.02 * (i % 2), b.colour)
        b.disc(0.14 + i * 0.18, 0.43, 0.045, "#c8402f" if i % 2 == 0 else b.light)
    if b.state == "lit":
        for x in (0.24, 0.5, 0.76):
            b.rect(x - 0.025, 0.2, x + 0.025, 0.42, "#6fb1d8")
            b.oval(x - 0.06, -0.04, x + 0.06, 0.2, FLAME)
            b.oval(x - 0.025, 0.06, x + 0.025, 0.18, GLOW, edge=False)


def medicine(b: Brush) -> None:
    """A small jar with a cross; full of pills, empty and open, or closed to the eye."""
    see_through = b.state in ("full", "empty")
    body = tint(b.colour, GLASS, 0.7) if b.state == "empty" else tint(b.colour, WHITE,
        0.25) if see_through else b.colour  # fmt: skip
    b.rect(0.04, 0.26, 0.96, 1.0, body, radius=0.14)
    if b.state == "empty":
        b.rect(0.18, 0.16, 0.82, 0.28, shade(body, 0.6), radius=0.06)
        b.rect(0.62, 0.9, 1.14, 1.0, WHITE)
    else:
        b.rect(0.08, 0.0, 0.92, 0.24, WHITE, radius=0.08)
    if b.state == "full":
        for x, y in ((0.24, 0.38), (0.52, 0.36), (0.78, 0.39), (0.36, 0.48), (0.66, 0.48)):
            b.disc(x, y, 0.07, "#d9574a" if x < 0.5 else WHITE)
    b.rect(0.06, 0.56, 0.94, 0.88, CREAM, edge=False)
    b.line([(0.5, 0.6), (0.5, 0.84)], "#c8402f", 0.16)
    b.line([(0.28, 0.72), (0.72, 0.72)], "#c8402f", 0.16)


def vase(b: Brush) -> None:
    """A belly and a neck; flowers in it when full, nothing when empty, one twig otherwise; or shards."""
    if b.state == "broken":
        b.oval(-0.1, 0.92, 1.1, 1.04, WATER)
        b.poly([(0.04, 0.96), (0.0, 0.62), (0.14, 0.7), (0.24, 0.52), (0.4, 0.76), (0.44, 0.96)], b.colour)
        b.poly([(0.52, 0.98), (0.6, 0.7), (0.78, 0.8), (0.98, 0.58), (0.94, 0.96)], b.dark)
        b.poly([(0.36, 1.02), (0.46, 0.86), (0.62, 1.02)], b.light)
        return
    if b.state == "full":
        for x, y, paint in ((0.14, 0.14, "#d9574a"), (0.86, 0.12, "#e8c547"), (0.5, 0.02, "#d98ab0")):
            b.line([(0.5, 0.46), (x, y)], LEAF, 0.06)
            b.disc(x, y, 0.11, paint)
            b.disc(x, y, 0.04, CREAM, edge=False)
    elif b.state is None:
        b.line([(0.5, 0.44), (0.6, 0.02)], LEAF, 0.08)
        b.oval(0.54, 0.06, 0.84, 0.18, LEAF)
        b.oval(0.3, 0.16, 0.56, 0.26, LEAF)
    b.poly([(0.3, 0.36), (0.7, 0.36), (0.64, 0.5), (0.36, 0.5)], b.colour)
    b.oval(0.06, 0.44, 0.94, 0.98, b.colour)
    b.rect(0.3, 0.92, 0.7, 1.0, b.dark)
    b.oval(0.24, 0.32, 0.76, 0.41, DARK if b.state == "empty" else b.light)
    b.line([(0.16, 0.68), (0.5, 0.76), (0.84, 0.68)], tint(b.colour, WHITE,
        0.7) if b.colour != "#f1efe9" else "#6f9fd0", 0.09)  # fmt: skip
    b.line([(0.24, 0.64), (0.32, 0.54)], WHITE, 0.1)
