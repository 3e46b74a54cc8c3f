"""`commonsight benchmarks`: what is supported, with citations."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from commonsight.benchmarks import ALL
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json
from commonsight.core.benchmark import Benchmark
from commonsight.score.scoring import Scoring

NAME = "benchmarks"
EXAMPLES = "Example: [cyan]commonsight benchmarks[/]"


def command(json: Json = False) -> None:
    """List the benchmarks: files, tasks, metrics, slices, licence and citation."""
    if json:
        print_json({"benchmarks": [described(benchmark) for benchmark in ALL]})
        return
    for benchmark in ALL:
        out.print(f"\n[bold cyan]{benchmark.name}[/]  [bold]{escape(benchmark.title)}[/]")
        out.print(f"  {escape(benchmark.summary)}")
        for name, value in described(benchmark).items():
            if name not in ("name", "title", "summary"):
                text = (
                    "; ".join(f"{k}: {v}" for k, v in value.items())
                    if isinstance(value, dict)
                    else str(value)
                )
                out.print(f"  [dim]{name:<12}[/] {escape(text)}", soft_wrap=True)


def described(benchmark: Benchmark[Scoring]) -> dict[str, Any]:
    """A benchmark in plain values."""
    return {
        "name": benchmark.name,
        "title": benchmark.title,
        "summary": benchmark.summary,
        "files": benchmark.native_files,
        "predictions": benchmark.native_predictions,
        "tasks": {task.name: task.title for task in benchmark.tasks},
        "metrics": ", ".join(benchmark.metrics),
        "slices": ", ".join(benchmark.scoring.slices) or "none built in",
        "slice files": {name: source.help for name, source in benchmark.scoring.slice_sources.items()},
        "licence": benchmark.licence,
        "homepage": benchmark.homepage,
        "citation": str(benchmark.citation),
    }
