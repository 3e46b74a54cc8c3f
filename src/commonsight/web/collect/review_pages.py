"""Pages for reviewers: exams to grade, and disputes to settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Request
from starlette.responses import Response

from commonsight.collect import comments as talk
from commonsight.collect import disputes, exams, grading
from commonsight.collect.protocol import Field
from commonsight.errors import Complaint, InvalidAnswers
from commonsight.web.collect.access import Id, Me, desk_of, member
from commonsight.web.collect.posted_form import read_form
from commonsight.web.collect.said_view import said_lines
from commonsight.web.collect.showing import back_to, campaign_page, stage_of
from commonsight.web.collect.shows_view import Line, ShowView, show_views
from commonsight.web.collect.work_pages import Sent
from commonsight.web.collect.work_view import work_values

router = APIRouter(prefix="/campaigns/{campaign_id}", include_in_schema=False)

Word = Annotated[str, Form(max_length=40)]
Paragraph = Annotated[str, Form(max_length=5000)]
VERDICTS = ("passed", "distinction", "failed")
MOST_PAPERS = 20
"""Exams on one page."""


@dataclass(frozen=True)
class SampleView:
    """One task of an exam, and what was written about it."""

    shows: tuple[ShowView, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Paper:
    """What someone wrote in an exam, to read."""

    one: grading.ToGrade
    lines: tuple[Line, ...]
    samples: tuple[SampleView, ...]


@router.get("/exams")
def exams_to_grade(request: Request, campaign_id: Id) -> Response:
    """What people wrote in exams, and nobody has read yet."""
    me = member(request, campaign_id, "reviewer")
    waiting = grading.to_grade(desk_of(request), campaign_id)
    papers = [_paper(request, me, one) for one in waiting[:MOST_PAPERS]]
    return campaign_page(
        request, me, "collect/review_exams.html", papers=papers, more=max(0, len(waiting) - MOST_PAPERS)
    )


def _paper(request: Request, me: Me, one: grading.ToGrade) -> Paper:
    if not one.samples:
        return Paper(one, said_lines(one.exam.written, {}, _only(one.exam.written, one.answers)), ())
    shows = stage_of(request, me, one.exam.samples_of).shows
    given = one.answers.get(exams.SAMPLES, ())
    samples = tuple(
        SampleView(show_views(shows, sample.payload), said_lines(one.exam.written, sample.payload, said))
        for sample, said in zip(one.samples, given, strict=False)
    )
    return Paper(one, (), samples)


def _only(form: Sequence[Field], answers: Mapping[str, Any]) -> dict[str, Any]:
    """Without the graded questions, of which the share that is right says enough."""
    return {field.name: answers[field.name] for field in form if field.name in answers}


@router.post("/exams/{try_id}")
def grade(
    request: Request, campaign_id: Id, try_id: Id, verdict: Word = "", feedback: Paragraph = ""
) -> Response:
    """Pass or fail one of them."""
    me = member(request, campaign_id, "reviewer")
    desk = desk_of(request)
    if try_id not in {one.try_id for one in grading.to_grade(desk, campaign_id)}:
        raise HTTPException(404, "This exam does not wait to be graded here, or no longer.")
    if verdict not in VERDICTS:
        raise HTTPException(422, f"A verdict is one of: {', '.join(VERDICTS)}.")
    grading.grade(
        desk,
        try_id,
        me.who.user_id,
        verdict != "failed",
        feedback.strip(),
        distinction=verdict == "distinction",
    )
    return back_to(me, "exams", "graded")


@router.get("/disputes")
def open_disputes(request: Request, campaign_id: Id) -> Response:
    """Tasks whose answers do not decide them."""
    me = member(request, campaign_id, "reviewer")
    return campaign_page(
        request, me, "collect/review_disputes.html", lines=disputes.disputes(desk_of(request), campaign_id)
    )


@router.get("/disputes/{task_id}")
def dispute(request: Request, campaign_id: Id, task_id: Id) -> Response:
    """One of them: what was shown, what was said, and the form to decide with."""
    me = member(request, campaign_id, "reviewer")
    return _dispute(request, me, task_id, {}, ())


def _dispute(
    request: Request,
    me: Me,
    task_id: int,
    answers: Mapping[str, Any],
    complaints: Sequence[Complaint],
) -> Response:
    desk = desk_of(request)
    found = _found(request, me, task_id)
    stage = stage_of(request, me, found.stage)
    return campaign_page(
        request,
        me,
        "collect/review_dispute.html",
        status=422 if complaints else 200,
        told="Something must be changed first: see below." if complaints else "",
        dispute=found,
        said_answers=[said_lines(stage.form, found.payload, each) for each in found.said],
        said=talk.comments(desk, task_id),
        **work_values(stage, found.payload, answers, complaints),
    )


def _found(request: Request, me: Me, task_id: int) -> disputes.Dispute:
    for one in disputes.disputes(desk_of(request), me.campaign_id, task_id):
        return one
    raise HTTPException(404, "There is no such dispute here, or it is settled.")


@router.post("/disputes/{task_id}")
def settle(request: Request, campaign_id: Id, task_id: Id, posted: Sent) -> Response:
    """Decide it."""
    me = member(request, campaign_id, "reviewer")
    found = _found(request, me, task_id)
    answers = read_form(stage_of(request, me, found.stage).form, posted).answers
    try:
        disputes.settle(desk_of(request), task_id, me.who.user_id, answers)
    except InvalidAnswers as invalid:
        return _dispute(request, me, task_id, answers, invalid.complaints)
    return back_to(me, "disputes", "settled")
