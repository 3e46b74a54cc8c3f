"""`commonsight import-tsv`: a VLMEvalKit TSV as a dataset."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.arguments import Split, check_images, refuse_loss
from commonsight.cli.console import out, progress, visible
from commonsight.cli.export_options import Images
from commonsight.cli.tables import plural

NAME = "import-tsv"
EXAMPLES = """Examples:

[cyan]commonsight import-tsv MMBench_DEV_EN.tsv --out mmbench[/]

[cyan]commonsight import-tsv tsv/commonsight_vcr_q2a.tsv --images vcr1images --out vcr[/]"""


def command(
    table: Annotated[Path, typer.Argument(metavar="TSV", help="A benchmark in VLMEvalKit's format.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The dataset's folder, new.")],
    images: Images = None,
    split: Split = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a dataset that is there.")] = False,
) -> None:
    """Turn a VLMEvalKit TSV into a dataset: the same items if `commonsight export` wrote it."""
    from commonsight.runs.exports.datasets import dataset_of_tsv

    check_images(images)
    refuse_loss(out_folder, [table], overwrite)
    with tempfile.TemporaryDirectory() as scratch:
        info = dataset_of_tsv(
            table, out_folder, Path(scratch), images=images, split=split, overwrite=overwrite,
            passing=lambda items: progress(items, "importing"),
        )  # fmt: skip
    pictures = f", {info.images:,} images" if info.images else ""
    told = f"{out_folder}: {plural(info.items, 'item')} of {info.benchmark}{pictures}"
    out.print(visible(told), markup=False, soft_wrap=True)
