"""`commonsight build`: make a benchmark, from what people wrote or from graphs."""

from __future__ import annotations

import typer

from commonsight.cli.build import (
    adversarial,
    drawings,
    match,
    opposites,
    premises,
    queries,
    questions,
    sweep,
    vocabulary,
)

NAME = "build"

app = typer.Typer(
    name=NAME,
    help="Make benchmarks: wrong choices for free-form annotations.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@app.callback()
def build() -> None:
    """Make benchmarks: wrong choices for free-form annotations."""


for part in (match, sweep, premises, adversarial, opposites, drawings, queries, questions, vocabulary):
    app.command(part.NAME, epilog=part.EXAMPLES)(part.command)
