"""What reviewers see and do: exams, disputes, records, errata and comments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import HTTPException, Query, Request
from pydantic import Field

from commonsight.collect import browsing, disputes, errata, grading
from commonsight.collect import comments as talk
from commonsight.web.collect.access import Id, desk_of, member
from commonsight.web.collect.api.common import Before, Most, Said, Sent, Text, Told, api_router

router = api_router("/campaigns/{campaign_id}", "review")


class Dispute(Told):
    """A task that waits for a reviewer."""

    task_id: int
    stage: str
    reason: str
    payload: dict[str, Any]
    said: list[dict[str, Any]]
    """What workers said, without their names."""


class Decision(Sent):
    """A reviewer's answer in the workers' stead."""

    answers: Said


class ExamTry(Told):
    """What someone wrote in an exam, and nobody has read yet."""

    try_id: int
    exam: str
    user_id: int
    name: str
    share: float
    answers: dict[str, Any]
    made_at: int


class Grade(Sent):
    """Pass or fail."""

    verdict: Literal["passed", "distinction", "failed"]
    feedback: Text = ""


class Record(Told):
    """A finished piece of the benchmark."""

    id: int
    key: str
    data: dict[str, Any]
    version: int
    removed: bool
    task_id: int
    made_at: int


class Report(Sent):
    """A fault in a record."""

    record_key: Annotated[str, Field(min_length=1, max_length=200)]
    text: Text


class Made(Told):
    """The id of what was made."""

    id: int


class Erratum(Told):
    """A fault that was reported."""

    id: int
    record_key: str
    record_id: int
    data: dict[str, Any]
    version: int
    removed: bool
    name: str
    text: str
    state: str
    answer: str
    made_at: int


class Settled(Sent):
    """What becomes of a report."""

    action: Literal["fixed", "removed", "refused"]
    answer: Text = ""
    data: dict[str, Any] | None = None
    """What the record says from now on, where it is fixed."""


class Remark(Told):
    """What someone said about a task."""

    id: int
    user_id: int
    name: str
    role: str
    text: str
    made_at: int


class Words(Sent):
    """Something about a task."""

    text: Text


@router.get("/disputes", response_model=list[Dispute])
def open_disputes(request: Request, campaign_id: Id) -> list[disputes.Dispute]:
    """Tasks whose answers do not decide them."""
    member(request, campaign_id, "reviewer")
    return disputes.disputes(desk_of(request), campaign_id)


@router.post("/disputes/{task_id}", status_code=204)
def settle(request: Request, campaign_id: Id, task_id: Id, sent: Decision) -> None:
    """Decide one."""
    me = member(request, campaign_id, "reviewer")
    browsing.task(desk_of(request), campaign_id, task_id)  # or it is another campaign's
    disputes.settle(desk_of(request), task_id, me.who.user_id, sent.answers)


@router.get("/exam-tries")
def exams_to_grade(request: Request, campaign_id: Id) -> list[ExamTry]:
    """What waits to be read."""
    member(request, campaign_id, "reviewer")
    return [
        ExamTry(**(one._asdict() | {"exam": one.exam.name}))
        for one in grading.to_grade(desk_of(request), campaign_id)
    ]


@router.post("/exam-tries/{try_id}", status_code=204)
def grade(request: Request, campaign_id: Id, try_id: Id, sent: Grade) -> None:
    """Pass or fail one."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    if try_id not in {one.try_id for one in grading.to_grade(desk, campaign_id)}:
        raise HTTPException(404, "This exam does not wait to be graded here, or no longer.")
    passed, distinction = sent.verdict != "failed", sent.verdict == "distinction"
    grading.grade(desk, try_id, me.who.user_id, passed, sent.feedback, distinction=distinction)


@router.get("/records", response_model=list[Record])
def records(
    request: Request,
    campaign_id: Id,
    search: Annotated[str, Query(max_length=200)] = "",
    before: Before = None,
    most: Most = browsing.MOST,
) -> list[browsing.RecordLine]:
    """What is finished, newest first."""
    member(request, campaign_id, "reviewer")
    return browsing.records(desk_of(request), campaign_id, search=search, before=before, most=most)


@router.get("/records/{record_id}", response_model=Record)
def record(request: Request, campaign_id: Id, record_id: Id) -> browsing.RecordLine:
    """One finished record."""
    member(request, campaign_id, "reviewer")
    return browsing.record(desk_of(request), campaign_id, record_id)


@router.get("/errata", response_model=list[Erratum])
def open_errata(request: Request, campaign_id: Id) -> list[errata.Fault]:
    """Faults that nobody has settled yet."""
    member(request, campaign_id, "reviewer")
    return errata.open_errata(desk_of(request), campaign_id)


@router.post("/errata", status_code=201)
def report(request: Request, campaign_id: Id, sent: Report) -> Made:
    """Say what is wrong with a record."""
    me = member(request, campaign_id)
    made = errata.report(desk_of(request), campaign_id, sent.record_key, me.who.user_id, sent.text)
    return Made(id=made)


@router.post("/errata/{erratum_id}", status_code=204)
def settle_erratum(request: Request, campaign_id: Id, erratum_id: Id, sent: Settled) -> None:
    """Mend the record, remove it, or say why it stays."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    errata.erratum(desk, campaign_id, erratum_id)
    errata.settle(desk, erratum_id, me.who.user_id, sent.action, sent.answer, sent.data)


@router.get("/tasks/{task_id}/comments", response_model=list[Remark])
def comments(request: Request, campaign_id: Id, task_id: Id) -> list[talk.Remark]:
    """What was said about a task."""
    member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    browsing.task(desk, campaign_id, task_id)
    return talk.comments(desk, task_id)


@router.post("/tasks/{task_id}/comments", status_code=201)
def say(request: Request, campaign_id: Id, task_id: Id, sent: Words) -> Made:
    """Say something about a task."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    browsing.task(desk, campaign_id, task_id)
    return Made(id=talk.say(desk, task_id, me.who.user_id, sent.text))
