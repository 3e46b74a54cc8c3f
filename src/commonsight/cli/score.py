"""`commonsight score`: predictions against gold, by the paper's rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
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
from commonsight.cli.console import out, print_json, progress
from commonsight.cli.tables import FIGURE_COLUMNS, count, figure_cells, percent, table
from commonsight.score.intervals import Figure
from commonsight.score.scoring import Scorecard, gather_gold, measure, scorecard

NAME = "score"
EXAMPLES = """Examples:

[cyan]commonsight score nlvr2 --gold dev.json --predictions mine.csv[/]

[cyan]commonsight score nlvr2 --gold dev.json --predictions mine.csv --slices tags=annotated.txt[/]

[cyan]commonsight score aokvqa --gold aokvqa_v1p0_val.json --predictions mine.json --json[/]"""


def command(
    benchmark: BenchmarkName,
    gold: GoldFiles,
    predictions: Annotated[Path, typer.Option(help="Predictions in the benchmark's own format.")],
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
    given = scoring.read_predictions(predictions)
    items = labelled(scoring, progress(items_of(chosen, gold, split), "reading gold"))
    columns = gather_gold(scoring, items, slice_files(chosen, slices))
    vectors = load_vectors(chosen, nearest_choice)
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
    intervals = f"{100 * confidence:g} % intervals, clustered by {card.clustered_by}"
    out.print(f"[bold]{title}[/], {card.n:,} items; {intervals}")
    metrics = table("metric", *FIGURE_COLUMNS)
    for name, figure in card.metrics.items():
        metrics.add_row(name, *figure_cells(figure))
    out.print(metrics)
    for name, labels in card.slices.items():
        out.print()
        out.print(_slice_table(name, labels))
    for step in card.steps:
        out.print(f"\nstep before scoring: {step}", markup=False)
    if card.failures:
        told = ", ".join(f"{kind} {number:,}" for kind, number in card.failures.items())
        out.print(f"\nscored 0, counted apart: {told}")


def _slice_table(name: str, labels: dict[str, dict[str, Figure]]) -> Table:
    metrics = list(next(iter(labels.values())))
    made = table(f"by {name}", "n", *metrics)
    for label, figures in labels.items():
        cells = [f"{percent(f.value)} [dim]({percent(f.low)}–{percent(f.high)})[/]" for f in figures.values()]
        made.add_row(escape(label), count(figures[metrics[0]].n), *cells)
    return made
