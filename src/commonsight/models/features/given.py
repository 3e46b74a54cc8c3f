"""Features of regions that were made elsewhere, such as a Faster R-CNN's: one safetensors file, or several in
a folder, with two tensors for each picture.

    <picture>/features   (region, dim): 16, 32 or 64 bits; the same dim everywhere
    <picture>/boxes      (region, 4): left, top, right, bottom, in pixels of the picture as it is kept

`<picture>` is what the dataset calls the picture (`images/<hash>.jpg`), or that hash alone: the SHA-256 of
the picture's file. Headers are read at first, of what is in them one picture at a time: files may be far
larger than memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from commonsight.errors import InputError, InvalidRecords, Problem

PARTS = ("features", "boxes")
REMEDY = "Write `<picture>/features` (n, dim) and `<picture>/boxes` (n, 4), as docs/train.md has it."
_NUMBERS = {"features": ("F16", "F32", "F64"), "boxes": ("F32", "F64", "I16", "I32", "I64")}


class GivenRegions(NamedTuple):
    """What somebody found in a picture."""

    features: NDArray[Any]
    """(region, dim)"""
    boxes: NDArray[np.float64]
    """(region, 4), in pixels"""


class _Picture(NamedTuple):
    file: Path
    name: str
    """As the file has it."""


class GivenFeatures:
    """Files of features, of which only the headers have been read."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._pictures: dict[str, _Picture] = {}
        self._open: tuple[Path, Any] | None = None
        self.dim, self.dtype = 0, "float16"
        files = files_of(place)
        for path in files:
            self._look(path)
        if not self._pictures:
            raise wrong(place, "there are no features of any picture in it")
        self.name = f"features-1@{_digest(files)}"  # by their content: files may move

    def file_of(self, stored: str) -> Path | None:
        """Where a picture's features are; None where there are none."""
        found = self._pictures.get(picture_key(stored))
        return None if found is None else found.file

    def of(self, stored: str) -> GivenRegions:
        """Of one picture, read from its file now."""
        path, name = self._pictures[picture_key(stored)]
        if self._open is None or self._open[0] != path:  # a header may be long: it is read once for many
            self._open = path, _opened(path)
        features, boxes = (self._open[1].get_tensor(f"{name}/{part}") for part in PARTS)
        boxes = boxes.astype(np.float64)
        for part, found in zip(PARTS, (features, boxes), strict=True):
            if not np.isfinite(found).all():
                raise wrong(path, f"{name}/{part} has numbers that are not finite", "Make them anew.")
        _check_corners(path, f"{name}/boxes", boxes)
        return GivenRegions(features, boxes)

    def _look(self, path: Path) -> None:
        content = _opened(path)
        names = set(content.keys())
        for name in sorted(names):
            picture, _, part = name.rpartition("/")
            if not picture or part not in PARTS:
                raise wrong(path, f"{name} is neither features nor boxes of a picture")
            both = [f"{picture}/{each}" for each in PARTS]
            lost = [each for each in both if each not in names]
            if lost:
                raise wrong(path, f"there is {name}, and no {lost[0]}")
            if part == PARTS[0]:
                self._add(path, picture, *(content.get_slice(each) for each in both))

    def _add(self, path: Path, picture: str, features: Any, boxes: Any) -> None:
        shape, corners = tuple(features.get_shape()), tuple(boxes.get_shape())
        if len(shape) != 2 or not all(shape) or corners != (shape[0], 4):
            message = f"{picture} has features {list(shape)} and boxes {list(corners)}"
            raise wrong(path, f"{message}; they should be (n, dim) and (n, 4), n at least 1")
        for part, found in zip(PARTS, (features, boxes), strict=True):
            if found.get_dtype() not in _NUMBERS[part]:
                raise wrong(
                    path,
                    f"{picture}/{part} is {found.get_dtype()}",
                    f"Write it as one of {', '.join(_NUMBERS[part])}.",
                )
        if self._pictures and shape[1] != self.dim:
            raise wrong(path, f"{picture} has {shape[1]} numbers for each region, others have {self.dim}")
        key, self.dim = picture_key(picture), shape[1]
        if key in self._pictures:
            other = self._pictures[key].file
            raise wrong(path, f"{picture} is there twice, here and in {other}", "Leave one of them out.")
        if features.get_dtype() != "F16":
            self.dtype = "float32"
        self._pictures[key] = _Picture(path, picture)


def picture_key(name: str) -> str:
    """What stands for a picture: its content's hash, which is what the dataset calls its file."""
    return PurePosixPath(name).name.partition(".")[0]


def files_of(place: Path) -> list[Path]:
    """The file, or those of the folder and of folders in it."""
    if place.is_dir():
        found = sorted(place.rglob("*.safetensors"))
        if not found:
            raise InputError(f"{place}: there is no .safetensors file in this folder. {REMEDY}")
        return found
    if not place.is_file():
        raise InputError(f"{place}: there is no such file or folder. Say where the features are.")
    return [place]


def _check_corners(path: Path, name: str, boxes: NDArray[np.float64]) -> None:
    turned = np.flatnonzero((boxes[:, 2:] < boxes[:, :2]).any(axis=1))
    if len(turned):
        row = int(turned[0])
        message = f"{name}: row {row} is {boxes[row].tolist()}, whose right or bottom comes first"
        raise wrong(path, message, "Write left, top, right, bottom, and not a corner with width and height.")


def _opened(path: Path) -> Any:
    """The file, mapped; whatever it is instead is told."""
    try:
        return safe_open(path, framework="numpy")
    except (SafetensorError, OSError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise wrong(path, f"this cannot be read as safetensors ({reason})") from error


def _digest(files: Iterable[Path]) -> str:
    """Of the content of all, however they are called."""
    states = [(path, path.stat()) for path in files]
    each = sorted(_hash(path, state.st_size, state.st_mtime_ns) for path, state in states)
    return each[0][:12] if len(each) == 1 else hashlib.sha256("".join(each).encode()).hexdigest()[:12]


@lru_cache(maxsize=4096)
def _hash(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - what changed is another file
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def wrong(path: Path, message: str, remedy: str = REMEDY) -> InvalidRecords:
    """A file that is not what it should be."""
    return InvalidRecords([Problem(path, message, remedy)])
