"""`commonsight score`: predictions against gold, by the paper's rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from commonsight.benchmarks import find
from commonsight.cli.arguments import (
    AllowMissing,
    BenchmarkName,
    Confidence,
    GoldFiles,
    Json,
    NearestChoice,
    Seed,
    SliceFiles,
    Split,
    items_of,
    labelled,
    load_vectors,
    slice_files,
)
from commonsight.cli.console import out, print_json, progress, visible
from commonsight.cli.tables import (
    FIGURE_COLUMNS,
    count,
    failures_told,
    figure_cells,
    in_order,
    interval_cell,
    plural,
    table,
)
from commonsight.score.intervals import Figure
from commonsight.score.scoring import Scorecard, gather_gold, measure, scorecard

Slice = dict[str, dict[str, Figure]]
"""Figures by label, then by metric."""

NAME = "score"
EXAMPLES = """Examples:

[cyan]commonsight score nlvr2 --gold dev.json --predictions mine.csv[/]

[cyan]commonsight score nlvr2 --gold dev.json --predictions mine.csv --slices tags=annotated.txt[/]

[cyan]commonsight score aokvqa --gold aokvqa_v1p0_val.json --predictions mine.json --json[/]"""


def command(
    benchmark: BenchmarkName,
    gold: GoldFiles,
    predictions: Annotated[
        Path, typer.Option(metavar="FILE", help="Predictions in the benchmark's own format.")
    ],
    json: Json = False,
    allow_missing: AllowMissing = False,
    slices: SliceFiles = None,
    nearest_choice: NearestChoice = None,
    split: Split = None,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
) -> None:
    """Score predictions exactly as the paper does, with intervals, by slice."""
    chosen = find(benchmark)
    scoring = chosen.scoring
    vectors = load_vectors(chosen, nearest_choice)
    slice_by = slice_files(chosen, slices)
    given = scoring.read_predictions(predictions)
    items = labelled(scoring, progress(items_of(chosen, gold, split), "reading gold"))
    columns = gather_gold(scoring, items, slice_by)
    outcome = measure(scoring, columns, given, allow_missing=allow_missing, vectors=vectors)
    card = scorecard(
        chosen.name, outcome, clustered_by=scoring.clustered_by, confidence=confidence, seed=seed
    )
    if json:
        print_json(card)
    else:
        show(card, chosen.title, confidence)


def show(card: Scorecard, title: str, confidence: float) -> None:
    """The scorecard as tables."""
    out.print(f"[bold]{title}[/], {plural(card.n, 'item')}")
    out.print(f"[dim]{100 * confidence:g} % intervals, clustered by {card.clustered_by}[/]")
    metrics = table("metric", *FIGURE_COLUMNS)
    for name, figure in card.metrics.items():
        metrics.add_row(name, *figure_cells(figure))
    out.print(metrics)
    for name, labels in card.slices.items():
        for part in slice_tables(name, labels, out.width):
            out.print()
            out.print(part)
    for step in card.steps:
        out.print(f"\nstep before scoring: {step}", markup=False)
    if card.failures:
        out.print(f"\nscored 0, counted apart: {failures_told(card.failures)}")


def slice_tables(name: str, labels: Slice, width: int) -> Iterator[Table]:
    """The slice as one table, or as several with some metrics each where one would be too wide."""
    waiting: list[str] = []
    for metric in next(iter(labels.values())):
        if waiting and _width(_slice_table(name, labels, [*waiting, metric])) > width:
            yield _slice_table(name, labels, waiting)
            waiting = []
        waiting.append(metric)
    yield _slice_table(name, labels, waiting)


def _width(made: Table) -> int:
    endless = out.options.update(width=10_000)
    return Measurement.get(out, endless, made).maximum


def _slice_table(name: str, labels: Slice, metrics: list[str]) -> Table:
    counts: dict[str, list[float]] = {
        metric: [figures[metric].n for figures in labels.values()] for metric in metrics
    }
    # A metric brings a column of its own counts unless they are those of the metric before it.
    own = {metric: not i or counts[metric] != counts[metrics[i - 1]] for i, metric in enumerate(metrics)}
    columns = [column for metric in metrics for column in (("n", metric) if own[metric] else (metric,))]
    made = table(f"by {name.replace('_', ' ')}", *columns)
    for label in in_order(labels):
        cells = []
        for metric in metrics:
            figure = labels[label][metric]
            cells += [count(figure.n)] if own[metric] else []
            cells.append(interval_cell(figure))
        made.add_row(escape(visible(label)), *cells)
    return made
