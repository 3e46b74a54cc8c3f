"""`commonsight build`: make a benchmark, from what people wrote or from graphs."""

from __future__ import annotations

import typer

from commonsight.cli.build import (
    adversarial,
    clusters,
    detect,
    download,
    drawings,
    interesting,
    learn_interest,
    match,
    opposites,
    premises,
    queries,
    questions,
    sets,
    shots,
    sweep,
    thumbnails,
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
    """Make benchmarks: from videos, photographs, annotations and graphs to hard questions with choices."""


for part in (
    match, sweep, premises, adversarial, opposites, drawings, queries, questions, vocabulary, shots,
    thumbnails, download, detect, interesting, learn_interest, sets, clusters,
):  # fmt: skip
    app.command(part.NAME, epilog=part.EXAMPLES)(part.command)
