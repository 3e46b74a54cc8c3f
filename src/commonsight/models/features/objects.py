"""What is kept of a dataset's pictures: of each object, or of each picture as a whole.

Objects are known by their picture and their box, not by their position in a scene: two questions may tell of
different objects in one picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from commonsight.core.scene import Box
from commonsight.errors import InputError
from commonsight.models.features.batch import Seen
from commonsight.models.features.examples import Example
from commonsight.models.features.files import REMEDY, Opened, array, broken, open_file, rows
from commonsight.models.features.index import Block, Index, digest_of, digest_of_all

OBJECTS = "object features"
MAPS = "picture maps"

Shares = tuple[float, float, float, float]
"""A box: left, top, right and bottom as shares of the picture's width and height."""
EVERYTHING: Shares = (0.0, 0.0, 1.0, 1.0)
NOWHERE = Box(math.nan, math.nan, math.nan, math.nan)


class Pictured(NamedTuple):
    """A picture, and the boxes of which something is kept, the whole picture first."""

    stored: str
    boxes: tuple[Shares, ...]


def shares(box: Box, size: tuple[int, int]) -> Shares:
    """A box as shares of the picture, as precise as they are kept."""
    wide, tall = size
    exact = (box.left / wide, box.top / tall, box.right / wide, box.bottom / tall)
    return tuple(np.asarray(exact, np.float32).tolist())


class ObjectFeatures:
    """Something of each object, in a file: its pixels, or a backbone's vector."""

    def __init__(self, opened: Opened) -> None:
        self._path = opened.path
        self._rows = rows(opened)  # (object of all pictures, ...)
        self._boxes = array(opened, "boxes", np.float32, 2)  # (object of all pictures, 4)
        if self._boxes.shape != (len(self._rows), 4):
            raise broken(opened.path, f"{len(self._rows)} objects have boxes {list(self._boxes.shape)}")
        self._index = Index(opened, len(self._rows))
        self.shape: tuple[int, ...] = self._rows.shape[1:]
        self.dtype = self._rows.dtype
        self.name = opened.told.get("name", "unknown")

    @classmethod
    def open(cls, path: Path) -> ObjectFeatures:
        """The features that a file holds."""
        return cls(open_file(path, OBJECTS))

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return ObjectFeatures.open, (self._path,)

    def __len__(self) -> int:
        """How many pictures there are."""
        return len(self._index)

    def of(self, example: Example) -> NDArray[Any]:
        """Of each object, the whole picture first: (object, *shape). Zeros where there is no box."""
        block = _block(self._index, self._path, example)
        own = _own_boxes(example)  # (object, 4)
        asked = np.flatnonzero(np.isfinite(own).all(axis=1))
        same = (self._boxes[block.start : block.stop] == own[asked, None]).all(axis=2)  # (asked, known box)
        if not same.any(axis=1).all():
            raise self._unknown(example, int(asked[same.any(axis=1).argmin()]))
        found = np.zeros((len(own), *self.shape), self.dtype)
        found[asked] = self._rows[block.start + same.argmax(axis=1)]
        return found

    def _unknown(self, example: Example, place: int) -> InputError:
        return InputError(
            f"{self._path}: there is nothing of object {place} ({example.objects[place].label}) of item "
            f"{example.item}, {example.picture}. It was made from other boxes. {REMEDY}"
        )


def _own_boxes(example: Example) -> NDArray[np.float32]:
    """(object, 4): what is nowhere, or nowhere in particular, is not a number. The whole picture is all of
    it, whatever its corners are said to be."""
    boxes = [NOWHERE if seen.box is None else seen.box for seen in example.objects]
    corners = np.array([(box.left, box.top, box.right, box.bottom) for box in boxes], np.float64)
    own = (corners / (example.size * 2)).astype(np.float32)
    if example.objects[0].box is not None:
        own[0] = EVERYTHING
    return own


class PictureMaps:
    """What a backbone's frozen part made of each picture, in a file."""

    def __init__(self, opened: Opened) -> None:
        self._path = opened.path
        self._rows = rows(opened)  # (picture, channel, height, width)
        self._index = Index(opened, len(self._rows))
        if len(self._index) != len(self._rows):
            raise broken(opened.path, f"{len(self._rows)} maps are of {len(self._index)} pictures")
        self.shape: tuple[int, ...] = self._rows.shape[1:]
        self.dtype = self._rows.dtype
        self.name = opened.told.get("name", "unknown")

    @classmethod
    def open(cls, path: Path) -> PictureMaps:
        """The maps that a file holds."""
        return cls(open_file(path, MAPS))

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return PictureMaps.open, (self._path,)

    def __len__(self) -> int:
        """How many pictures there are."""
        return len(self._index)

    def of(self, example: Example) -> NDArray[Any]:
        """Of the example's picture: (*shape)."""
        found: NDArray[Any] = self._rows[self.number(example)]
        return found

    def number(self, example: Example) -> int:
        """Which row is the example's picture's, or its pictures' together: the same for all questions about
        them."""
        return _block(self._index, self._path, example, together=True).start

    def rows(self, numbers: Sequence[int]) -> NDArray[Any]:
        """Several pictures: (picture, *shape)."""
        several: NDArray[Any] = self._rows[list(numbers)]
        return several


def picture_digest(stored: str) -> bytes:
    """What stands for a picture in an index."""
    return digest_of((stored,))


def pictures_digest(pictures: Iterable[Pictured]) -> str:
    """What stands for pictures and boxes: features of others are not found in their place."""
    return digest_of_all(digest_of((one.stored, *map(str, one.boxes))) for one in pictures)


def _block(index: Index, path: Path, example: Example, *, together: bool = False) -> Block:
    if example.picture is None:
        raise InputError(
            f"Item {example.item} has no picture in the dataset. Make the dataset with its pictures "
            "(--images), or choose a network that reads texts alone."
        )
    found = index.find(digest_of((example.picture, *(example.beside if together else ()))))
    if found is None or found.start == found.stop:
        raise InputError(
            f"{path}: there is nothing of {example.picture}, the picture of item {example.item}. "
            f"It was made from other pictures. {REMEDY}"
        )
    return found


def with_objects(seen: Seen, examples: Sequence[Example], features: ObjectFeatures) -> Seen:
    """The objects in view with what was kept of each."""
    filled = np.zeros((*seen.mask.shape, *features.shape), features.dtype)
    for row, example in enumerate(examples):
        filled[row, : len(example.objects)] = features.of(example)
    return replace(seen, features=torch.from_numpy(filled))


def with_maps(seen: Seen, examples: Sequence[Example], maps: PictureMaps) -> Seen:
    """The objects in view with the maps of their pictures, each once however many questions are about it."""
    places: dict[int, int] = {}
    which = [places.setdefault(maps.number(example), len(places)) for example in examples]
    return replace(seen, maps=torch.from_numpy(maps.rows(list(places))), picture_of=torch.tensor(which))
