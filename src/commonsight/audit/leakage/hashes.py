"""Perceptual hashes: pictures that look the same have nearly the same 63 bits, however large or bright.

A picture's hash is the signs of its lowest frequencies (a cosine transform), which neither size, brightness
nor contrast change much. A crop shows other frequencies, so that each picture is hashed as a whole and
through windows, as if it had been cropped there: a crop of it has nearly the hash of one of its windows.
"""

from __future__ import annotations

import hashlib
import math
import struct
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

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
DAMAGE = (SyntaxError, ValueError, EOFError, LookupError, TypeError, struct.error)
"""What Pillow's readers raise, besides OSError, on bytes that are not what they expect."""


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


def look_at(path: Path) -> Look | None:
    """A picture as it is compared; None where the file is no picture."""
    from PIL import Image as Pillow

    try:
        content = path.read_bytes()
        with Pillow.open(BytesIO(content)) as image:
            image.draft("L", (2 * SIDE, 2 * SIDE))  # a JPEG decoded at a fraction of its size is much quicker
            grey = np.asarray(_grey(image).resize((SIDE, SIDE), Pillow.Resampling.BOX), np.float32)
    except (OSError, Pillow.DecompressionBombError, *DAMAGE):
        return None
    thumb = grey.reshape(THUMB, SIDE // THUMB, THUMB, SIDE // THUMB).mean(axis=(1, 3))
    return Look(
        hashlib.blake2b(content, digest_size=16).digest(),
        hashes_of(grey),
        thumb.round().astype(np.uint8),
        bool(grey.std() < 2),
    )


def _grey(image: Image.Image) -> Image.Image:
    """Shades alone; what is transparent lies on white, as pages show it."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        from PIL import Image as Pillow

        seen = image.convert("RGBA")
        white = Pillow.new("RGBA", seen.size, "white")
        return Pillow.alpha_composite(white, seen).convert("L")
    return image if image.mode == "L" else image.convert("L")


def hashes_of(grey: Floats) -> Hashes:
    """The hashes of a picture and of its windows, (window,), from its shades, (SIDE, SIDE)."""
    down, across = _bases()
    found = np.matmul(down @ grey, across)  # (window, frequency, frequency)
    bits = found.reshape(len(found), -1) > 0
    bits[:, 0] = False  # the brightness
    packed: Hashes = np.packbits(bits, axis=1).view(np.uint64)[:, 0]
    return packed


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
