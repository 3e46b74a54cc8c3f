"""`commonsight train`: train a network of the papers on a dataset."""

from __future__ import annotations

from typing import Any

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import print_json

NAME = "train"
EXAMPLES = """Examples:

[cyan]commonsight train r2c matched --out trained/r2c[/]

[cyan]commonsight train r2c matched --regions seen:regions --text glove --seed 1 --out trained/r2c-glove[/]

[cyan]commonsight train uniter pmr --weights pretrained/uniter --out trained/uniter[/]

[cyan]commonsight train bert vcr --size paper --text bert:bert-base-uncased --out trained/bert[/]

[cyan]commonsight train memory-vqa asked --knowledge world/raw/knowledge/triples.tsv --out trained/memory[/]

[cyan]commonsight train clipcap aokvqa --task rationale --regions seen:regions --out trained/why[/]

[cyan]commonsight train clipcap aokvqa --task caption --captions captions.jsonl --out trained/captions[/]

[cyan]accelerate launch --num_processes 2 -m commonsight train uniter pmr --out trained/uniter[/]"""


def command(
    network: said.Network,
    dataset: said.Dataset,
    out_folder: said.OutFolder,
    size: said.NetworkSize = "small",
    task: said.Tasks = None,
    text: said.TextFrom = None,
    regions: said.RegionsFrom = None,
    weights: said.Weights = None,
    knowledge: said.Knowledge = None,
    facts: said.MostFacts = 16,
    vocabulary: said.Vocabulary = None,
    hidden: said.Hidden = None,
    context: said.Context = None,
    captions: said.Captions = None,
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
    """Train a network on a dataset, one for each task, and keep the weights that validate best.

    Interrupt or kill it at any time: the same command goes on from the last checkpoint, and comes to the same
    weights, to the last bit.
    """
    given: dict[str, Any] = dict(locals())
    from commonsight.cli.train_show import bars, show, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.models.engine.team import is_first
    from commonsight.runs.training import Surroundings, planned, train

    plan = planned(
        network,
        dataset,
        recipe=said.recipe(given),
        tasks=said.names(task),
        size=size,
        text=text,
        regions=regions,
        weights=weights,
        knowledge=tuple(knowledge or ()),
        facts=facts,
        vocabulary=vocabulary,
        hidden=hidden,
        context=context,
        captions=tuple(captions or ()),
        only=only,
        train=train_split,
        validate=val_split,
        limit=limit,
        seed=seed,
    )
    with bars() as told, stopping():
        around = Surroundings(features, device, told=told.told, said=told.said, watch=told.watch)
        trained = train(plan, out_folder, around)
    if not is_first():
        return
    if json:
        print_json({one.task: one.state for one in trained})
    else:
        show(trained, out_folder)
