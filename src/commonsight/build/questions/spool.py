"""What question making keeps on the disk while it works, so that it can go on where it was stopped.

    begun.json          what is being made, and from what
    scenes-000007       scenes as they were read, some to a file
    reading             what reading found, written last: with it, nothing is read again
    questions-000007    what was asked about these scenes

A file is there as a whole or not at all. All but `begun.json` are compressed MessagePack; questions are in
it as the rows that the dataset will have, so that they are put into columns once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.build.questions.facts import Columns
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import Problem
from commonsight.graph.clean_report import CleaningReport
from commonsight.graph.vocabulary import Vocabulary
from commonsight.store.rows import FLAT, Page, flat_batch, from_page
from commonsight.store.spool import Spool

SCENES_A_FILE = 40


class Skipped(Struct, frozen=True, omit_defaults=True):
    """Something that was left out: of which picture, what, why, and what to do about it."""

    place: str
    """File, and line where that is known."""
    message: str
    remedy: str
    image: str | None = None
    field: str | None = None

    @classmethod
    def of(cls, problem: Problem) -> Skipped:
        """A reader's problem. The folder that the file lies in is not told: results must not depend on it."""
        place = problem.path.name if problem.line is None else f"{problem.path.name}:{problem.line}"
        return cls(place, problem.message, problem.remedy, problem.record, problem.field)

    def __str__(self) -> str:
        parts = (self.place, self.image and f"image {self.image}", self.field)
        return f"{': '.join(filter(None, parts))}: {self.message}. {self.remedy}"


class Reading(Struct, frozen=True):
    """What came of reading the scenes."""

    files: int
    pictures: int
    vocabulary: Vocabulary
    skipped: list[Skipped]


class Questions(Struct, array_like=True):
    """What came of one file of scenes. Whoever only counts need not unpack it."""

    count: int
    facts: bytes
    """What balancing and reports need to know of every question, packed."""
    skipped: list[Skipped]
    cleaning: CleaningReport
    scenes: bytes
    """The pictures that are asked about, packed."""
    places: list[int]
    """Which of them each question is about."""
    rows: bytes
    """The questions as rows of a dataset, without the scenes."""

    def columns(self) -> Columns:
        """What balancing and reports need to know."""
        columns: Columns = unpacked(self.facts, Columns)
        return columns

    def page(self, kept: NDArray[np.bool_] | None = None) -> Page:
        """The questions as rows, all or only those that are kept."""
        whole = pa.ipc.open_stream(self.rows).read_all().combine_chunks()
        flat = whole.to_batches()[0] if self.count else flat_batch([])
        page = Page(flat, unpacked(self.scenes, list[Scene]), self.places, range(self.count + 1))
        return page if kept is None or kept.all() else page.chosen(kept)

    def items(self, kept: NDArray[np.bool_] | None = None) -> Iterator[Item]:
        """The questions as items; those of a picture share its scene."""
        return from_page(self.page(kept))


def written(rows: pa.RecordBatch) -> bytes:
    """Rows of a dataset as they lie in the spool."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, FLAT, options=pa.ipc.IpcWriteOptions(compression="lz4")) as stream:
        stream.write_batch(rows)
    content: bytes = sink.getvalue().to_pybytes()
    return content


_zstd = pa.Codec("zstd")


def packed(value: Any) -> bytes:
    """Any of these values as bytes."""
    plain = msgspec.msgpack.encode(value)
    compressed: bytes = _zstd.compress(plain, asbytes=True)
    return len(plain).to_bytes(8) + compressed


def unpacked(content: bytes, kind: Any) -> Any:
    """The value of these bytes."""
    plain = _zstd.decompress(content[8:], int.from_bytes(content[:8]), asbytes=True)
    return msgspec.msgpack.decode(plain, type=kind, dec_hook=_counter)


def _counter(_: type, value: Any) -> Any:
    return Counter(value)


READING = "reading"


def scenes_part(number: int) -> str:
    """A file of scenes."""
    return f"scenes-{number:06d}"


def questions_part(number: int) -> str:
    """What was asked about these scenes."""
    return f"questions-{number:06d}"


class QuestionSpool(Spool):
    """The folder, and what its files hold."""

    def reading(self) -> Reading | None:
        """What reading found, once it is done."""
        return unpacked(self.read(READING), Reading) if self.has(READING) else None

    def keep_reading(self, reading: Reading) -> None:
        """Say that all scenes are read."""
        self.keep(READING, packed(reading))

    def asked(self, files: int) -> Iterator[Questions]:
        """All that was asked, file by file."""
        for number in range(files):
            content = self.read(questions_part(number))
            yield msgspec.msgpack.decode(content, type=Questions, dec_hook=_counter)
