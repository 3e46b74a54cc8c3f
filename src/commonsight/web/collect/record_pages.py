"""Pages about what came of the work: records, the faults that people found in them, and what was said."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from commonsight.collect import browsing, errata
from commonsight.collect import comments as talk
from commonsight.errors import UsageError
from commonsight.web.collect.access import Id, Me, desk_of, member
from commonsight.web.collect.said_view import said_lines
from commonsight.web.collect.showing import back_to, campaign_page, stage_of
from commonsight.web.collect.shows_view import show_views

router = APIRouter(prefix="/campaigns/{campaign_id}", include_in_schema=False)

Line = Annotated[str, Form(max_length=1000)]
Paragraph = Annotated[str, Form(max_length=5000)]
Json = Annotated[str, Form(max_length=200_000)]
Before = Annotated[int | None, Query(ge=1, le=2**53)]
Search = Annotated[str, Query(max_length=200)]


@router.get("/records")
def records(request: Request, campaign_id: Id, search: Search = "", before: Before = None) -> Response:
    """What is finished, newest first."""
    me = member(request, campaign_id, "reviewer")
    lines = browsing.records(desk_of(request), campaign_id, search=search, before=before)
    last = lines[-1].id if len(lines) == browsing.MOST else None
    return campaign_page(
        request, me, "collect/review_records.html", lines=lines, search=search, last=last
    )


@router.get("/records/{record_id}")
def record(request: Request, campaign_id: Id, record_id: Id) -> Response:
    """One finished record."""
    return _record(request, member(request, campaign_id, "reviewer"), record_id)


def _record(request: Request, me: Me, record_id: int, *, status: int = 200, told: str = "") -> Response:
    found = browsing.record(desk_of(request), me.campaign_id, record_id)
    return campaign_page(request, me, "collect/review_record.html", status=status, told=told, record=found)


@router.post("/records/{record_id}/report")
def report(request: Request, campaign_id: Id, record_id: Id, text: Paragraph = "") -> Response:
    """Someone found a fault in a record."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    found = browsing.record(desk, campaign_id, record_id)
    try:
        errata.report(desk, campaign_id, found.key, me.who.user_id, text)
    except UsageError as error:
        return _record(request, me, record_id, status=422, told=str(error))
    return back_to(me, f"records/{record_id}", "reported")


@router.get("/errata")
def open_errata(request: Request, campaign_id: Id) -> Response:
    """Faults that nobody has settled yet."""
    return _errata(request, member(request, campaign_id, "reviewer"))


def _errata(request: Request, me: Me, *, status: int = 200, told: str = "") -> Response:
    lines = errata.open_errata(desk_of(request), me.campaign_id)
    return campaign_page(request, me, "collect/review_errata.html", status=status, told=told, lines=lines)


@router.post("/errata/{erratum_id}")
def settle_erratum(
    request: Request,
    campaign_id: Id,
    erratum_id: Id,
    action: Line = "",
    answer: Paragraph = "",
    data: Json = "",
) -> Response:
    """Mend the record, remove it, or say why it stays."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    errata.erratum(desk, campaign_id, erratum_id)  # or it is another campaign's
    try:
        mended = _json(data) if action == "fixed" else None
        errata.settle(desk, erratum_id, me.who.user_id, action, answer, mended)
    except UsageError as error:
        return _errata(request, me, status=422, told=str(error))
    return back_to(me, "errata", "settled")


def _json(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        told = f"The mended record is no JSON object ({error}). Write it as it was shown."
        raise UsageError(told) from error


@router.get("/comments")
def comments(request: Request, campaign_id: Id, before: Before = None) -> Response:
    """What people said about tasks, newest first."""
    me = member(request, campaign_id, "reviewer")
    lines = browsing.comments(desk_of(request), campaign_id, before=before)
    last = lines[-1].id if len(lines) == browsing.MOST else None
    return campaign_page(request, me, "collect/review_comments.html", lines=lines, last=last)


@router.get("/tasks/{task_id}")
def task(request: Request, campaign_id: Id, task_id: Id) -> Response:
    """One task: what it shows, what was answered, and what was said about it."""
    return _task(request, member(request, campaign_id, "reviewer"), task_id)


def _task(request: Request, me: Me, task_id: int, *, status: int = 200, told: str = "") -> Response:
    desk = desk_of(request)
    found = browsing.task(desk, me.campaign_id, task_id)
    stage = stage_of(request, me, found.stage)
    return campaign_page(
        request,
        me,
        "collect/review_task.html",
        status=status,
        told=told,
        task=found,
        stage=stage,
        shows=show_views(stage.shows, found.payload),
        said_answers=[said_lines(stage.form, found.payload, each) for each in found.said],
        said=talk.comments(desk, task_id),
    )


@router.post("/tasks/{task_id}/comments")
def say(request: Request, campaign_id: Id, task_id: Id, text: Paragraph = "") -> Response:
    """Something about a task."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    browsing.task(desk, campaign_id, task_id)
    try:
        talk.say(desk, task_id, me.who.user_id, text)
    except UsageError as error:
        return _task(request, me, task_id, status=422, told=str(error))
    return back_to(me, f"tasks/{task_id}", "said")
