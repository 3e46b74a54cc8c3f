"""Runs on one dataset as sections of a report: scores with ties, pairs, slices, and what they took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonsight import __version__
from commonsight.audit.values import Audit, Cell, Finding, Plot, Section, Table
from commonsight.runs.exploring.board import Board, BoardRun, boards, by_slice, published_beside
from commonsight.runs.exploring.book import Book
from commonsight.runs.exploring.measured import Measured
from commonsight.store.figures import Bars, Series

PROBE = "report"
SHOWN_RUNS = 7
"""Runs in a plot; tables have all."""


def report_of(book: Book, metric: str | None = None) -> Audit:
    """The whole report, in the terms that pages are made from."""
    found = boards(book.measured, metric)
    sections = [section for board in found for section in _sections(book, board)]
    splits = {split: board.of for board in found for split in board.splits}
    made: dict[str, str | int | float] = {
        "version": __version__,
        "confidence": 0.95,
        "dataset": book.info.name,
    }
    if book.info.version:
        made["dataset version"] = book.info.version
    return Audit(
        book.info.name, book.benchmark.name, book.info.title or book.benchmark.title, book.index.count,
        splits if len(splits) > 1 else {}, tuple(sections), made,
    )  # fmt: skip


def _sections(book: Book, board: Board) -> Iterator[Section]:
    runs = {run.name: book.measured[run.name] for run in board.runs}
    yield _scores(book, board)
    if len(board.runs) > 1:
        yield _pairs(board)
    yield from _slices(runs, board)
    yield _took(board)


def _scores(book: Book, board: Board) -> Section:
    columns = ("rank", "run", *board.metrics, "ties", "answered")
    rows = tuple(_score_row(run, board) for run in board.runs)
    shared = "" if board.items == board.of else f", of {board.of:,}: those that every run answered"
    note = f"{board.items:,} items{shared}. Runs that share a letter are not told apart by {board.metric}."
    return Section(
        PROBE,
        f"Scores on {' and '.join(board.splits)}",
        "By the rules of the benchmark's paper, on the same items for all runs.",
        findings=tuple(_findings(book, board)),
        figures={f"{run.name}.{name}": run.figures[name] for run in board.runs for name in board.metrics},
        tables=(Table("", columns, rows, note), *_published(book, board)),
        plots=(_plot(board),),
    )


def _score_row(run: BoardRun, board: Board) -> tuple[Cell, ...]:
    rank = str(run.best_rank) if run.best_rank == run.worst_rank else f"{run.best_rank}–{run.worst_rank}"
    return (rank, run.name, *(run.figures[name] for name in board.metrics), run.ties, run.answered)


def _findings(book: Book, board: Board) -> Iterator[Finding]:
    if book.drawn:
        says = "These are figures of a drawn world, not of the real benchmark."
        yield Finding("drawn-world", "note", says)
    best = board.runs[0]
    tied = [run.name for run in board.runs[1:] if set(run.ties) & set(best.ties)]
    value = best.figures[board.metric].value
    share = "" if value is None else f" with {100 * value:.1f} %"
    if tied:
        names = ", ".join(tied)
        yield Finding(
            "best", "note", f"{best.name} is first{share}, but not apart from: {names}.", value=value
        )
    elif len(board.runs) > 1:
        yield Finding("best", "fine", f"{best.name} is first{share}, apart from all others.", value=value)


def _published(book: Book, board: Board) -> Iterator[Table]:
    """What the paper has, apart from what was measured here."""
    rows = published_beside(book.benchmark, board.metric, drawn=book.drawn)
    if rows:
        told = tuple(
            (row.name, row.split, *(_percent(row.metrics.get(name)) for name in board.metrics), row.source)
            for row in rows
        )
        note = f"Not measured here: {book.benchmark.citation}"
        yield Table("Published", ("row", "split", *board.metrics, "where"), told, note)


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.1f}"


def _plot(board: Board) -> Plot:
    runs = board.runs[:SHOWN_RUNS]
    series = []
    for name in board.metrics[:MOST_METRICS]:
        told = [run.figures[name] for run in runs]
        series.append(
            Series(
                name,
                tuple(map(float, range(len(runs)))),
                tuple(one.value for one in told),
                tuple(one.low for one in told),
                tuple(one.high for one in told),
            )
        )
    stem = "scores-" + "-".join(board.splits)
    return Plot(stem, (Bars(tuple(run.name for run in runs), tuple(series), "score"),))


MOST_METRICS = 4
"""Metrics side by side in a plot."""


def _pairs(board: Board) -> Section:
    columns = ("first", "second", "difference", "95 %", "McNemar p", "Holm p", "apart", "detectable")
    rows: list[tuple[Cell, ...]] = []
    for pair in board.comparison.pairs:
        d = pair.difference
        span = None if d.low is None or d.high is None else f"{100 * d.low:+.1f} to {100 * d.high:+.1f}"
        exact = None if pair.mcnemar is None else f"{pair.mcnemar.p_value:.2g}"
        told = (f"{100 * d.difference:+.1f}", span, exact, f"{pair.adjusted_p:.2g}")
        apart = "yes" if pair.apart else "no"
        rows.append((pair.first, pair.second, *told, apart, f"{100 * pair.detectable:.1f}"))
    about = (
        f"Differences of {board.metric} in points, item by item, with intervals that keep together what "
        "items share. Apart: the corrected p is below 0.05. Detectable: the smallest true difference that a "
        "comparison of this size finds four times in five."
    )
    return Section(PROBE, "Every pair of runs", about, tables=(Table("", columns, tuple(rows)),))


def _slices(runs: Mapping[str, Measured], board: Board) -> Iterator[Section]:
    tables = [
        Table(
            name.replace("_", " "),
            ("", "n", *(run.name for run in board.runs)),
            tuple((row.label, row.items, *row.figures) for row in rows),
        )
        for name, rows in by_slice(board, runs).items()
    ]
    if tables:
        yield Section(PROBE, f"{board.metric} by slice", "", tables=tuple(tables))


def _took(board: Board) -> Section:
    rows = tuple(
        (run.name, run.answered, run.cost, run.tokens or None, round(run.seconds, 1) or None)
        for run in board.runs
    )
    return Section(
        PROBE, "What runs took", tables=(Table("", ("run", "items", "cost", "tokens", "seconds"), rows),)
    )
