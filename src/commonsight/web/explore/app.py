"""The explorer, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from commonsight.errors import CommonsightError, InputError
from commonsight.runs.exploring.book import Book
from commonsight.runs.exploring.errata import Errata
from commonsight.runs.exploring.submissions import MOST_BYTES, Submissions
from commonsight.web.collect.limits import BodyLimit
from commonsight.web.explore import (
    board_pages,
    errata_pages,
    grid_pages,
    item_pages,
    picture_pages,
    submit_pages,
)
from commonsight.web.explore.guarding import Guard
from commonsight.web.explore.views import address, item_path
from commonsight.web.site import LOOPBACK, build_site, render

TITLE = "Commonsight"
MARGIN = 1 << 20
"""Bytes that a form has beside the file in it."""
PAGES = (board_pages, submit_pages, errata_pages, item_pages, picture_pages, grid_pages)
ROUTERS: tuple[APIRouter, ...] = tuple(pages.router for pages in PAGES)
"""Every page; the order matters only where two routes fit one address."""


def build_app(
    books: Mapping[str, Book],
    *,
    hosts: Iterable[str] = LOOPBACK,
    submissions: Mapping[str, Submissions] | None = None,
    errata: Mapping[str, Errata] | None = None,
    token: str = "",
) -> FastAPI:
    """The app for these datasets by their keys: to look at, and where it is kept to report and to send in.

    With the token its owner settles reports; without one nobody does.
    """
    app = build_site(TITLE, ROUTERS, hosts=hosts)
    app.state.books = dict(books)
    app.state.submissions, app.state.errata = dict(submissions or {}), dict(errata or {})
    app.state.guard, app.state.boards = Guard(token), {}
    app.state.templates.env.globals.update(
        address=address, item_path=item_path, submitting=app.state.submissions, mending=app.state.errata
    )
    app.add_middleware(BodyLimit, most=MOST_BYTES + MARGIN)
    app.add_exception_handler(CommonsightError, _told)
    return app


def named(books: Sequence[Book]) -> dict[str, Book]:
    """The datasets by what addresses call them; two of one name are told apart by a number."""
    found: dict[str, Book] = {}
    for book in books:
        key, number = book.key, 2
        while key in found or key in RESERVED:
            key, number = f"{book.key}-{number}", number + 1
        found[key] = book
    return found


RESERVED = frozenset({"static"})
"""What other addresses begin with."""


async def _told(request: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, InputError) else 500
    return render(request, "error.html", status=status, code=status, message=str(error))
