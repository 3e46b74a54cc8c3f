"""`commonsight train-symbolic`: fit a solver that reads a question as a program, and executes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural

if TYPE_CHECKING:
    from commonsight.runs.symbolic import About

NAME = "train-symbolic"
EXAMPLES = """Examples:

[cyan]commonsight train-symbolic nlvr --out symbolic[/]

[cyan]commonsight train-symbolic nlvr --sight pixels --out symbolic[/]

[cyan]commonsight predict symbolic nlvr --split test --out runs/symbolic[/]"""


def command(
    dataset: said.Dataset,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The solver's folder, new.")],
    sight: Annotated[
        Literal["scenes", "pixels"] | None,
        typer.Option(help="What it sees by: scenes as the dataset lists them, or the pixels alone."),
    ] = None,
    train_split: Annotated[str, typer.Option(metavar="NAME", help="The split to learn from.")] = "dev",
    folds: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=100, help="Measure it by holding out each of N parts in turn; 0: do not."
        ),
    ] = 5,
    seed: said.TrainSeed = 0,
    json: Json = False,
) -> None:
    """Fit a symbolic solver: each question becomes a program, whose steps are the explanation.

    It learns from right answers alone which of a question's readings are meant. It needs no torch.
    """
    from commonsight.cli.train_show import bars
    from commonsight.runs.symbolic import SymbolicPlan, train_symbolic

    with bars() as told:
        plan = SymbolicPlan(dataset, sight, train_split, folds, seed)
        about = train_symbolic(plan, out_folder, told=told.told)
    if json:
        print_json(about)
    else:
        out.print(visible(f"{out_folder}: {_line(about)}"), markup=False, soft_wrap=True)


def _line(about: About) -> str:
    found = about.measured
    told = f"learned from {plural(int(found['sentences']), 'sentence')}"
    if found["unread"]:
        told += f", {int(found['unread'])} of which could not be read"
    if "accuracy" in found:
        told += f"; of those held out {percent(found['accuracy'])} % are told right, "
        told += f"{percent(found['consistency'])} % of the sentences as a whole"
    return f"{told} (always saying the same: {percent(found['majority'])} %)"
