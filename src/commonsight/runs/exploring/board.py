"""The leaderboard: runs with intervals and tie groups, compared on the items that all of them answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.core.benchmark import Benchmark, PublishedRow
from commonsight.errors import UsageError
from commonsight.runs.exploring.measured import Measured
from commonsight.score.comparison import MetricComparison, compare
from commonsight.score.intervals import Figure, figure
from commonsight.score.paired import McNemar, PairedDifference, mcnemar, paired_bootstrap
from commonsight.score.scoring import Scoring

Rows = NDArray[np.int64]


class BoardRun(NamedTuple):
    """One run: on the items that all runs share, and what it took."""

    name: str
    figures: dict[str, Figure]
    best_rank: int
    worst_rank: int
    ties: str
    answered: int
    """Of all labelled items of its splits."""
    cost: float | None
    tokens: int
    seconds: float


class Board(NamedTuple):
    """Runs on the same splits, best first by one metric."""

    splits: tuple[str, ...]
    metric: str
    metrics: tuple[str, ...]
    items: int
    """That all runs answered: what they are compared on."""
    of: int
    """Labelled items in all."""
    runs: tuple[BoardRun, ...]
    comparison: MetricComparison


class SliceRow(NamedTuple):
    """All runs on a part of the items, in the order of the board."""

    label: str
    items: int
    figures: tuple[Figure, ...]


class SliceGap(NamedTuple):
    """How two runs differ on a part of the items."""

    filter: str
    label: str
    items: int
    first: float
    second: float
    difference: PairedDifference


class Flips(NamedTuple):
    """Two runs, item by item."""

    metric: str
    items: int
    first: Figure
    second: Figure
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: PairedDifference
    mcnemar: McNemar | None
    gaps: tuple[SliceGap, ...]


def boards(runs: Mapping[str, Measured], metric: str | None = None) -> list[Board]:
    """One board for each set of splits that runs were tried on, that with most runs first."""
    together: dict[tuple[str, ...], list[Measured]] = {}
    for run in runs.values():
        together.setdefault(run.splits, []).append(run)
    found = [_board(splits, several, metric) for splits, several in together.items()]
    return sorted(found, key=lambda board: -len(board.runs))


def _board(splits: tuple[str, ...], runs: Sequence[Measured], metric: str | None) -> Board:
    metrics = shared_metrics(runs)
    chosen = metric if metric in metrics else metrics[0]
    rows = shared_rows(runs)
    compared = compare({run.name: run.outcome for run in runs}, chosen, rows=rows)
    by_name = {run.name: run for run in runs}
    return Board(
        splits,
        chosen,
        metrics,
        len(rows),
        len(runs[0].outcome.gold),
        tuple(
            BoardRun(
                one.name,
                {name: _figure(by_name[one.name], name, rows) for name in metrics},
                one.best_rank,
                one.worst_rank,
                "".join(one.ties),
                int(by_name[one.name].present.sum()),
                *_took(by_name[one.name]),
            )
            for one in compared.runs
        ),
        compared,
    )


def published_beside(benchmark: Benchmark[Scoring], metric: str, *, drawn: bool) -> list[PublishedRow]:
    """Rows of the paper to compare with. Beside figures of a drawn world only what holds there, too."""
    rows = [row for row in benchmark.published if metric in row.metrics]
    return [row for row in rows if row.by_rule or not drawn]


def by_slice(board: Board, runs: Mapping[str, Measured]) -> dict[str, list[SliceRow]]:
    """What the board's metric comes to on each part of the items, by what they are sorted by."""
    several = [runs[run.name] for run in board.runs]
    rows = shared_rows(several)
    found: dict[str, list[SliceRow]] = {}
    for name, labels in several[0].outcome.gold.slices.items():
        if len(labels) > 1:
            parts = {label: np.intersect1d(members, rows) for label, members in labels.items()}
            found[name] = [
                SliceRow(label, len(mine), tuple(_figure(run, board.metric, mine) for run in several))
                for label, mine in parts.items()
            ]
    return found


def shared_metrics(runs: Sequence[Measured]) -> tuple[str, ...]:
    """Those that all runs have, in the benchmark's order."""
    names = tuple(
        name for name in runs[0].outcome.metrics if all(name in run.outcome.metrics for run in runs)
    )
    if not names:
        told = ", ".join(run.name for run in runs)
        raise UsageError(f"{told}: these runs have no metric in common. Compare runs of the same task.")
    return names


def shared_rows(runs: Sequence[Measured]) -> Rows:
    """Rows of the gold that all runs answered."""
    rows = np.flatnonzero(np.logical_and.reduce([run.present for run in runs]))
    if not len(rows):
        raise UsageError(f"{', '.join(run.name for run in runs)}: no item was answered by all of these runs.")
    return rows


def _figure(run: Measured, metric: str, rows: Rows) -> Figure:
    return figure(*run.outcome.units(metric, rows), confidence=0.95, seed=0)


def _took(run: Measured) -> tuple[float | None, int, float]:
    told = run.report
    cost = told.get("cost")
    tokens = int(told.get("input_tokens") or 0) + int(told.get("output_tokens") or 0)
    return (float(cost) if cost is not None else None), tokens, float(told.get("seconds") or 0.0)


def flips(first: Measured, second: Measured, metric: str | None = None) -> Flips:
    """Where two runs differ, and whether that is more than luck."""
    if first.splits != second.splits:
        raise UsageError(f"{first.name} and {second.name} are of different splits, and cannot be compared.")
    metrics, rows = shared_metrics((first, second)), shared_rows((first, second))
    per_item = [name for name in metrics if not first.outcome.metrics[name].whole_groups]
    chosen = metric if metric in per_item else per_item[0]
    left, clusters = first.outcome.units(chosen, rows)
    right, _ = second.outcome.units(chosen, rows)
    won, lost = left > 0, right > 0
    binary = set(np.unique(np.concatenate([left, right]))) <= {0.0, 1.0}
    return Flips(
        chosen,
        len(left),
        figure(left, clusters, confidence=0.95, seed=0),
        figure(right, clusters, confidence=0.95, seed=0),
        int((won & lost).sum()),
        int((won & ~lost).sum()),
        int((~won & lost).sum()),
        int((~won & ~lost).sum()),
        paired_bootstrap(left, right, clusters, seed=0),
        mcnemar(left, right) if binary else None,
        tuple(sorted(_gaps(first, second, chosen, rows), key=lambda gap: -abs(gap.difference.difference))),
    )


LEAST = 10
"""Fewer items than this on a slice tell nothing of two runs."""


def _gaps(first: Measured, second: Measured, metric: str, rows: Rows) -> Iterator[SliceGap]:
    for name, labels in first.outcome.gold.slices.items():
        for label, members in labels.items():
            mine = np.intersect1d(members, rows)
            left, clusters = first.outcome.units(metric, mine)
            right, _ = second.outcome.units(metric, mine)
            if len(left) >= LEAST and len(labels) > 1:
                difference = paired_bootstrap(left, right, clusters, seed=0)
                yield SliceGap(name, label, len(left), float(left.mean()), float(right.mean()), difference)
