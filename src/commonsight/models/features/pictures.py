"""Pictures become features: each is read once, its objects are cut out, and a frozen network looks at them.

Pixels are taken as the file has them: a camera's note on how to turn them (EXIF) is not followed, for the
dataset's sizes and boxes are measured without it, and pictures are shown to models without it too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from commonsight.build.imaging.sets.encoders import Encoder
from commonsight.core.scene import Scene
from commonsight.errors import InputError
from commonsight.models.features.files import Rows, check_name
from commonsight.models.features.index import index_arrays
from commonsight.models.features.objects import (
    EVERYTHING,
    OBJECTS,
    ObjectFeatures,
    Pictured,
    Shares,
    picture_digest,
    shares,
)
from commonsight.models.features.writing import row_writer
from commonsight.models.progress import Progress, silent
from commonsight.store.paths import below
from commonsight.store.pictures import open_picture

Pixels = NDArray[np.uint8]
T = TypeVar("T")

_GAP = 2.0
"""Large boxes are first made smaller by averaging, to no less than so many times the size wanted: it is
several times as fast, and hardly to be told from the slow way."""
PICTURES_AT_ONCE = 8
CROPS_AT_ONCE = 64


class PictureEncoder(Protocol):
    """The frozen part of a network that looks at whole pictures."""

    @property
    def name(self) -> str:
        """For provenance."""
        ...

    @property
    def canvas(self) -> tuple[int, int]:
        """Width and height that pictures are made to have."""
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what it makes of a picture: channels, height, width."""
        ...

    def encode(self, pictures: Pixels) -> NDArray[Any]:
        """(picture, 3, height, width), 0 to 255 -> (picture, *shape)."""
        ...


class Crops(NamedTuple):
    """Objects as they are seen: cut out by their boxes, stretched to squares."""

    size: int = 32

    @property
    def name(self) -> str:
        """For provenance."""
        return f"crops-1-{self.size}"

    def cut(self, image: Image.Image, boxes: Sequence[Shares]) -> Pixels:
        """(box, 3, size, size)"""
        return np.stack([resized(image, box, (self.size, self.size)) for box in boxes])


def resized(image: Image.Image, box: Shares, size: tuple[int, int]) -> Pixels:
    """A part of a picture at another size, width and height: (3, height, width)."""
    part = image.resize(size, Image.Resampling.BILINEAR, corners(box, image.size), _GAP)
    return np.ascontiguousarray(np.asarray(part, np.uint8).transpose(2, 0, 1))


def corners(box: Shares, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """A box in pixels, within the picture. What is thinner than a pixel becomes the pixel that it is in."""
    left, right = _side(box[0], box[2], size[0])
    top, bottom = _side(box[1], box[3], size[1])
    return left, top, right, bottom


def _side(one: float, other: float, length: int) -> tuple[float, float]:
    low, high = sorted(min(max(share, 0.0), 1.0) * length for share in (one, other))
    if high - low >= 1.0:
        return low, high
    start = min(max((low + high) / 2 - 0.5, 0.0), length - 1.0)
    return start, start + 1.0


def pictures_of(scenes: Iterable[Scene]) -> list[Pictured]:
    """The pictures of these scenes, each once, with the boxes of all objects that any scene tells of."""
    found: dict[str, dict[Shares, None]] = {}
    for scene in scenes:
        if scene.stored is None:
            continue
        if not scene.width or not scene.height:
            raise InputError(
                f"{scene.image}: the picture's size is not known, so boxes cannot be cut out. "
                "Make the dataset anew, with its pictures (--images)."
            )
        boxes = found.setdefault(scene.stored, {EVERYTHING: None})
        for region in scene.regions:
            if region.box is not None:
                own = shares(region.box, (scene.width, scene.height))
                if all(np.isfinite(own)):
                    boxes[own] = None
    return [Pictured(stored, tuple(boxes)) for stored, boxes in found.items()]


def opened(folder: Path, stored: str) -> Image.Image:
    """A picture of a dataset, in colours."""
    path = below(folder, stored)
    if not path.is_file():
        raise InputError(
            f"{path}: the picture is missing. Restore it, or make the dataset anew with its pictures "
            "(--images)."
        )
    return open_picture(path, turned=False)


def kept_objects(
    path: Path,
    folder: Path,
    pictures: Sequence[Pictured],
    encoder: Encoder | Crops,
    *,
    dtype: str = "float16",
    threads: int = 1,
    progress: Progress = silent,
) -> ObjectFeatures:
    """What an encoder makes of every object, or its pixels: found there, or else made and kept there."""
    if not path.is_file():
        plain = isinstance(encoder, Crops)
        cut = Crops(encoder.size)
        row = (3, cut.size, cut.size) if isinstance(encoder, Crops) else (encoder.dim,)
        boxes = [box for picture in pictures for box in picture.boxes]
        small = _index(pictures, [len(picture.boxes) for picture in pictures])
        small["boxes"] = np.asarray(boxes, np.float32).reshape(-1, 4)
        keep_rows(
            path,
            pictures,
            small,
            Rows(len(boxes), row, "uint8" if plain else dtype),
            {"kind": OBJECTS, "name": encoder.name},
            lambda picture: cut.cut(opened(folder, picture.stored), picture.boxes),
            (lambda crops: crops) if isinstance(encoder, Crops) else encoder.encode,
            threads,
            progress,
        )
    kept = ObjectFeatures.open(path)
    check_name(path, kept.name, encoder.name)
    return kept


def _index(pictures: Sequence[Pictured], counts: Sequence[int]) -> dict[str, NDArray[Any]]:
    return index_arrays([picture_digest(picture.stored) for picture in pictures], counts)


def keep_rows(
    path: Path,
    pictures: Sequence[T],
    small: dict[str, NDArray[Any]],
    rows: Rows,
    told: dict[str, str],
    cut: Callable[[T], Pixels],
    encode: Callable[[Pixels], NDArray[Any]],
    threads: int,
    progress: Progress,
) -> None:
    """Pictures are cut in other threads, some ahead, and encoded here, some at once."""
    with row_writer(path, small, rows, told) as writer:
        ready = writer.go_on(small["starts"], PICTURES_AT_ONCE)
        blocks = _ahead(cut, pictures[ready:], threads)
        while group := list(islice(blocks, PICTURES_AT_ONCE)):
            pixels = np.concatenate(group)
            for start in range(0, len(pixels), CROPS_AT_ONCE):
                writer.append(encode(pixels[start : start + CROPS_AT_ONCE]))
            ready += len(group)
            progress(ready, len(pictures))


def _ahead(cut: Callable[[T], Pixels], pictures: Sequence[T], threads: int) -> Iterator[Pixels]:
    """Each picture's pixels in order; others are read meanwhile, but not many."""
    with ThreadPoolExecutor(max(1, threads), "pictures") as pool:
        waiting: deque[Future[Pixels]] = deque()
        try:
            for picture in pictures:
                waiting.append(pool.submit(cut, picture))
                if len(waiting) > PICTURES_AT_ONCE + max(1, threads):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
