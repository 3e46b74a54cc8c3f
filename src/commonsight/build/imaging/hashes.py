"""Perceptual hashes: pictures that look the same have nearly the same 63 bits, however large or bright.

A picture's hash is the signs of its lowest frequencies (a cosine transform), which neither size, brightness
nor contrast change much. A crop shows other frequencies, so that each picture is hashed as a whole and
through windows, as if it had been cropped there: a crop of it has nearly the hash of one of its windows.
"""

from __future__ import annotations

import hashlib
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InvalidRecords
from commonsight.store.pictures import MOST_PIXELS, open_picture

Floats = NDArray[np.float32]
Hashes = NDArray[np.uint64]

SIDE = 128
"""Pixels that a picture is made smaller to, each way, before its frequencies are taken."""
THUMB = 32
"""Pixels each way that are kept, to compare pictures whose hashes are near."""
SCALES = (0.95, 0.9, 0.85, 0.8, 0.75)
"""How much of each side the windows show."""
PLACES = (0.0, 0.5, 1.0)
"""Where windows lie in what is left, each way: at the start, in the middle, at the end."""
FREQUENCIES = 8
PLAIN = 2.0
"""The standard deviation of shades (0 to 255) below which a picture is of one shade."""


class Window(NamedTuple):
    """A part of a picture, in shares of its sides."""

    left: float
    top: float
    size: float


class Look(NamedTuple):
    """What is kept of a picture."""

    digest: bytes
    """Of its file: the same bytes have the same."""
    hashes: Hashes
    """Of the whole, then of each window: (window,)."""
    thumb: NDArray[np.uint8]
    """(THUMB, THUMB)"""
    plain: bool
    """Whether it is all of one shade, so that its hash says nothing."""


@cache
def windows() -> tuple[Window, ...]:
    """The whole picture first, then the windows."""
    parts = [
        Window((1 - size) * left, (1 - size) * top, size)
        for size in SCALES for top in PLACES for left in PLACES
    ]  # fmt: skip
    return (Window(0.0, 0.0, 1.0), *parts)


def shades(content: Path | bytes, most_pixels: int = MOST_PIXELS) -> Floats:
    """How bright a picture is, as hashes are made from: (SIDE, SIDE). All hashes of a picture begin here."""
    from PIL.Image import Resampling

    image = open_picture(content, grey=True, near=(2 * SIDE, 2 * SIDE), most_pixels=most_pixels)
    return np.asarray(image.resize((SIDE, SIDE), Resampling.BOX), np.float32)


def phash(grey: Floats) -> int:
    """A picture's hash by its lowest frequencies: 64 bits; the first, its brightness, is always 0."""
    down, across = _bases()
    return _number(_signs(down[:1] @ grey @ across[:1]))


def dhash(grey: Floats) -> int:
    """A picture's hash by whether it grows brighter from left to right: 64 bits, for 8 rows of 9 cells."""
    cells = cell_weights(0.0, 1.0, 8, SIDE) @ grey @ cell_weights(0.0, 1.0, 9, SIDE).T  # (row, column)
    return _number(np.packbits(cells[:, 1:] > cells[:, :-1]).view(np.uint64))


def is_plain(grey: Floats) -> bool:
    """Whether a picture is all of one shade, so that its hash says nothing."""
    return bool(grey.std() < PLAIN)


def look_at(path: Path) -> Look | None:
    """A picture as it is compared; None where the file is no picture."""
    try:
        content = path.read_bytes()
        grey = shades(content)
    except (OSError, InvalidRecords):
        return None
    thumb = grey.reshape(THUMB, SIDE // THUMB, THUMB, SIDE // THUMB).mean(axis=(1, 3))
    return Look(
        hashlib.blake2b(content, digest_size=16).digest(),
        hashes_of(grey),
        thumb.round().astype(np.uint8),
        is_plain(grey),
    )


def hashes_of(grey: Floats) -> Hashes:
    """The hashes of a picture and of its windows, (window,), from its shades, (SIDE, SIDE)."""
    down, across = _bases()
    return _signs(np.matmul(down @ grey, across))  # of (window, frequency, frequency)


def _signs(frequencies: Floats) -> Hashes:
    bits = frequencies.reshape(len(frequencies), -1) > 0
    bits[:, 0] = False  # the brightness
    packed: Hashes = np.packbits(bits, axis=1).view(np.uint64)[:, 0]
    return packed


def _number(hashes: Hashes) -> int:
    """The same on every machine: the first bit is the highest."""
    return int.from_bytes(hashes[0].tobytes())


@cache
def _bases() -> tuple[Floats, Floats]:
    """What a picture is multiplied by from either side: (window, frequency, SIDE) and its like, turned."""
    down = np.stack([_basis(part.top, part.size) for part in windows()])
    across = np.stack([_basis(part.left, part.size).T for part in windows()])
    return down, across


def _basis(start: float, size: float) -> Floats:
    """The lowest frequencies of what lies between `start` and `start + size`: (frequency, SIDE)."""
    cells = cell_weights(start, size, 32, SIDE)
    turns = np.arange(FREQUENCIES)[:, None] * (np.arange(32)[None, :] + 0.5) * (math.pi / 32)
    basis: Floats = (np.cos(turns) @ cells).astype(np.float32)
    return basis


def cell_weights(start: float, size: float, cells: int, side: int) -> Floats:
    """The mean of the pixels in each of so many equal cells between two places: (cell, pixel)."""
    edges = (start + size * np.arange(cells + 1) / cells) * side
    pixels = np.arange(side)
    covered = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    covered = np.maximum(covered, 0)
    weights: Floats = (covered / covered.sum(axis=1, keepdims=True)).astype(np.float32)
    return weights


_ONES = np.array([bin(number).count("1") for number in range(1 << 16)], np.uint8)


def apart(one: Hashes, other: Hashes) -> NDArray[np.uint8]:
    """In how many bits hashes differ, side by side."""
    differing = np.ascontiguousarray(one ^ other)
    words = differing.view(np.uint16).reshape(*differing.shape, 4)
    bits: NDArray[np.uint8] = _ONES[words].sum(axis=-1, dtype=np.uint8)
    return bits
