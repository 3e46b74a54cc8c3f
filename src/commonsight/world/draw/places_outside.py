"""Under the open sky, or nearly."""

from __future__ import annotations

from commonsight.world.draw.box import DARK, GLOW, INK, LEAF, STEEL, WHITE, tint
from commonsight.world.draw.geometry import HORIZON
from commonsight.world.draw.pen import shade
from commonsight.world.draw.places_scenery import Scenery

FRONTS = ("#d99a7c", "#e3c48d", "#a9bfa0", "#c7a3a8", "#9fb4c7", "#d8d0bd", "#c98a6a")


def street(s: Scenery) -> None:
    """A row of houses, a pavement with a kerb, a road."""
    s.sky(0, 0, 1, HORIZON)
    x, shift = -s.rng.uniform(0.0, 0.1), s.rng.randrange(7)
    while x < 1.0:
        wide = s.rng.uniform(0.16, 0.24)
        shift += s.rng.randrange(1, 4)
        _house(s, x, x + wide, s.rng.uniform(0.08, 0.2), tint(FRONTS[shift % 7], s.wall, 0.35))
        x += wide
    pavement = tint(s.floor, WHITE, 0.35)
    s.plain(0, HORIZON, 1, 0.62, pavement)
    for i in range(-1, 12):
        s.line([(i / 10, HORIZON), (0.5 + (i / 10 - 0.5) * 1.25, 0.61)], shade(pavement, 0.9), 0.004)
    s.plain(0, 0.61, 1, 0.635, tint(pavement, WHITE, 0.4))
    s.plain(0, 0.635, 1, 0.65, shade(pavement, 0.65))
    s.plain(0, 0.65, 1, 1, s.floor)
    start = s.rng.uniform(-0.2, 0.0)
    for i in range(6):
        left = start + i * 0.24
        s.poly([(left, 0.81), (left + 0.13, 0.81), (left + 0.12, 0.83), (left - 0.01, 0.83)], "#efe6c8",
            edge=False)  # fmt: skip


def _house(s: Scenery, left: float, right: float, top: float, front: str) -> None:
    wide = right - left
    if s.rng.random() < 0.6:
        s.poly([(left - 0.006, top), (left + wide / 2, top - 0.08), (right + 0.006, top)], s.trim)
    else:
        s.rect(left - 0.006, top - 0.025, right + 0.006, top, s.trim)
    s.rect(left, top, right, HORIZON, front)
    pane = GLOW if s.lamp_lit else "#b9dbe6"
    dim = tint(s.high, INK, 0.4) if s.lamp_lit else "#8fb9c9"
    y = top + 0.025
    while y < 0.3:
        for share in (0.14, 0.44, 0.74):
            lit = s.rng.random() < 0.6
            s.rect(left + wide * share, y, left + wide * (share + 0.16), y + 0.05, pane if lit else dim)
        y += 0.085
    if s.rng.random() < 0.45:
        s.rect(left + wide * 0.1, 0.36, right - wide * 0.1, HORIZON, dim if not s.lamp_lit else pane)
        for i in range(4):
            x = left + wide * (0.06 + i * 0.22)
            s.poly([(x, 0.335), (x + wide * 0.22, 0.335), (x + wide * 0.22, 0.37), (x, 0.37)],
                s.accent if i % 2 else WHITE)  # fmt: skip
    else:
        s.rect(left + wide * 0.42, 0.37, left + wide * 0.62, HORIZON, shade(s.accent, 0.8))


