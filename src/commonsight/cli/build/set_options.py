"""The options of `commonsight build sets`: NLVR2's numbers, and files that say more of the images."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _number(told: str, *names: str, least: int = 1) -> Any:
    return typer.Option(*names, metavar="N", min=least, help=told)


Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The sets' folder, new.")]
Interesting = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Which images are interesting, as `build interesting` writes it."),
]
Removed = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Images that people took out: JSON lines with `image`.")
]
Queries = Annotated[
    Path | None, typer.Option(metavar="FILE", help="What `build queries` wrote, for the things searched for.")
]
Split = Annotated[str, typer.Option(metavar="NAME", help="The first part of identifiers.")]
Size = Annotated[int, _number("Images of a set; an even number.", least=2)]
Related = Annotated[int, _number("Images of a set before it is pruned.", least=2)]
FewestInteresting = Annotated[int, _number("Sets with fewer interesting images go.", least=0)]
MinSide = Annotated[int, typer.Option(metavar="PIXELS", min=1, help="Images with a shorter side go.")]
Near = Annotated[
    int,
    typer.Option(
        metavar="BITS",
        min=-1,
        max=32,
        help="Images whose hashes of 64 bits differ in no more are duplicates; -1: none are.",
    ),
]
Alike = Annotated[
    float, typer.Option(metavar="X", min=-1, max=1, help="The least cosine of a result and a similar image.")
]
Results = Annotated[int, _number("Results of a query that are looked at, at most.")]
QuerySets = Annotated[int, _number("Sets of a query, at most.")]
Barren = Annotated[int, _number("Results in a row without similar images that end a query.")]
CollectiveResults = Annotated[int, _number("As --results, of queries for a group or for two of something.")]
CollectiveSets = Annotated[int, _number("As --query-sets, of these.")]
Stock = Annotated[
    bool, typer.Option("--stock/--no-stock", help="Whether images of sellers of photographs are taken.")
]
Sentences = Annotated[int, _number("Writing tasks of a set.")]
Copy = Annotated[bool, typer.Option("--copy", help="Copy the pictures too, by NLVR2's names.")]
