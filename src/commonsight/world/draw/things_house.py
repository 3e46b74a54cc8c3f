"""What else stands, hangs and hums in a house, a shop, a school or a theatre."""

from __future__ import annotations

from commonsight.world.draw.box import (
    CLAY,
    CREAM,
    DARK,
    FLAME,
    GLOW,
    GOLD,
    INK,
    LEAF,
    PAPER,
    SKY,
    SOIL,
    STEEL,
    WATER,
    WHITE,
    WOOD,
    tint,
)  # fmt: skip
from commonsight.world.draw.pen import shade
from commonsight.world.draw.things_brush import Brush


def potted_plant(b: Brush) -> None:
    """Long leaves out of a clay pot; pot in pieces and earth on the floor when broken."""
    lean = 0.12 if b.state == "broken" else 0.0
    for x, y, wide in ((0.02, 0.3, 0.1), (0.98, 0.3, 0.1), (0.2, 0.06, 0.12), (0.8, 0.08, 0.12),
            (0.5, -0.02, 0.13)):  # fmt: skip
        paint = b.colour if x in (0.2, 0.8) else b.dark if x in (0.02, 0.98) else b.light
        tip, middle = (x + lean, y), (x + lean + (0.5 - x) * 0.35, (y + 0.62) / 2)
        b.poly([(0.5, 0.68), (middle[0] - wide, middle[1]), tip, (middle[0] + wide, middle[1])], paint)
    if b.state == "broken":
        b.poly([(0.0, 1.0), (0.2, 0.8), (0.5, 0.68), (0.8, 0.8), (1.0, 1.0)], SOIL)
        b.poly([(0.02, 0.98), (0.1, 0.7), (0.34, 0.76), (0.26, 1.0)], CLAY)
        b.poly([(0.66, 1.0), (0.72, 0.84), (0.98, 0.72), (0.94, 1.0)], shade(CLAY, 0.85))
        b.poly([(0.42, 1.0), (0.48, 0.88), (0.6, 1.0)], CLAY)
        return
    b.poly([(0.2, 0.68), (0.8, 0.68), (0.7, 1.0), (0.3, 1.0)], CLAY)
    b.rect(0.15, 0.64, 0.85, 0.73, shade(CLAY, 1.12))


def lamp(b: Brush) -> None:
    """A standing lamp; its shade glows and light falls from it when lit."""
    lit = b.state == "lit"
    if lit:
        b.oval(-0.11, -0.07, 1.11, 0.46, tint(GLOW, WHITE, 0.3), edge=False)
        b.oval(0.02, 0.2, 0.98, 0.4, GLOW, edge=False)
    b.rect(0.46, 0.28, 0.54, 0.95, shade(STEEL, 0.7))
    b.oval(0.18, 0.92, 0.82, 1.0, shade(STEEL, 0.7))
    shade_colour = tint(b.colour, GLOW, 0.6) if lit else b.colour
    b.poly([(0.26, 0.0), (0.74, 0.0), (1.0, 0.28), (0.0, 0.28)], shade_colour)
    if lit:
        b.oval(0.32, 0.12, 0.68, 0.26, WHITE, edge=False)
        for x in (0.26, 0.5, 0.74):
            b.line([(x, 0.31), (0.5 + (x - 0.5) * 1.3, 0.36)], FLAME, 0.06)
    else:
        b.line([(0.3, 0.04), (0.12, 0.23)], b.light, 0.07)


def refrigerator(b: Brush) -> None:
    """Two doors with handles; open, its light and food show."""
    if b.state == "open":
        b.rect(0.0, 0.0, 0.74, 0.97, b.colour, radius=0.04)
        b.rect(0.06, 0.04, 0.7, 0.92, GLOW)
        for y in (0.26, 0.48, 0.7):
            b.line([(0.06, y), (0.7, y)], shade(STEEL, 0.9), 0.03)
        b.rect(0.14, 0.1, 0.26, 0.26, WHITE)
        b.oval(0.36, 0.17, 0.56, 0.26, "#d8574a")
        b.rect(0.14, 0.36, 0.5, 0.48, "#e8b94d", radius=0.03)
        b.oval(0.2, 0.6, 0.36, 0.7, LEAF)
        b.rect(0.46, 0.55, 0.58, 0.7, "#5f93c4")
        b.rect(0.12, 0.76, 0.64, 0.89, "#9fc27a")
        b.poly([(0.74, 0.0), (1.1, 0.05), (1.1, 1.02), (0.74, 0.97)], b.light)
        b.line([(0.8, 0.5), (1.06, 0.53)], b.dark, 0.03)
        return
    b.rect(0.0, 0.0, 1.0, 0.97, b.colour, radius=0.06)
    b.rect(0.04, 0.96, 0.96, 1.0, INK, edge=False)
    b.line([(0.0, 0.32), (1.0, 0.32)], b.dark, 0.03)
    for top, bottom in ((0.14, 0.28), (0.37, 0.6)):
        b.rect(0.82, top, 0.89, bottom, shade(STEEL, 0.7), radius=0.03)
    b.finish(0.1, 0.36, 0.6, 0.9)


