"""Detecting in many pictures: read ahead, looked at in batches, written down one by one.

A picture's metadata file is whole before its line is in the log. So whatever kills the process, the log tells
what is done, and the same command goes on with the rest. Memory holds a few batches, however many pictures.

A detector sees pictures upright, as the camera's note says; boxes are measured in the file's own pixels
(`turning`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonsight.build.imaging.canvas import Pixels
from commonsight.build.imaging.detector import LEAST_SCORE, Detector
from commonsight.build.imaging.sightings import (
    METADATA,
    Sighting,
    counted,
    metadata_name,
    metadata_of,
    write_metadata,
)
from commonsight.build.imaging.turning import turned_back
from commonsight.errors import InvalidRecords
from commonsight.store.journal import Journal, Refused
from commonsight.store.paths import below
from commonsight.store.pictures import read_picture
from commonsight.store.walk import Found

BATCH = 8
READERS = 2
"""Threads that open pictures while the detector is busy."""
_AHEAD = 2
"""Batches that are opened beforehand."""
_LUMA = np.array((0.299, 0.587, 0.114), np.float32)
"""How bright each colour looks (ITU-R BT.601)."""
_SPARSE = 4
"""Brightness is measured on every fourth pixel, each way: the mean hardly differs."""


class Look(NamedTuple):
    """How to detect."""

    detector: Detector
    least: float = LEAST_SCORE
    batch: int = BATCH
    readers: int = READERS

    def begun(self) -> dict[str, object]:
        """What a log's lines depend on."""
        return {"detector": self.detector.name, "least": self.least}


class _Read(NamedTuple):
    found: Found
    pixels: Pixels
    """Upright."""
    turn: int
    size: tuple[int, int]
    """Width and height as the file has them."""


def detections(
    found: Iterable[Found], look: Look, journal: Journal[Sighting], folder: Path
) -> Iterator[Sighting | Refused]:
    """What is in each picture that the journal does not have, once it is written; in the pictures' order."""
    left = (one for one in found if not journal.has(one.name))
    for group in _opened(left, look):
        pictures = [one for one in group if isinstance(one, _Read)]
        seen = iter(look.detector.detect([one.pixels for one in pictures], look.least) if pictures else ())
        for one in group:
            if isinstance(one, Refused):
                journal.refuse(one)
                yield one
                continue
            metadata = metadata_of(turned_back(next(seen), one.turn, one.size), *one.size)
            name = metadata_name(one.found)
            write_metadata(below(folder / METADATA, name), metadata)
            line = Sighting(
                one.found.name, name, counted(metadata.names), *one.size, brightness(one.pixels)
            )
            journal.append(line)
            yield line


def brightness(pixels: Pixels) -> float:
    """The mean shade of a picture (height, width, 3), from 0 to 1."""
    mean = pixels[::_SPARSE, ::_SPARSE].reshape(-1, 3).mean(axis=0, dtype=np.float64)
    return round(float(mean @ _LUMA) / 255, 4)


def _opened(found: Iterator[Found], look: Look) -> Iterator[list[_Read | Refused]]:
    """Batches of opened pictures, opened by threads: decoding lets others compute."""
    with ThreadPoolExecutor(look.readers, "pictures") as pool:
        waiting: deque[list[Future[_Read | Refused]]] = deque()
        try:
            while group := list(islice(found, look.batch)):
                waiting.append([pool.submit(_open, one) for one in group])
                if len(waiting) > _AHEAD:
                    yield [one.result() for one in waiting.popleft()]
            while waiting:
                yield [one.result() for one in waiting.popleft()]
        finally:
            for batch in waiting:
                for one in batch:
                    one.cancel()


def _open(found: Found) -> _Read | Refused:
    try:
        opened = read_picture(found.path)
        return _Read(found, np.asarray(opened.image), opened.turn, opened.size)
    except InvalidRecords as error:
        return Refused.of(error.problems[0], found.name)
