"""`commonsight build drawings`: one item for each drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.console import out, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

NAME = "drawings"
EXAMPLES = """Examples:

[cyan]commonsight convert nlvr dev.json test.json --images . --out nlvr[/]

[cyan]commonsight build drawings nlvr --hold-out dev --out drawings[/]

[cyan]commonsight build drawings nlvr2 --hold-out train --out held-out[/]"""


def command(
    dataset: Annotated[
        Path,
        typer.Argument(
            metavar="DATASET", help="Of items drawn several times (NLVR), or with --hold-out any."
        ),
    ],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The dataset of drawings.")],
    hold_out: Annotated[
        str | None,
        typer.Option(metavar="SPLIT", help="Make this split train and, for whole sentences, val."),
    ] = None,
    share: Annotated[
        float, typer.Option(metavar="X", min=0.0, max=1.0, help="How much of it; 5 % as published.")
    ] = 0.05,
    recolour: Annotated[
        bool,
        typer.Option("--recolour", help="Also every training drawing with its sentence in other colours."),
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed holds out the same.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a dataset that is there.")] = False,
) -> None:
    """Make one item of each drawing: NLVR draws every example six times, with its boxes in every order.

    Training sees all of them, and scores count each, as the papers that give figures on images do. A sentence
    is as true of its drawing when the colours of both have changed places, so that --recolour gives six times
    as many to learn from. Where items were drawn once, as in NLVR2, --hold-out alone is of use.
    """
    from commonsight.benchmarks import find
    from commonsight.runs.drawings import HoldingOut, write_drawings
    from commonsight.runs.subject import Opening
    from commonsight.store.dataset import is_dataset

    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert`.")
    holding = None if hold_out is None else HoldingOut(hold_out, share, seed)
    info = write_drawings(
        Opening((dataset,)),
        out_folder,
        holding=holding,
        varied=recolour,
        overwrite=overwrite,
        progress=lambda items, total: progress(items, "writing", total),
    )
    counts = ", ".join(f"{name} {split.items:,}" for name, split in info.splits.items())
    noun = "item" if find(info.benchmark).views is None else "drawing"
    told = f"{out_folder}: {plural(info.items, noun)} ({counts})"
    out.print(visible(told), markup=False, soft_wrap=True)
