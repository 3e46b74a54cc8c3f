"""`commonsight train-text`: train or adapt a text encoder on a dataset's own texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from commonsight.cli import train_options as said
from commonsight.cli.console import out, visible

NAME = "train-text"
EXAMPLES = """Examples:

[cyan]commonsight train-text bert vcr --from bert-base-uncased --out text/bert[/]

[cyan]commonsight train-text elmo matched --out text/elmo[/]

[cyan]commonsight train r2c matched --text bert:text/bert --out trained/r2c[/]"""


def command(
    kind: Annotated[
        Literal["bert", "elmo"],
        typer.Argument(metavar="KIND", help="bert, or elmo: a language model of letters in both directions."),
    ],
    dataset: said.Dataset,
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The encoder's folder, new.")],
    start: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="PLACE", help="A BERT to begin with, a folder or a hub name; else from nothing."
        ),
    ] = None,
    split: Annotated[str, typer.Option(metavar="NAME", help="The split whose texts are read.")] = "train",
    epochs: said.Epochs = None,
    rate: said.Rate = None,
    seed: said.TrainSeed = 0,
    device: said.Device = None,
    threads: said.Threads = None,
) -> None:
    """Train a text encoder on a dataset's own texts; networks then read its vectors, which are made once.

    A BERT guesses hidden words and tells right responses from others, for one epoch where it begins with what
    it knows already (footnote 27 of the VCR paper).
    """
    from commonsight.cli.train_show import bars
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.runs.texting import TextPlan, train_text

    plan = TextPlan(kind, dataset, start, split, epochs, rate, seed, device or "cpu")
    with bars() as told:
        line = train_text(plan, out_folder, progress=told.told(f"training {kind}"))
    out.print(visible(f"{out_folder}: {line}"), markup=False, soft_wrap=True)
