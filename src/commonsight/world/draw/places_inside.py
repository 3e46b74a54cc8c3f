"""Rooms."""

from __future__ import annotations

from commonsight.world.draw.box import DARK, FLAME, GLOW, GOLD, INK, PAPER, STEEL, WHITE, WOOD, tint
from commonsight.world.draw.geometry import HORIZON
from commonsight.world.draw.pen import shade
from commonsight.world.draw.places_scenery import Scenery

GOODS = ("#d9695a", "#e8b94d", "#6f9fd0", "#7fb069", "#b58ac0", "#f1e6c8", "#e0945a")


def kitchen(s: Scenery) -> None:
    """Tiles behind the worktop, cupboards above, a chequered floor."""
    s.room(skirting=0)
    s.checks(shade(s.floor, 0.92))
    tile = tint(s.wall, WHITE, 0.6)
    s.plain(0, 0.22, 1, HORIZON, tile)
    for y in (0.22, 0.28, 0.34, 0.4):
        s.line([(0, y), (1, y)], shade(tile, 0.88), 0.004)
    for i in range(25):
        s.line([(i / 24, 0.22), (i / 24, HORIZON)], shade(tile, 0.88), 0.004)
    for _ in range(9):
        column, row = s.rng.randrange(24), s.rng.randrange(4)
        s.plain(column / 24 + 0.004, 0.226 + row * 0.06, (column + 1) / 24 - 0.004, 0.276 + row * 0.06,
            tint(s.accent, tile, 0.35))  # fmt: skip
    s.plain(0, HORIZON - 0.012, 1, HORIZON, s.trim)
    start = s.rng.choice((0.0, 0.42))
    for i in range(3):
        left = start + 0.02 + i * 0.17
        s.rect(left, 0.0, left + 0.16, 0.18, s.accent)
        s.rect(left + 0.018, 0.0, left + 0.142, 0.155, tint(s.accent, WHITE, 0.2), radius=0.01)
        s.disc(left + (0.03 if i % 2 else 0.13), 0.13, 0.01, GOLD)
    left = 0.66 if start == 0.0 else 0.1
    s.window(left, 0.07, left + 0.24, 0.3)
    rail = left - 0.17 if start == 0.0 else left + 0.32
    s.line([(rail, 0.25), (rail + 0.13, 0.25)], shade(STEEL, 0.7), 0.01)
    for i in range(3):
        x = rail + 0.025 + i * 0.04
        s.line([(x, 0.25), (x, 0.32)], shade(STEEL, 0.6), 0.008)
        s.oval(x - 0.012, 0.31, x + 0.012, 0.36, s.rng.choice(("#8d8f94", "#b0703f", "#5d5f66")))


def restaurant(s: Scenery) -> None:
    """Wainscot, pendant lamps, a window with drapes, a long mirror."""
    s.room(skirting=0)
    s.boards()
    for i in range(26):
        s.line([(i / 25, 0.0), (i / 25, 0.28)], tint(s.wall, s.accent, 0.18), 0.006)
    s.plain(0, 0.28, 1, HORIZON, s.trim)
    s.plain(0, 0.27, 1, 0.29, tint(s.trim, WHITE, 0.3))
    for i in range(9):
        s.rect(i / 9 + 0.012, 0.31, (i + 1) / 9 - 0.012, HORIZON - 0.02, tint(s.trim, WHITE, 0.12))
    left = s.rng.choice((0.06, 0.1, 0.15))
    s.window(left, 0.06, left + 0.28, 0.23, panes=3)
    s.curtains(left, 0.06, left + 0.28, 0.23)
    _dining_sign(s, 0.82 + s.rng.uniform(-0.03, 0.05))
    for i in range(5):
        x = 0.06 + i * 0.22 + s.rng.uniform(-0.03, 0.03)
        if not left - 0.09 < x < left + 0.37:
            s.pendant(x, 0.1 + 0.03 * (i % 2), s.accent)


