"""`commonsight train-clip`: a small CLIP from captions and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural

NAME = "train-clip"
EXAMPLES = """Examples:

[cyan]commonsight train-clip world/aokvqa --out clip[/]

[cyan]commonsight train-clip world/raw/scene_graphs.json --images world/raw/images --out clip[/]

[cyan]commonsight train clip-contrastive aokvqa --text clip:clip --regions clip:clip --out trained/clip[/]"""


def command(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="A dataset with pictures, or scene graphs.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The model's folder.")],
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the pictures are; a dataset has its own.")
    ] = None,
    dim: Annotated[int, typer.Option(metavar="N", min=8, help="Numbers of a vector.")] = 128,
    pixels: Annotated[
        int, typer.Option(metavar="N", min=24, max=336, help="Pictures are stretched to N by N pixels.")
    ] = 96,
    patch: Annotated[
        int, typer.Option(metavar="N", min=4, max=64, help="They are cut into squares of N pixels.")
    ] = 12,
    captions: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many captions are made of a scene graph.")
    ] = 8,
    epochs: said.Epochs = None,
    seed: said.TrainSeed = 0,
    device: said.Device = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Train a small CLIP from nothing, on what is said of pictures; it loads by its folder like any other.

    Captions are what scene graphs say, and the reasons that people give for answers. Of pictures held out it
    is told how often their own caption is the nearest of 32. Interrupted, the same command goes on.
    """
    from commonsight.cli.train_show import EpochWatch, bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.models.wholes.clip_learning import Shape
    from commonsight.runs.clipping import ClipPlan, train_clip

    shape = Shape(dim=dim, pixels=pixels, patch=patch)
    plan = ClipPlan(source, images, shape, captions, epochs, seed, device)
    with bars() as told, stopping():
        found = train_clip(plan, out_folder, told=told.told, watch=lambda: EpochWatch(told.bar, "captions"))
    if json:
        print_json(found._asdict())
        return
    line = (
        f"{out_folder}: learned from {plural(found.captions, 'caption')} of "
        f"{plural(found.pictures, 'picture')}; of {found.judged} others, {percent(found.state.best)} % have "
        f"their caption nearest of {found.compared}"
    )
    out.print(visible(line), markup=False, soft_wrap=True)
