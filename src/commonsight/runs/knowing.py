"""What networks that read facts are given: items of knowledge files, found by the words of each question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.errors import InputError, UsageError
from commonsight.graph.retrieval import FactIndex, read_facts
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.examples import Example
from commonsight.store.dataset import sha256

MOST = 64
"""Facts that a question is given at most, unless a person says otherwise. On drawn questions nearly all that
one is about are among the first so many."""
_REMEDY = "Give ConceptNet's CSV, triples, or our own table, as `build questions` reads them."


class Known(NamedTuple):
    """Facts, and how many of them a question is given."""

    facts: FactIndex
    most: int

    def given(self, example: Example) -> Example:
        """The question with its facts."""
        return structs.replace(example, facts=self.facts.about(example.query.words, self.most))


def known(entry: Entry, paths: Iterable[str], most: int) -> Known | None:
    """What these files say, for a network that reads facts."""
    files = checked(entry, list(map(Path, paths)))
    return Known(read_facts(files), most) if entry.facts else None


def checked(entry: Entry, paths: Sequence[Path]) -> Sequence[Path]:
    """The files, if the network needs any and they are there; what is wrong is told before they are read."""
    if entry.facts and not paths:
        raise UsageError(f"{entry.title} reads facts. Say with --knowledge FILE where they are. {_REMEDY}")
    if paths and not entry.facts:
        raise UsageError(f"--knowledge: {entry.title} reads no facts. Leave it out, or choose one that does.")
    missing = next((path for path in paths if not path.is_file()), None)
    if missing is not None:
        raise InputError(f"{missing}: there is no such file of knowledge. {_REMEDY} Say so with --knowledge.")
    return paths


def hashes(paths: Iterable[Path]) -> dict[str, str]:
    """By their names, for provenance."""
    return {f"knowledge {path.name}": sha256(path) for path in paths}
