"""`commonsight collect export`: what people made, as a dataset, as raw annotations, or for a study."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import refuse_loss
from commonsight.cli.collect.opening import CampaignOption, Folder, campaign_of, opened
from commonsight.cli.console import out, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.collect.desk import Desk

NAME = "export"
EXAMPLES = """Examples:

[cyan]commonsight collect export ours --out collected[/]

[cyan]commonsight collect export ours --campaign pilot --raw raw.jsonl[/]  (then: build match raw.jsonl)

[cyan]commonsight collect export ours --all answers.jsonl[/]"""


def command(
    folder: Folder,
    campaign: CampaignOption = None,
    out_folder: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The records as a dataset, new.")
    ] = None,
    raw: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The records as raw annotations for `build match`.")
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Beside --raw: its pictures, for `build match --images`; new."),
    ] = None,
    every: Annotated[
        Path | None, typer.Option("--all", metavar="FILE", help="Every answer of everyone, for a study.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The dataset's name; by default its folder's.")
    ] = None,
    dataset_version: Annotated[
        str, typer.Option("--dataset-version", metavar="VERSION", help="The dataset's version.")
    ] = "1.0.0",
    split: Annotated[str, typer.Option(metavar="NAME", help="The split of items that have none.")] = "train",
    datasheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your answers to the datasheet, TOML or JSON.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")] = False,
) -> None:
    """Write what people made. Workers are called w1, w2 and so on; the same records give the same bytes."""
    files = [path for path in (raw, every) if path is not None]
    if out_folder is None and not files:
        raise UsageError("There is nothing to write. Give --out DIR, --raw FILE or --all FILE.")
    if pictures is not None and raw is None:
        raise UsageError("--pictures are those of raw annotations: give --raw FILE, too.")
    for path in files:
        if path.exists() and not (overwrite and path.is_file()):
            raise UsageError(f"{path} exists already. Choose another name, or add --overwrite to replace it.")
    if out_folder is not None:
        refuse_loss(out_folder, [folder], overwrite)
    with opened(folder) as desk:
        from commonsight.collect.export import export_all, export_pictures, export_raw

        campaign_id = campaign_of(desk, campaign)
        if out_folder is not None:
            _dataset(desk, campaign_id, out_folder, name, dataset_version, split, datasheet, overwrite)
        if raw is not None:
            number = export_raw(desk, campaign_id, raw, progress=partial(progress, what="exporting"))
            _say(f"{raw}: {plural(number, 'record')}")
        if pictures is not None:
            _say(f"{pictures}: {plural(export_pictures(desk, campaign_id, pictures), 'picture')}")
        if every is not None:
            number = export_all(desk, campaign_id, every, progress=partial(progress, what="exporting"))
            _say(f"{every}: {plural(number, 'assignment')}")


def _dataset(
    desk: Desk,
    campaign_id: int,
    folder: Path,
    name: str | None,
    version: str,
    split: str,
    datasheet: Path | None,
    overwrite: bool,
) -> None:
    from commonsight.benchmarks.datasheets import read_answers
    from commonsight.collect.export import export_dataset
    from commonsight.store.paths import is_split_name

    if not is_split_name(split):
        raise UsageError(f"--split {split:.40}: a split's name has letters, digits, _ and -.")
    info = export_dataset(
        desk,
        campaign_id,
        folder,
        name=name,
        version=version,
        split=split,
        datasheet=None if datasheet is None else read_answers(datasheet),
        overwrite=overwrite,
        progress=partial(progress, what="exporting"),
    )
    splits = ", ".join(f"{split} {entry.items:,}" for split, entry in info.splits.items())
    pictures = f", {info.images:,} images" if info.images else ""
    drawn = ", drawn" if info.drawn else ""
    _say(f"{folder}: {plural(info.items, 'item')} ({splits}){pictures}{drawn}")


def _say(line: str) -> None:
    out.print(visible(line), markup=False, soft_wrap=True)