def oven(b: Brush) -> None:
    """A cooker: plates on top, knobs, a door with a window that glows when lit."""
    b.rect(0.0, 0.02, 1.0, 0.96, b.colour, radius=0.03)
    b.rect(0.04, 0.95, 0.96, 1.0, INK, edge=False)
    b.rect(-0.02, -0.03, 1.02, 0.05, DARK)
    for x in (0.14, 0.32, 0.5, 0.68, 0.86):
        b.disc(x, 0.14, 0.04, FLAME if b.state == "lit" and x == 0.5 else b.light)
    if b.state == "open":
        b.rect(0.1, 0.24, 0.9, 0.72, "#2e2a2b")
        b.line([(0.1, 0.46), (0.9, 0.46)], STEEL, 0.03)
        b.poly([(0.08, 0.74), (0.92, 0.74), (1.04, 1.02), (-0.04, 1.02)], b.light)
        b.poly([(0.2, 0.8), (0.8, 0.8), (0.86, 0.95), (0.14, 0.95)], DARK)
        return
    b.rect(0.06, 0.24, 0.94, 0.9, b.light, radius=0.04)
    b.rect(0.14, 0.28, 0.86, 0.33, shade(STEEL, 0.75), radius=0.02)
    b.rect(0.16, 0.4, 0.84, 0.82, FLAME if b.state == "lit" else DARK, radius=0.04)
    if b.state == "lit":
        b.oval(0.24, 0.5, 0.76, 0.78, GLOW, edge=False)
        b.pie(0.32, 0.54, 0.68, 0.84, 180, 360, "#c98440")
        b.line([(0.18, 0.69), (0.82, 0.69)], INK, 0.02)
    else:
        b.line([(0.24, 0.74), (0.42, 0.46)], "#8d8789", 0.035)


def blackboard(b: Brush) -> None:
    """A sum in chalk, a whole board full of writing, or wiped clean."""
    b.rect(0.0, 0.0, 1.0, 0.95, WOOD)
    b.rect(0.03, 0.06, 0.97, 0.88, shade(b.colour, 0.75))
    b.rect(0.1, 0.93, 0.9, 1.0, shade(WOOD, 0.85))
    if b.state == "empty":
        b.rect(0.7, 0.86, 0.8, 0.93, "#d9c8a8")
        b.arc(0.2, 0.2, 0.8, 1.1, 210, 320, tint(b.dark, WHITE, 0.18), 0.1)
        return
    for points in _SUM:
        b.line(points, WHITE, 0.028)
    if b.state == "full":
        for row, y in enumerate((0.5, 0.64, 0.78)):
            words = ((0.08, 0.26), (0.3, 0.42), (0.46, 0.62), (0.66, 0.92)) if row % 2 else ((0.08, 0.36),
                (0.42, 0.54), (0.6, 0.88))  # fmt: skip
            for left, right in words:
                step = (right - left) / 6
                b.line([(left + i * step, y + (0.04 if i % 2 else -0.02 * (i % 3))) for i in range(7)],
                    WHITE, 0.02)  # fmt: skip
        for points in _SUM:
            b.line([(x + 0.46, y) for x, y in points], WHITE, 0.028)
    b.rect(0.2, 0.9, 0.26, 0.93, WHITE, edge=False)


_SUM = (
    [(0.09, 0.2), (0.12, 0.16), (0.12, 0.38)], [(0.17, 0.28), (0.23, 0.28)], [(0.2, 0.22), (0.2, 0.34)],
    [(0.28, 0.2), (0.31, 0.16), (0.31, 0.38)], [(0.35, 0.25), (0.4, 0.25)], [(0.35, 0.31), (0.4, 0.31)],
    [(0.43, 0.2), (0.45, 0.16), (0.48, 0.18), (0.48, 0.25), (0.43, 0.38), (0.49, 0.38)],
)  # fmt: skip
"""1 + 1 = 2."""


