"""Pictures of a dataset, whole and small. Only those that an item shows: no path leads elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from commonsight.build.imaging.thumbnails import Thumbnails
from commonsight.errors import InvalidRecords
from commonsight.runs.exploring.book import Book
from commonsight.store.paths import below, cache_folder
from commonsight.store.walk import Found
from commonsight.web.explore.shelf import book_of
from commonsight.web.site import A_YEAR

router = APIRouter()

SMALL = 320
"""Pixels of a thumbnail, each way."""
STORED = re.compile(r"[0-9a-f]{2}/[0-9a-f]{64}\.(?:jpg|png|gif|webp|bmp)")
"""How a dataset names its pictures, below `images/`: by their content, so that they may be kept for good."""


@router.get("/{book}/pictures/{stored:path}")
def picture(request: Request, book: str, stored: str) -> Response:
    """A picture, as it is in the dataset."""
    path = _path(book_of(request, book), stored)
    return FileResponse(path, headers={"cache-control": A_YEAR})


@router.get("/{book}/thumbs/{stored:path}")
def thumbnail(request: Request, book: str, stored: str) -> Response:
    """A small copy, made when it is first asked for and kept in the cache."""
    path = _path(book_of(request, book), stored)
    small = Thumbnails(cache_folder() / "explore" / "thumbnails", (SMALL,))
    target = small.path(path.stem, SMALL)
    if not target.is_file():
        try:
            small(Found(path, path.name))
        except InvalidRecords as error:
            raise HTTPException(404, "This picture cannot be read.") from error
    return FileResponse(target, headers={"cache-control": A_YEAR}, media_type="image/webp")


def _path(book: Book, stored: str) -> Path:
    if STORED.fullmatch(stored) is None:
        raise HTTPException(404, "There is no such picture.")
    path = below(book.folder, f"images/{stored}")
    if not path.is_file():
        raise HTTPException(404, "There is no such picture.")
    return path
