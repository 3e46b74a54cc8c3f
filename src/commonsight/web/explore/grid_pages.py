"""The datasets, and the items of one as a grid with filters, words and orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fastapi import APIRouter, Request
from msgspec import structs
from starlette.responses import RedirectResponse, Response

from commonsight.runs.exploring.book import PAGE, WARNINGS, Book, PageOf
from commonsight.runs.exploring.cards import Card
from commonsight.runs.exploring.query import ORDERS, Query
from commonsight.web.explore.shelf import book_of
from commonsight.web.explore.views import address, pairs_of, query_of, toggled
from commonsight.web.site import render

router = APIRouter()

SHOWN_LABELS = 12
"""Labels of a filter that are shown at once; the rest are a click away."""
FIRST = (WARNINGS, "split", "question_type", "answer_type", "category", "label")
"""Filters that come before others, which follow by name."""
ORDER_TITLES = {
    "data": "as in the data",
    "hardest": "fewest runs right",
    "easiest": "most runs right",
    "surest": "runs are surest",
    "unsure": "runs are least sure",
    "irt": "hardest by item response theory",
    "disputed": "runs differ most",
}


class LabelView(NamedTuple):
    """One label of a filter: how many there are, and the view with it chosen or not."""

    label: str
    many: int
    chosen: bool
    href: str


class FilterView(NamedTuple):
    """One filter."""

    name: str
    title: str
    labels: list[LabelView]
    rest: list[LabelView]
    opened: bool


class RunView(NamedTuple):
    """One run among the filters."""

    name: str
    share: float | None
    """Of the items that it answered, how many it got right."""
    metric: str
    state: str
    """right, wrong or nothing: what the view asks of it."""


class CardView(NamedTuple):
    """One item of the grid."""

    card: Card
    marks: list[tuple[str, str]]
    """Of every run: its name, and right, wrong or unanswered."""


@router.get("/")
def shelf(request: Request) -> Response:
    """All datasets; where there is one, that one."""
    books: dict[str, Book] = request.app.state.books
    if len(books) == 1:
        return RedirectResponse(f"/{next(iter(books))}/", 302)
    return render(request, "explore/shelf.html", books=books)


@router.get("/{book}")
def without_slash(request: Request, book: str) -> Response:
    """The same page, under its one address."""
    book_of(request, book)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/{book}/{query}", 302)


@router.get("/{book}/")
def grid(request: Request, book: str) -> Response:
    """The items of a dataset. Where htmx asks, only what changes."""
    opened = book_of(request, book)
    query = query_of(request.query_params.multi_items())
    query = known_part(opened, query)
    page = opened.page(query)
    target = request.headers.get("hx-target", "")
    name = {"more": "explore/cards.html", "results": "explore/results.html"}.get(target, "explore/grid.html")
    return render(
        request, name, key=book, book=opened, query=query, page=page,
        cards=list(_cards(opened, page)), filters=list(_filters(book, opened, query, page)),
        runs=list(_runs(opened, query)), orders=[(name, ORDER_TITLES[name]) for name in _orders(opened)],
        pages=-(-page.total // PAGE), following=_following(book, query, page), size=PAGE,
        previous=address(f"/{book}/", _turned(query, -1)) if query.page else None,
        pairs=pairs_of(structs.replace(query, page=0)), here=address(f"/{book}/", query),
        partial=name == "explore/results.html",
    )  # fmt: skip


def known_part(book: Book, query: Query) -> Query:
    """The view without filters and runs that this dataset lacks: a link may be older than they are."""
    return structs.replace(
        query,
        labels={name: labels for name, labels in query.labels.items() if name in book.index.filters},
        right=tuple(run for run in query.right if run in book.runs),
        wrong=tuple(run for run in query.wrong if run in book.runs),
    )


def _following(key: str, query: Query, page: PageOf) -> str | None:
    if page.before + len(page.cards) >= page.total:
        return None
    return address(f"/{key}/", _turned(query, 1))


def _turned(query: Query, by: int) -> Query:
    return structs.replace(query, page=query.page + by)


def _orders(book: Book) -> list[str]:
    """Those that runs tell enough for."""
    return [name for name in ORDERS if book.known.tells(name)]


def _cards(book: Book, page: PageOf) -> Iterator[CardView]:
    for card in page.cards:
        row = book.index.row(card.id)
        assert row is not None  # cards come from the index
        marks = []
        for name, run in book.runs.items():
            mark = "right" if run.right[row] else "wrong" if run.wrong[row] else "unanswered"
            marks.append((name, mark))
        yield CardView(card, marks)


def _filters(key: str, book: Book, query: Query, page: PageOf) -> Iterator[FilterView]:
    known = book.index.filters
    for name in (*(name for name in FIRST if name in known), *(name for name in known if name not in FIRST)):
        chosen = query.labels.get(name, ())
        labels = [
            LabelView(label, count, label in chosen, address(f"/{key}/", toggled(query, name, label)))
            for label, count in sorted(page.counts[name].items(), key=lambda told: (-told[1], told[0]))
            if count or label in chosen
        ]
        first = [one for number, one in enumerate(labels) if number < SHOWN_LABELS or one.chosen]
        rest = [one for one in labels if one not in first]
        if labels:
            yield FilterView(name, name.replace("_", " "), first, rest, bool(chosen))


def _runs(book: Book, query: Query) -> Iterator[RunView]:
    for name, run in book.runs.items():
        answered = int((run.score >= 0).sum())
        share = float(run.right.sum() / answered) if answered else None
        state = "right" if name in query.right else "wrong" if name in query.wrong else ""
        yield RunView(name, share, run.metric, state)
