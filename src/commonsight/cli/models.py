"""`commonsight models`: the networks that can be trained, with citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json

if TYPE_CHECKING:
    from commonsight.models.catalogue_entry import Entry, Size

NAME = "models"
_LISTED = ("small", "paper")
"""Sizes that all networks have."""
EXAMPLES = """Examples:

[cyan]commonsight models[/]

[cyan]commonsight models r2c[/]"""


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="This one in detail; by default a list of all.")
    ] = None,
    json: Json = False,
) -> None:
    """List the networks that `commonsight train` trains: what they read and see, and who made them."""
    from commonsight.models.libraries import libraries

    libraries()  # says so where they are missing
    from commonsight.models.catalogue import ALL, find

    chosen = ALL if name is None else (find(name),)
    if json:
        print_json({"models": [described(entry) for entry in chosen]})
    elif name is None:
        _list(chosen)
    else:
        _show(chosen[0])


def described(entry: Entry) -> dict[str, Any]:
    """A network in plain values."""
    from commonsight.models.describing import by, inputs, needs, parameter_counts, sizes

    return {
        "name": entry.name,
        "title": entry.title,
        "by": by(entry),
        "inputs": inputs(entry),
        "needs": needs(entry),
        "parameters": parameter_counts(entry),
        "text": {name: size.text for name, size in sizes(entry).items()},
        "regions": {name: sight for name, size in sizes(entry).items() if (sight := _sight(entry, size))},
        "trained": {name: size.recipe for name, size in sizes(entry).items()},
        "citation": entry.citation,
        "note": entry.note,
    }


def _sight(entry: Entry, size: Size) -> str:
    """How it sees at this size unless a person says otherwise."""
    from commonsight.models.eyes import default_way

    return (size.sight or default_way(entry)) if entry.sees else ""


def _list(entries: tuple[Entry, ...]) -> None:
    made = Table("model", "title", "by", "needs", box=None, pad_edge=False)
    for size in _LISTED:
        made.add_column(size, justify="right", no_wrap=True)
    for entry in entries:
        told = described(entry)
        counts = (_count(told["parameters"][size]) for size in _LISTED)
        made.add_row(entry.name, entry.title, told["by"], told["inputs"], *counts)
    out.print(made)
    out.print("[dim]millions of parameters that are trained; `commonsight models MODEL` tells more[/]")


def _count(parameters: int) -> str:
    """In millions, for people to compare."""
    return f"{parameters / 1e6:.1f}"


def _show(entry: Entry) -> None:
    told = described(entry)
    out.print(Text.assemble((entry.name, "bold cyan"), "  ", (entry.title, "bold")))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    counts = ", ".join(f"{size} {count:,}" for size, count in told["parameters"].items())
    words, seen = (
        ", ".join(f"{size} {way}" for size, way in told[what].items()) for what in ("text", "regions")
    )
    rows = {
        "reads": told["needs"],
        "words from": words,
        "sees by": seen,
        "parameters": counts,
        "note": entry.note,
        "citation": entry.citation,
    }
    for field, value in rows.items():
        if value:
            grid.add_row(field, Text(value))
    out.print(grid)
