"""`commonsight build thumbnails`: pictures made small, and hashes of what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import InputError, UsageError
from commonsight.store.pictures import MOST_PIXELS

if TYPE_CHECKING:
    from commonsight.store.journal import Refused

NAME = "thumbnails"
EXAMPLES = """Examples:

[cyan]commonsight build thumbnails photos/ --out thumbnails[/]

[cyan]commonsight build thumbnails photos/ frames/ --size 512 --size 128 --format jpeg --out thumbnails[/]"""
SHOWN = 10


class Format(StrEnum):
    """What thumbnails are written as."""

    WEBP = "webp"
    JPEG = "jpeg"


def command(
    images: Annotated[list[Path], typer.Argument(metavar="IMAGES…", help="Pictures, or folders of them.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Thumbnails and their list.")],
    sizes: Annotated[
        list[int] | None,
        typer.Option("--size", metavar="N", min=1, max=4096, help="Longest side (256); may be given again."),
    ] = None,
    kind: Annotated[Format, typer.Option("--format", help="Of the thumbnails.")] = Format.WEBP,
    quality: Annotated[int, typer.Option(metavar="N", min=1, max=95, help="Of the thumbnails.")] = 80,
    most_pixels: Annotated[
        int, typer.Option(metavar="N", min=1, help="Refuse pictures with more pixels than this.")
    ] = MOST_PIXELS,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    json: Json = False,
) -> None:
    """Make small copies of pictures, named by their content, and list their perceptual hashes.

    Stopped, it goes on where it was. Pictures that cannot be read are listed in thumbnails.refused.jsonl.
    """
    from commonsight.build.imaging.thumbnails import LOG, SIZES, Thumbnail, Thumbnails
    from commonsight.store.journal import Journal, Refused
    from commonsight.store.lines import whole_lines
    from commonsight.store.piecework import each_picture
    from commonsight.store.walk import pictures_in

    wanted = tuple(sorted(set(sizes or SIZES)))
    work = Thumbnails(out_folder, wanted, kind.value, quality, most_pixels)
    for place in images:
        if place.is_dir() and out_folder.resolve().is_relative_to(place.resolve()):
            raise UsageError(f"--out {out_folder} lies in {place}, whose pictures are read. Choose another.")
    begun = {"sizes": wanted, "format": kind.value, "quality": quality}
    problems: list[Refused] = []
    found = pictures_in(images, lambda problem: problems.append(Refused.of(problem)))
    with Journal[Thumbnail](out_folder / LOG, begun) as journal:
        before = len(journal)
        made = Counter(map(type, progress(each_picture(found, work, journal, workers), "pictures")))
        for problem in problems:
            journal.refuse(problem)
    refused = list(whole_lines((out_folder / LOG).with_suffix(".refused.jsonl"), Refused))
    if not before and not made[Thumbnail]:
        none = "There is no picture in these folders. Check the paths."
        raise InputError("\n".join(map(str, refused)) or none)
    _tell(out_folder, made[Thumbnail], before, refused, json)


def _tell(folder: Path, made: int, before: int, refused: Sequence[Refused], json: bool) -> None:
    for one in refused[:SHOWN]:
        err.print(visible(f"note: {one}"), markup=False, soft_wrap=True)
    if len(refused) > SHOWN:
        more = f"note: … and {len(refused) - SHOWN:,} more, in thumbnails.refused.jsonl"
        err.print(more, markup=False, soft_wrap=True)
    if json:
        counts = {"pictures": before + made, "made": made, "there_already": before, "refused": len(refused)}
        print_json(counts)
        return
    there = f", {before:,} of them there already" if before else ""
    bad = f"; {plural(len(refused), 'file')} refused" if refused else ""
    told = f"{folder}: {plural(before + made, 'picture')}{there}{bad}"
    out.print(visible(told), markup=False, soft_wrap=True)
