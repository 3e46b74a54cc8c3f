"""Predictions that people send in against a gold that is hidden, and how all of them did."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from commonsight.errors import InputError
from commonsight.runs.exploring.submissions import MOST_BYTES, Submissions
from commonsight.web.explore.guarding import Guard
from commonsight.web.explore.shelf import book_of
from commonsight.web.site import render

router = APIRouter()


def submissions_of(request: Request, book: str) -> Submissions:
    """What is sent in for a dataset, where anything may be."""
    found: dict[str, Submissions] = request.app.state.submissions
    if book not in found:
        raise HTTPException(404, "Nothing can be sent in for this dataset.")
    return found[book]


@router.get("/{book}/submit")
def page(request: Request, book: str) -> Response:
    """The form, and everything that was scored."""
    return _page(request, book)


def _page(request: Request, book: str, message: str = "", name: str = "", status: int = 200) -> Response:
    opened, kept = book_of(request, book), submissions_of(request, book)
    return render(
        request, "explore/submit.html", status=status, key=book, book=opened, kept=kept, all=kept.all(),
        message=message, name=name, most=MOST_BYTES >> 20, metrics=opened.benchmark.metrics,
        drawn=opened.drawn,
    )  # fmt: skip


@router.post("/{book}/submit")
async def send(
    request: Request,
    book: str,
    name: Annotated[str, Form()],
    predictions: Annotated[UploadFile, File()],
) -> Response:
    """Score a file. What cannot be scored comes back with the reason, and is not kept."""
    guard: Guard = request.app.state.guard
    guard.check(request, "send")
    kept = submissions_of(request, book)
    content = await predictions.read(MOST_BYTES + 1)
    ending = PurePath(predictions.filename or "").suffix
    try:
        await run_in_threadpool(kept.submit, name, content, ending)
    except InputError as error:
        return await run_in_threadpool(_page, request, book, str(error), name, 422)
    return RedirectResponse(f"/{book}/submit", 303)
