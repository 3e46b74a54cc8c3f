"""`commonsight predict`: trained networks answer a dataset, as a run that is scored like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json

NAME = "predict"
EXAMPLES = """Examples:

[cyan]commonsight predict trained/r2c matched --split val --out runs/r2c[/]

[cyan]commonsight predict trained/r2c vcr --split test --out runs/r2c-test --predictions r2c.csv[/]"""


def command(
    trained: Annotated[Path, typer.Argument(metavar="TRAINED", help="A folder that `train` wrote.")],
    dataset: said.Dataset,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The run's folder.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="The split to answer.")] = "val",
    only: said.OnlyPart = None,
    predictions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the answers as the leaderboard wants them."),
    ] = None,
    attention: Annotated[
        int, typer.Option(metavar="N", min=0, help="Keep what was looked at for the first N items.")
    ] = 500,
    text: said.TextFrom = None,
    regions: said.RegionsFrom = None,
    knowledge: said.Knowledge = None,
    device: said.Device = None,
    features: said.FeatureFolder = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Answer a split with trained networks: a run with answers, probabilities, attention and a report."""
    from commonsight.cli.run_show import show
    from commonsight.cli.train_show import bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.runs.predicting import Asked, predict

    with bars() as told, stopping():
        files = tuple(knowledge or ())
        asked = Asked(
            dataset, split, only, regions, text, attention, predictions, features, device, told.told, files
        )
        report = predict(trained, asked, out_folder)
    if json:
        print_json(report)
    elif report is None:
        out.print(f"{out_folder}: the split has no labels, so there is nothing to score.", soft_wrap=True)
    else:
        show(report, out_folder)
