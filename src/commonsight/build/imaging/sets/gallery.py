"""What was seen of pictures, on the disk: a line each in a log, and their vectors in a file that is mapped.

Vectors are written before the lines that name their rows, so that a line never names a row that is not there:
whatever kills the process, another goes on after the last line. A picture is known by its path, its size in
bytes and when it was changed; a changed one is looked at again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.build.imaging.sets.encoders import Encoder
from commonsight.build.imaging.sets.glimpse import Glimpse, glimpses
from commonsight.build.imaging.sets.vectors import unit
from commonsight.store.lines import Lines, whole_lines
from commonsight.store.spool import Spool
from commonsight.store.workers import worked

LOG, VECTORS = "seen.jsonl", "vectors.f16"
AT_ONCE = 64
"""Pictures that are encoded together, and kept with one trip to the disk."""
TOGETHER = 16
"""Pictures that a process is handed together."""
_KIND = np.dtype("<f2")

Passing = Callable[[Iterable[Any], int], Iterable[Any]]
"""Lets what is looked at pass by a progress bar; the number is how many there are."""


class Seen(Struct, frozen=True, omit_defaults=True):
    """What is known of one picture, or why it cannot be seen."""

    path: str
    stamp: str
    """Of the file: its size and when it was changed."""
    sha256: str = ""
    width: int = 0
    height: int = 0
    hash: str = ""
    """Perceptual, 16 hexadecimal digits; none of a picture of one shade."""
    row: int = -1
    """Of its vector."""
    fault: str | None = None


class Gallery:
    """A folder of what was seen, by one encoder."""

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        told = msgspec.json.encode({"encoder": encoder.name, "size": encoder.size, "dim": encoder.dim})
        self.folder = Spool(folder, "look at pictures (by another encoder)", told).folder
        self.encoder = encoder
        self._rows = 0
        self._known: dict[str, Seen] = {}

    def look(
        self, paths: Sequence[Path], workers: int | None, passing: Passing = lambda passed, _: passed
    ) -> list[Seen]:
        """What is seen of each of these: known already, or looked at now."""
        log = Lines(self.folder / LOG)
        try:
            with (self.folder / VECTORS).open("ab") as vectors:
                self._recall(log.path, vectors.fileno())
                stamps = {str(path): _stamp(path) for path in paths}
                new = [Path(path) for path, stamp in stamps.items() if not self._knows(path, stamp)]
                pairs = iter(passing(self._looks(new, workers), len(new)))
                while batch := list(islice(pairs, AT_ONCE)):
                    self._keep(batch, stamps, log, vectors)
        finally:
            log.close()
        return [self._known[str(path)] for path in paths]

    def vectors(self) -> NDArray[np.float16]:
        """The vectors of all that was seen, mapped: (row, dim)."""
        path = self.folder / VECTORS
        shape = (path.stat().st_size // (self.encoder.dim * _KIND.itemsize), self.encoder.dim)
        return np.memmap(path, _KIND, "r", shape=shape) if shape[0] else np.zeros(shape, _KIND)

    def _looks(self, paths: Sequence[Path], workers: int | None) -> Iterator[tuple[Path, Glimpse | str]]:
        groups = [paths[start : start + TOGETHER] for start in range(0, len(paths), TOGETHER)]
        made = worked(partial(glimpses, size=self.encoder.size), groups, workers)
        for group, looks in zip(groups, made, strict=True):
            yield from zip(group, looks, strict=True)

    def _knows(self, path: str, stamp: str) -> bool:
        known = self._known.get(path)
        return known is not None and known.stamp == stamp

    def _recall(self, path: Path, vectors: int) -> None:
        """Read the log, and forget rows that it does not name, being written when it was stopped."""
        self._rows = 0
        for seen in whole_lines(path, Seen):
            self._known[seen.path] = seen
            self._rows = max(self._rows, seen.row + 1)
        os.ftruncate(vectors, self._rows * self.encoder.dim * _KIND.itemsize)

    def _keep(
        self,
        batch: Sequence[tuple[Path, Glimpse | str]],
        stamps: dict[str, str],
        log: Lines,
        vectors: BinaryIO,
    ) -> None:
        good = [look for _, look in batch if isinstance(look, Glimpse)]
        if good:
            encoded = unit(self.encoder.encode(np.stack([look.pixels for look in good])))
            vectors.write(encoded.astype(_KIND).tobytes())
            vectors.flush()
            os.fsync(vectors.fileno())
        lines = [self._line(str(path), stamps[str(path)], look) for path, look in batch]
        log.append(lines)
        self._known |= {line.path: line for line in lines}

    def _line(self, path: str, stamp: str, look: Glimpse | str) -> Seen:
        if isinstance(look, str):
            return Seen(path, stamp, fault=look)
        self._rows += 1
        told = "" if look.hash is None else f"{look.hash:016x}"
        return Seen(path, stamp, look.sha256, look.width, look.height, told, self._rows - 1)


def _stamp(path: Path) -> str:
    try:
        told = path.stat()
    except OSError:
        return "missing"
    return f"{told.st_size}-{told.st_mtime_ns}"
