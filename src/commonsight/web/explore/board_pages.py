"""The leaderboard of a dataset, and two runs beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from commonsight.core.benchmark import PublishedRow
from commonsight.runs.exploring.board import (
    Board,
    Flips,
    SliceRow,
    boards,
    by_slice,
    flips,
    published_beside,
)
from commonsight.runs.exploring.book import Book
from commonsight.runs.exploring.query import Query
from commonsight.score.intervals import Figure
from commonsight.web.explore.shelf import book_of
from commonsight.web.explore.views import address
from commonsight.web.site import render

router = APIRouter()

WIDE, TALL, EDGE = 640, 320, 48
"""Of the plot, in its own units."""


class Dot(NamedTuple):
    """One run in the plot of cost against score."""

    name: str
    x: float
    y: float
    low: float
    high: float
    told: str


class Plot(NamedTuple):
    """What a run costs against what it scores."""

    title: str
    dots: tuple[Dot, ...]
    ticks: tuple[tuple[float, str], ...]
    marks: tuple[tuple[float, str], ...]


class Cell(NamedTuple):
    """One pair of runs in the matrix of wins: the row's run against the column's."""

    difference: float
    apart: bool
    href: str


class BoardView(NamedTuple):
    """A board with what its page shows beside it."""

    board: Board
    wins: dict[str, dict[str, Cell]]
    plot: Plot | None
    published: tuple[PublishedRow, ...]
    slices: dict[str, list[SliceRow]]


@router.get("/{book}/board")
def board_page(request: Request, book: str) -> Response:
    """Runs with intervals and ties, slice by slice, what they cost, and who beats whom."""
    opened = book_of(request, book)
    metric = request.query_params.get("metric", "")
    kept: dict[tuple[str, str], list[BoardView]] = request.app.state.boards
    place = (book, metric if metric in opened.benchmark.metrics else "")
    if place not in kept:  # runs do not change while they are served, and intervals take a while
        found = boards(opened.measured, place[1] or None) if opened.measured else []
        kept[place] = [_view(book, opened, board) for board in found]
    views = kept[place]
    return render(request, "explore/board.html", key=book, book=opened, views=views, drawn=opened.drawn)


@router.get("/{book}/compare")
def compare_page(request: Request, book: str) -> Response:
    """Two runs, item by item: flips, the test behind them, and where they differ."""
    opened = book_of(request, book)
    names = list(opened.measured)
    if len(names) < 2:
        raise HTTPException(404, "Two runs are needed to compare. Give several with --run.")
    asked = request.query_params
    first = asked.get("a") if asked.get("a") in opened.measured else names[0]
    others = [name for name in names if name != first]
    second = asked.get("b") if asked.get("b") in others else others[0]
    assert first is not None
    assert second is not None
    found = flips(opened.measured[first], opened.measured[second], asked.get("metric"))
    return render(
        request,
        "explore/compare.html",
        key=book,
        book=opened,
        names=names,
        first=first,
        second=second,
        flips=found,
        links=_links(book, first, second),
        gaps=[(gap, _gap_link(book, gap.filter, gap.label, opened)) for gap in found.gaps],
        verdict=verdict(found, first, second),
        drawn=opened.drawn,
    )


def verdict(found: Flips, first: str, second: str) -> str:
    """What the comparison comes to, in a sentence."""
    difference = found.difference
    if difference.low is None or difference.high is None:
        return "There is too little to tell the two apart."
    if difference.low <= 0 <= difference.high:
        return "The two cannot be told apart: the difference may well be luck."
    better, worse = (first, second) if difference.difference > 0 else (second, first)
    return f"{better} is better than {worse} by {abs(100 * difference.difference):.1f} points."


def _links(key: str, first: str, second: str) -> dict[str, str]:
    path = f"/{key}/"
    return {
        "both": address(path, Query(right=(first, second))),
        "only_first": address(path, Query(right=(first,), wrong=(second,))),
        "only_second": address(path, Query(right=(second,), wrong=(first,))),
        "neither": address(path, Query(wrong=(first, second))),
    }


def _gap_link(key: str, name: str, label: str, book: Book) -> str | None:
    known = book.index.filters.get(name)
    return address(f"/{key}/", Query(labels={name: (label,)})) if known and label in known.labels else None


def _view(key: str, book: Book, board: Board) -> BoardView:
    published = tuple(published_beside(book.benchmark, board.metric, drawn=book.drawn))
    return BoardView(board, _wins(key, board), _plot(board), published, by_slice(board, book.measured))


def _wins(key: str, board: Board) -> dict[str, dict[str, Cell]]:
    found: dict[str, dict[str, Cell]] = {run.name: {} for run in board.runs}
    for pair in board.comparison.pairs:
        for first, second, sign in ((pair.first, pair.second, 1), (pair.second, pair.first, -1)):
            href = address(f"/{key}/compare", None, a=first, b=second)
            found[first][second] = Cell(sign * pair.difference.difference, pair.apart, href)
    return found


def _plot(board: Board) -> Plot | None:
    """Cost against score, or seconds where no run tells its cost; none where there is nothing to tell."""
    if len(board.runs) < 2:
        return None
    costs = [run.cost for run in board.runs]
    if all(cost is not None for cost in costs) and any(costs):
        return _dots(board, [float(cost or 0.0) for cost in costs], "cost", "{:.2f}")
    seconds = [run.seconds for run in board.runs]
    shown = "{:.0f} s" if max(seconds, default=0.0) >= 20 else "{:.1f} s"
    return _dots(board, seconds, "seconds", shown) if all(seconds) else None


def _dots(board: Board, spent: Sequence[float], title: str, shown: str) -> Plot:
    spans = [_span(run.figures[board.metric]) for run in board.runs]
    most = max(spent) or 1.0
    low, high = min(span.low for span in spans), max(span.high for span in spans)
    reach = max(high - low, 0.05)

    def across(value: float) -> float:
        return round(EDGE + (WIDE - 2 * EDGE) * value / most, 1)

    def up(value: float) -> float:
        return round(TALL - EDGE - (TALL - 2 * EDGE) * (value - low) / reach, 1)

    dots = tuple(
        Dot(run.name, across(cost), up(span.value), up(span.low), up(span.high),
            f"{run.name}: {100 * span.value:.1f} %, {shown.format(cost)}")
        for run, span, cost in zip(board.runs, spans, spent, strict=True)
    )  # fmt: skip
    quarters = [step / 4 for step in range(5)]
    ticks = tuple((across(most * step), shown.format(most * step)) for step in quarters)
    marks = tuple((up(low + reach * step), f"{100 * (low + reach * step):.0f} %") for step in quarters)
    return Plot(title, dots, ticks, marks)


class _Span(NamedTuple):
    value: float
    low: float
    high: float


def _span(one: Figure) -> _Span:
    value = one.value or 0.0
    return _Span(value, value if one.low is None else one.low, value if one.high is None else one.high)
