"""How a benchmark is scored, declared; and the scorecard that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.core.answer import Answer
from commonsight.core.item import Item
from commonsight.score.choices import LoadVectors
from commonsight.score.consistency import all_right
from commonsight.score.gold import Gold, GoldColumn, SliceOf, gather
from commonsight.score.human import Judgement, WorkerMean
from commonsight.score.intervals import Figure, figure
from commonsight.score.predictions import Aligned, Predictions, align

Values = NDArray[np.float64]


@dataclass(frozen=True)
class MetricColumn:
    """One metric, item by item: a value in [0, 1], or NaN where the metric leaves the item out."""

    values: Values
    whole_groups: bool = False
    """A unit is a whole cluster, right when all of its items are (consistency)."""


class LoggedAnswer(Struct, frozen=True):
    """One answer out of a run: which item, which task, what was said."""

    item: str
    task: str
    answer: Answer


class Said(Struct, frozen=True):
    """All that a run said of one item, by task; `qa2r@2` is the task with another answer given."""

    item: Item
    answers: dict[str, Answer]
    chances: dict[str, tuple[float, ...]] = {}
    """How likely it held each choice to be, where it told."""


@dataclass(frozen=True)
class SliceSource:
    """A slice that needs a file of its own, such as the training set or a list of tagged sentences."""

    help: str
    load: Callable[[Path], SliceOf]


class SettledColumns(NamedTuple):
    """Columns after settling, how many answers were no choice, and the step's name if it was taken."""

    columns: dict[str, Any]
    not_a_choice: int
    step: str | None


@dataclass(frozen=True)
class Scoring:
    """A benchmark's rules: which columns they need, how predictions are read, what each item earns."""

    gold: Mapping[str, GoldColumn]
    labelled: Callable[[Item], bool]
    cluster_of: Callable[[Item], str]
    clustered_by: str
    read_predictions: Callable[[Path], Predictions]
    from_answers: Callable[[Iterable[LoggedAnswer]], Predictions]
    measure: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, MetricColumn]]
    answered: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]] = lambda _, __: {}
    """What was answered, by task, in the gold's order: positions, -1 where none was read, or texts."""
    slices: Mapping[str, SliceOf] = field(default_factory=dict)
    slice_sources: Mapping[str, SliceSource] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    """What models are trained and tested on apart, as the paper calls it: SLICE=LABEL, or nothing for all."""
    settle: Callable[[Mapping[str, Any], dict[str, Any], LoadVectors | None], SettledColumns] | None = None
    """Brings answers in free text to the choices they should be one of, where that can happen."""
    human: Callable[[Iterable[Item]], WorkerMean | None] = lambda _: None
    """Human performance, where the gold itself holds people's judgements."""
    hand_in: Callable[[Iterable[Said]], Iterator[str]] | None = None
    """The lines of a prediction file as the leaderboard wants it, which `read_predictions` reads. What could
    not be read is left out, or empty where the format has a place for that: nothing is guessed."""
    judgements: Callable[[Item], Sequence[Judgement]] = lambda _: ()
    """What each of several people said about the item's label, where the item tells."""


@dataclass(frozen=True)
class Outcome:
    """What one set of predictions earned: every metric, item by item, in the gold's order."""

    gold: Gold
    metrics: dict[str, MetricColumn]
    failures: dict[str, int]
    steps: tuple[str, ...] = ()
    given: dict[str, Any] = field(default_factory=dict)
    """The predictions' columns in the gold's order, as they were scored."""
    present: NDArray[np.bool_] | None = None
    """Which items have a prediction at all."""

    def units(self, metric: str, rows: NDArray[np.int64] | None = None) -> tuple[Values, NDArray[np.int64]]:
        """A metric's units and their clusters, over all rows or only some."""
        column = self.metrics[metric]
        values = column.values if rows is None else column.values[rows]
        clusters = self.gold.clusters if rows is None else self.gold.clusters[rows]
        left_out = np.isnan(values)
        if left_out.any():
            values, clusters = values[~left_out], clusters[~left_out]
        if column.whole_groups:
            values = all_right(values, clusters)
            clusters = np.arange(len(values), dtype=np.int64)
        return values, clusters


class Scorecard(Struct, frozen=True):
    """The one object that `--json` prints."""

    benchmark: str
    n: int
    metrics: dict[str, Figure]
    slices: dict[str, dict[str, dict[str, Figure]]] = {}
    failures: dict[str, int] = {}
    steps: tuple[str, ...] = ()
    """What was done to the answers before scoring, beyond reading them."""
    clustered_by: str | None = None


def gather_gold(scoring: Scoring, items: Iterable[Item], slices: Mapping[str, Path] | None = None) -> Gold:
    """Read items into the columns that the rules need; `slices` gives the files of optional slices."""
    extra = {name: scoring.slice_sources[name].load(path) for name, path in (slices or {}).items()}
    return gather(items, scoring.gold, scoring.cluster_of, {**scoring.slices, **extra})


def measure(
    scoring: Scoring,
    gold: Gold,
    predictions: Predictions,
    *,
    allow_missing: bool = False,
    vectors: LoadVectors | None = None,
) -> Outcome:
    """Score predictions item by item; with `vectors`, strays are first brought to the nearest choice."""
    aligned = align(gold.ids, predictions, allow_missing=allow_missing, index=gold.index)
    columns, failures = aligned.columns, dict(aligned.failures)
    steps: tuple[str, ...] = ()
    if scoring.settle is not None:
        columns, strays, step = scoring.settle(gold.columns, columns, vectors)
        failures |= {"not_a_choice": strays} if strays else {}
        steps = () if step is None else (step,)
    metrics = scoring.measure(gold.columns, columns)
    scored = {name: _zero_missing(column, aligned) for name, column in metrics.items()}
    return Outcome(gold, scored, failures, steps, columns, aligned.present)


def _zero_missing(column: MetricColumn, aligned: Aligned) -> MetricColumn:
    if aligned.present.all():
        return column
    values = np.where(aligned.present | np.isnan(column.values), column.values, 0.0)
    return MetricColumn(values, column.whole_groups)


def scorecard(
    benchmark: str,
    outcome: Outcome,
    *,
    clustered_by: str | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> Scorecard:
    """Every metric with its interval, over all items and slice by slice."""

    def figures(rows: NDArray[np.int64] | None = None) -> dict[str, Figure]:
        return {
            name: figure(*outcome.units(name, rows), confidence=confidence, seed=seed)
            for name in outcome.metrics
        }

    return Scorecard(
        benchmark,
        len(outcome.gold),
        figures(),
        {
            name: {label: figures(rows) for label, rows in labels.items()}
            for name, labels in outcome.gold.slices.items()
            if labels
        },
        outcome.failures,
        outcome.steps,
        clustered_by,
    )
