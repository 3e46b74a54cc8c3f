"""Pages of workers: take work, do it, hand it in, take it back, skip it, talk about it.

Everything works by plain forms. With scripts, drafts are kept and checks run while someone writes; both read
the same form by the same names.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from commonsight.collect import comments as talk
from commonsight.collect import forms, handing_in, leases, mine, pictures, queue
from commonsight.collect.desk import SECOND
from commonsight.collect.protocol import Stage
from commonsight.collect.queue import Work
from commonsight.collect.similar import Similar
from commonsight.errors import InputError, InvalidAnswers, WorkRefused
from commonsight.web.collect.access import Id, Me, desk_of, member, memberships, page, signed_in
from commonsight.web.collect.forms_view import field_views
from commonsight.web.collect.posted_form import field_at, grown, read_form, without
from commonsight.web.collect.showing import protocol_of
from commonsight.web.collect.work_view import after_view, comment_views, pay_text, spoken, work_values

router = APIRouter(include_in_schema=False)

PRIVATE_YEAR = "private, max-age=31536000, immutable"
STATUS = {"not-yours": 403, "out": 403, "not-member": 403}
ONLY_ONE = "Nothing else waits for you at the moment, so here it is again."
OVER = (
    "The time for this ran out, so it may be someone else's by now. What you wrote is still below: hand it "
    "in, and it counts if nobody has taken it."
)


async def sent(request: Request) -> list[tuple[str, str]]:
    """What a form sent, name by name, in order."""
    return [(name, value) for name, value in (await request.form()).multi_items() if isinstance(value, str)]


Sent = Annotated[list[tuple[str, str]], Depends(sent)]


def work_path(campaign_id: int, assignment_id: int | None = None, **query: Any) -> str:
    """The address of work, with what the page should say."""
    path = f"/work/{campaign_id}" if assignment_id is None else f"/work/{campaign_id}/{assignment_id}"
    asked = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(asked)}" if asked else path


@router.get("/work/{campaign_id}")
def take(
    request: Request,
    campaign_id: Id,
    stage: Annotated[str, Query(max_length=40)] = "",
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    skipped: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> Response:
    """What is mine to do now, or why there is nothing."""
    me = member(request, campaign_id)
    desk, why = desk_of(request), ""
    try:
        work = queue.take(desk, campaign_id, me.who.user_id, stage or None)
    except WorkRefused as refused:
        if refused.code.startswith("exam:"):
            return RedirectResponse(f"/exam/{campaign_id}/{refused.code.removeprefix('exam:')}", 303)
        work, why = None, str(refused)
    if work is None:
        return page(
            request, "collect/work_none.html", me=me, why=why, resting=False,
            after=after_view(request, me, after),
            waiting=sum(queue.waiting(desk, campaign_id, me.who.user_id).values()) if not why else 0,
        )  # fmt: skip
    again = skipped if work.assignment_id == skipped else 0
    return RedirectResponse(work_path(campaign_id, work.assignment_id, after=after, again=again), 303)


@router.get("/work/{campaign_id}/rest")
def rest(
    request: Request, campaign_id: Id, after: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> Response:
    """Where who wants no more for now comes to: what became of the last one, and the way back."""
    me = member(request, campaign_id)
    said = after_view(request, me, after)
    return page(request, "collect/work_none.html", me=me, why="", after=said, waiting=0, resting=True)


@router.get("/work/{campaign_id}/{assignment_id}")
def look(
    request: Request,
    campaign_id: Id,
    assignment_id: Id,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    again: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> Response:
    """The work: what it is about, and the form."""
    me = member(request, campaign_id)
    found = _own(request, me, assignment_id)
    if found.state == "given":
        return RedirectResponse(work_path(campaign_id, after=assignment_id), 303)
    told = ONLY_ONE if again else "" if found.state == "held" else OVER
    return _page(request, me, found.work, found.work.draft or {}, told=told, after=after)


@router.post("/work/{campaign_id}/{assignment_id}")
def hand_in(request: Request, campaign_id: Id, assignment_id: Id, posted: Sent) -> Response:
    """Hand it in; or, without scripts, one more or one fewer of something."""
    me = member(request, campaign_id)
    work = _own(request, me, assignment_id).work
    stage = _stage(request, me, work)
    values = dict(posted)
    wish, _, path = values.get("do", "").partition(":")
    if wish == "remove":
        posted = without(posted, path)
    answers = read_form(stage.form, posted).answers
    kept: dict[str, Any] = {"key": values.get("key", ""), "seconds": _seconds(values.get("seconds", ""))}
    if wish in ("add", "remove"):
        grown_answers = grown(stage.form, answers, path) if wish == "add" else answers
        return _page(request, me, work, grown_answers, **kept)
    try:
        handing_in.hand_in(desk_of(request), assignment_id, me.who.user_id, answers, **kept)
    except InvalidAnswers as invalid:
        return _page(request, me, work, answers, status=422, complaints=invalid.complaints, **kept)
    except WorkRefused as refused:
        if refused.code == "given-already":
            return RedirectResponse(work_path(campaign_id, after=assignment_id), 303)
        status = STATUS.get(refused.code, 409)
        return _page(request, me, work, answers, status=status, told=str(refused))
    where = f"/work/{campaign_id}/rest" if wish == "stop" else f"/work/{campaign_id}"
    return RedirectResponse(f"{where}?after={assignment_id}", 303)


def _seconds(text: str) -> float:
    try:
        return float(text[:20])
    except ValueError:
        return 0.0


def _own(request: Request, me: Me, assignment_id: int) -> mine.Past:
    """A piece of work of the person who asks, in this campaign."""
    found = mine.past(desk_of(request), assignment_id, me.who.user_id)
    if found.work.campaign_id != me.campaign_id:
        raise HTTPException(404, "There is no such work in this campaign.")
    return found


def _stage(request: Request, me: Me, work: Work) -> Stage:
    return protocol_of(request, me).stage(work.stage)


def _page(
    request: Request,
    me: Me,
    work: Work,
    answers: dict[str, Any],
    *,
    status: int = 200,
    key: str = "",
    seconds: float = 0.0,
    after: int = 0,
    told: str = "",
    complaints: Any = (),
) -> Response:
    """The page of a piece of work, with what was said so far."""
    desk, stage = desk_of(request), _stage(request, me, work)
    posted = request.method == "POST"
    at = work_path(me.campaign_id, work.assignment_id)
    return page(
        request,
        "collect/work.html",
        status=status,
        me=me,
        work=work,
        at=at,
        key=key or secrets.token_urlsafe(18),
        seconds=seconds,
        told=told,
        left=max(0, (work.ends_at - desk.clock()) // SECOND),
        pay=pay_text(stage, protocol_of(request, me).currency),
        after=after_view(request, me, after),
        similar_at=f"{at}/similar",
        posted=posted,
        guide_open=not posted and not mine.has_done(desk, me.campaign_id, me.who.user_id, stage.name),
        comments=comment_views(talk.comments(desk, work.task_id, seen_by=me.who.user_id), me.who.user_id),
        **work_values(stage, work.payload, answers, complaints),
    )


@router.put("/work/{campaign_id}/{assignment_id}/draft")
def keep_draft(request: Request, campaign_id: Id, assignment_id: Id, posted: Sent) -> Response:
    """Keep what was written so far."""
    me = member(request, campaign_id)
    stage = _stage(request, me, _own(request, me, assignment_id).work)
    draft = read_form(stage.form, posted).answers
    return _timed(request, lambda: leases.save_draft(desk_of(request), assignment_id, me.who.user_id, draft))


@router.post("/work/{campaign_id}/{assignment_id}/renew")
def renew(request: Request, campaign_id: Id, assignment_id: Id) -> Response:
    """Hold on to it: someone is there."""
    me = member(request, campaign_id)
    _own(request, me, assignment_id)
    return _timed(request, lambda: leases.renew(desk_of(request), assignment_id, me.who.user_id))


def _timed(request: Request, held: Any) -> Response:
    """How many seconds are left of a lease, for the page's script; or why there is none."""
    try:
        ends_at: int = held()
    except (WorkRefused, InputError) as error:
        return told_script(error)
    return JSONResponse({"left": max(0, (ends_at - desk_of(request).clock()) // SECOND)})


def told_script(error: WorkRefused | InputError) -> Response:
    """Why something was not kept, for the page's script."""
    if isinstance(error, WorkRefused):
        return JSONResponse({"code": error.code, "detail": str(error)}, STATUS.get(error.code, 409))
    return JSONResponse({"code": "too-much", "detail": str(error)}, 422)


@router.post("/work/{campaign_id}/{assignment_id}/back")
def give_back(request: Request, campaign_id: Id, assignment_id: Id) -> Response:
    """Skip it: it goes to others, and the next one comes."""
    me = member(request, campaign_id)
    _own(request, me, assignment_id)
    leases.give_back(desk_of(request), assignment_id, me.who.user_id)
    return RedirectResponse(work_path(campaign_id, skipped=assignment_id), 303)


@router.post("/work/{campaign_id}/{assignment_id}/undo")
def undo(request: Request, campaign_id: Id, assignment_id: Id) -> Response:
    """Take the last one back, to go on with it."""
    me = member(request, campaign_id)
    _own(request, me, assignment_id)
    handing_in.undo(desk_of(request), assignment_id, me.who.user_id)
    return RedirectResponse(work_path(campaign_id, assignment_id), 303)


@router.post("/work/{campaign_id}/{assignment_id}/check")
def check(request: Request, campaign_id: Id, assignment_id: Id, posted: Sent) -> Response:
    """What is wrong with it so far, and what to think about; each told at its field."""
    me = member(request, campaign_id)
    work = _own(request, me, assignment_id).work
    stage = _stage(request, me, work)
    read = read_form(stage.form, posted)
    told = forms.complaints(stage.form, work.payload, read.answers, stage.checks, partial=True)
    watcher = request.app.state.watcher
    warned = watcher.look(campaign_id, stage.name, work.payload, read.answers) if watcher else []
    places = spoken(field_views(stage.form, work.payload, read.answers), read, told, warned)
    sent_names = {name for name, _ in posted}
    return page(
        request, "collect/work_check.html", places=[each for each in places if each.is_on(sent_names)]
    )


@router.get("/work/{campaign_id}/{assignment_id}/similar")
def similar(
    request: Request,
    campaign_id: Id,
    assignment_id: Id,
    field: Annotated[str, Query(max_length=200)],
    text: Annotated[str | None, Query(max_length=forms.LONGEST_TEXT)] = None,
) -> Response:
    """Earlier texts of a field that are most like this one."""
    me = member(request, campaign_id)
    work = _own(request, me, assignment_id).work
    found = field_at(_stage(request, me, work).form, field)
    if found is None or not found.similar:
        raise HTTPException(404, "There is no such field that shows earlier texts.")
    written = text if text is not None else request.query_params.get(field, "")[: forms.LONGEST_TEXT]
    texts = _similar_of(request).nearest(
        campaign_id, work.stage, field, written, found.similar, by=found.similar_by, task_id=work.task_id
    )
    return page(request, "collect/work_similar.html", texts=texts)


def _similar_of(request: Request) -> Similar:
    """One for the whole app, made when it is first needed."""
    state = request.app.state
    if not hasattr(state, "similar"):
        state.similar = Similar(desk_of(request))
    found: Similar = state.similar
    return found


@router.post("/work/{campaign_id}/{assignment_id}/comments")
def comment(
    request: Request,
    campaign_id: Id,
    assignment_id: Id,
    text: Annotated[str, Form(max_length=forms.LONGEST_TEXT)] = "",
) -> Response:
    """Say something about the task to those who run the campaign."""
    me = member(request, campaign_id)
    work = _own(request, me, assignment_id).work
    talk.say(desk_of(request), work.task_id, me.who.user_id, text)
    return RedirectResponse(work_path(campaign_id, assignment_id) + "#comments", 303)


@router.get("/pictures/{name}")
def picture(request: Request, name: str) -> Response:
    """The pixels of a picture, for everyone who takes part in a campaign."""
    signed_in(request)
    if not memberships(request):
        raise HTTPException(403, "Pictures are for those who take part in a campaign.")
    try:
        path = pictures.picture_path(desk_of(request), name)
    except WorkRefused as refused:
        raise HTTPException(404, str(refused)) from refused
    return FileResponse(path, headers={"cache-control": PRIVATE_YEAR})
