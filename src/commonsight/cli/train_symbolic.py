"""`commonsight train-symbolic`: fit a solver that reads a question as a program, and executes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.runs.symbolic import About

NAME = "train-symbolic"
EXAMPLES = """Examples:

[cyan]commonsight train-symbolic nlvr --out symbolic[/]

[cyan]commonsight train-symbolic nlvr --sight pixels --out symbolic[/]

[cyan]commonsight train-symbolic questions --regions seen:regions --knowledge triples.tsv --out symbolic[/]

[cyan]commonsight predict symbolic nlvr --split test --out runs/symbolic[/]"""


def command(
    dataset: said.Dataset,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The solver's folder, new.")],
    sight: Annotated[
        Literal["scenes", "pixels"] | None,
        typer.Option(help="What it sees by: scenes as the dataset lists them, or the pixels alone."),
    ] = None,
    regions: Annotated[
        str | None,
        typer.Option(metavar="seen:FOLDER", help="The encoder of objects, for questions with programs."),
    ] = None,
    knowledge: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What is known, for questions with programs; may be given again."),
    ] = None,
    train_split: Annotated[
        str | None, typer.Option(metavar="NAME", help="The split to learn from; by default train, or dev.")
    ] = None,
    val_split: Annotated[
        str, typer.Option(metavar="NAME", help="The split to choose by, for questions with programs.")
    ] = "val",
    folds: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=100, help="Measure it by holding out each of N parts in turn; 0: do not."
        ),
    ] = 5,
    seed: said.TrainSeed = 0,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Fit a symbolic solver: each question becomes a program, whose steps are the explanation.

    Sentences about shapes: it learns from right answers alone which of a sentence's readings are meant, and
    needs no torch. Questions with programs: it learns to read programs, and scene graphs from pictures.
    """
    from commonsight.cli.train_show import bars, stopping
    from commonsight.models.libraries import use_threads
    from commonsight.runs.symbolic import SymbolicPlan, train_symbolic

    eyes = seen_folder(regions)
    if eyes is not None:
        use_threads(threads)
    files = tuple(knowledge or ())
    with bars() as told, stopping():
        plan = SymbolicPlan(dataset, sight, train_split, val_split, eyes, files, folds, seed)
        about = train_symbolic(plan, out_folder, told=told.told, watch=told.watched)
    if json:
        print_json(about)
    else:
        out.print(visible(f"{out_folder}: {_line(about)}"), markup=False, soft_wrap=True)


def seen_folder(way: str | None) -> Path | None:
    """The folder of an encoder, as `--regions seen:FOLDER` names it."""
    if way is None:
        return None
    kind, _, folder = way.partition(":")
    if kind != "seen" or not folder:
        raise UsageError(f"--regions {way}: a symbolic solver sees with seen:FOLDER, of `train-regions`.")
    return Path(folder)


def _line(about: About) -> str:
    found = about.measured
    if "questions" in found:
        right = percent(found["validation"])
        told = f"learned from {plural(int(found['questions']), 'question')}"
        if "set_aside" in found:
            told += f", {int(found['set_aside'])} of whose programs cannot be read"
        return f"{told}; {right} % of those held out are answered and pointed right"
    told = f"learned from {plural(int(found['sentences']), 'sentence')}"
    if found["unread"]:
        told += f", {int(found['unread'])} of which could not be read"
    if "accuracy" in found:
        told += f"; of those held out {percent(found['accuracy'])} % are told right, "
        told += f"{percent(found['consistency'])} % of the sentences as a whole"
    return f"{told} (always saying the same: {percent(found['majority'])} %)"
