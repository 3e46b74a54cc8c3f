"""`commonsight pretrain`: pre-train a network that reads and sees together, before any task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import table

if TYPE_CHECKING:
    from commonsight.runs.pretraining import Pretrained

NAME = "pretrain"
EXAMPLES = """Examples:

[cyan]commonsight pretrain uniter pmr --out pretrained/uniter[/]

[cyan]commonsight pretrain ernie-vil vcr --objectives masked-words,objects,relations --out pretrained/ernie[/]

[cyan]commonsight train uniter pmr --weights pretrained/uniter --out trained/uniter[/]"""


def command(
    network: said.CrossModal,
    dataset: said.Dataset,
    out_folder: said.OutFolder,
    objectives: said.Objectives = None,
    size: said.NetworkSize = "small",
    task: said.TaskTexts = None,
    text: said.TextFrom = None,
    regions: said.RegionsFrom = None,
    weights: said.Weights = None,
    only: said.OnlyPart = None,
    train_split: said.TrainSplit = "train",
    val_split: said.ValSplit = "val",
    limit: said.Limit = None,
    seed: said.TrainSeed = 0,
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
    """Pre-train VL-BERT, UNITER or ERNIE-ViL on what a dataset says of its pictures, before any task.

    A text is what an item asks together with its right choice. Kept are the weights that lose least on the
    validation split; `train --weights DIR` begins with them. Interrupted or killed, the same command goes on.
    """
    given: dict[str, Any] = dict(locals())
    from commonsight.cli.train_show import HeldOutWatch, bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.models.engine.team import is_first
    from commonsight.runs.pretraining import pretrain, pretraining_planned
    from commonsight.runs.training import Surroundings

    plan = pretraining_planned(
        network,
        dataset,
        recipe=said.recipe(given),
        objectives=objectives,
        tasks=said.names(task),
        size=size,
        text=text,
        regions=regions,
        weights=weights,
        only=only,
        train=train_split,
        validate=val_split,
        limit=limit,
        seed=seed,
    )
    with bars() as told, stopping():
        found = pretrain(
            plan,
            out_folder,
            Surroundings(features, device, told=told.told, said=told.said),
            watch=lambda judge: HeldOutWatch(told.bar, network, judge),
        )
    if not is_first():
        return
    if json:
        losses = {name: loss._asdict() for name, loss in found.losses.items()}
        print_json({"texts": found.texts, "held_out": losses, "training": found.state})
    else:
        _show(found, network, out_folder)


def _show(found: Pretrained, network: str, folder: Path) -> None:
    made = table("objective", "loss before", "with the best weights")
    for name, loss in found.losses.items():
        made.add_row(name, f"{loss.before:.3f}", f"{loss.after:.3f}")
    out.print(made)
    out.print(f"[dim]held out; best after epoch {found.state.best_epoch + 1} of {found.state.epoch}[/]")
    told = (
        f"{folder}: {network}, pre-trained on {found.texts:,} texts. "
        f"Train it: commonsight train {network} DATASET --weights {folder} --out DIR"
    )
    out.print(visible(told), markup=False, soft_wrap=True)
