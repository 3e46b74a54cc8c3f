"""Images by content hash: each picture once, however many items show it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from commonsight.errors import InvalidRecords, Problem
from commonsight.store.pictures import DAMAGE

ENDINGS = {"JPEG": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "BMP": "bmp"}


class StoredImage(NamedTuple):
    """Where a picture lies in the dataset, and its size in pixels."""

    stored: str
    width: int
    height: int


class ImageStore:
    """The `images/` folder of a dataset that is being written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Path, StoredImage] = {}
        self._names: set[str] = set()

    def __len__(self) -> int:
        """How many different pictures there are."""
        return len(self._names)

    def add(self, path: Path) -> StoredImage:
        """Copy a picture in, unless it is there already."""
        if path not in self._known:
            self._known[path] = self._copy(path)
        return self._known[path]

    def _copy(self, path: Path) -> StoredImage:
        try:
            content = path.read_bytes()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise _unusable(path, f"the image cannot be read ({reason})", "Check --images.") from error
        kind, width, height = _inspect(path, content)
        digest = hashlib.sha256(content).hexdigest()
        stored = f"images/{digest[:2]}/{digest}.{ENDINGS[kind]}"
        if stored not in self._names:
            target = self._folder / stored
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            self._names.add(stored)
        return StoredImage(stored, width, height)


def _inspect(path: Path, content: bytes) -> tuple[str, int, int]:
    import io

    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(content)) as image:
            if image.format not in ENDINGS:
                message = f"{image.format} images are not supported"
                raise _unusable(path, message, f"Use one of: {', '.join(ENDINGS)}.")
            kind, width, height = image.format, image.width, image.height
            image.verify()
        if kind == "JPEG":  # of which `verify` would not notice that half is missing
            with Image.open(io.BytesIO(content)) as image:
                image.draft("L", (1, 1))  # at an eighth of its size: all bytes are read, few pixels made
                image.load()
        return kind, width, height
    except (UnidentifiedImageError, Image.DecompressionBombError, *DAMAGE) as error:
        raise _unusable(path, f"this is not a whole image ({error})", "Was it copied in full?") from error


def _unusable(path: Path, message: str, remedy: str) -> InvalidRecords:
    return InvalidRecords([Problem(path, message, remedy)])
