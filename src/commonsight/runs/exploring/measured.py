"""Runs of a dataset, scored by its benchmark's rules on the splits that each of them answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import PredictionError
from commonsight.runs.answers import RunPart, parts_of, short_names
from commonsight.runs.exploring.index import Index, kept_path
from commonsight.score.gold import Gold
from commonsight.score.gold_file import read_gold, write_gold
from commonsight.score.scoring import Outcome, Scoring, gather_gold, measure
from commonsight.store.dataset import read_dataset

REPORT = "report.json"


class Measured(NamedTuple):
    """One run, scored item by item."""

    name: str
    path: Path
    splits: tuple[str, ...]
    outcome: Outcome
    part: RunPart
    report: dict[str, Any]
    """What the run's own report tells: cost, tokens, seconds; empty where there is none."""

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which rows of the gold the run answered."""
        assert self.outcome.present is not None  # `measure` always tells
        return self.outcome.present


def measured_runs(
    folder: Path, benchmark: Benchmark[Scoring], index: Index, paths: Sequence[Path], *, keep: bool = True
) -> dict[str, Measured]:
    """Every run on the labelled items of the splits that it answers anything of.

    What is right is kept in the cache, to be there at once next time, unless it is to be hidden.
    """
    golds: dict[tuple[str, ...], Gold] = {}
    found = {}
    split_of = _splits(index)
    for name, path in short_names(paths).items():
        part = parts_of(benchmark, path, name)[0]  # of rotated choices, those as they are
        rows = index.rows(part.predictions.ids.to_pylist())
        splits = tuple(sorted(set(split_of[rows[rows >= 0]].tolist())))
        if not splits:
            raise PredictionError(
                f"{path}: none of its answers is to an item of {folder}. Give the dataset that it is of."
            )
        if splits not in golds:
            gather = _kept_gold if keep else _gold
            golds[splits] = gather(folder, benchmark, splits)
        given = replace(part.predictions, source=name)
        outcome = measure(benchmark.scoring, golds[splits], given, allow_missing=True)
        found[name] = Measured(name, path, splits, outcome, part, _report(path))
    return found


def _splits(index: Index) -> NDArray[np.object_]:
    """The split of every row; a dataset of one split has no filter of splits."""
    found = np.full(index.count, index.cards([0])[0].split if index.count else "", object)
    if "split" in index.filters:
        chosen = index.filters["split"]
        found[chosen.rows] = np.array(chosen.labels, object)[chosen.codes]
    return found


def _kept_gold(folder: Path, benchmark: Benchmark[Scoring], splits: Sequence[str]) -> Gold:
    path = kept_path(folder, "gold", splits).with_suffix(".arrow")
    if path.is_file():
        return read_gold(path)
    gold = _gold(folder, benchmark, splits)
    write_gold(path, gold)
    return gold


def _gold(folder: Path, benchmark: Benchmark[Scoring], splits: Sequence[str]) -> Gold:
    return gather_gold(benchmark.scoring, _labelled(folder, benchmark, splits))


def _labelled(folder: Path, benchmark: Benchmark[Scoring], splits: Sequence[str]) -> Iterator[Item]:
    for split in splits:
        for item in read_dataset(folder, split=split, outlines=False):
            if benchmark.scoring.labelled(item):
                yield item


def _report(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = msgspec.json.decode((path / REPORT).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError):
        return {}
    return found
