"""`commonsight train-grid`: a network trained on each part of a dataset, and tested on each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import plural, table

if TYPE_CHECKING:
    from commonsight.runs.grid import Grid

NAME = "train-grid"
EXAMPLES = """Examples:

[cyan]commonsight train-grid uniter pmr --seeds 3 --out grids/uniter[/]

[cyan]commonsight train-grid bert vcr --parts "Why:question_type=Explanation,All:" --test-split val --out grids/bert[/]"""  # noqa: E501

_WHERE = ("text", "regions", "weights", "knowledge")


def command(
    network: said.Network,
    dataset: said.Dataset,
    out_folder: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder; what is in it already is gone on with.")
    ],
    parts: Annotated[
        str | None,
        typer.Option(
            metavar="NAME:SLICE=LABEL,…",
            help="What to train and test on; NAME: alone is everything. By default as the paper has it.",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(metavar="N", min=1, help="Train each so often.")] = 1,
    test_split: Annotated[str, typer.Option(metavar="NAME", help="The split to test on.")] = "test",
    size: said.NetworkSize = "small",
    task: said.Tasks = None,
    text: said.TextFrom = None,
    regions: said.RegionsFrom = None,
    weights: said.Weights = None,
    knowledge: said.Knowledge = None,
    train_split: said.TrainSplit = "train",
    val_split: said.ValSplit = "val",
    epochs: said.Epochs = None,
    batch: said.BatchSize = None,
    accumulate: said.Accumulate = None,
    rate: said.Rate = None,
    decay: said.Decay = None,
    clip: said.Clip = None,
    patience: said.Patience = None,
    growth: said.Growth = None,
    plateau: said.Plateau = None,
    ema: said.Ema = None,
    precision: said.Precision = None,
    device: said.Device = None,
    features: said.FeatureFolder = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Train a network on each part of a dataset and test it on each, as PMR's tables 2 and 3 do.

    Stop it at any time: the same command goes on, and with more seeds adds to what is there.
    """
    given: dict[str, Any] = dict(locals())
    from commonsight.cli.train_show import bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.runs.grid import Wanted, grid
    from commonsight.runs.training import Surroundings

    wanted = Wanted(
        network,
        dataset,
        said.recipe(given),
        said.names(task),
        {
            "size": size,
            "train": train_split,
            "validate": val_split,
            **{name: given[name] for name in _WHERE if given[name] is not None},
        },
        seeds,
        test_split,
        parts,
    )
    with bars() as told, stopping():
        made = grid(wanted, out_folder, Surroundings(features, device, told=told.told, watch=told.watch))
    if json:
        print_json(made)
    else:
        _show(made, out_folder)


def _show(made: Grid, folder: Path) -> None:
    """The same tables as in grid.md."""
    from commonsight.runs.grid import TABLES, percents

    names = list(made.parts)
    first, *others = made.metrics
    pairs = [(trained, tested) for trained in names for tested in names]
    shown = table(first, *(f"{trained} train\n{tested} test" for trained, tested in pairs))
    shown.add_row(made.title, *(percents(made.cell(*pair).metrics.get(first)) for pair in pairs))
    out.print(shown)
    for tested in names if others else ():
        shown = table(f"{tested} test", *others)
        for trained in names:
            found = made.cell(trained, tested).metrics
            shown.add_row(f"{trained} train", *(percents(found.get(one)) for one in others))
        out.print()
        out.print(shown)
    told = f"{plural(made.seeds, 'seed')}, split {made.split}; the tables: {folder / TABLES}"
    out.print()
    out.print(visible(told), markup=False, soft_wrap=True)