def _dining_sign(s: Scenery, x: float) -> None:
    y, ink = 0.19, shade(s.trim, 0.7)
    s.disc(x, y, 0.072, GOLD)
    s.disc(x, y, 0.06, PAPER)
    s.line([(x - 0.014, y - 0.035), (x - 0.014, y + 0.04)], ink, 0.012)
    for dx in (-0.022, -0.006):
        s.line([(x + dx, y - 0.04), (x + dx, y - 0.012)], ink, 0.008)
    s.line([(x - 0.022, y - 0.012), (x - 0.006, y - 0.012)], ink, 0.008)
    s.poly([(x + 0.01, y + 0.004), (x + 0.01, y - 0.042), (x + 0.021, y - 0.02), (x + 0.021, y + 0.004)],
        ink, edge=False)  # fmt: skip
    s.line([(x + 0.014, y), (x + 0.014, y + 0.04)], ink, 0.012)


def office(s: Scenery) -> None:
    """Ceiling panels, a band of windows over a skyline, blinds, a low cupboard, carpet."""
    s.room()
    for y in (0.6, 0.76, 0.94):
        s.line([(0, y), (1, y)], shade(s.floor, 0.95), 0.006)
    s.plain(0, 0, 1, 0.05, "#efeeea")
    for i in range(4):
        s.rect(0.06 + i * 0.25, 0.01, 0.2 + i * 0.25, 0.035, WHITE)
    left, right = (0.06, 0.7) if s.rng.random() < 0.5 else (0.3, 0.94)
    s.rect(left - 0.012, 0.075, right + 0.012, 0.335, s.trim)
    s.sky(left, 0.09, right, 0.32, clouds=2)
    _skyline(s, left, right, 0.32)
    for i in range(1, 4):
        x = left + (right - left) * i / 4
        s.plain(x - 0.005, 0.09, x + 0.005, 0.32, s.trim)
    for i in range(s.rng.randrange(2, 5)):
        s.line([(left, 0.095 + i * 0.012), (right, 0.095 + i * 0.012)], "#f3f1ea", 0.01)
    s.rect(left, 0.375, right, HORIZON, s.accent)
    for i in range(1, 6):
        x = left + (right - left) * i / 6
        s.line([(x, 0.38), (x, HORIZON)], shade(s.accent, 0.75), 0.005)
    board = 0.77 if left < 0.2 else 0.04
    s.rect(board, 0.11, board + 0.19, 0.3, WHITE)
    points = [(board + 0.02 + i * 0.03, 0.27 - s.rng.uniform(0.0, 0.025) - i * 0.018) for i in range(6)]
    s.line(points, "#d9695a", 0.01)
    s.line([(board + 0.02, 0.14), (board + 0.02, 0.28), (board + 0.17, 0.28)], INK, 0.006)


def _skyline(s: Scenery, left: float, right: float, bottom: float) -> None:
    x = left
    while x < right - 0.02:
        wide, high = min(s.rng.uniform(0.04, 0.09), right - x), s.rng.uniform(0.05, 0.17)
        tower = tint(s.rng.choice(("#8fa3b5", "#a5948c", "#7f93a0")), s.land,
            0.3 if s.light == "day" else 0.75)  # fmt: skip
        s.rect(x, bottom - high, x + wide, bottom, tower)
        lit = GLOW if s.lamp_lit else tint(tower, WHITE, 0.5)
        for i in range(2):
            for row in range(int(high / 0.04)):
                if s.rng.random() < 0.7:
                    px, py = x + wide * (0.25 + 0.4 * i), bottom - high + 0.015 + row * 0.04
                    s.plain(px, py, px + 0.008, py + 0.014, lit)
        x += wide


def classroom(s: Scenery) -> None:
    """A frieze of coloured cards, a pinboard with children's drawings."""
    s.room()
    s.boards()
    s.plain(0, 0.3, 1, HORIZON - 0.015, s.accent)
    s.plain(0, 0.295, 1, 0.308, s.trim)
    for i in range(14):
        left = 0.02 + i * 0.07
        s.rect(left, 0.012, left + 0.05, 0.068, GOODS[(i * 3 + s.rng.randrange(2)) % 7])
        s.line([(left + 0.015 + x * 0.02, 0.022 + y * 0.036) for x, y in LETTERS[i % len(LETTERS)]], INK,
            0.008)  # fmt: skip
    board = 0.71 + s.rng.uniform(0.0, 0.02)  # the windows are at the other side
    s.rect(board, 0.1, board + 0.25, 0.27, WOOD)
    s.plain(board + 0.012, 0.118, board + 0.238, 0.252, "#d8b787")
    for i in range(4):
        x, y = board + 0.022 + i * 0.055, 0.125 + s.rng.uniform(0.0, 0.04)
        s.rect(x, y, x + 0.043, y + 0.075, PAPER)
        s.disc(x + 0.02, y + 0.03, 0.016, s.rng.choice(GOODS), edge=False)
        s.line([(x + 0.006, y + 0.06), (x + 0.036, y + 0.06)], s.rng.choice(GOODS), 0.01)
    _cubbies(s, board + 0.02)


