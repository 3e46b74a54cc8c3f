"""What tells how alike pictures are: an encoder gives each a vector, and alike is what points the same way.

NLVR2 left it to a search engine's "similar images", A-OKVQA used CLIP. The default here needs no weights and
no download: `Looks` describes colours and edges by where they are. It brings together pictures that look
alike as a whole, such as one place from one side. It knows nothing of what is shown: two dogs on grass and
two cows on grass are much the same to it, a dog from the front and one from the side are not. Whoever has a
network that does know, names it instead.
"""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.sets.vectors import Floats, unit

Pixels = NDArray[np.uint8]
"""(picture, 3, size, size), red, green and blue from 0 to 255."""


class Encoder(Protocol):
    """Gives pictures vectors, whole ones or objects cut out of them. Frozen networks do."""

    @property
    def name(self) -> str:
        """For provenance."""
        ...

    @property
    def dim(self) -> int:
        """How many numbers a picture gets."""
        ...

    @property
    def size(self) -> int:
        """Pixels that a picture is brought to, each way, whatever its shape."""
        ...

    def encode(self, crops: Pixels, /) -> NDArray[Any]:
        """(picture, 3, size, size) -> (picture, dim)."""
        ...


class Looks:
    """Edges and colours over a grid, from a small picture: what a thing is made of is not known to it."""

    size = 64
    _EDGES, _DIRECTIONS = 8, 8
    _COLOURS, _TONES = 4, 27

    def __init__(self, *, edges: float = 1.0, places: float = 1.0, tones: float = 0.7) -> None:
        """How much edges, colours by place, and colours wherever they are count against one another."""
        self._weights = np.sqrt(np.array((edges, places, tones), np.float32))
        self.dim = self._EDGES**2 * self._DIRECTIONS + self._COLOURS**2 * 6 + self._TONES
        self.name = f"looks-1({edges:g}, {places:g}, {tones:g})"

    def encode(self, crops: Pixels, /) -> Floats:
        """(picture, 3, 64, 64) -> (picture, dim), each of length 1."""
        exact: Floats = np.divide(crops, 255, dtype=np.float32)
        parts = (self._edges(exact), self._places(exact), self._tones(exact))
        weighted = [unit(part) * weight for part, weight in zip(parts, self._weights, strict=True)]
        return unit(np.concatenate(weighted, axis=1))

    def _edges(self, pictures: Floats) -> Floats:
        """How strong edges of each direction are in each cell, roots taken so that a few do not drown all."""
        grey = pictures.mean(axis=1)  # (picture, height, width)
        down = np.gradient(grey, axis=1)
        across = np.gradient(grey, axis=2)
        strength = np.hypot(across, down)
        turn = np.mod(np.arctan2(down, across), np.pi) * (self._DIRECTIONS / np.pi)
        low = np.floor(turn)
        share = turn - low  # an edge between two directions counts for both
        cells = []
        for direction in range(self._DIRECTIONS):
            here = np.where(low % self._DIRECTIONS == direction, 1 - share, 0)
            here += np.where((low + 1) % self._DIRECTIONS == direction, share, 0)
            cells.append(_pooled(here * strength, self._EDGES))
        return np.sqrt(np.stack(cells, axis=-1)).reshape(len(pictures), -1)

    def _places(self, pictures: Floats) -> Floats:
        """Mean and spread of brightness and of two opponent colours in each cell, around a middling grey."""
        opponent = _opponent(pictures)
        means = np.stack([_pooled(channel, self._COLOURS) for channel in opponent], axis=-1)
        squares = np.stack([_pooled(channel**2, self._COLOURS) for channel in opponent], axis=-1)
        spread = np.sqrt(np.maximum(squares - means**2, 0))
        return np.concatenate([means, spread], axis=-1).reshape(len(pictures), -1)

    def _tones(self, pictures: Floats) -> Floats:
        """How much there is of each of 27 colours: three steps of red, green and blue."""
        step = np.minimum((pictures * 3).astype(np.int64), 2)
        tone = step[:, 0] * 9 + step[:, 1] * 3 + step[:, 2]  # (picture, height, width)
        which = tone.reshape(len(tone), -1) + self._TONES * np.arange(len(tone))[:, None]
        counts = np.bincount(which.ravel(), minlength=self._TONES * len(tone))
        return np.sqrt(counts.reshape(-1, self._TONES).astype(np.float32))


def _opponent(pictures: Floats) -> tuple[Floats, Floats, Floats]:
    red, green, blue = pictures[:, 0], pictures[:, 1], pictures[:, 2]
    half, third = np.float32(0.5), np.float32(1 / 3)
    return (red + green + blue) * third - half, red - green, (red + green) * half - blue


def _pooled(planes: NDArray[np.float32], cells: int) -> Floats:
    """The mean of each cell: (picture, height, width) -> (picture, cells, cells)."""
    n, height, width = planes.shape
    parted = planes.reshape(n, cells, height // cells, cells, width // cells)
    means: Floats = parted.mean(axis=(2, 4), dtype=np.float32)
    return means


class Scripted:
    """A fake for tests: the vector of a picture is told by its middle pixel's colour, or is its own."""

    size = 8

    def __init__(self, told: dict[tuple[int, int, int], tuple[float, ...]], dim: int = 4) -> None:
        self._told, self.dim, self.name = told, dim, "scripted"

    def encode(self, crops: Pixels, /) -> Floats:
        """What was told of a colour; of any other, numbers that are always the same for it."""
        return np.stack([self._one(picture[:, 4, 4]) for picture in crops])

    def _one(self, colour: Pixels) -> Floats:
        red, green, blue = (int(part) for part in colour)
        told = self._told.get((red, green, blue))
        if told is not None:
            return np.array(told, np.float32)
        digest = hashlib.sha256(colour.tobytes()).digest()[: self.dim]
        return np.frombuffer(digest, np.uint8).astype(np.float32) - 127
