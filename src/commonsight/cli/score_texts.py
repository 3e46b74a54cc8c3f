"""`commonsight score-texts`: rationales that a model wrote, against those that people wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.arguments import AllowMissing, BenchmarkOption, Confidence, Json, Seed, Split
from commonsight.cli.console import out, print_json, progress
from commonsight.cli.tables import FIGURE_COLUMNS, failures_told, figure_cells, plural, table
from commonsight.errors import UsageError

NAME = "score-texts"
EXAMPLES = """Examples:

[cyan]commonsight score-texts rationales.jsonl aokvqa_v1p0_val.json[/]

[cyan]commonsight score-texts rationales.jsonl world/aokvqa --split val --json[/]"""


def command(
    texts: Annotated[
        Path, typer.Argument(metavar="TEXTS", help='JSON lines {"item", "context"}, as `run` takes them.')
    ],
    paths: Annotated[
        list[Path], typer.Argument(metavar="DATASET|FILE…", help="The items, with their rationales.")
    ],
    benchmark: BenchmarkOption = None,
    split: Split = None,
    wordnet: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="WordNet's database, for METEOR's synonyms; by default Debian's where it is installed.",
        ),
    ] = None,
    allow_missing: AllowMissing = False,
    json: Json = False,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
) -> None:
    """Score generated rationales by SacreBLEU and METEOR, each against all that people wrote for its item."""
    from commonsight.runs.generated import judge_texts
    from commonsight.runs.subject import Opening, benchmark_of
    from commonsight.text.synonyms import WordNetSynonyms, installed_synonyms

    for path in (texts, *paths):
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder. Check the path.")
    opening = Opening(tuple(paths), benchmark, split, outlines=False)
    chosen = benchmark_of(opening)
    report = judge_texts(
        texts,
        chosen,
        progress(opening.read(), "reading"),
        synonyms=installed_synonyms() if wordnet is None else WordNetSynonyms(wordnet),
        allow_missing=allow_missing,
        confidence=confidence,
        seed=seed,
    )
    if json:
        print_json(report)
        return
    out.print(f"[bold]{chosen.title}[/], {plural(report.n, 'text')}")
    out.print(f"[dim]{100 * confidence:g} % intervals, clustered by {report.clustered_by}[/]")
    metrics = table("metric", *FIGURE_COLUMNS)
    for name, figure in report.metrics.items():
        metrics.add_row(name, *figure_cells(figure))
    out.print(metrics)
    for step in report.steps:
        out.print(step, markup=False)
    if report.failures:
        out.print(f"scored as empty: {failures_told(report.failures)}")