def _cubbies(s: Scenery, left: float) -> None:
    for i in range(4):
        x = left + i * 0.055
        s.rect(x, 0.345, x + 0.055, HORIZON, WOOD)
        s.plain(x + 0.006, 0.355, x + 0.049, HORIZON - 0.008, shade(WOOD, 0.6))
        s.rect(x + 0.01, 0.39 + s.rng.uniform(0.0, 0.02), x + 0.045, HORIZON - 0.008, s.rng.choice(GOODS))


LETTERS = (
    ((0, 1), (0.5, 0), (1, 1), (0.75, 0.6), (0.25, 0.6)),
    ((0, 1), (0, 0), (0.9, 0.2), (0, 0.45), (1, 0.75), (0, 1)),
    ((1, 0.1), (0.2, 0), (0, 0.5), (0.2, 1), (1, 0.9)),
    ((0, 0), (0.8, 0.2), (1, 0.6), (0, 1), (0, 0)),
    ((1, 0), (0, 0), (0, 0.5), (0.8, 0.5), (0, 0.5), (0, 1), (1, 1)),
    ((1, 0), (0, 0), (0, 0.5), (0.8, 0.5), (0, 0.5), (0, 1)),
    ((1, 0.1), (0.2, 0), (0, 0.5), (0.2, 1), (1, 0.9), (1, 0.5), (0.6, 0.5)),
)
"""A to G, each in one stroke."""


def hospital_room(s: Scenery) -> None:
    """Pale walls, a curtain on a rail, a panel with sockets and a heartbeat, a red cross."""
    s.room()
    s.checks(tint(s.floor, WHITE, 0.25), rows=3, columns=6)
    s.plain(0, 0.36, 1, HORIZON - 0.015, tint(s.wall, s.accent, 0.45))
    s.plain(0, 0.35, 1, 0.362, s.accent)
    drape = tint(s.accent, WHITE, 0.45)
    folds = 6
    for i in range(folds):
        left = i * 0.038
        s.poly([(left, 0.05), (left + 0.04, 0.05), (left + 0.044, 0.48), (left - 0.004, 0.48)],
            shade(drape, 1.0 if i % 2 else 0.92))  # fmt: skip
    s.line([(0.0, 0.045), (0.26 + s.rng.uniform(0.0, 0.06), 0.045)], shade(STEEL, 0.7), 0.014)
    middle = s.rng.uniform(0.37, 0.4)
    s.rect(middle - 0.04, 0.2, middle + 0.2, 0.25, tint(s.trim, WHITE, 0.4), radius=0.01)
    for i in range(3):
        s.rect(middle - 0.02 + i * 0.04, 0.213, middle + i * 0.04, 0.237, (WHITE, "#7fb069", "#d9695a")[i])
    s.rect(middle + 0.1, 0.075, middle + 0.22, 0.18, DARK, radius=0.01)
    beat = [(0.108, 0.135), (0.13, 0.135), (0.142, 0.095), (0.157, 0.165), (0.17, 0.135), (0.212, 0.135)]
    s.line([(middle + x, y) for x, y in beat], "#7be08a", 0.008)
    s.rect(middle - 0.04, 0.08, middle + 0.04, 0.165, WHITE, radius=0.01)
    s.plain(middle - 0.008, 0.09, middle + 0.008, 0.155, "#cf3f35")
    s.plain(middle - 0.026, 0.112, middle + 0.026, 0.133, "#cf3f35")


def shop(s: Scenery) -> None:
    """Shelves of goods painted on the wall, a striped awning above, a tiled floor."""
    s.room()
    s.checks(tint(s.floor, WHITE, 0.3))
    for i in range(12):
        s.poly([(i / 12, 0), ((i + 1) / 12, 0), ((i + 1) / 12, 0.06), (i / 12, 0.06)],
            s.accent if i % 2 else WHITE, edge=False)  # fmt: skip
        s.pie(i / 12, 0.035, (i + 1) / 12, 0.085, 0, 180, s.accent if i % 2 else WHITE)
    gap = s.rng.choice((0.18, 0.5, 0.74))
    for left, right in ((0.02, gap - 0.02), (gap + 0.02, 0.98)):
        s.rect(left, 0.11, right, HORIZON, s.trim)
        for row in range(3):
            top = 0.12 + row * 0.112
            s.plain(left + 0.01, top, right - 0.01, top + 0.1, shade(s.trim, 0.62))
            _goods(s, left + 0.015, right - 0.015, top + 0.1)


