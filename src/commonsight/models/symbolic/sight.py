"""Flat shapes recovered from the pixels alone: which, how big, of which colour, and where.

A pixel is background, a colour, or on an edge a mixture of both; the mixture tells how much of the pixel a
shape covers. Each colour's cover is taken apart into shapes from the top row down: the highest pixel that is
not explained must be the top of some shape, of which there are nine. What does not work out is taken back, so
that shapes which touch, or stand on each other, are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from commonsight.errors import InputError
from commonsight.graph.shapes.values import (
    BACKGROUND,
    KINDS,
    PANELS,
    RGB,
    SIDE,
    SIZES,
    STEP,
    Shape,
    Tableau,
    tableau,
)
from commonsight.store.pictures import open_picture

WIDTH = STEP * (PANELS - 1) + SIDE

FINE = 16
"""Points in each direction by which it is found how much of a pixel a shape covers."""
SEEN = 0.2
"""The share of a pixel that must be covered for it to count as covered."""
SLACK = 0.35
"""How far a pixel may be from what a shape would make of it; edges are drawn in more than one way."""
MIDDLE = 0.5
ASIDE = (0, -1, 1, -2, 2, -3, 3)
"""How far beside its expected place the top of a round shape is looked for."""
TRIES = 20_000
"""Placings after which the rest of a colour is given up."""

Cover = npt.NDArray[np.float64]
"""How much of each pixel is covered, from 0 to 1: (row, column)."""


class Mould(NamedTuple):
    """What one kind of shape of one size covers, and where in it its highest covered pixel lies."""

    kind: str
    size: int
    cover: Cover  # (size, size)
    column: int


class Seen(NamedTuple):
    """What a picture shows, and how many of its pixels no shape explains."""

    shapes: Tableau
    unexplained: int


def see_file(path: Path) -> Seen:
    """The shapes of a picture on disk."""
    if not path.exists():
        raise InputError(f"{path}: there is no such picture. Restore it, or convert again.")
    picture = open_picture(path, turned=False)
    if picture.size != (WIDTH, SIDE):
        told = f"{picture.width} x {picture.height}"
        raise InputError(f"{path}: the picture is {told} pixels, not the {WIDTH} x {SIDE} of three boxes.")
    return see(np.asarray(picture))


def see(pixels: npt.NDArray[np.uint8]) -> Seen:
    """The shapes of a picture of three boxes: (row, column, channel)."""
    boxes: list[list[Shape]] = []
    unexplained = 0
    covers = covered(pixels)
    for number in range(PANELS):
        found: list[Shape] = []
        for colour, cover in covers.items():
            taken, rest = _apart(cover[:, number * STEP : number * STEP + SIDE], colour)
            found.extend(taken)
            unexplained += rest
        boxes.append(sorted(found, key=lambda shape: (shape.left, shape.top)))
    return Seen(tableau(boxes), unexplained)


def covered(pixels: npt.NDArray[np.uint8]) -> dict[str, Cover]:
    """How much of each pixel is covered by each colour; a pixel is of the colour that explains it best."""
    rows, columns = np.nonzero((pixels != BACKGROUND).any(-1))
    away = pixels[rows, columns].astype(np.float64) - BACKGROUND  # (pixel, channel)
    shares, faults = [], []
    for paint in RGB.values():
        direction = np.subtract(paint, BACKGROUND).astype(np.float64)
        share = np.clip(away @ direction / (direction @ direction), 0, 1)
        shares.append(share)
        faults.append(np.abs(away - share[:, None] * direction).sum(-1))
    best = np.argmin(np.array(faults), axis=0)  # (pixel,)
    covers = {}
    for number, colour in enumerate(RGB):
        covers[colour] = np.zeros(pixels.shape[:2])
        covers[colour][rows, columns] = np.where(best == number, shares[number], 0.0)
    return covers


def _apart(cover: Cover, colour: str) -> tuple[list[Shape], int]:
    """The shapes that make up a colour's cover; where there is no way, those that explain the most of it."""
    best: list[Shape] = []
    fewest = int((cover > SEEN).sum())
    tries = 0
    waiting: list[tuple[Cover, list[Shape]]] = [(cover, [])]
    while waiting and fewest and tries < TRIES:
        rest, taken = waiting.pop()
        tries += 1
        left = int((rest > SEEN).sum())
        if left < fewest:
            best, fewest = taken, left
        # The likeliest placing goes on top of the others, and is tried first.
        waiting.extend((after, [*taken, shape]) for shape, after in reversed(list(_placed(rest, colour))))
    return best, fewest


def _placed(rest: Cover, colour: str) -> Iterator[tuple[Shape, Cover]]:
    """Every shape that may lie at the highest pixel that is not explained, the biggest first."""
    rows, columns = np.nonzero(rest > SEEN)
    if not len(rows):
        return
    top, first = int(rows[0]), int(columns[0])
    fits = []
    for mould in moulds():
        for aside in ASIDE if mould.kind == "circle" else (0,):
            left = first - mould.column + aside
            if left < 0 or left + mould.size > SIDE or top + mould.size > SIDE:
                continue
            if rest[top + mould.size - 1, left + mould.size // 2] < MIDDLE:
                continue  # every shape covers the middle of its last row
            there = rest[top : top + mould.size, left : left + mould.size]
            fault = np.maximum(mould.cover - there, 0)
            if fault.max() <= SLACK:
                fits.append((-mould.size, float(np.abs(mould.cover - there).sum()), mould.kind, left))
    for size, _, kind, left in sorted(fits):
        yield Shape(kind, colour, -size, left, top), _without(rest, kind, -size, left, top)


def _without(rest: Cover, kind: str, size: int, left: int, top: int) -> Cover:
    mould = next(one for one in moulds() if (one.kind, one.size) == (kind, size))
    after = rest.copy()
    part = after[top : top + size, left : left + size]
    np.subtract(part, mould.cover, out=part)
    part[mould.cover > 0] = np.where(part > 1 - SLACK, part, 0)[mould.cover > 0]
    return after


@cache
def moulds() -> tuple[Mould, ...]:
    """All nine shapes."""
    found = []
    for kind, size in product(KINDS, SIZES):
        cover = _cover(kind, size)
        found.append(Mould(kind, size, cover, int(np.flatnonzero(cover[0] > SEEN)[0])))
    return tuple(found)


def _cover(kind: str, size: int) -> Cover:
    """How much of each pixel a shape covers, by many points in each."""
    points = (np.arange(size * FINE) + 0.5) / FINE
    across, down = points[None, :], points[:, None]  # (1, point), (point, 1)
    half = size / 2
    if kind == "circle":
        inside = (across - half) ** 2 + (down - half) ** 2 <= half**2
    elif kind == "triangle":
        inside = np.abs(across - half) <= down / 2
    else:
        inside = np.ones((size * FINE, size * FINE), dtype=bool)
    return np.asarray(inside.reshape(size, FINE, size, FINE).mean((1, 3)), dtype=np.float64)
