"""`commonsight collect`: annotations from people, in a browser, by the papers' own workflows."""

from __future__ import annotations

import typer

from commonsight.cli.collect import (
    agreement,
    export,
    import_,
    init,
    invite,
    password,
    pay,
    serve,
    simulate,
    state,
    status,
    webhook,
)

NAME = "collect"

app = typer.Typer(
    name=NAME,
    help="Collect annotations from people: campaigns, workers, checks, agreement and pay.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.callback()
def collect() -> None:
    """Collect annotations from people: campaigns, workers, checks, agreement and pay."""


for part in (
    init,
    invite,
    import_,
    serve,
    simulate,
    state,
    status,
    agreement,
    pay,
    export,
    webhook,
    password,
):
    app.command(part.NAME, epilog=part.EXAMPLES)(part.command)
