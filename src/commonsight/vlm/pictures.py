"""Pictures as a model gets them: of bounded size, encoded once, with numbered boxes drawn on if wanted."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from commonsight.core.scene import Region, Scene
from commonsight.errors import InputError
from commonsight.store.paths import below
from commonsight.store.pictures import open_picture
from commonsight.vlm.client import Picture

LONGEST_SIDE = 1024
"""Pixels: more costs tokens and time, and most models shrink it to less."""
QUALITY = 92
KEPT = 64
"""Encoded pictures kept: questions about one picture come one after the other."""
COLOURS = (
    "#e6194b", "#3cb44b", "#4363d8", "#f58231", "#911eb4", "#008080", "#9a6324", "#800000",
    "#f032e6", "#808000", "#000075", "#46a2b4",
)  # fmt: skip
"""One for each region, all dark enough for white letters."""


class Pictures:
    """The pictures of a dataset or of a folder, encoded when they are first asked for."""

    def __init__(self, folder: Path, *, longest_side: int = LONGEST_SIDE) -> None:
        self._folder, self._longest = folder, longest_side
        self._kept = lru_cache(maxsize=KEPT)(self._encoded)

    def plain(self, scene: Scene) -> Picture:
        """The picture as it is."""
        return self._kept(self._path(scene), ())

    def boxed(self, scene: Scene, regions: Sequence[int]) -> Picture:
        """The picture with the boxes of these regions drawn on, each with its class and number."""
        marks = tuple(
            (region_name(scene.regions, place), _corners(scene, region), COLOURS[place % len(COLOURS)])
            for place in regions
            if (region := scene.regions[place]).box is not None
        )
        return self._kept(self._path(scene), marks)

    def _path(self, scene: Scene) -> Path:
        path = below(self._folder, scene.stored or scene.image)
        if not path.is_file():
            raise InputError(
                f"{path}: the picture is missing. Name the folder of the pictures with --images, "
                "or ask without them: --blind none."
            )
        return path

    def _encoded(self, path: Path, marks: tuple[Mark, ...]) -> Picture:
        image = open_picture(path, turned=False)
        image.thumbnail((self._longest, self._longest), Image.Resampling.LANCZOS)
        for name, corners, colour in marks:
            _draw(image, name, corners, colour)
        stream = io.BytesIO()
        image.save(stream, "JPEG", quality=QUALITY, subsampling=0)
        return Picture(stream.getvalue(), "image/jpeg", path.name)


Mark = tuple[str, tuple[float, float, float, float], str]
"""A name, the corners as shares of width and height, a colour."""


def region_name(regions: Sequence[Region], place: int) -> str:
    """A region's class and number, as texts refer to it: `person1`."""
    return f"{regions[place].label}{place + 1}"


def shares(scene: Scene, region: Region) -> tuple[float, float, float, float] | None:
    """The corners of a region's box as shares of the picture's width and height; None if not known."""
    if region.box is None or not scene.width or not scene.height:
        return None
    box, wide, tall = region.box, scene.width, scene.height
    return (box.left / wide, box.top / tall, box.right / wide, box.bottom / tall)


def _corners(scene: Scene, region: Region) -> tuple[float, float, float, float]:
    found = shares(scene, region)
    if found is None:
        raise InputError(
            f"{scene.image}: the picture's size is not known, so boxes cannot be drawn. "
            "Show regions by name, or make the dataset with its pictures."
        )
    return found


def _draw(image: Image.Image, name: str, corners: tuple[float, float, float, float], colour: str) -> None:
    draw = ImageDraw.Draw(image)
    width, height = image.size
    left, right = sorted((corners[0] * width, corners[2] * width))
    top, bottom = sorted((corners[1] * height, corners[3] * height))
    thick = max(2, round(max(width, height) / 300))
    draw.rectangle((left, top, right, bottom), outline=colour, width=thick)
    font = ImageFont.load_default(size=max(11, round(max(width, height) / 48)))
    x0, y0, x1, y1 = draw.textbbox((0, 0), name, font=font)
    wide, tall = x1 - x0 + 6, y1 - y0 + 4
    at_x = min(max(0.0, left), max(0.0, width - wide))
    at_y = top - tall if top >= tall else top
    draw.rectangle((at_x, at_y, at_x + wide, at_y + tall), fill=colour)
    draw.text((at_x + 3 - x0, at_y + 2 - y0), name, fill="white", font=font)
