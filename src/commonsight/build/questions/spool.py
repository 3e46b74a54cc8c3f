"""What question making keeps on the disk while it works, so that it can go on where it was stopped.

    begun.json          what is being made, and from what
    scenes-000007       scenes as they were read, some to a file
    reading             what reading found, written last: with it, nothing is read again
    questions-000007    what was asked about these scenes

A file is there as a whole or not at all. All but `begun.json` are compressed MessagePack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
from msgspec import Struct, structs

from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import Problem
from commonsight.graph.clean_report import CleaningReport
from commonsight.graph.vocabulary import Vocabulary
from commonsight.store.spool import Spool

SCENES_A_FILE = 100


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


class Facts(Struct, frozen=True, array_like=True):
    """What balancing and reports need to know of a question."""

    type: str
    answer: str
    queries: tuple[str, ...]
    """The knowledge that it speaks of, as it says it: with what is sought left open."""
    functions: int
    words: int
    order: int
    """Its place in a random order that is always the same."""


class Asked(Struct, array_like=True):
    """A picture and the questions about it, as items that leave out the scene they share."""

    scene: Scene
    items: list[msgspec.Raw]


class Questions(Struct, array_like=True):
    """What came of one file of scenes."""

    facts: list[Facts]
    skipped: list[Skipped]
    cleaning: CleaningReport
    asked: bytes
    """The pictures (`Asked`), packed: whoever only counts need not unpack them."""

    def items(self, kept: Sequence[bool] | None = None) -> Iterator[Item]:
        """The questions as items, all or only those that are kept; those of a picture share its scene."""
        number = 0
        for picture in unpacked(self.asked, list[Asked]):
            scenes = (picture.scene,)
            for raw in picture.items:
                if kept is None or kept[number]:
                    yield structs.replace(_item.decode(raw), scenes=scenes)
                number += 1


_item = msgspec.msgpack.Decoder(Item)
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
