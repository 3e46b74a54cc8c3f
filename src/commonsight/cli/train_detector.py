"""`commonsight train-detector`: train a small detector on scene graphs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural
from commonsight.errors import UsageError

NAME = "train-detector"
EXAMPLES = """Examples:

[cyan]commonsight train-detector world/raw/scene_graphs.json --images world/raw/images --out detector[/]

[cyan]commonsight build detect frames --detector onnx:detector/detector.onnx --out detected[/]"""


def command(
    scenes: Annotated[Path, typer.Argument(metavar="SCENES", help="Scene graphs, or a dataset with them.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The detector's folder.")],
    images: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the pictures are; a dataset has its own.")
    ] = None,
    canvas: Annotated[
        str, typer.Option(metavar="WxH", help="Pictures are made to fit this many pixels, multiples of 32.")
    ] = "288x192",
    without: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Objects of these relations are left out, with commas between."),
    ] = "wearing",
    epochs: said.Epochs = None,
    seed: said.TrainSeed = 0,
    device: said.Device = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Train a small detector to find the objects of scene graphs, and write it as detector.onnx.

    About 0.7 million weights, trained on one core in minutes. Stopped, the same command goes on.
    """
    from commonsight.cli.train_show import EpochWatch, bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.models.engine.team import is_first
    from commonsight.runs.spotting import SpottingPlan, train_detector

    left_out = tuple(name.strip() for name in without.split(",") if name.strip())
    plan = SpottingPlan(scenes, images, sides(canvas), epochs, seed, device, left_out)
    with bars() as told, stopping():
        found = train_detector(plan, out_folder, watch=lambda: EpochWatch(told.bar, "detector"))
    if not is_first():
        return
    if json:
        print_json({"labels": found.labels, "pictures": found.pictures, "training": found.state})
        return
    line = (
        f"{found.file}: finds {plural(found.labels, 'label')}, learned from "
        f"{plural(found.pictures, 'picture')}; mean average precision {percent(found.state.best)} % on "
        "others (at an overlap of a half)"
    )
    out.print(visible(line), markup=False, soft_wrap=True)


def sides(text: str) -> tuple[int, int]:
    """Width and height, as in 288x192."""
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    if found is None or any(not int(side) or int(side) % 32 for side in found.groups()):
        raise UsageError(f"--canvas {text}: give width and height, both multiples of 32, such as 288x192.")
    return int(found[1]), int(found[2])
