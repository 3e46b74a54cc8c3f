"""Taking work and handing it in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Request
from pydantic import Field

from commonsight.collect import exams, forms, handing_in, leases, queue, so_far
from commonsight.web.collect.access import Id, desk_of, member, signed_in
from commonsight.web.collect.api.common import Complained, Said, Sent, Told, api_router

router = api_router("", "work")


class Wish(Sent):
    """Which work one wants."""

    stage: Annotated[str, Field(max_length=40)] | None = None
    """Of this stage only."""


class Work(Told):
    """A task in one's hands."""

    assignment_id: int
    task_id: int
    campaign_id: int
    stage: str
    payload: dict[str, Any]
    """What it shows."""
    draft: dict[str, Any] | None
    """What one had written so far."""
    ends_at: int
    """When it goes back, unless it is renewed."""


class Draft(Sent):
    """Unfinished answers."""

    draft: Said


class Lease(Told):
    """How long one holds work."""

    ends_at: int


class Submission(Sent):
    """Finished answers."""

    answers: Said
    key: Annotated[str, Field(min_length=1, max_length=64)]
    """One's own name for this submission: sent again, it counts once."""
    seconds: Annotated[float, Field(ge=0, le=1e7)] = 0.0
    """How long one worked on it."""


class Gold(Told):
    """How answers compare with known ones."""

    right: bool


class Handed(Told):
    """What became of a submission."""

    assignment_id: int
    earned: int
    """At once; what is paid only if the work is kept may follow."""
    gold: Gold | None


class Warned(Told):
    """Something to think about, which never stands in the way."""

    field: str
    message: str
    kind: str
    """length, likeness, telling-word or blind-model."""


class Checked(Told):
    """What is wrong with unfinished answers so far, and what to think about."""

    complaints: list[Complained]
    warnings: list[Warned]


class ExamSample(Told):
    """A task that the written part of an exam is about."""

    task_id: int
    payload: dict[str, Any]


class ExamSheet(Told):
    """An exam as one finds it."""

    state: str
    """open, waiting (for a reviewer), passed, or failed for good."""
    tries_left: int
    samples: list[ExamSample]
    """The written part is answered for each, in `samples`; where there are none, by its fields' names."""
    feedback: str
    """What was said of the last try."""
    draft: dict[str, Any]
    """What was written of the next one so far."""


class ExamAnswers(Sent):
    """What one answers in an exam."""

    answers: Said


class ExamResult(Told):
    """How an exam went."""

    state: str
    """passed, failed, or waiting for a reviewer."""
    share: float
    """Of the questions with known answers that are right."""


@router.post("/campaigns/{campaign_id}/work", response_model=Work | None)
def take(request: Request, campaign_id: Id, sent: Wish) -> queue.Work | None:
    """What one holds, or else the next task; nothing if there is none."""
    me = member(request, campaign_id)
    return queue.take(desk_of(request), campaign_id, me.who.user_id, sent.stage)


@router.get("/campaigns/{campaign_id}/waiting")
def waiting(request: Request, campaign_id: Id) -> dict[str, int]:
    """By stage, how many tasks are free for one now."""
    me = member(request, campaign_id)
    return queue.waiting(desk_of(request), campaign_id, me.who.user_id)


@router.get("/work/{assignment_id}", response_model=Work)
def look(request: Request, assignment_id: Id) -> queue.Work:
    """What one holds."""
    return queue.look(desk_of(request), assignment_id, signed_in(request).who.user_id)


@router.put("/work/{assignment_id}/draft")
def save_draft(request: Request, assignment_id: Id, sent: Draft) -> Lease:
    """Keep unfinished answers."""
    user_id = signed_in(request).who.user_id
    return Lease(ends_at=leases.save_draft(desk_of(request), assignment_id, user_id, sent.draft))


@router.post("/work/{assignment_id}/renew")
def renew(request: Request, assignment_id: Id) -> Lease:
    """Hold it for longer."""
    user_id = signed_in(request).who.user_id
    return Lease(ends_at=leases.renew(desk_of(request), assignment_id, user_id))


@router.post("/work/{assignment_id}/back", status_code=204)
def give_back(request: Request, assignment_id: Id) -> None:
    """Put it back unfinished."""
    leases.give_back(desk_of(request), assignment_id, signed_in(request).who.user_id)


@router.post("/work/{assignment_id}/check")
def check(request: Request, assignment_id: Id, sent: Draft) -> Checked:
    """Look through unfinished answers."""
    desk = desk_of(request)
    work = queue.look(desk, assignment_id, signed_in(request).who.user_id)
    stage = so_far.protocol_of(desk, work.campaign_id).stage(work.stage)
    told = forms.complaints(stage.form, work.payload, sent.draft, stage.checks, partial=True)
    watcher = request.app.state.watcher
    warned = watcher.look(work.campaign_id, work.stage, work.payload, sent.draft) if watcher else []
    return Checked(
        complaints=[Complained(field=each.field, message=each.message) for each in told],
        warnings=[Warned(**each._asdict()) for each in warned],
    )


@router.post("/work/{assignment_id}/hand-in", response_model=Handed)
def hand_in(request: Request, assignment_id: Id, sent: Submission) -> handing_in.Handed:
    """Hand it in."""
    user_id = signed_in(request).who.user_id
    return handing_in.hand_in(
        desk_of(request), assignment_id, user_id, sent.answers, key=sent.key, seconds=sent.seconds
    )


@router.post("/work/{assignment_id}/undo", status_code=204)
def undo(request: Request, assignment_id: Id) -> None:
    """Take it back to go on with it."""
    handing_in.undo(desk_of(request), assignment_id, signed_in(request).who.user_id)


@router.get("/campaigns/{campaign_id}/exams/{name}", response_model=ExamSheet)
def exam(request: Request, campaign_id: Id, name: str) -> exams.ExamView:
    """An exam as one finds it now, with the tasks that its written part is about."""
    me = member(request, campaign_id)
    return exams.exam_for(desk_of(request), campaign_id, me.who.user_id, name)


@router.put("/campaigns/{campaign_id}/exams/{name}/draft", status_code=204)
def keep_exam_draft(request: Request, campaign_id: Id, name: str, sent: Draft) -> None:
    """Keep what was written so far of an exam."""
    me = member(request, campaign_id)
    exams.save_draft(desk_of(request), campaign_id, me.who.user_id, name, sent.draft)


@router.post("/campaigns/{campaign_id}/exams/{name}", response_model=ExamResult)
def sit(request: Request, campaign_id: Id, name: str, sent: ExamAnswers) -> exams.ExamResult:
    """Sit an exam."""
    me = member(request, campaign_id)
    return exams.sit(desk_of(request), campaign_id, me.who.user_id, name, sent.answers)
