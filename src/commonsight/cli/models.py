"""`commonsight models`: the networks that can be trained, with citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json

if TYPE_CHECKING:
    from commonsight.models.catalogue_entry import Entry

NAME = "models"
EXAMPLES = """Examples:

[cyan]commonsight models[/]

[cyan]commonsight models r2c[/]"""


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="MODEL", help="Only this one; by default all.")
    ] = None,
    json: Json = False,
) -> None:
    """List the networks that `commonsight train` trains: what they read and see, and who made them."""
    from commonsight.models.catalogue import ALL, find

    chosen = ALL if name is None else (find(name),)
    if json:
        print_json({"models": [described(entry) for entry in chosen]})
        return
    for entry in chosen:
        _show(entry)


def described(entry: Entry) -> dict[str, Any]:
    """A network in plain values."""
    from commonsight.models.describing import needs, parameter_counts

    return {
        "name": entry.name,
        "title": entry.title,
        "needs": needs(entry),
        "parameters": parameter_counts(entry),
        "trained": {"small": entry.small.recipe, "paper": entry.paper.recipe},
        "citation": entry.citation,
        "note": entry.note,
    }


def _show(entry: Entry) -> None:
    told = described(entry)
    out.print(Text.assemble((entry.name, "bold cyan"), "  ", (entry.title, "bold")))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    counts = ", ".join(f"{size} {count:,}" for size, count in told["parameters"].items())
    rows = {"needs": told["needs"], "parameters": counts, "note": entry.note, "citation": entry.citation}
    for field, value in rows.items():
        if value:
            grid.add_row(field, Text(value))
    out.print(grid)
