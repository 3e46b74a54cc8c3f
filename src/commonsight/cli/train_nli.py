"""`commonsight train-nli`: train a model of inference, which judges how alike responses are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural

if TYPE_CHECKING:
    from commonsight.runs.inferring import Inferred

NAME = "train-nli"
EXAMPLES = """Examples:

[cyan]commonsight train-nli snli_train.jsonl multinli_train.jsonl --val snli_dev.jsonl --out nli[/]

[cyan]commonsight build match raw.jsonl --similarity esim:nli --out matched[/]"""


def command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="JSON lines of premise, hypothesis and label (entailment, neutral, …)."
        ),
    ],
    out_folder: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder; a training in it is gone on with.")
    ],
    val: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Pairs to choose the best epoch by; else every tenth premise is held out."
        ),
    ] = None,
    test: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Pairs that the best weights are tried on in the end.")
    ] = None,
    size: Annotated[
        Literal["small", "paper"],
        typer.Option(help="small learns on a CPU; paper has the published numbers."),
    ] = "small",
    text: Annotated[
        str | None,
        typer.Option(
            metavar="WAY",
            help="Where words come from: glove (where it is installed, the default), learned, glove:FILE, "
            "static, elmo:FOLDER, bert:FOLDER_OR_NAME.",
        ),
    ] = None,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Only these pairs; else random ones are added as neutral, shortened ones as entailed.",
        ),
    ] = False,
    seed: said.TrainSeed = 0,
    epochs: said.Epochs = None,
    batch: said.BatchSize = None,
    rate: said.Rate = None,
    device: said.Device = None,
    features: said.FeatureFolder = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Train ESIM to tell whether a text follows from another: it then judges similarity for build match.

    Interrupt or kill it at any time: the same command goes on from the last checkpoint, and comes to the same
    weights, to the last bit.
    """
    given = {"epochs": epochs, "batch": batch, "rate": rate}
    from commonsight.cli.train_show import EpochWatch, bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.models.engine.team import is_first
    from commonsight.runs.inferring import InferencePlan, train_nli

    recipe = {name: value for name, value in given.items() if value is not None}
    plan = InferencePlan(files, val, test, size, text, plain, recipe, seed, device, features)
    with bars() as told, stopping():
        found = train_nli(plan, out_folder, told=told.told, watch=lambda: EpochWatch(told.bar, "inference"))
    if not is_first():
        return
    if json:
        print_json(_measured(found))
    else:
        out.print(visible(f"{out_folder}: {_line(found)}"), markup=False, soft_wrap=True)


def _measured(found: Inferred) -> dict[str, object]:
    return {
        "accuracy": found.state.best, "test": found.tested, "learned": found.learned,
        "judged": found.judged, "parameters": found.parameters, "training": found.state,
    }  # fmt: skip


def _line(found: Inferred) -> str:
    told = f"learned from {plural(found.learned, 'pair')}; of {found.judged:,} others "
    told += f"{percent(found.state.best)} % are told"
    return told if found.tested is None else f"{told}, of the test's {percent(found.tested)} %"
