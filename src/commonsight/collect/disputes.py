"""Disputes: tasks whose answers do not decide them, and a reviewer's word that does."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect.advance import advance_in
from commonsight.collect.database import for_change
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.forms import checked
from commonsight.collect.grading import check_reviewer_in
from commonsight.collect.protocol import Said, visible
from commonsight.collect.tables import Assignment, Barred, Task
from commonsight.errors import WorkRefused


class Dispute(NamedTuple):
    """A task that waits for a reviewer."""

    task_id: int
    stage: str
    reason: str
    payload: dict[str, Any]
    said: list[dict[str, Any]]
    """What the workers said, without their names, in the order of hand-in."""


def disputes(desk: Desk, campaign_id: int, task_id: int | None = None) -> list[Dispute]:
    """Those of a campaign, the oldest task first; or the one of a task."""
    wanted = select(Task).where(Task.campaign_id == campaign_id, Task.state == "disputed").order_by(Task.id)
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        tasks = session.scalars(wanted if task_id is None else wanted.where(Task.id == task_id)).all()
        said: dict[int, list[dict[str, Any]]] = {task.id: [] for task in tasks}
        answers = select(Assignment.task_id, Assignment.answers).where(
            Assignment.task_id.in_(said), Assignment.state == "given"
        )
        for task, one in session.execute(answers.order_by(Assignment.given_at, Assignment.id)).tuples():
            said[task].append(one or {})
    return [
        Dispute(task.id, task.stage, task.reason, visible(task.payload), said[task.id]) for task in tasks
    ]


def settle(desk: Desk, task_id: int, by: int, answers: Any) -> None:
    """Decide a dispute: the stage goes on with this answer in the workers' stead. Nobody decides about their
    own work. The word is kept, and is no vote."""

    def work(session: Session) -> None:
        task = session.scalar(for_change(select(Task).where(Task.id == task_id)))
        if task is None or task.state != "disputed":
            raise WorkRefused("settled", "There is no such dispute, or it is settled already.")
        campaign = campaign_in(session, task.campaign_id)
        check_reviewer_in(session, campaign.id, by)
        mine = session.scalar(
            select(Assignment).where(Assignment.task_id == task_id, Assignment.user_id == by)
        )
        barred = session.get(Barred, (task_id, by)) is not None
        if barred or (mine is not None and mine.state == "given"):
            raise WorkRefused("own-work", "You took part in this, so another reviewer must decide.")
        stage = desk.stage_of(campaign, task.stage)
        cleaned = checked(stage.form, visible(task.payload), answers, stage.checks)
        word = _word_in(session, desk, task, by, mine, cleaned)
        advance_in(session, desk, task, by=Said(word.id, by, cleaned))
        if task.state == "disputed":
            raise WorkRefused("still-disputed", f"This answer does not decide it either: {task.reason}")
        data = {"task": task.id, "stage": task.stage, "state": task.state}
        log_in(session, desk, campaign.id, "settled", data, by)

    desk.database.write(work)


def _word_in(
    session: Session, desk: Desk, task: Task, by: int, mine: Assignment | None, cleaned: dict[str, Any]
) -> Assignment:
    """The reviewer's answer, kept beside those of the workers."""
    now = desk.clock()
    if mine is None:
        mine = Assignment(
            task_id=task.id, user_id=by, campaign_id=task.campaign_id, stage=task.stage, held_at=now,
            ends_at=now, draft=None,
        )  # fmt: skip
        session.add(mine)
    mine.state, mine.answers, mine.given_at = "settled", cleaned, now
    session.flush()
    return mine
