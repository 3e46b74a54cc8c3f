"""Sets on the disk, as whoever collects sentences and NLVR2's own files take them up.

    sets.jsonl      a set a line
    tasks.jsonl     an example a line, as in NLVR2's files, without the sentence and its label
    dropped.jsonl   images that are in no set, and why; discarded.jsonl the same of whole sets
    report.json     what was asked for, and what came of it
    images/         the pictures, by the names that NLVR2's reader looks for, where they are wanted

An example is `split-set-pair-sentence`. As in the released files, its `query` is what was searched for and
behind it the number of the result.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from commonsight.build.imaging.sets.composing import Made
from commonsight.build.imaging.sets.values import ImageSet
from commonsight.store.documents import write_document

SETS, TASKS, DROPPED, DISCARDED = "sets.jsonl", "tasks.jsonl", "dropped.jsonl", "discarded.jsonl"
REPORT, IMAGES = "report.json", "images"


class PairTask(Struct, frozen=True, omit_defaults=True):
    """An example that wants a sentence: NLVR2's record without it."""

    identifier: str
    left_url: str
    right_url: str
    synset: str | None = None
    query: str | None = None


def pair_tasks(made: ImageSet, sentences: int) -> Iterator[PairTask]:
    """The examples of a set: each of its pairs, once for every sentence that is asked for."""
    query = None if made.query is None else f"{made.query}{made.result}"
    for sentence in range(sentences):
        for number, (left, right) in enumerate(made.pairs):
            one, other = (made.images[side].url or made.images[side].image for side in (left, right))
            yield PairTask(f"{made.id}-{number}-{sentence}", one, other, made.synset, query)


def write_sets(folder: Path, made: Made, *, sentences: int, report: Any, copy: bool) -> None:
    """All files, into a folder that takes its name when they are there."""
    write_lines(folder / SETS, made.sets)
    write_lines(folder / TASKS, (task for one in made.sets for task in pair_tasks(one, sentences)))
    write_lines(folder / DROPPED, made.dropped)
    write_lines(folder / DISCARDED, made.discarded)
    if copy:
        (folder / IMAGES).mkdir()
        for one in made.sets:
            for name, path in pictures(one):
                shutil.copyfile(path, folder / IMAGES / name)
    write_document(folder / REPORT, report)


def pictures(made: ImageSet) -> Iterator[tuple[str, Path]]:
    """What NLVR2 calls the pictures of a set, and where they are: pngs by name, whatever they are."""
    for number, pair in enumerate(made.pairs):
        for side, member in enumerate(pair):
            path = made.images[member].path
            assert path is not None
            yield f"{made.id}-{number}-img{side}.png", Path(path)


def write_lines(path: Path, values: Iterable[object]) -> None:
    """A value a line."""
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as stream:
        stream.writelines(encode(value) + b"\n" for value in values)
