"""`commonsight build premises`: premises to choose from, or their categories found again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.build.lines import refuse_file, write_lines
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import percent, plural, table
from commonsight.errors import InputError, Problem, UsageError

if TYPE_CHECKING:
    from commonsight.build.premises.labels import Tally
    from commonsight.build.premises.offers import Offer

NAME = "premises"
EXAMPLES = """Examples:

[cyan]commonsight build premises world/raw/images --out premises.jsonl[/]

[cyan]commonsight build premises --recover val-ori.jsonl --out labelled.jsonl[/]"""


def command(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE",
            help="Images and their objects: a folder of VCR's metadata files, JSON lines with objects and "
            "img_fn, or a dataset. With --recover: JSON lines with a premise each.",
        ),
    ],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The premises, JSON lines.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    recover: Annotated[
        bool,
        typer.Option(
            "--recover", help="Find premises their categories again, by BLEU against the templates."
        ),
    ] = False,
    as_json: Json = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """Six premises for every image with people, one of each of PMR's categories, filled from word lists.

    With --recover, premises that people have changed get the category of the template that they come nearest
    to; a category that a line has already is kept beside it and compared.
    """
    if not source.exists():
        raise UsageError(f"{source}: there is no such file or folder. Check the path.")
    if as_json and not recover:
        raise UsageError("--json shows what --recover measures. Add --recover, or leave --json out.")
    refuse_file(out_file, [source], overwrite)
    if recover:
        _recover(source, out_file, as_json)
    else:
        _offer(source, out_file, seed)


class _Images:
    """How many images got premises, and how many did not."""

    def __init__(self) -> None:
        self.used = self.without_people = 0


def _offer(source: Path, out_file: Path, seed: int) -> None:
    problems: list[Problem] = []
    images = _Images()
    count = write_lines(out_file, _offers(source, seed, images, problems), problems)
    out.print(
        visible(f"{out_file}: {plural(count, 'premise')} about {plural(images.used, 'image')}"),
        markup=False,
        soft_wrap=True,
    )
    if images.without_people:
        err.print(f"note: {plural(images.without_people, 'image')} without people left out")


def _offers(source: Path, seed: int, images: _Images, problems: list[Problem]) -> Iterator[Offer]:
    from commonsight.build.premises.offers import offers
    from commonsight.build.premises.pictures import read_pictures

    for picture in progress(read_pictures(source, problems.append), "images"):
        made = offers(picture, seed)
        images.used += bool(made)
        images.without_people += not made
        yield from made
    if not images.used and not problems:
        raise InputError(
            f"{source}: no image has a person among its objects. Premises are about people: "
            "give images whose objects are named person."
        )


def _recover(source: Path, out_file: Path, as_json: bool) -> None:
    from commonsight.build.premises.labels import empty_tally, labelled, tallied

    if source.is_dir():
        raise UsageError(f"{source} is a folder. Give --recover a file of JSON lines with a premise each.")
    problems: list[Problem] = []
    tally = empty_tally()
    lines = progress(tallied(labelled(source, problems.append), tally), "premises")
    write_lines(out_file, (line.record() for line in lines), problems)
    if as_json:
        print_json(_figures(tally))
    else:
        _tell(out_file, tally)


def _figures(tally: Tally) -> dict[str, object]:
    from commonsight.build.premises.templates import CATEGORIES

    return {
        "n": tally.total,
        "categories": {name: tally.found[name] for name in CATEGORIES},
        "categories_before": {name: tally.before[name] for name in CATEGORIES} if tally.compared else None,
        "compared": tally.compared,
        "same": tally.same,
    }


def _tell(out_file: Path, tally: Tally) -> None:
    from commonsight.build.premises.labels import PUBLISHED

    out.print(visible(f"{out_file}: {plural(tally.total, 'premise')}"), markup=False, soft_wrap=True)
    shown = table("category", "found", "%", *(("before", "%") if tally.compared else ()), "PMR's paper %")
    for name, published in PUBLISHED.items():
        before = tally.before[name]
        told = (f"{before:,}", percent(before / tally.compared)) if tally.compared else ()
        found = tally.found[name]
        shown.add_row(name, f"{found:,}", percent(found / tally.total), *told, percent(published))
    out.print(shown)
    if tally.compared:
        share = percent(tally.same / tally.compared)
        out.print(f"the same category as before: {tally.same:,} of {tally.compared:,} ({share} %)")
