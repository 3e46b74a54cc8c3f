"""Runs on two versions of a dataset: what each earned before, and what it earns now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.runs.answers import predictions_of, short_names
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.intervals import Figure
from commonsight.score.predictions import Predictions, kept_only
from commonsight.score.scoring import Scorecard, Scoring, gather_gold, measure, scorecard
from commonsight.store.dataset import read_dataset


class BeforeAfter(Struct, frozen=True):
    """One metric on the old version and on the new one."""

    before: Figure
    after: Figure


def rescored(before: Path, after: Path, runs: Sequence[Path]) -> dict[str, dict[str, BeforeAfter]]:
    """By run and metric. Answers to items that are gone are left out."""
    if not runs:
        return {}
    benchmark = benchmark_of(Opening((before,)))
    found = {}
    for name, path in short_names(runs).items():
        given = predictions_of(benchmark, path)
        cards = [_scored(benchmark, folder, given) for folder in (before, after)]
        found[name] = {
            metric: BeforeAfter(cards[0].metrics[metric], cards[1].metrics[metric])
            for metric in cards[0].metrics
            if metric in cards[1].metrics
        }
    return found


def _scored(benchmark: Benchmark[Scoring], folder: Path, given: Predictions) -> Scorecard:
    asked = set(given.ids.to_pylist())
    items = [item for item in read_dataset(folder, outlines=False) if _counts(benchmark, item, asked)]
    gold = gather_gold(benchmark.scoring, items)
    mine = kept_only(given, {item.id for item in items})
    return scorecard(benchmark.name, measure(benchmark.scoring, gold, mine))


def _counts(benchmark: Benchmark[Scoring], item: Item, asked: set[str]) -> bool:
    return item.id in asked and benchmark.scoring.labelled(item)
