"""One look at a picture: everything that sets need of it, from opening it once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Resampling

from commonsight.build.imaging.hashes import SIDE, is_plain, phash
from commonsight.errors import InvalidRecords
from commonsight.store.jsonfiles import unreadable_problem
from commonsight.store.pictures import read_picture

_GAP = 2.0
"""A picture is first made smaller by averaging, to no less than so many times the size wanted."""


class Glimpse(NamedTuple):
    """What was seen of a picture."""

    sha256: str
    width: int
    height: int
    hash: int | None
    """Perceptual (`phash`); None of a picture of one shade, of which it says nothing."""
    pixels: NDArray[np.uint8]
    """(3, size, size), the whole picture stretched to a square."""


def glimpses(paths: Sequence[Path], size: int) -> list[Glimpse | str]:
    """What is seen of each picture, or why nothing is."""
    return [_glimpse(path, size) for path in paths]


def _glimpse(path: Path, size: int) -> Glimpse | str:
    wanted = max(size, SIDE)
    try:
        content = path.read_bytes()
        opened = read_picture(content, near=(2 * wanted, 2 * wanted), name=str(path))
    except OSError as error:
        return unreadable_problem(path, error).message
    except InvalidRecords as error:
        return error.problems[0].message
    image = opened.image
    grey = np.asarray(image.convert("L").resize((SIDE, SIDE), Resampling.BOX), np.float32)
    small = image.resize((size, size), Resampling.BILINEAR, reducing_gap=_GAP)
    pixels = np.ascontiguousarray(np.asarray(small, np.uint8).transpose(2, 0, 1))
    told = None if is_plain(grey) else phash(grey)
    return Glimpse(hashlib.sha256(content).hexdigest(), *opened.size, told, pixels)