def clock(b: Brush) -> None:
    """A round wall clock at ten past ten."""
    b.disc(0.5, 0.5, 0.5, b.colour)
    b.disc(0.5, 0.5, 0.38, CREAM)
    for x, y in ((0.5, 0.19), (0.81, 0.5), (0.5, 0.81), (0.19, 0.5)):
        b.disc(x, y, 0.035, INK, edge=False)
    b.line([(0.32, 0.4), (0.5, 0.52), (0.68, 0.28)], INK, 0.06)
    b.disc(0.5, 0.51, 0.045, "#c8402f", edge=False)


def painting(b: Brush) -> None:
    """A landscape in a gold frame, painted mostly in the thing's colour."""
    b.rect(0.0, 0.0, 1.0, 1.0, GOLD)
    b.rect(0.08, 0.1, 0.92, 0.9, tint(b.colour, WHITE, 0.7))
    b.disc(0.7, 0.32, 0.1, "#f0b64a" if b.colour != "#e8c547" else "#d9694a", edge=False)
    b.poly([(0.08, 0.7), (0.34, 0.3), (0.56, 0.66), (0.7, 0.5), (0.92, 0.74), (0.92, 0.9), (0.08, 0.9)],
        b.colour)  # fmt: skip
    b.poly([(0.08, 0.9), (0.08, 0.78), (0.45, 0.72), (0.92, 0.82), (0.92, 0.9)], b.dark, edge=False)
    b.line([(0.03, 0.04), (0.97, 0.04)], "#f3d68c", 0.04)


def tv(b: Brush) -> None:
    """A flat screen on a foot; a face looks out of it when lit."""
    b.poly([(0.3, 1.0), (0.4, 0.88), (0.6, 0.88), (0.7, 1.0)], b.dark)
    b.rect(0.0, 0.0, 1.0, 0.9, b.colour, radius=0.06)
    if b.state == "lit":
        b.rect(0.05, 0.07, 0.95, 0.8, "#8fd3f0")
        b.rect(0.05, 0.62, 0.95, 0.8, "#8cc26a", edge=False)
        b.disc(0.5, 0.38, 0.17, "#f0c39a")
        b.pie(0.34, 0.54, 0.66, 1.04, 180, 360, "#d9574a")
        b.pie(0.38, 0.18, 0.62, 0.52, 180, 360, "#6b4427")
    else:
        b.rect(0.05, 0.07, 0.95, 0.8, "#262a30")
        b.poly([(0.12, 0.7), (0.34, 0.14), (0.44, 0.14), (0.22, 0.7)], "#4c535c", edge=False)
    b.disc(0.92, 0.85, 0.02, "#7fd36a" if b.state == "lit" else "#d9574a", edge=False)


def cash_register(b: Brush) -> None:
    """Keys, a display and a drawer; the drawer is out, money in it, when open."""
    b.rect(0.28, 0.0, 0.86, 0.26, b.dark, radius=0.04)
    b.rect(0.34, 0.05, 0.8, 0.2, "#9fe08a")
    b.line([(0.57, 0.26), (0.57, 0.36)], b.dark, 0.12)
    b.poly([(0.16, 0.34), (0.84, 0.34), (0.98, 0.7), (0.02, 0.7)], b.colour)
    for row, y in enumerate((0.42, 0.51, 0.6)):
        for i in range(4):
            b.rect(0.24 - row * 0.03 + i * 0.13, y, 0.33 - row * 0.03 + i * 0.13, y + 0.06, WHITE, edge=False)
    b.rect(0.76, 0.42, 0.86, 0.66, "#d9574a", edge=False)
    if b.state == "open":
        b.poly([(0.04, 0.7), (0.96, 0.7), (1.08, 0.88), (-0.08, 0.88)], INK)
        for left, paint in ((0.06, "#7fb069"), (0.38, "#7fb069"), (0.68, "#e8c547")):
            b.rect(left, 0.74, left + 0.24, 0.84, paint)
        b.rect(-0.08, 0.87, 1.08, 1.04, b.light, radius=0.03)
    else:
        b.rect(0.0, 0.7, 1.0, 1.0, b.light, radius=0.03)
    b.rect(0.42, 0.9, 0.58, 0.95, INK, edge=False)


