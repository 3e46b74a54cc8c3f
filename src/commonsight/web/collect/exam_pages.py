"""Pages that come before the work: how it is done, and the exam that opens it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import JSONResponse, Response

from commonsight.collect import exams
from commonsight.collect.exams import SAMPLES, ExamView
from commonsight.errors import Complaint, InputError, InvalidAnswers, WorkRefused
from commonsight.web.collect.access import Id, Me, desk_of, member, page
from commonsight.web.collect.forms_view import FieldView, field_views, pointed_at
from commonsight.web.collect.posted_form import read_form
from commonsight.web.collect.showing import protocol_of
from commonsight.web.collect.shows_view import show_views
from commonsight.web.collect.work_pages import Sent, told_script
from commonsight.web.collect.work_view import is_wide, pay_text, told_above

router = APIRouter(include_in_schema=False)


@router.get("/campaigns/{campaign_id}/guide/{stage}")
def guide(request: Request, campaign_id: Id, stage: str) -> Response:
    """How the work of a stage is done, with examples."""
    me = member(request, campaign_id)
    protocol = protocol_of(request, me)
    found = next((each for each in protocol.stages if each.name == stage), None)
    if found is None:
        raise HTTPException(404, "There is no such stage in this campaign.")
    pay = pay_text(found, protocol.currency)
    return page(request, "collect/guide.html", me=me, stage=found, pay=pay)


@router.get("/exam/{campaign_id}/{name}")
def exam(request: Request, campaign_id: Id, name: str) -> Response:
    """The exam, or how one did in it."""
    me = member(request, campaign_id)
    view = exams.exam_for(desk_of(request), campaign_id, me.who.user_id, name)
    if view.state != "open":
        return page(request, "collect/exam_told.html", me=me, view=view, result=None, questions=[])
    return _page(request, me, view, view.draft)


@router.put("/exam/{campaign_id}/{name}/draft")
def keep_draft(request: Request, campaign_id: Id, name: str, posted: Sent) -> Response:
    """Keep what was written so far."""
    me = member(request, campaign_id)
    desk, user_id = desk_of(request), me.who.user_id
    try:
        view = exams.exam_for(desk, campaign_id, user_id, name)
        exams.save_draft(desk, campaign_id, user_id, name, _answers(view, posted))
    except (WorkRefused, InputError) as error:
        return told_script(error)
    return JSONResponse({"kept": True})


@router.post("/exam/{campaign_id}/{name}")
def sit(request: Request, campaign_id: Id, name: str, posted: Sent) -> Response:
    """Hand it in. What came of it is told at once; loading this again does not sit it again."""
    me = member(request, campaign_id)
    desk, user_id, key = desk_of(request), me.who.user_id, dict(posted).get("key", "")[:64]
    before = exams.exam_for(desk, campaign_id, user_id, name)
    answers = _answers(before, posted)
    try:
        result = exams.sit(desk, campaign_id, user_id, name, answers, key=key or None)
    except InvalidAnswers as invalid:
        return _page(request, me, before, answers, key=key, complaints=invalid.complaints)
    after = exams.exam_for(desk, campaign_id, user_id, name)
    told = {each.name: each for each in result.told}
    questions = [
        (view, told.get(view.field.name))
        for view in field_views([each.field for each in before.exam.graded], {}, answers)
    ]
    return page(request, "collect/exam_told.html", me=me, view=after, result=result, questions=questions)


def _answers(view: ExamView, posted: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What was said to the questions, and about each sample in its place."""
    answers = read_form(_asked(view), posted).answers
    if view.samples:
        answers[SAMPLES] = [
            read_form(view.exam.written, posted, scope=_scope(place)).answers
            for place in range(len(view.samples))
        ]
    return answers


def _asked(view: ExamView) -> list[Any]:
    """The fields that are about no sample."""
    return [*(each.field for each in view.exam.graded), *(() if view.samples else view.exam.written)]


def _scope(place: int) -> str:
    return f"{SAMPLES}.{place}."


def _page(
    request: Request,
    me: Me,
    view: ExamView,
    answers: Mapping[str, Any],
    *,
    key: str = "",
    complaints: Sequence[Complaint] = (),
) -> Response:
    fields = field_views(_asked(view), {}, answers, complaints)
    given = answers.get(SAMPLES)
    said = given if isinstance(given, list) and len(given) == len(view.samples) else [{}] * len(view.samples)
    samples = [
        _sample(request, me, view, place, each if isinstance(each, dict) else {}, complaints)
        for place, each in enumerate(said)
    ]
    every: list[FieldView] = [*fields, *(field for sample in samples for field in sample["fields"])]
    return page(
        request,
        "collect/exam.html",
        status=422 if complaints else 200,
        me=me,
        view=view,
        key=key or secrets.token_urlsafe(18),
        graded=fields[: len(view.exam.graded)],
        written=fields[len(view.exam.graded) :],
        samples=samples,
        complaints=told_above(every, complaints),
    )


def _sample(
    request: Request,
    me: Me,
    view: ExamView,
    place: int,
    said: Mapping[str, Any],
    complaints: Sequence[Complaint],
) -> dict[str, Any]:
    """One task that the written part is asked about, as its stage shows it."""
    stage = protocol_of(request, me).stage(view.exam.samples_of)
    payload, scope = view.samples[place].payload, _scope(place)
    fields = field_views(view.exam.written, payload, said, complaints, scope)
    return {
        "shows": show_views(stage.shows, payload, scope),
        "wide": is_wide(stage, payload),
        "fields": fields,
        "pointed": pointed_at(fields),
    }