def _goods(s: Scenery, left: float, right: float, bottom: float) -> None:
    x = left
    while x < right - 0.03:
        wide, high, many = s.rng.uniform(0.024, 0.04), s.rng.uniform(0.045, 0.085), s.rng.randrange(2, 5)
        paint, can = s.rng.choice(GOODS), s.rng.random() < 0.4
        for _ in range(many):
            if x > right - wide:
                break
            s.rect(x, bottom - high, x + wide * 0.9, bottom, paint)
            if can:
                s.plain(x, bottom - high * 0.65, x + wide * 0.9, bottom - high * 0.35, PAPER)
            x += wide
        x += 0.012


def living_room(s: Scenery) -> None:
    """Striped wallpaper, a window with drapes, a fireplace, a rug."""
    s.room(skirting=0.025)
    s.boards()
    for i in range(14):
        s.plain(i / 14, 0, i / 14 + 0.035, HORIZON - 0.025, tint(s.wall, WHITE, 0.22))
    window = 0.55 + s.rng.uniform(0.0, 0.06)
    s.window(window, 0.09, window + 0.24, 0.3)
    s.curtains(window, 0.09, window + 0.24, 0.3)
    _fireplace(s, 0.34)
    x = 0.14 + s.rng.uniform(-0.03, 0.03)
    s.rect(x - 0.04, 0.08, x + 0.04, 0.19, GOLD)
    s.plain(x - 0.028, 0.098, x + 0.028, 0.172, tint(s.accent, WHITE, 0.5))
    s.oval(x - 0.016, 0.11, x + 0.016, 0.165, shade(s.accent, 0.7), edge=False)
    s.rug(0.5 + s.rng.uniform(-0.1, 0.1), 0.76, tint(s.accent, s.floor, 0.35), rounded=s.rng.random() < 0.6)


def _fireplace(s: Scenery, x: float) -> None:
    brick = "#b5705a"
    s.plain(x - 0.09, 0.0, x + 0.09, 0.2, tint(s.wall, WHITE, 0.35))
    s.rect(x - 0.11, 0.22, x + 0.11, HORIZON, brick)
    for row in range(5):
        y = 0.26 + row * 0.04
        s.line([(x - 0.11, y), (x + 0.11, y)], shade(brick, 0.85), 0.004)
    s.rect(x - 0.065, 0.3, x + 0.065, HORIZON, "#3b3231")
    if s.lamp_lit:
        for dx, high in ((-0.025, 0.08), (0.025, 0.07), (0.0, 0.12)):
            s.poly([(x + dx - 0.028, 0.45), (x + dx, 0.45 - high), (x + dx + 0.028, 0.45)],
                FLAME if dx else GLOW, edge=False)  # fmt: skip
    s.line([(x - 0.045, 0.45), (x + 0.045, 0.435)], "#7d5536", 0.022)
    s.rect(x - 0.13, 0.2, x + 0.13, 0.225, s.trim)


def bus(s: Scenery) -> None:
    """Inside a bus: a band for the windows, seats under it, poles and straps."""
    s.room(skirting=0)
    s.plain(0, 0, 1, 0.06, tint(s.wall, WHITE, 0.5))
    for i in range(4):
        s.rect(0.05 + i * 0.25, 0.02, 0.2 + i * 0.25, 0.035, GLOW if s.lamp_lit else WHITE)
    offset = s.rng.uniform(-0.08, 0.0)
    s.rect(-0.05, 0.095, 1.05, 0.325, tint(s.accent, DARK, 0.55), radius=0.03)
    for i in range(5):
        left = offset + 0.02 + i * 0.22
        s.rect(left, 0.345, left + 0.17, 0.52, s.accent, radius=0.04)
        s.rect(left + 0.03, 0.36, left + 0.14, 0.45, tint(s.accent, WHITE, 0.2), radius=0.02)
    s.plain(0, 0.5, 1, 0.525, shade(s.accent, 0.6))
    s.line([(0, 0.075), (1, 0.075)], "#e8b93a", 0.018)
    for i in range(7):
        x = 0.09 + i * 0.14 + s.rng.uniform(-0.015, 0.015)
        s.line([(x, 0.075), (x, 0.125)], DARK, 0.006)
        s.poly([(x, 0.12), (x + 0.018, 0.16), (x - 0.018, 0.16)], "#e9e4d8")
    for x in (0.24, 0.76):
        s.plain(x - 0.007, 0.0, x + 0.007, 0.56, "#e8b93a")
    for x in (0.2, 0.5, 0.8):
        s.line([(x, 0.525), (0.5 + (x - 0.5) * 1.6, 1.0)], shade(s.floor, 0.9), 0.008)


