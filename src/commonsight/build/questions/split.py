"""Which split a picture belongs to, and the number that stands for it.

Both follow from the picture's name alone (the split also from the seed): they are the same however the work
is cut, and a picture keeps its split when others are added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath

TEST = "test"
SHARES: Mapping[str, int] = {"train": 70, "val": 10, TEST: 20}
"""In per cent of the pictures (section 3)."""
LARGEST = 10**15
"""Numbers stay below it, so that they are exact wherever JSON is read as floating point."""


def split_of(image: str, seed: int) -> str:
    """The split of a picture, by a hash of its name: seven in ten train, one val, two test."""
    place = draw(f"split:{seed}:{image}") % 100
    for split, share in SHARES.items():
        if place < share:
            return split
        place -= share
    raise AssertionError("the shares are of a hundred")


def number_of(image: str) -> int:
    """The picture's number: its name where that is one (`2319840.jpg`), else a hash of the name."""
    path = PurePosixPath(image)
    plain = path.stem if path.parent == PurePosixPath() else ""
    if plain.isascii() and plain.isdigit() and plain == str(int(plain)) and int(plain) < LARGEST:
        return int(plain)
    return draw(f"image:{image}") % LARGEST


def draw(text: str) -> int:
    """A number of 64 bits that is as good as drawn by lot, and always the same for the same text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def lot(text: str) -> float:
    """A number from 0 up to 1, drawn likewise."""
    return draw(text) / 2**64
