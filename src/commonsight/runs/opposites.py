"""Items beside their like under a second premise, which a person wrote: does a model's answer switch?

PMR tries a few such pairs by hand (section 5.3). Here they are a dataset, so that networks and models of any
kind are asked and scored on it as on any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, UsageError
from commonsight.runs.derived import write_derived
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import source_file
from commonsight.store.info import DatasetInfo
from commonsight.store.jsonfiles import read_lines


class Opposite(Struct, frozen=True):
    """One line of a file: an item's id, and the other premise in bracket notation."""

    id: str
    premise: str


def opposites(path: Path) -> dict[str, str]:
    """By item the premise that a person wrote for it."""
    found: dict[str, str] = {}
    for record in read_lines(path, Opposite):
        line = record.value
        if line.id in found:
            raise InputError(f"{path}:{record.line}: item {line.id} is given twice. Keep one line.")
        if not line.premise.strip():
            raise InputError(
                f"{path}:{record.line}: premise: it is empty. Write what makes the other action true."
            )
        found[line.id] = line.premise
    if not found:
        raise InputError(f'{path}: there is no premise in it. Write lines like {{"id": …, "premise": …}}.')
    return found


def write_opposites(
    opening: Opening, premises: Path, folder: Path, *, overwrite: bool = False
) -> DatasetInfo:
    """A dataset of the items that the file names, each beside its like under the other premise."""
    benchmark = benchmark_of(opening)
    if benchmark.opposed is None:
        raise UsageError(
            f"{benchmark.name} has no premises, so there are none to oppose. Give a PMR dataset."
        )
    written = opposites(premises)
    items = list(opening.read())
    unknown = sorted(set(written) - {item.id for item in items})
    if unknown:
        raise InputError(
            f"{premises}: {len(unknown)} of {len(written)} ids are not in the dataset "
            f"({', '.join(unknown[:3])}). Give ids of its items."
        )
    used = {"premises": source_file(premises).sha256}
    pairs = list(_pairs(benchmark, items, written))
    return write_derived(
        folder, pairs, opening, by="build opposites", seed=0, options=used, overwrite=overwrite
    )


def _pairs(benchmark: Benchmark[Scoring], items: list[Item], written: dict[str, str]) -> Iterator[Item]:
    assert benchmark.opposed is not None
    number = max(int(item.id) for item in items)
    for item in items:
        if item.id in written:
            number += 1
            premise = TaggedText.parse(written[item.id], item.labels)
            yield from benchmark.opposed(item, premise, str(number))
