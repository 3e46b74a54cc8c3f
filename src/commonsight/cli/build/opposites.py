"""`commonsight build opposites`: items beside their like under a second premise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.console import out, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

NAME = "opposites"
EXAMPLES = """Examples:

[cyan]commonsight build opposites pmr --premises second.jsonl --out opposed[/]"""


def command(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset with premises (PMR).")],
    premises: Annotated[
        Path,
        typer.Option(metavar="FILE", help='The second premises: JSON lines {"id", "premise"}.'),
    ],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The dataset of pairs.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a dataset that is there.")] = False,
) -> None:
    """Put items beside their like under a second premise, which makes their Action-False true (PMR, 5.3).

    Whoever answers the pairs (`predict`, `run`) is scored under each premise, and under both.
    """
    from commonsight.runs.opposites import write_opposites
    from commonsight.runs.subject import Opening
    from commonsight.store.dataset import is_dataset

    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert`.")
    if not premises.is_file():
        raise UsageError(f"{premises}: there is no such file. Check --premises.")
    info = write_opposites(Opening((dataset,)), premises, out_folder, overwrite=overwrite)
    told = f"{out_folder}: {plural(info.items // 2, 'pair')} of one picture and two premises"
    out.print(visible(told), markup=False, soft_wrap=True)
