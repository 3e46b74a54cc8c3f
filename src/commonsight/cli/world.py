"""`commonsight world`: make the embedded world, look at it, describe it, measure it, and prove its labels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import typer

from commonsight.cli.console import out, progress, visible
from commonsight.cli.tables import percent, plural, table
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_file
from commonsight.store.dataset import is_dataset, read_dataset

NAME = "world"
MAKE_EXAMPLES = """Examples:

[cyan]commonsight world make --out world --scenes 240 --seed 1[/]

[cyan]commonsight world make --out pairs --scenes 800 --kind nlvr2 --workers 4[/]"""
PROVE_EXAMPLES = """Example: [cyan]commonsight world prove --scenes 1500 --seed 1[/]"""
MEASURE_EXAMPLES = """Example: [cyan]commonsight world measure world[/]"""
DESCRIBE_EXAMPLES = """Example: [cyan]commonsight world describe world/aokvqa --out captions.jsonl[/]"""
SHOW_EXAMPLES = """Example: [cyan]commonsight world show world/vcr --out sheet.png --count 24[/]"""

app = typer.Typer(
    name=NAME,
    help="The embedded world: drawn scenes with ground truth.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.command("make", epilog=MAKE_EXAMPLES)
def make(
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The world's folder, new.")],
    scenes: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="How many scenes.")] = 240,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    kind: Annotated[
        Literal["vcr", "pmr", "nlvr2", "aokvqa", "cric", "all"],
        typer.Option(help="Which annotations to write."),
    ] = "all",
    clips: Annotated[int, typer.Option(metavar="N", min=0, help="How many short clips as well.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
) -> None:
    """Make a world: pictures, boxes, masks, scene graphs, and what simulated annotators write about them.

    An interrupted world goes on where it stopped when the same command is given again.
    """
    from commonsight.world.make import KINDS, Plan, Unit, make_world

    def shown(units: Iterator[Unit], total: int) -> Iterator[Unit]:
        return progress(units, "making", total)

    kinds = KINDS if kind == "all" else (kind,)
    infos = make_world(
        out_folder, Plan(scenes, seed, kinds, clips), workers=workers or os.cpu_count() or 1, progress=shown
    )
    for name, info in infos.items():
        splits = ", ".join(f"{split} {entry.items:,}" for split, entry in info.splits.items())
        counted = f"{plural(info.items, 'item')} ({splits}), {plural(info.images, 'image')}, drawn"
        told = f"{out_folder / name}: {counted}"
        out.print(visible(told), markup=False, soft_wrap=True)
    out.print(visible(f"{out_folder / 'raw'}: raw annotations and pictures"), markup=False, soft_wrap=True)


@app.command("prove", epilog=PROVE_EXAMPLES)
def prove(
    scenes: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="How many scenes.")] = 120,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The world's seed.")] = 0,
) -> None:
    """Prove every label of a world from its scenes, planned and drawn anew; nothing is written.

    Simulated annotators make mistakes, and mark them: those must not be provable. Anything else that cannot
    be proved ends the command with exit code 2.
    """
    from commonsight.world.make import Plan, Unit
    from commonsight.world.prove import LABELLED, proved

    def shown(units: Iterator[Unit], total: int) -> Iterator[Unit]:
        return progress(units, "proving", total)

    counts = proved(Plan(scenes, seed, LABELLED), shown)
    told = table("drawn items", "items", "proved", "marked mistakes", "not proved")
    for kind, count in counts.items():
        told.add_row(kind, *(f"{n:,}" for n in (*count, count.unproved)))
    out.print(told)
    if any(count.unproved for count in counts.values()):
        raise InputError("Some labels do not follow from their scenes. Mend the rules or texts behind them.")


@app.command("measure", epilog=MEASURE_EXAMPLES)
def measure(
    world: Annotated[Path, typer.Argument(metavar="WORLD", help="A world's folder, with raw/vcr.jsonl.")],
) -> None:
    """Say what a world's questions, answers and rationales are like, beside what VCR's paper says of it."""
    from commonsight.world.measure import PAPER_WORDS, measured_world
    from commonsight.world.vcr import SHARES

    found = measured_world(world)
    types = table("inference type", "drawn, %", "paper, %")
    for name, paper in SHARES.items():
        types.add_row(name, percent(found.shares[name]), percent(paper))
    words = table("mean words", "drawn", "paper")
    for part, mean in found.words.items():
        words.add_row(part, f"{mean:.1f}", f"{PAPER_WORDS[part]:.1f}")
    out.print(f"{plural(found.triplets, 'triplet')}, {plural(found.wordings, 'wording')}, drawn")
    for each in (types, words):
        out.print()
        out.print(each)


@app.command("describe", epilog=DESCRIBE_EXAMPLES)
def describe(
    dataset: Annotated[
        Path, typer.Argument(metavar="DATASET", help="A dataset of a world, such as world/aokvqa.")
    ],
    out_file: Annotated[
        Path, typer.Option("--out", metavar="FILE", help='JSON lines {"item", "context"}, for `run`.')
    ],
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
) -> None:
    """Caption the pictures of a drawn dataset, from what can be seen in them and nothing else.

    The scenes are planned and drawn anew from the seed, so this takes about as long as making them did. What
    follows from a picture, and what is asked about it, has no part in its caption.
    """
    import msgspec

    from commonsight.world.captions import captions, movies_of
    from commonsight.world.make import plan_of

    plan = plan_of(dataset)
    found: dict[str, str] = {}
    movies = captions(plan, workers or os.cpu_count() or 1)
    for several in progress(movies, "describing", len(movies_of(plan))):
        found |= {image: one.caption.text for one in several for image in one.images}
    told = 0
    with new_file(out_file) as part, part.open("wb") as stream:
        for item in read_dataset(dataset):
            image = item.scenes[0].image
            context = found.get(image)
            if context is None:
                raise InputError(f"{dataset}: {image} is no picture of its world. Make it anew.")
            stream.write(msgspec.json.encode({"item": item.id, "context": context}) + b"\n")
            told += 1
    out.print(visible(f"{out_file}: {plural(told, 'caption')}, drawn"), markup=False, soft_wrap=True)


@app.command("show", epilog=SHOW_EXAMPLES)
def show(
    dataset: Annotated[
        Path, typer.Argument(metavar="DATASET", help="A dataset of a world, such as world/vcr.")
    ],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The picture to write, a PNG.")],
    count: Annotated[int, typer.Option(metavar="N", min=1, max=400, help="How many scenes.")] = 24,
    columns: Annotated[int, typer.Option(metavar="N", min=1, max=20, help="Scenes in a row.")] = 4,
    boxes: Annotated[bool, typer.Option(help="Draw the objects' boxes.")] = True,
    split: Annotated[str | None, typer.Option(metavar="NAME", help="Only this split.")] = None,
) -> None:
    """Write a contact sheet: one picture with many scenes, their boxes and their texts."""
    from commonsight.world.sheet import cell, contact_sheet

    if not is_dataset(dataset):
        raise UsageError(
            f"{dataset} is not a dataset. Give one that `world make` or `convert --images` made."
        )
    if out_file.suffix.lower() != ".png":
        raise UsageError(f"--out {out_file}: the sheet is a PNG. Let the name end in .png.")
    seen: set[str | None] = set()
    cells = []
    for item in read_dataset(dataset, split=split):
        entry = cell(dataset, item)
        if entry is not None and item.scenes[0].stored not in seen:  # one item a picture
            seen.add(item.scenes[0].stored)
            cells.append(entry)
        if len(cells) == count:
            break
    if not cells:
        raise UsageError(f"{dataset} holds no pictures. Convert it with --images.")
    with new_file(out_file) as part:
        contact_sheet(list(islice(cells, count)), columns, boxes=boxes).save(part, "PNG")
    out.print(visible(f"{out_file}: {plural(len(cells), 'scene')}"), markup=False, soft_wrap=True)
