"""Faults that readers report, and what the owner decides about them."""

from __future__ import annotations

import time
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.exploring.errata import CHANGEABLE, Action, Errata
from commonsight.web.explore.guarding import Guard
from commonsight.web.explore.shelf import book_of
from commonsight.web.explore.views import item_path
from commonsight.web.site import render

router = APIRouter()


def errata_of(request: Request, book: str) -> Errata:
    """The reports of a dataset, where they are kept."""
    found: dict[str, Errata] = request.app.state.errata
    if book not in found:
        raise HTTPException(404, "Reports are not kept here. Start with --errata DIR.")
    return found[book]


@router.get("/{book}/errata")
def page(request: Request, book: str) -> Response:
    """Every report, and for the owner the ways to settle it."""
    return _page(request, book)


def _page(request: Request, book: str, message: str = "", status: int = 200) -> Response:
    opened = book_of(request, book)
    several = [(one, opened.item(one.reported.item)) for one in reversed(errata_of(request, book).all())]
    return render(
        request, "explore/errata.html", status=status, key=book, book=opened, several=several,
        message=message, changeable=CHANGEABLE,
    )  # fmt: skip


@router.post("/{book}/report")
def report(
    request: Request,
    book: str,
    item: Annotated[str, Form()],
    text: Annotated[str, Form()],
    by: Annotated[str, Form()] = "",
) -> Response:
    """Someone says that an item is at fault."""
    guard: Guard = request.app.state.guard
    guard.check(request, "report")
    if book_of(request, book).index.row(item) is None:
        raise HTTPException(404, "There is no item of this id here.")
    errata_of(request, book).report(item, text, by, time.time())
    return RedirectResponse(f"{item_path(book, item)}?reported=1", 303)


@router.post("/{book}/errata/{report_id}")
def decide(
    request: Request,
    book: str,
    report_id: str,
    token: Annotated[str, Form()],
    action: Annotated[Action, Form()],
    answer: Annotated[str, Form()] = "",
    right: Annotated[str, Form()] = "",
    change: Annotated[str, Form()] = "",
) -> Response:
    """The owner settles a report; a change that would not give an item is told, and nothing is kept."""
    guard: Guard = request.app.state.guard
    guard.check_owner(request, token)
    errata = errata_of(request, book)
    found = {one.reported.id: one for one in errata.all()}
    if report_id not in found:
        raise HTTPException(404, "There is no such report.")
    item = book_of(request, book).item(found[report_id].reported.item)
    try:
        told = _change(right, change, item) if action == "fixed" else {}
        errata.decide(report_id, action, answer, time.time(), item, told)
    except UsageError as error:
        return _page(request, book, str(error), 422)
    return RedirectResponse(f"/{book}/errata", 303)


def _change(right: str, change: str, item: Item | None) -> dict[str, Any]:
    """Another choice that is right, or any fields as JSON."""
    if right:
        if item is None or not right.isdecimal() or int(right) >= len(item.choices):
            raise UsageError("There is no such choice.")
        return {"gold": msgspec.to_builtins(Pick(int(right)))}
    if not change.strip():
        return {}
    try:
        told: dict[str, Any] = msgspec.json.decode(change.encode(), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise UsageError(f"The change is not JSON: {error}.") from error
    return told
