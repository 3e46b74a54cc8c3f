"""Which dataset an address means."""

from __future__ import annotations

from fastapi import Request
from starlette.exceptions import HTTPException

from commonsight.runs.exploring.book import Book


def book_of(request: Request, key: str) -> Book:
    """The dataset of an address."""
    books: dict[str, Book] = request.app.state.books
    if key not in books:
        raise HTTPException(404, "There is no dataset of this name here.")
    return books[key]