def shopping_cart(b: Brush) -> None:
    """A wire basket on wheels; heaped with shopping when full."""
    goods = {"full": 6, "empty": 0}.get(b.state or "", 2)
    for i, (left, top, paint) in enumerate(_GOODS[:goods]):
        b.rect(left, top, left + (0.16 if i % 2 else 0.22), 0.52, paint, radius=0.03)
    b.limb([(0.0, 0.1), (0.14, 0.14), (0.3, 0.78), (0.92, 0.78)], b.dark, 0.05)
    if goods == 0:
        b.poly([(0.16, 0.22), (1.0, 0.22), (0.9, 0.62), (0.26, 0.62)], tint(b.colour, WHITE, 0.75),
            edge=False)  # fmt: skip
    else:
        b.poly([(0.17, 0.38), (0.97, 0.38), (0.9, 0.62), (0.26, 0.62)], tint(b.colour, WHITE, 0.6),
            edge=False)  # fmt: skip
    b.line([(0.16, 0.22), (1.0, 0.22), (0.9, 0.62), (0.26, 0.62), (0.16, 0.22)], b.colour, 0.045)
    for share in (0.25, 0.5, 0.75):
        b.line([(0.16 + 0.84 * share, 0.22), (0.26 + 0.64 * share, 0.62)], b.dark, 0.018)
    b.line([(0.2, 0.42), (0.95, 0.42)], b.dark, 0.018)
    for x in (0.36, 0.86):
        b.disc(x, 0.91, 0.09, INK)
        b.disc(x, 0.91, 0.035, STEEL, edge=False)
    b.limb([(-0.04, 0.1), (0.08, 0.1)], "#c8402f", 0.08)


_GOODS = ((0.26, 0.08, "#e0a24c"), (0.7, 0.02, "#5f9a50"), (0.46, 0.0, "#d9574a"), (0.58, -0.06, "#f1e6c8"),
          (0.3, -0.04, "#6f9fd0"), (0.84, 0.06, "#e8c547"))  # fmt: skip


def wheelchair(b: Brush) -> None:
    """From the side: one large wheel, one small."""
    frame = shade(STEEL, 0.7)
    b.limb([(0.02, 0.06), (0.16, 0.06), (0.22, 0.56), (0.74, 0.56), (0.84, 0.9), (1.0, 0.9)], frame, 0.05)
    b.poly([(0.12, 0.08), (0.24, 0.08), (0.3, 0.54), (0.19, 0.54)], b.colour)
    b.rect(0.22, 0.45, 0.78, 0.57, b.colour, radius=0.05)
    b.limb([(0.24, 0.3), (0.62, 0.3), (0.62, 0.46)], frame, 0.05)
    b.ring(0.36, 0.68, 0.33, INK, 0.06)
    b.ring(0.36, 0.68, 0.25, STEEL, 0.025)
    for dx, dy in ((0.29, 0.0), (0.0, 0.26), (0.2, 0.19), (-0.2, 0.19)):
        b.line([(0.36 - dx, 0.68 - dy), (0.36 + dx, 0.68 + dy)], STEEL, 0.015)
    b.disc(0.36, 0.68, 0.05, frame)
    b.disc(0.8, 0.91, 0.1, INK)
    b.disc(0.8, 0.91, 0.04, STEEL, edge=False)


def parasol(b: Brush) -> None:
    """A striped beach umbrella, open or furled."""
    b.line([(0.5, 0.05), (0.5, 1.0)], shade(WOOD, 1.1), 0.045)
    if b.state == "open":
        b.pie(-0.02, 0.02, 1.02, 0.78, 180, 360, b.colour)
        b.pie(0.17, 0.02, 0.83, 0.78, 180, 360, WHITE)
        b.pie(0.34, 0.02, 0.66, 0.78, 180, 360, b.colour)
        b.arc(-0.02, 0.02, 1.02, 0.78, 180, 360, b.dark, 0.015)
        b.line([(-0.02, 0.4), (1.02, 0.4)], b.dark, 0.015)
    else:
        b.poly([(0.5, 0.03), (0.66, 0.5), (0.6, 0.56), (0.4, 0.56), (0.34, 0.5)], b.colour)
        b.poly([(0.5, 0.03), (0.55, 0.56), (0.45, 0.56)], WHITE, edge=False)
        b.line([(0.37, 0.42), (0.63, 0.42)], b.dark, 0.035)
    b.disc(0.5, 0.03, 0.02, GOLD)


def stage_light(b: Brush) -> None:
    """A spotlight that looks at us from between four flaps; it shines and throws light down when lit."""
    lit = b.state == "lit"
    if lit:
        b.poly([(0.16, 0.6), (0.84, 0.6), (1.12, 1.12), (-0.12, 1.12)], tint(b.colour, GLOW, 0.55),
            edge=False)  # fmt: skip
    b.rect(0.4, -0.02, 0.6, 0.14, INK)
    b.line([(0.06, 0.56), (0.06, 0.12), (0.94, 0.12), (0.94, 0.56)], "#5d5856", 0.08)
    for flap in (
        [(0.22, 0.16), (0.78, 0.16), (0.68, 0.34), (0.32, 0.34)],
        [(0.22, 0.98), (0.78, 0.98), (0.68, 0.8), (0.32, 0.8)],
        [(0.02, 0.34), (0.02, 0.8), (0.2, 0.7), (0.2, 0.44)],
        [(0.98, 0.34), (0.98, 0.8), (0.8, 0.7), (0.8, 0.44)],
    ):
        b.poly(flap, "#55504e")
    b.disc(0.5, 0.57, 0.3, DARK)
    b.disc(0.5, 0.57, 0.23, tint(b.colour, GLOW, 0.6) if lit else b.colour)
    if lit:
        b.disc(0.5, 0.57, 0.14, WHITE, edge=False)
    else:
        b.disc(0.5, 0.57, 0.12, b.dark, edge=False)
        b.disc(0.42, 0.48, 0.05, b.light, edge=False)


