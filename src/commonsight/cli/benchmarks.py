"""`commonsight benchmarks`: what is supported, with citations."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonsight.benchmarks import ALL, find
from commonsight.cli.arguments import Json, benchmark_names
from commonsight.cli.console import out, print_json
from commonsight.core.benchmark import Benchmark
from commonsight.score.scoring import Scoring

NAME = "benchmarks"
EXAMPLES = """Examples:

[cyan]commonsight benchmarks[/]

[cyan]commonsight benchmarks nlvr2[/]"""

HEADING = ("name", "title", "summary")


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="BENCHMARK", help="Only this one; by default all.", autocompletion=benchmark_names
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the benchmarks: files, tasks, metrics, slices, licence and citation."""
    chosen = ALL if name is None else (find(name),)
    if json:
        print_json({"benchmarks": [described(benchmark) for benchmark in chosen]})
        return
    for number, benchmark in enumerate(chosen):
        if number:
            out.print()
        _show(benchmark)


def described(benchmark: Benchmark[Scoring]) -> dict[str, Any]:
    """A benchmark in plain values."""
    return {
        "name": benchmark.name,
        "title": benchmark.title,
        "summary": benchmark.summary,
        "files": benchmark.native_files,
        "predictions": benchmark.native_predictions,
        "tasks": {task.name: task.title for task in benchmark.tasks},
        "metrics": list(benchmark.metrics),
        "slices": list(benchmark.scoring.slices),
        "slice_files": {name: source.help for name, source in benchmark.scoring.slice_sources.items()},
        "licence": benchmark.licence,
        "homepage": benchmark.homepage,
        "citation": str(benchmark.citation),
    }


def _show(benchmark: Benchmark[Scoring]) -> None:
    out.print(Text.assemble((benchmark.name, "bold cyan"), "  ", (benchmark.title, "bold")))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("", Text(benchmark.summary))
    for field, value in described(benchmark).items():
        if field not in HEADING and value:
            grid.add_row(field.replace("_", " "), _cell(value))
    out.print(grid)


def _cell(value: Any) -> Text:
    if isinstance(value, dict):
        lines = [Text.assemble((name, "cyan"), f"  {told}") for name, told in value.items()]
        return Text("\n").join(lines)
    return Text(", ".join(value) if isinstance(value, list) else value)