def stage(s: Scenery) -> None:
    """Curtains at both sides, a scalloped valance, boards, footlights and a pool of light."""
    s.room(skirting=0)
    s.boards(shade(s.floor, 0.82))
    for i in range(s.rng.randrange(14, 24)):
        s.disc(s.rng.uniform(0.2, 0.8), s.rng.uniform(0.1, 0.4), 0.004 + 0.002 * (i % 3),
            tint(s.wall, GLOW, 0.5), edge=False)  # fmt: skip
    x = s.rng.uniform(0.4, 0.6)
    s.poly([(x - 0.02, 0), (x + 0.02, 0), (x + 0.2, 0.74), (x - 0.2, 0.74)], tint(s.wall, GLOW, 0.12),
        edge=False)  # fmt: skip
    s.plain(x - 0.2, HORIZON, x + 0.2, 0.74, s.floor)
    s.oval(x - 0.26, 0.6, x + 0.26, 0.86, tint(s.floor, GLOW, 0.5), edge=False)
    deep = shade(s.accent, 0.75)
    for side in (0, 1):
        for i in range(4):
            left = i * 0.042 if side == 0 else 1 - (i + 1) * 0.042
            wide = 0.043 + 0.004 * i
            s.poly([(left, 0), (left + wide, 0), (left + wide, 0.56), (left, 0.56)],
                s.accent if i % 2 else deep, edge=False)  # fmt: skip
        s.plain(0.826 * side, 0.54, 0.174 + 0.826 * side, 0.56, GOLD)
    for i in range(6):
        s.pie(i / 6 - 0.005, -0.11, (i + 1) / 6 + 0.005, 0.13, 0, 180, s.accent)
        s.arc(i / 6 - 0.005, -0.11, (i + 1) / 6 + 0.005, 0.13, 0, 180, GOLD, 0.014)
    s.plain(0, 0.95, 1, 1, shade(s.floor, 0.55))
    for i in range(8):
        s.disc(0.08 + i * 0.12, 0.96, 0.022, GLOW)


def bedroom(s: Scenery) -> None:
    """Under the roof: sloping beams, starry wallpaper, a window with drapes, a garland of flags, a rug."""
    s.room(skirting=0.02)
    s.boards()
    for _ in range(26):
        s.disc(s.rng.uniform(0.1, 0.9), s.rng.uniform(0.05, 0.42), 0.006, tint(s.wall, s.accent, 0.45),
            edge=False)  # fmt: skip
    s.curtains(0.34, 0.1, 0.5, 0.29)  # the window itself hangs there
    slope = tint(s.trim, WHITE, 0.25)
    s.poly([(0, 0), (0.2, 0), (0, 0.3)], slope)
    s.poly([(1, 0), (0.8, 0), (1, 0.3)], slope)
    for a, b in (((0.2, 0.0), (0.0, 0.3)), ((0.8, 0.0), (1.0, 0.3))):
        s.line([a, b], shade(s.trim, 0.8), 0.03)
    left = 0.72 + s.rng.uniform(0.0, 0.02)
    s.line([(left, 0.2), (left + 0.11, 0.24), (left + 0.22, 0.2)], INK, 0.005)
    for i in range(5):
        x = left + 0.02 + i * 0.044
        y = 0.205 + 0.03 * (1 - abs(i - 2) / 2)
        s.poly([(x - 0.015, y), (x + 0.015, y), (x, y + 0.05)], GOODS[(i + s.rng.randrange(3)) % 7])
    s.rug(0.5 + s.rng.uniform(-0.15, 0.15), 0.78, tint(s.accent, WHITE, 0.25), rounded=True)