def bucket(b: Brush) -> None:
    """Water to the brim when full, a dark hole when empty."""
    b.arc(0.08, -0.06, 0.92, 0.62, 180, 360, shade(STEEL, 0.7), 0.05)
    b.poly([(0.04, 0.26), (0.96, 0.26), (0.8, 0.98), (0.2, 0.98)], b.colour)
    b.oval(0.02, 0.14, 0.98, 0.38, b.light)
    if b.state == "full":
        b.oval(0.08, 0.17, 0.92, 0.36, WATER)
        b.oval(0.2, 0.21, 0.5, 0.27, WHITE, edge=False)
        b.disc(0.14, 0.5, 0.06, WATER)
    elif b.state == "empty":
        b.oval(0.08, 0.17, 0.92, 0.36, shade(b.colour, 0.45), edge=False)
    else:
        b.oval(0.08, 0.17, 0.92, 0.36, b.dark, edge=False)
        b.oval(0.2, 0.27, 0.8, 0.36, tint(WATER, b.dark, 0.3), edge=False)
    b.line([(0.12, 0.6), (0.88, 0.6)], b.dark, 0.03)
    b.finish(0.14, 0.4, 0.7, 0.9)


def puddle(b: Brush) -> None:
    """Water on the ground, with a gleam."""
    b.oval(0.0, 0.1, 0.78, 1.0, tint(b.colour, SKY, 0.4))
    b.oval(0.4, 0.0, 1.0, 0.8, tint(b.colour, SKY, 0.4))
    b.oval(0.06, 0.14, 0.9, 0.86, tint(b.colour, SKY, 0.6), edge=False)
    b.line([(0.2, 0.45), (0.45, 0.4)], WHITE, 0.12)
    b.line([(0.55, 0.6), (0.7, 0.57)], WHITE, 0.12)


def easel(b: Brush) -> None:
    """Three legs and a canvas with a beginning on it."""
    for points in ([(0.5, 0.0), (0.06, 1.0)], [(0.5, 0.0), (0.94, 1.0)], [(0.5, 0.1), (0.5, 0.92)]):
        b.line(points, b.dark, 0.07)
    b.rect(0.08, 0.14, 0.92, 0.62, PAPER)
    b.rect(0.06, 0.62, 0.94, 0.68, b.colour)
    b.disc(0.32, 0.3, 0.06, "#e8b94d", edge=False)
    b.poly([(0.14, 0.56), (0.4, 0.38), (0.62, 0.56)], LEAF, edge=False)
    b.poly([(0.5, 0.56), (0.68, 0.42), (0.86, 0.56)], "#6f9fd0", edge=False)
    b.rect(0.44, 0.06, 0.56, 0.15, b.colour)


def broom(b: Brush) -> None:
    """A stick with bristles."""
    b.limb([(0.5, 0.02), (0.5, 0.72)], b.colour, 0.2)
    b.line([(0.46, 0.06), (0.46, 0.5)], b.light, 0.06)
    b.poly([(0.3, 0.72), (0.7, 0.72), (1.0, 1.0), (0.0, 1.0)], "#dcb65c")
    b.rect(0.28, 0.7, 0.72, 0.77, "#b4473a")
    for top, bottom in ((0.42, 0.27), (0.5, 0.5), (0.58, 0.73)):
        b.line([(top, 0.8), (bottom, 0.99)], "#a8823a", 0.06)


def ladder(b: Brush) -> None:
    """Two rails and eight rungs."""
    for i in range(8):
        y = 0.07 + i * 0.12
        b.rect(0.14, y, 0.86, y + 0.03, b.light)
    b.poly([(0.12, 0.0), (0.24, 0.0), (0.14, 1.0), (0.0, 1.0)], b.colour)
    b.poly([(0.76, 0.0), (0.88, 0.0), (1.0, 1.0), (0.86, 1.0)], b.colour)
