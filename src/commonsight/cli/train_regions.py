"""`commonsight train-regions`: train a region encoder on scene graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural

NAME = "train-regions"
EXAMPLES = """Example:

[cyan]commonsight train-regions world/raw/scene_graphs.json --images world/raw/images --out regions[/]

[cyan]commonsight train r2c matched --regions seen:regions --out trained/r2c[/]"""


def command(
    scenes: Annotated[Path, typer.Argument(metavar="SCENES", help="Scene graphs, or a dataset with them.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The encoder's folder.")],
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the pictures are; a dataset has its own.")
    ] = None,
    dim: Annotated[int, typer.Option(metavar="N", min=8, help="Numbers of an object's vector.")] = 128,
    pixels: Annotated[
        int, typer.Option(metavar="N", min=32, max=256, help="Objects are stretched to N by N pixels.")
    ] = 64,
    without: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Relations that are not learned, with commas between; by default those of place, which no "
            "look tells: left of, next to, behind …",
        ),
    ] = None,
    epochs: said.Epochs = None,
    seed: said.TrainSeed = 0,
    device: said.Device = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Train a small encoder of objects on scene graphs: what each is, what it is like, what it does.

    Networks that see with it (--regions seen:DIR) are trained much faster, for its vectors are made once.
    """
    from commonsight.cli.train_show import EpochWatch, bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.models.engine.team import is_first
    from commonsight.runs.looking import LookingPlan, train_regions

    plan = LookingPlan(scenes, images, dim, pixels, epochs, seed, device)
    if without is not None:
        plan = plan._replace(without=tuple(name.strip() for name in without.split(",") if name.strip()))
    with bars() as told, stopping():
        found = train_regions(plan, out_folder, told=told.told, watch=lambda: EpochWatch(told.bar, "objects"))
    if not is_first():
        return
    if json:
        print_json({"targets": found.targets, "objects": found.objects, "training": found.state})
        return
    line = (
        f"{out_folder}: learned {found.targets:,} things to say of {plural(found.objects, 'object')}; of "
        f"what holds of others, {percent(found.state.best)} % is told"
    )
    out.print(visible(line), markup=False, soft_wrap=True)
