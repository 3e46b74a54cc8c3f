"""The options of `commonsight build questions`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

Paths = list[Path] | None


def _files(told: str) -> Any:
    return typer.Option(metavar="FILE", help=told)


ScenesOption = Annotated[
    Path,
    typer.Option(
        metavar="FILE|DATASET",
        help="Scene graphs: a file or folder in the layout of Visual Genome, GQA, VRD or FACTUAL, a world, "
        "or a dataset.",
    ),
]
KnowledgeOption = Annotated[Paths, _files("ConceptNet's CSV, triples, or our own table; may be given again.")]
AdditionsOption = Annotated[Paths, _files("Hand-made knowledge and categories, in the place of ours.")]
ObjectAliases = Annotated[Paths, _files("Words for one kind of object in a line, the one to use first.")]
AttributeAliases = Annotated[Paths, _files("The same for attributes.")]
RelationAliases = Annotated[Paths, _files("The same for relations.")]
LayoutOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="The scenes' layout; by default told from the file.")
]
BoxesOption = Annotated[
    bool, typer.Option("--boxes/--no-boxes", help="Whether only objects with a box are asked about.")
]
ObjectsOption = Annotated[int, typer.Option(metavar="N", min=1, help="How many names of objects stay.")]
AttributesOption = Annotated[int, typer.Option(metavar="N", min=0, help="The same for attributes.")]
RelationsOption = Annotated[int, typer.Option(metavar="N", min=0, help="The same for relations.")]
FewestOption = Annotated[int, typer.Option(metavar="N", min=1, help="Rarer words are dropped in any case.")]
SameOverOption = Annotated[
    float,
    typer.Option(metavar="X", min=0, max=1, help="Boxes of one name with a larger IoU are one object."),
]
PerSceneOption = Annotated[
    int, typer.Option(metavar="N", min=1, help="Raw questions about a picture, at most.")
]
BalanceOption = Annotated[
    bool, typer.Option("--balance/--no-balance", help="Whether answers and knowledge are evened out.")
]
EvennessOption = Annotated[
    float,
    typer.Option(
        metavar="X", min=0, max=1, help="0: nothing is more frequent than the average; 1: nothing is cut."
    ),
]
NewKnowledgeOption = Annotated[
    float,
    typer.Option(
        metavar="X",
        min=0,
        max=1,
        help="Which share of the knowledge only test questions speak of, so that it must be looked up.",
    ),
]
ReviewOption = Annotated[
    int,
    typer.Option("--sample-for-review", metavar="N", min=0, help="Write a page with N questions to judge."),
]
ReadBackOption = Annotated[
    int,
    typer.Option(
        "--read-back", metavar="N", min=0, help="Read so many questions back and compare with their programs."
    ),
]