def park(s: Scenery) -> None:
    """Trees on the skyline, a lawn with flowers, a winding path, sometimes a pond."""
    s.sky(0, 0, 1, HORIZON, clouds=3)
    far = tint(s.land, s.low, 0.45)
    s.poly([(0, 0.36), (0.2, 0.31), (0.5, 0.36), (0.8, 0.3), (1, 0.35), (1, 0.48), (0, 0.48)], far,
        edge=False)  # fmt: skip
    x = -0.03
    while x < 1.05:
        size = s.rng.uniform(0.1, 0.19)
        s.crown(x, HORIZON + 0.01, size, s.leaf())
        x += size * s.rng.uniform(0.55, 1.2)
    s.plain(0, HORIZON, 1, 1, s.floor)
    s.plain(0, HORIZON, 1, 0.5, shade(s.floor, 0.9))
    start, turn = s.rng.uniform(0.35, 0.65), s.rng.uniform(0.25, 0.75)
    path = [(start - 0.02, HORIZON), (start + 0.02, HORIZON), (turn + 0.08, 0.62), (0.62, 0.8),
        (turn + 0.3, 1.0), (turn - 0.1, 1.0), (0.42, 0.8), (turn - 0.04, 0.62)]  # fmt: skip
    s.poly(path, s.accent)
    if s.rng.random() < 0.5:
        pond = 0.08 if turn > 0.5 else 0.72
        s.oval(pond, 0.53, pond + 0.22, 0.6, tint(s.high, "#6fb1d8", 0.4))
        s.line([(pond + 0.05, 0.56), (pond + 0.1, 0.56)], WHITE, 0.005)
    for _ in range(22):
        x, y = s.rng.uniform(0, 1), s.rng.uniform(0.53, 0.98)
        s.disc(x, y, 0.007, s.rng.choice((WHITE, "#f0d25a", "#e39ab0")), edge=False)
    for _ in range(14):
        x, y = s.rng.uniform(0, 1), s.rng.uniform(0.52, 0.98)
        s.line([(x - 0.008, y - 0.014), (x, y), (x + 0.008, y - 0.016)], shade(s.floor, 0.8), 0.005)


def beach(s: Scenery) -> None:
    """Sea under the sky, foam, sand with shells."""
    s.sky(0, 0, 1, 0.32, clouds=3)
    sea = tint({"day": "#4fa3c7", "dusk": "#8a7f9e", "night": "#24406b"}[s.light], s.wall, 0.25)
    s.plain(0, 0.31, 1, 0.52, sea)
    s.plain(0, 0.4, 1, 0.52, tint(sea, WHITE, 0.18))
    for _ in range(14):
        x, y = s.rng.uniform(0, 0.95), s.rng.uniform(0.33, 0.45)
        s.line([(x, y), (x + 0.03, y - 0.004), (x + 0.06, y)], tint(sea, WHITE, 0.55), 0.005)
    isle = s.rng.uniform(0.1, 0.75)
    s.poly([(isle, 0.313), (isle + 0.05, 0.28), (isle + 0.12, 0.292), (isle + 0.18, 0.313)],
        tint(s.land, s.low, 0.35))  # fmt: skip
    s.line([(isle + 0.06, 0.288), (isle + 0.075, 0.22)], tint("#6b4a34", s.land, 0.4), 0.011)
    for dx, dy in ((-0.035, 0.03), (-0.03, -0.005), (0.03, -0.005), (0.035, 0.03)):
        s.line([(isle + 0.075, 0.22), (isle + 0.075 + dx * 0.5, 0.205 + dy * 0.1),
            (isle + 0.075 + dx, 0.222 + dy)], tint(LEAF, s.land, 0.5), 0.012)  # fmt: skip
    shore = [(i / 8, 0.485 + s.rng.uniform(-0.012, 0.012)) for i in range(9)]
    s.poly([*shore, (1, 1), (0, 1)], shade(s.floor, 0.88), edge=False)
    s.line([(x, y - 0.004) for x, y in shore], WHITE, 0.016)
    s.poly([*((x, y + 0.035) for x, y in shore), (1, 1), (0, 1)], s.floor, edge=False)
    for _ in range(26):
        x, y = s.rng.uniform(0, 1), s.rng.uniform(0.56, 0.98)
        s.disc(x, y, 0.004, shade(s.floor, 0.82), edge=False)
    for _ in range(4):
        x, y = s.rng.uniform(0.03, 0.95), s.rng.uniform(0.6, 0.95)
        s.pie(x, y, x + 0.022, y + 0.03, 180, 360, s.rng.choice((s.accent, "#f3d9cf", WHITE)))


