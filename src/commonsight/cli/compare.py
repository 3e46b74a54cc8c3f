"""`commonsight compare`: several runs on the same gold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct
from rich.markup import escape
from rich.table import Table

from commonsight.benchmarks import find
from commonsight.cli.arguments import (
    AllowMissing,
    BenchmarkOption,
    Confidence,
    GoldFiles,
    Json,
    Seed,
    Split,
    items_of,
    labelled,
)
from commonsight.cli.console import out, print_json, progress, visible
from commonsight.cli.tables import FIGURE_COLUMNS, count, failures_told, figure_cells, percent, table
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.answers import predictions_of, short_names
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.comparison import MetricComparison
from commonsight.score.comparison import compare as compare_runs
from commonsight.score.human import WorkerMean
from commonsight.score.intervals import Figure
from commonsight.score.scoring import Outcome, Scoring, gather_gold, measure, scorecard
from commonsight.score.votes import read_votes

NAME = "compare"
EXAMPLES = """Examples:

[cyan]commonsight compare a.csv b.csv c.csv --gold dev.json[/]

[cyan]commonsight compare runs/one runs/two --gold my-dataset --split val --json[/]"""


def command(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN_OR_PREDICTIONS…", help="Run folders or prediction files.")
    ],
    gold: GoldFiles,
    benchmark: BenchmarkOption = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Compare by this metric only; may be given again."),
    ] = None,
    human_votes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='People\'s votes, JSON lines {"item", "task", "votes"}, scored by majority.',
        ),
    ] = None,
    json: Json = False,
    allow_missing: AllowMissing = False,
    split: Split = None,
    confidence: Confidence = 0.95,
    alpha: Annotated[
        float,
        typer.Option(
            min=1e-6, max=0.5, metavar="LEVEL", help="Runs are apart where the corrected p is below this."
        ),
    ] = 0.05,
    seed: Seed = 0,
) -> None:
    """Compare runs pair by pair: paired tests, smallest detectable difference, tie groups, human rows."""
    chosen = find(benchmark) if benchmark else benchmark_of(Opening((gold[0],)))
    names = short_names(runs)
    given = {name: predictions_of(chosen, path) for name, path in names.items()}
    columns = gather_gold(
        chosen.scoring, labelled(chosen.scoring, progress(items_of(chosen, gold, split), "reading gold"))
    )
    outcomes = {
        name: measure(chosen.scoring, columns, p, allow_missing=allow_missing) for name, p in given.items()
    }
    metrics = _metrics(outcomes, metric)
    compared = {
        name: compare_runs(outcomes, name, seed=seed, alpha=alpha, confidence=confidence) for name in metrics
    }
    human = chosen.scoring.human(items_of(chosen, gold, split))
    voted = None if human_votes is None else _majority(chosen, human_votes, items_of(chosen, gold, split))
    failures = {name: outcome.failures for name, outcome in outcomes.items() if outcome.failures}
    if json:
        print_json(
            {
                "benchmark": chosen.name,
                "n": len(columns),
                "metrics": compared,
                "human": {"workers": human, "majority": voted},
                "published": [msgspec.to_builtins(row) for row in chosen.published],
                "failures": failures,
            }
        )
        return
    for name, comparison in compared.items():
        _show(name, comparison)
    if len(outcomes) > 1:
        _explain(alpha)
    for name, told in failures.items():
        out.print(escape(visible(f"{name}, scored 0, counted apart: {failures_told(told)}")))
    _show_people(chosen, human, voted)


class Majority(Struct, frozen=True):
    """How well the majority of the workers did, on the items that they voted on."""

    items: int
    ties: int
    metrics: dict[str, Figure]


def _majority(benchmark: Benchmark[Scoring], votes: Path, items: Iterator[Item]) -> Majority:
    answers, ties = read_votes(votes)
    voted = {answer.item for answer in answers}
    gold = gather_gold(benchmark.scoring, (item for item in items if item.id in voted))
    outcome = measure(
        benchmark.scoring, gold, replace(benchmark.scoring.from_answers(answers), source=str(votes))
    )
    return Majority(len(gold), ties, scorecard(benchmark.name, outcome).metrics)


def _metrics(outcomes: dict[str, Outcome], wanted: list[str] | None) -> list[str]:
    shared = [
        name
        for name in next(iter(outcomes.values())).metrics
        if all(name in outcome.metrics for outcome in outcomes.values())
    ]
    for name in wanted or []:
        if name not in shared:
            raise UsageError(
                f"--metric {name}: not all runs have it. They share: {', '.join(shared) or 'none'}."
            )
    if not shared:
        raise UsageError("The runs have no metric in common. Compare runs of the same task.")
    return wanted or shared


def _show(metric: str, comparison: MetricComparison) -> None:
    made = Table("#", f"[bold]{metric}[/]", box=None, pad_edge=False)
    for column in (*FIGURE_COLUMNS, "rank", "ties"):
        made.add_column(column, justify="right")
    for number, run in enumerate(comparison.runs, 1):
        rank = str(run.best_rank) if run.best_rank == run.worst_rank else f"{run.best_rank}–{run.worst_rank}"
        cells = figure_cells(run.figure)
        made.add_row(str(number), escape(visible(run.name)), *cells, rank, "".join(run.ties))
    out.print(made)
    if comparison.pairs:
        out.print()
        out.print(_pair_table(comparison))
    out.print()


PAIR_COLUMNS = ("diff", "low", "high", "won", "lost", "McNemar p", "paired p", "Holm p", "detectable")


def _pair_table(comparison: MetricComparison) -> Table:
    numbers = {run.name: number for number, run in enumerate(comparison.runs, 1)}
    made = table("pair", *PAIR_COLUMNS)
    for pair in comparison.pairs:
        d, m = pair.difference, pair.mcnemar
        exact = ("–",) * 3 if m is None else (count(m.only_first), count(m.only_second), f"{m.p_value:.2g}")
        made.add_row(
            f"{numbers[pair.first]}–{numbers[pair.second]}" + (" [bold]*[/]" if pair.apart else ""),
            *(percent(d.difference), percent(d.low), percent(d.high)),
            *exact,
            *(f"{d.p_value:.2g}", f"{pair.adjusted_p:.2g}", percent(pair.detectable)),
        )
    return made


def _explain(alpha: float) -> None:
    for line in (
        "ties: runs that share a letter are not apart",
        f"pair: the runs' numbers above; * apart, Holm p below {alpha:g}",
        "won, lost: only the first, only the second was right",
        "detectable: the smallest true difference that is found 4 times in 5",
    ):
        out.print(f"[dim]{line}[/]")
    out.print()


def _show_people(benchmark: Benchmark[Scoring], human: WorkerMean | None, voted: Majority | None) -> None:
    if human is not None and human.mean is not None:
        spread = "" if human.deviation is None else f" ± {percent(human.deviation)}"
        out.print(
            f"human, mean over workers: {percent(human.mean)}{spread} "
            f"({human.workers} workers with at least 100 judgements, {human.judgements:,} in all)"
        )
    if voted is not None:
        told = ", ".join(f"{name} {percent(f.value)} ({f.k} of {f.n})" for name, f in voted.metrics.items())
        out.print(f"human, majority vote: {told}; {voted.ties} ties, scored 0")
    for row in benchmark.published:
        told = ", ".join(f"{name} {percent(value)}" for name, value in row.metrics.items())
        out.print(f"published, {row.source}: {row.name} on {row.split}: {told}")
