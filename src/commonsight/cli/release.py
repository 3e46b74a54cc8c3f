"""`commonsight release`: the next version of a dataset, with what people found wrong in it mended."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import plural, table
from commonsight.score.intervals import Figure

NAME = "release"
EXAMPLES = """Example:

[cyan]commonsight release my-dataset --errata errata --version 1.1.0 --out my-dataset-1.1 --run runs/r2c[/]"""


def command(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="The version before.")],
    errata: Annotated[Path, typer.Option(metavar="DIR", help="What `explore --errata` kept.")],
    version: Annotated[str, typer.Option(metavar="NUMBER", help="Of the new one.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The new one's folder.")],
    run: Annotated[
        list[Path] | None,
        typer.Option(metavar="RUN", help="Score this run on both versions; may be given again."),
    ] = None,
    json: Json = False,
) -> None:
    """Write the next version, in which each item says whether it was changed; old runs are scored again."""
    from commonsight.runs.exploring.errata import CHANGES, Errata, release
    from commonsight.runs.exploring.rescored import rescored

    released = release(dataset, Errata(errata).all(), out_folder, version)
    changes = {kind: sum(one.change == kind for one in released.changes) for kind in ("changed", "removed")}
    scores = rescored(dataset, out_folder, run or ())
    if json:
        print_json({"version": version, "items": released.info.items, **changes, "runs": scores})
        return
    counted = ", ".join(f"{count} {kind}" for kind, count in changes.items())
    told = f"{plural(released.info.items, 'item')}, {counted}"
    out.print(visible(f"{out_folder}: version {version}, {told} ({CHANGES})"), markup=False, soft_wrap=True)
    if scores:
        made = table("run", "metric", "before", "after")
        for name, metrics in scores.items():
            for metric, pair in metrics.items():
                made.add_row(visible(name), metric, _percent(pair.before), _percent(pair.after))
        out.print(made)


def _percent(figure: Figure) -> str:
    return "–" if figure.value is None else f"{100 * figure.value:.1f}"