def train_station(s: Scenery) -> None:
    """An iron and glass roof on pillars, rails, a platform with a yellow line; at times a train."""
    s.plain(0, 0, 1, HORIZON, s.wall)
    s.sky(0.0, 0.1, 1.0, 0.34, clouds=2)
    _far_side(s)
    glass = tint(s.high, WHITE, 0.35 if s.light == "day" else 0.1)
    s.poly([(0, 0), (1, 0), (1, 0.15), (0.5, 0.04), (0, 0.15)], glass)
    for i in range(11):
        s.line([(i / 10, 0.0), (i / 10, 0.04 + 0.11 * abs(i / 10 - 0.5) * 2)], s.trim, 0.01)
    s.line([(0, 0.15), (0.5, 0.04), (1, 0.15)], s.trim, 0.03)
    for x in (0.1, 0.9):
        s.rect(x - 0.014, 0.1, x + 0.014, 0.54, s.trim)
        s.line([(x - 0.08, 0.14), (x, 0.22), (x + 0.08, 0.14)], s.trim, 0.016)
    x = s.rng.uniform(0.22, 0.62)
    for cord in (0.02, 0.2):
        s.line([(x + cord, 0.06), (x + cord, 0.13)], INK, 0.006)
    s.rect(x, 0.125, x + 0.22, 0.185, s.accent, radius=0.01)
    s.line([(x + 0.02, 0.15), (x + 0.14, 0.15)], WHITE, 0.014)
    s.line([(x + 0.02, 0.17), (x + s.rng.uniform(0.07, 0.12), 0.17)], WHITE, 0.008)
    s.poly([(x + 0.17, 0.14), (x + 0.205, 0.155), (x + 0.17, 0.172)], WHITE, edge=False)
    s.plain(0, 0.53, 1, 1, s.floor)
    s.plain(0, 0.53, 1, 0.55, tint(s.floor, WHITE, 0.5))
    s.plain(0, 0.565, 1, 0.583, "#e8b93a")
    for i in range(-3, 14):
        s.line([(i / 10, 0.59), (0.5 + (i / 10 - 0.5) * 1.7, 1.0)], shade(s.floor, 0.92), 0.004)
    for y in (0.68, 0.82):
        s.line([(0, y), (1, y)], shade(s.floor, 0.92), 0.004)


def _far_side(s: Scenery) -> None:
    s.plain(0, 0.31, 1, 0.42, tint(s.wall, INK, 0.15))
    for i in range(9):
        s.plain(i / 8 - 0.03, 0.33, i / 8 + 0.03, 0.4, tint(s.wall, WHITE, 0.15))
    s.plain(0, 0.42, 1, 0.53, "#6f655c")
    for i in range(21):
        s.poly([(i / 20 - 0.012, 0.44), (i / 20 + 0.006, 0.44), (i / 20 + 0.014, 0.52),
            (i / 20 - 0.01, 0.52)], "#54483f", edge=False)  # fmt: skip
    for y in (0.452, 0.505):
        s.line([(0, y), (1, y)], STEEL, 0.01)
    if s.rng.random() < 0.5:
        end = s.rng.uniform(0.35, 0.75)
        s.rect(-0.05, 0.19, end, 0.47, s.accent, radius=0.03)
        s.plain(0, 0.36, end, 0.385, WHITE)
        for i in range(6):
            left = 0.02 + i * 0.12
            if left + 0.09 < end - 0.02:
                s.rect(left, 0.23, left + 0.09, 0.33, GLOW if s.lamp_lit else "#b4dbe8", radius=0.01)
        for x in (0.1, 0.22, end - 0.16, end - 0.06):
            s.disc(x, 0.475, 0.03, DARK)
    else:
        for i in range(4):
            s.disc(0.15 + i * 0.24, 0.42, 0.03, LEAF, edge=False)
