"""The options of `train` and its kin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

NUMBERS = "How it is trained (by default as its paper says, or as suits its small size)"
PLACES = "Where things are"

Network = Annotated[
    str, typer.Argument(metavar="MODEL", help="One of those that `commonsight models` lists.")
]
CrossModal = Annotated[str, typer.Argument(metavar="MODEL", help="vl-bert, uniter or ernie-vil.")]
Dataset = Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset's folder.")]
OutFolder = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="The folder; a training in it is gone on with.")
]
NetworkSize = Annotated[
    Literal["small", "paper", "large"],
    typer.Option(help="small learns on a CPU; paper and large have the published numbers."),
]
Tasks = Annotated[
    str | None, typer.Option("--task", metavar="NAMES", help="Only these tasks, with commas between.")
]
TaskTexts = Annotated[
    str | None,
    typer.Option("--task", metavar="NAMES", help="Only the texts of these tasks, with commas between."),
]
TextFrom = Annotated[
    str | None,
    typer.Option(
        "--text",
        metavar="WAY",
        help="Where words come from (by default as the network has it): learned, "
        "glove, glove:FILE, static, bert:FOLDER_OR_NAME, clip:…, elmo:FOLDER, elmo-mixed:FOLDER; for "
        "networks that write, gpt2:FOLDER_OR_NAME, t5:FOLDER_OR_NAME.",
    ),
]
RegionsFrom = Annotated[
    str | None,
    typer.Option(
        "--regions",
        metavar="WAY",
        help="How objects are seen: crops, seen:FOLDER, resnet:FOLDER_OR_NAME, resnet-masks:…, efficientnet, "
        "features:FILE_OR_FOLDER; or whole pictures: pixels:WIDTHxHEIGHT, resnet:…, resnet-last:…, "
        "resnet-pooled:…, resnet-each:…, vgg:FILE_OR_FOLDER, clip:FOLDER_OR_NAME.",
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(
        metavar="PLACE",
        help="Begin with these weights: a folder of `pretrain` or `train`, or safetensors of others "
        "(a file, or a folder).",
    ),
]
Knowledge = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Facts, for networks that read any: ConceptNet's CSV, triples, or our own table; may be given "
        "again.",
    ),
]
MostFacts = Annotated[
    int,
    typer.Option(
        "--facts", metavar="N", min=0, help="How many facts a question is given at most; 0 for none."
    ),
]
Objectives = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="What to learn, with commas between: masked-words, region-features, region-classes, matching, "
        "alignment, objects, attributes, relations; by default what its paper has.",
    ),
]
Vocabulary = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Answers to name, one a line, for networks that name any (`build vocabulary`); by default as "
        "the network has it.",
    ),
]
Hidden = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=65_536,
        help="Put a hidden layer of N units between vectors and answers, in networks over vectors of whole "
        "questions and pictures that name an answer; by default none.",
    ),
]
Context = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|ORACLE",
        help="A text beside each question: from a file of contexts, or people's own (rationale, rationales, "
        "masked-rationale, masked-rationales).",
    ),
]
Captions = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Captions to learn with --task caption: lines of item and context, or COCO's own; may be given "
        "again.",
    ),
]
OnlyPart = Annotated[
    str | None,
    typer.Option("--only", metavar="SLICE=LABEL", help="Only this part of the dataset, such as half=ori."),
]
TrainSplit = Annotated[str, typer.Option(metavar="NAME", help="The split to train on.")]
ValSplit = Annotated[str, typer.Option(metavar="NAME", help="The split to choose the best weights by.")]
Limit = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Only the first N items of the training split.")
]
TrainSeed = Annotated[
    int, typer.Option(metavar="N", min=0, max=2**32 - 1, help="The same seed gives the same weights.")
]
Epochs = Annotated[
    int | None, typer.Option(metavar="N", min=1, rich_help_panel=NUMBERS, help="Times through the data.")
]
BatchSize = Annotated[
    int | None, typer.Option("--batch", metavar="N", min=1, rich_help_panel=NUMBERS, help="Questions a step.")
]
Accumulate = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, rich_help_panel=NUMBERS, help="Read a batch in N pieces, for memory."),
]
Rate = Annotated[
    float | None, typer.Option(metavar="X", min=0.0, rich_help_panel=NUMBERS, help="The learning rate.")
]
Decay = Annotated[
    float | None, typer.Option(metavar="X", min=0.0, rich_help_panel=NUMBERS, help="Weight decay.")
]
Clip = Annotated[
    float | None,
    typer.Option(
        metavar="X", min=0.0, rich_help_panel=NUMBERS, help="The longest a gradient may be; 0: any length."
    ),
]
Patience = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, rich_help_panel=NUMBERS, help="Stop after N epochs without a better; 0: never."
    ),
]
Growth = Annotated[
    float | None,
    typer.Option(
        metavar="X", min=1.0, rich_help_panel=NUMBERS, help="A better epoch makes patience X times as long."
    ),
]
Plateau = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, rich_help_panel=NUMBERS, help="Lower the rate after N such epochs; 0: never."
    ),
]
Ema = Annotated[
    float | None,
    typer.Option(
        metavar="X", min=0.0, max=1.0, rich_help_panel=NUMBERS,
        help="Keep a moving average of the weights, of which X stays at each step; 0: none.",
    ),
]  # fmt: skip
Precision = Annotated[
    Literal["full", "bf16"] | None,
    typer.Option(rich_help_panel=NUMBERS, help="Numbers of 32 bits, or of 16 where that is faster."),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="NAME", rich_help_panel=PLACES, help="cpu or cuda; by default what there is."),
]
FeatureFolder = Annotated[
    Path | None,
    typer.Option(
        "--features", metavar="DIR", rich_help_panel=PLACES,
        help="Where features are kept; by default in the user's cache, or in COMMONSIGHT_CACHE.",
    ),
]  # fmt: skip
Threads = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, rich_help_panel=PLACES, help="Cores to compute with; by default all."),
]

RECIPE = (
    "epochs", "batch", "accumulate", "rate", "decay", "clip", "patience", "growth", "plateau", "ema",
    "precision",
)  # fmt: skip
"""The options that say how a network is trained."""
_NEVER = ("clip", "patience", "plateau", "ema")
"""Numbers for which 0 means: not at all."""


def recipe(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a person said of it, by the recipe's own names."""
    return {
        name: None if name in _NEVER and given[name] == 0 else given[name]
        for name in RECIPE
        if given[name] is not None
    }


def names(text: str | None) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(dict.fromkeys(part for part in (text or "").replace(" ", "").split(",") if part))
