"""A run in the terminal: how it goes while it is asked, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from commonsight.cli.console import err, out, visible
from commonsight.cli.score import slice_tables
from commonsight.cli.tables import FIGURE_COLUMNS, figure_cells, interval_cell, percent, plural, table
from commonsight.score.intervals import Figure

if TYPE_CHECKING:
    from commonsight.runs.plan import Plan
    from commonsight.runs.running import Watch
    from commonsight.runs.summary import RunReport
    from commonsight.runs.tally import Tally


@contextmanager
def watching(folder: Path, plan: Plan) -> Iterator[Watch | None]:
    """A progress bar on standard error while questions are asked (only on a terminal)."""
    if not err.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from commonsight.runs.running import answered_before, questions_in

    columns = (
        SpinnerColumn(), TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TimeRemainingColumn(), TextColumn("[dim]{task.description}[/]"),
    )  # fmt: skip
    with Progress(*columns, console=err, transient=True) as bar:
        before = answered_before(folder)
        task = bar.add_task("", total=questions_in(plan), completed=before)

        def watch(tally: Tally) -> None:
            bar.update(task, completed=before + tally.answered + tally.failed, description=_how(tally))

        yield watch


@contextmanager
def watching_judge() -> Iterator[Watch | None]:
    """How many replies the judge has read (only on a terminal)."""
    if not err.is_terminal:
        yield None
        return
    with err.status("judging") as status:
        yield lambda tally: status.update(f"judging: {tally.answered + tally.failed:,} replies read")


def _how(tally: Tally) -> str:
    parts = [
        f"{tally.failed:,} failed" if tally.failed else "",
        f"{tally.retries:,} retries" if tally.retries else "",
    ]
    return ", ".join(filter(None, parts))


def show(report: RunReport, folder: Path) -> None:
    """The report as tables, and where the whole of it is."""
    out.print(f"[bold]{escape(visible(report.answerer))}[/] on {escape(visible(report.dataset))}, "
              f"{escape(report.title)}, {plural(report.n, 'item')}")  # fmt: skip
    out.print(f"[dim]{100 * report.confidence:g} % intervals, clustered by {report.clustered_by}[/]")
    _figures("metric", report.metrics)
    if report.judged is not None:
        _figures(f"with a judge ({report.judge})", report.judged)
    if report.circular:
        _figures("right at every rotation", report.circular)
    if report.own_given:
        _figures("own answer given", report.own_given)
    for task, told in report.repeated.items():
        passes = ", ".join(f"pass@{k} {percent(value)}" for k, value in told.pass_at.items())
        told_mean = f"{percent(told.mean)} ± {percent(told.deviation)}"
        out.print(f"\n{task}, asked {told.epochs} times: {told_mean}, {passes}")
        out.print(f"{task}, now right and now wrong: {interval_cell(told.unsteady)}")
    for name, labels in report.slices.items():
        for part in slice_tables(name, labels, out.width):
            out.print()
            out.print(part)
    _told(report)
    out.print(f"\nthe report: {escape(visible(str(folder / 'report.html')))}", soft_wrap=True)


def _figures(first: str, figures: dict[str, Figure]) -> None:
    made = table(first, *FIGURE_COLUMNS)
    for name, figure in figures.items():
        made.add_row(escape(name), *figure_cells(figure))
    out.print()
    out.print(made)


def _told(report: RunReport) -> None:
    """What is beside the scores, a line each."""
    out.print()
    unread = ", ".join(
        f"{kind} {percent(share.value)} % ({share.k:,} of {share.n:,})"
        for kind, share in report.unread.items()
    )
    out.print(f"replies without a readable answer, scored 0: {unread}")
    for step in report.steps:
        out.print(f"step before scoring: {escape(visible(step))}", soft_wrap=True)
    for task, shares in report.positions.items():
        picks = ", ".join(
            f"{letter} {percent(share)}" for letter, share in zip("ABCDEFGHIJ", shares, strict=False)
        )
        out.print(f"positions picked, {task}: {picks}")
    cost = "" if report.cost is None else f", cost {report.cost:,.4f}"
    tokens = f"{report.input_tokens:,} tokens read and {report.output_tokens:,} written"
    time = f"{report.seconds:,.1f} s, {report.per_second:,.1f} answers a second"
    out.print(f"{plural(report.answers, 'answer')}, {tokens}{cost}, {time}")
    for note in report.notes:
        out.print(f"note: {escape(visible(note))}", soft_wrap=True)
    if report.failed:
        out.print(
            f"[bold red]{plural(report.failed, 'question')} got no answer[/] and will be asked by --resume:"
        )
        for why, times in report.why_failed.items():
            out.print(f"  {times:,} times: {escape(visible(why))}", soft_wrap=True)


def tell_unscored(folder: Path) -> None:
    """Why there are no scores: nothing is answered, or the labels are not public."""
    where = escape(visible(str(folder)))
    out.print(f"No labelled item is answered, so nothing is scored. The answers are in {where}; "
              "--predictions FILE with --rescore writes them for a leaderboard.", soft_wrap=True)  # fmt: skip


def tell_stopped(why: str) -> None:
    """Why the run ended before its end."""
    err.print(escape(visible(why)), soft_wrap=True)
