"""Small copies of pictures and hashes of what they show, under the names of their content.

    256/ab/abcd….webp   a picture, at most 256 pixels each way, under the SHA-256 of its file
    thumbnails.jsonl    a picture a line: its name, its file's hash, its size, and its perceptual hashes

Datasets store pictures under the same hash, so that whoever has a dataset's picture has its thumbnail. A file
that is there twice is made small once.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from commonsight.build.imaging.hashes import dhash, is_plain, phash, shades
from commonsight.errors import InvalidRecords
from commonsight.store.atomic import new_file
from commonsight.store.jsonfiles import unreadable_problem
from commonsight.store.pictures import MOST_PIXELS, read_picture
from commonsight.store.walk import Found

if TYPE_CHECKING:
    from PIL.Image import Image

LOG = "thumbnails.jsonl"
SIZES = (256,)
QUALITY = 80
ENDINGS = {"webp": "webp", "jpeg": "jpg"}
GAP = 2
"""A JPEG is decoded at no less than so many times the size wanted: less would show."""
_QUICK = 2
"""WebP's effort, of 6: beyond it, time doubles for a few bytes in a hundred."""


class Thumbnail(Struct, frozen=True):
    """One line of `thumbnails.jsonl`."""

    name: str
    digest: str
    """SHA-256 of the file."""
    kind: str
    width: int
    height: int
    """Of the whole picture, upright."""
    phash: str
    """By its frequencies, 16 hexadecimal digits."""
    dhash: str
    """By its gradients."""
    plain: bool = False
    """All of one shade, so that the hashes say nothing."""


class Thumbnails(NamedTuple):
    """How pictures are made small."""

    out: Path
    sizes: tuple[int, ...] = SIZES
    kind: str = "webp"
    quality: int = QUALITY
    most_pixels: int = MOST_PIXELS

    def __call__(self, found: Found) -> Thumbnail:
        """Make a picture small in every size, unless that is there, and tell what it shows."""
        try:
            content = found.path.read_bytes()
        except OSError as error:
            raise InvalidRecords([unreadable_problem(found.path, error)]) from error
        digest = hashlib.sha256(content).hexdigest()
        near = GAP * max(self.sizes)
        opened = read_picture(content, near=(near, near), most_pixels=self.most_pixels, name=str(found.path))
        image = opened.image
        for size in sorted(self.sizes, reverse=True):  # each from the one before
            image = _within(image, size)
            target = self.path(digest, size)
            if not target.is_file():
                self._write(image, target)
        grey = shades(content, self.most_pixels)
        wide, tall = opened.size if opened.turn < _ON_ITS_SIDE else opened.size[::-1]
        hashes = (f"{number:016x}" for number in (phash(grey), dhash(grey)))
        return Thumbnail(found.name, digest, opened.kind, wide, tall, *hashes, is_plain(grey))

    def path(self, digest: str, size: int) -> Path:
        """Where the small copy of a file with this hash is."""
        return self.out / str(size) / digest[:2] / f"{digest}.{ENDINGS[self.kind]}"

    def _write(self, image: Image, target: Path) -> None:
        with new_file(target) as beside, beside.open("wb") as stream:
            if self.kind == "webp":
                image.save(stream, "WEBP", quality=self.quality, method=_QUICK)
            else:
                image.save(stream, "JPEG", quality=self.quality)


_ON_ITS_SIDE = 5
"""From here on EXIF's notes turn a picture by a quarter."""


def _within(image: Image, size: int) -> Image:
    """The picture, made smaller if it is larger than this; never larger."""
    from PIL.Image import Resampling

    share = min(1.0, size / max(image.size))
    if share == 1.0:
        return image
    wide, tall = (max(1, round(side * share)) for side in image.size)
    return image.resize((wide, tall), Resampling.LANCZOS, reducing_gap=2.0)
