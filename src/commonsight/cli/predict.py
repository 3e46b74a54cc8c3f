"""`commonsight predict`: networks and symbolic solvers answer a dataset, as a run like any other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json, NearestChoice, vectors_named
from commonsight.cli.console import out, print_json, visible
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.runs.summary import RunReport

NAME = "predict"
EXAMPLES = """Examples:

[cyan]commonsight predict trained/r2c matched --split val --out runs/r2c[/]

[cyan]commonsight predict symbolic nlvr --split test --out runs/symbolic[/]

[cyan]commonsight predict trained/r2c vcr --split test --out runs/r2c-test --predictions r2c.csv[/]"""


def command(
    trained: Annotated[
        Path, typer.Argument(metavar="TRAINED", help="A folder that `train` or `train-symbolic` wrote.")
    ],
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
    nearest_choice: NearestChoice = None,
    context: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|ORACLE|none",
            help="The text beside each question; by default what the network was trained with.",
        ),
    ] = None,
    beam: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Beginnings of a text that are kept at once, for networks that write."
        ),
    ] = None,
    longest: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Tokens that such a network writes at most.")
    ] = None,
    device: said.Device = None,
    features: said.FeatureFolder = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Answer a split with trained networks, or with a symbolic solver: a run with answers and a report.

    Networks add probabilities and attention; symbolic solvers the program of each answer, and its steps.
    """
    from commonsight.cli.train_show import bars, stopping
    from commonsight.models.libraries import use_threads
    from commonsight.runs.symbolic import is_symbolic

    if is_symbolic(trained):
        _refuse({"--only": only, "--text": text, "--device": device, "--nearest-choice": nearest_choice,
                 "--context": context, "--beam": beam, "--longest": longest})
        report = _solved(trained, dataset, split, out_folder, native=predictions, regions=regions)
        _show(report, out_folder, json=json)
        return
    use_threads(threads)
    from commonsight.runs.predicting import Asked, predict

    with bars() as told, stopping():
        given = Asked(
            dataset,
            split,
            only,
            regions,
            text,
            attention,
            predictions,
            features,
            device,
            told.told,
            tuple(knowledge or ()),
            None if nearest_choice is None else vectors_named(nearest_choice),
            context,
            beam,
            longest,
            told.said,
        )
        report = predict(trained, given, out_folder)
    _show(report, out_folder, json=json)


def _solved(
    trained: Path, dataset: Path, split: str, out_folder: Path, *, native: Path | None, regions: str | None
) -> RunReport | None:
    """A symbolic solver's run."""
    from commonsight.cli.train_show import bars, stopping
    from commonsight.cli.train_symbolic import seen_folder
    from commonsight.runs.symbolic import Question, predict_symbolic

    with bars() as told, stopping():
        asked = Question(dataset, split, native, told.told, seen_folder(regions))
        return predict_symbolic(trained, asked, out_folder)


def _refuse(given: Mapping[str, object]) -> None:
    """What only networks know, where a symbolic solver is asked."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"{name}: this folder holds a symbolic solver, which knows no such option.")


def _show(report: RunReport | None, out_folder: Path, *, json: bool) -> None:
    from commonsight.cli.run_show import show
    from commonsight.runs.rationales import FILE as CONTEXTS

    if json:
        print_json(report)
    elif (out_folder / CONTEXTS).is_file():
        file = out_folder / CONTEXTS
        told = f"{file}: what it wrote. Use it: commonsight run DATASET --context {file} --model KIND:NAME"
        out.print(visible(told), markup=False, soft_wrap=True)
    elif report is None:
        out.print(f"{out_folder}: the split has no labels, so there is nothing to score.", soft_wrap=True)
    else:
        show(report, out_folder)
