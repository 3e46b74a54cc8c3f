"""`commonsight report`: runs side by side in one offline file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from commonsight.cli.console import out, progress, visible
from commonsight.cli.tables import interval_cell, plural, table
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.runs.exploring.board import Board

NAME = "report"
EXAMPLES = """Examples:

[cyan]commonsight report runs/r2c runs/lstm --gold vcr-val --out report.html[/]

[cyan]commonsight report runs/* --gold my-dataset --out report.html --latex table.tex[/]"""


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run folders or prediction files.")],
    gold: Annotated[Path, typer.Option("--gold", metavar="DATASET", help="The dataset that they are of.")],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The page, one file.")],
    latex: Annotated[Path | None, typer.Option(metavar="FILE", help="Scores, for a paper.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="All tables as Markdown.")] = None,
    metric: Annotated[str | None, typer.Option(metavar="NAME", help="The metric that ranks runs.")] = None,
    examples: Annotated[
        int, typer.Option(metavar="N", min=0, max=100, help="Items of each kind that are shown.")
    ] = 4,
    seed: Annotated[int, typer.Option(metavar="NUMBER", min=0, help="Draws the examples.")] = 0,
) -> None:
    """Write one page of all runs, with intervals, ties, slices, plots and example items; it opens offline."""
    from commonsight.runs.exploring.board import boards
    from commonsight.runs.exploring.book import open_book
    from commonsight.runs.reporting.write import write_latex, write_markdown, write_report

    book = open_book(gold, runs, progress=lambda batches, total: progress(batches, "reading", total))
    known = {name for board in boards(book.measured) for name in board.metrics}
    if metric is not None and metric not in known:
        raise UsageError(f"--metric {metric}: the runs do not have it, but: {', '.join(sorted(known))}.")
    write_report(book, out_file, metric=metric, count=examples, seed=seed)
    written = [out_file]
    for path, write in ((latex, write_latex), (markdown, write_markdown)):
        if path is not None:
            write(book, path, metric=metric)
            written.append(path)
    for path in written:
        out.print(visible(str(path)), markup=False, soft_wrap=True)
    for board in boards(book.measured, metric):
        _show(board, drawn=book.drawn)


def _show(board: Board, *, drawn: bool) -> None:
    """The table of scores as papers have it: a row for each run, a column for each metric."""
    world = "drawn world, not the real benchmark: " if drawn else ""
    splits = " and ".join(board.splits)
    out.print(visible(f"\n{world}{splits}, {plural(board.items, 'item')}, 95 % intervals"), markup=False)
    made = table("run", *board.metrics, "ties")
    for run in board.runs:
        cells = (interval_cell(run.figures[name]) for name in board.metrics)
        made.add_row(escape(visible(run.name)), *cells, run.ties)
    out.print(made)
