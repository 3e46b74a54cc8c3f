"""All pictures of a question as one canvas, for networks that look at places and not at objects.

Several pictures are each made to fit 530 x 416 pixels on white, as large as they were shown to those who
wrote about them, and laid side by side; the whole is then made as large as the canvas (NLVR2, appendix E). A
single picture fills the canvas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from commonsight.errors import UsageError
from commonsight.models.features.examples import Example
from commonsight.models.features.files import Rows, check_name
from commonsight.models.features.index import digest_of, digest_of_all, index_arrays
from commonsight.models.features.objects import EVERYTHING, MAPS, Pictured, PictureMaps
from commonsight.models.features.pictures import PictureEncoder, Pixels, keep_rows, opened, resized
from commonsight.models.progress import Progress, silent

SHOWN = (530, 416)
"""Width and height of each of several pictures before they are joined."""
PANELS = 2
"""Pictures of a pair."""

Together = tuple[str, ...]
"""Where the dataset keeps the pictures of one question, from left to right."""


class PlainPixels(NamedTuple):
    """A `PictureEncoder` that keeps pictures as they are: width and height."""

    canvas: tuple[int, int]

    @property
    def name(self) -> str:
        """For provenance."""
        return f"pixels-1-{self.canvas[0]}x{self.canvas[1]}"

    @property
    def shape(self) -> tuple[int, ...]:
        """Channels, height, width."""
        return (3, self.canvas[1], self.canvas[0])

    def encode(self, pictures: Pixels) -> NDArray[Any]:
        """(picture, 3, height, width) as it is."""
        return pictures


class Pooled(NamedTuple):
    """A `PictureEncoder` whose maps are averaged over all places: one vector a picture."""

    encoder: PictureEncoder

    @property
    def canvas(self) -> tuple[int, int]:
        """As the encoder's."""
        return self.encoder.canvas

    @property
    def name(self) -> str:
        """For provenance."""
        return f"pooled-1({self.encoder.name})"

    @property
    def shape(self) -> tuple[int, ...]:
        """Channels."""
        return self.encoder.shape[:1]

    def encode(self, pictures: Pixels) -> NDArray[Any]:
        """(picture, 3, height, width) -> (picture, channel)"""
        pooled: NDArray[Any] = self.encoder.encode(pictures).mean(axis=(2, 3))
        return pooled


class Apart(NamedTuple):
    """A `PictureEncoder` that looks at each of two pictures by itself: two vectors side by side.

    So IMAGE and CNN+RNN see pairs (NLVR2, appendix E.1): no picture is squeezed, and no convolution crosses
    from one into the other. A single picture is seen twice, for rows must be of one shape.
    """

    encoder: PictureEncoder
    """Of one picture to one vector."""

    @property
    def canvas(self) -> tuple[int, int]:
        """Two of the encoder's, side by side."""
        wide, tall = self.encoder.canvas
        return PANELS * wide, tall

    @property
    def name(self) -> str:
        """For provenance."""
        return f"apart-1({self.encoder.name})"

    @property
    def shape(self) -> tuple[int, ...]:
        """Channels, height, width."""
        return (*self.encoder.shape, 1, PANELS)

    def encode(self, pictures: Pixels) -> NDArray[Any]:
        """(canvas, 3, height, width) -> (canvas, channel, 1, picture)"""
        each = np.concatenate(np.split(pictures, PANELS, axis=3))  # (picture x canvas, 3, height, width)
        vectors = self.encoder.encode(each).reshape(PANELS, len(pictures), -1)
        return np.ascontiguousarray(vectors.transpose(1, 2, 0)[:, :, None])


def canvases_of(examples: Sequence[Example]) -> list[Together]:
    """The pictures of each question, every set once; questions without any are left out."""
    found = ((example.picture, *example.beside) for example in examples if example.picture is not None)
    return list(dict.fromkeys(found))


def side_by_side(pictures: Sequence[Image.Image], size: tuple[int, int]) -> Pixels:
    """(3, height, width) of one canvas."""
    if len(pictures) == 1:
        return resized(pictures[0], EVERYTHING, size)
    wide, tall = SHOWN
    joined = Image.new("RGB", (wide * len(pictures), tall), "white")
    for place, picture in enumerate(pictures):
        joined.paste(ImageOps.pad(picture, SHOWN, Image.Resampling.BILINEAR, "white"), (place * wide, 0))
    return resized(joined, EVERYTHING, size)


def apart(pictures: Sequence[Image.Image], size: tuple[int, int]) -> Pixels:
    """(3, height, width) of one canvas: each of two pictures padded and made smaller by itself, so that not
    even the pixels at the seam know of the other."""
    if len(pictures) > PANELS:
        raise UsageError(
            f"A question has {len(pictures)} pictures, and resnet-each sees {PANELS}. Choose another way to "
            "see, such as resnet-last:PLACE."
        )
    pair = pictures if len(pictures) == PANELS else [pictures[0]] * PANELS
    panel = size[0] // PANELS, size[1]
    shown = (ImageOps.pad(one, SHOWN, Image.Resampling.BILINEAR, "white") for one in pair)
    return np.concatenate([resized(one, EVERYTHING, panel) for one in shown], axis=2)


def canvases_digest(canvases: Sequence[Together]) -> str:
    """What stands for these canvases: features of others are not found in their place."""
    return digest_of_all(digest_of(together) for together in canvases)


def alone(pictures: Iterable[Pictured]) -> list[Together]:
    """Every picture as a canvas of its own."""
    return [(picture.stored,) for picture in pictures]


def kept_canvases(
    path: Path,
    folder: Path,
    canvases: Sequence[Together],
    encoder: PictureEncoder,
    *,
    threads: int = 1,
    progress: Progress = silent,
) -> PictureMaps:
    """What an encoder makes of every canvas: found there, or else made and kept there."""
    if not path.is_file():
        plain = isinstance(encoder, PlainPixels)
        laid = apart if isinstance(encoder, Apart) else side_by_side
        keep_rows(
            path,
            canvases,
            index_arrays([digest_of(together) for together in canvases], [1] * len(canvases)),
            Rows(len(canvases), encoder.shape, "uint8" if plain else "float16"),
            {"kind": MAPS, "name": encoder.name},
            lambda together: laid([opened(folder, one) for one in together], encoder.canvas)[None],
            encoder.encode,
            threads,
            progress,
        )
    kept = PictureMaps.open(path)
    check_name(path, kept.name, encoder.name)
    return kept


def rows_of(examples: Sequence[Example], canvases: PictureMaps) -> NDArray[Any]:
    """(batch, channel, height, width)"""
    return np.ascontiguousarray(canvases.rows([canvases.number(example) for example in examples]))
