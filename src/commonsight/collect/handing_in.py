"""Handing work in, and taking it back: everything that follows from it, in one write.

The sender names each submission by a key of its own making. Sent again, because an answer got lost on the
way, it changes nothing and is answered the same.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from commonsight.collect.advance import advance_in, done_of, said_in
from commonsight.collect.database import for_change
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.earning import at_once, most_promised, once_kept
from commonsight.collect.events import log_in
from commonsight.collect.forms import checked
from commonsight.collect.gold import GoldTold, judge_gold, told
from commonsight.collect.leases import Grip, ends_at, grip_in, hold_again, lease_over, working_member_in
from commonsight.collect.protocol import Answers, Money, Stage, visible
from commonsight.collect.settling import Settling
from commonsight.collect.tables import (
    Assignment,
    Barred,
    Campaign,
    Comment,
    Entry,
    Erratum,
    RecordRow,
    Task,
)
from commonsight.errors import WorkRefused

LONGEST_KEY = 64
LONGEST_WORK = 30 * 86_400.0
"""Seconds; whoever says that they worked for longer is not believed."""
UNDO = 3600 * SECOND
"""For how long work can be taken back of which something came already, but that nobody has touched yet."""


class Handed(NamedTuple):
    """What became of work that was handed in."""

    assignment_id: int
    earned: Money
    """At once; what is paid only if the work is kept may follow."""
    gold: GoldTold | None
    """Where it was a question with a known answer."""


def hand_in(
    desk: Desk, assignment_id: int, user_id: int, answers: Any, *, key: str, seconds: float = 0.0
) -> Handed:
    """Hand work in: it is checked by the form and paid, and what comes of it happens. Late work counts if its
    place is free."""
    if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise WorkRefused("bad-key", f"A submission's key has 1 to {LONGEST_KEY} characters.")
    took = min(max(seconds, 0.0), LONGEST_WORK) if math.isfinite(seconds) else 0.0

    def work(session: Session) -> Handed:
        grip = grip_in(session, assignment_id, user_id)
        if grip.assignment.key == key:
            return _again(session, desk, grip)
        return _hand_in(session, desk, grip, answers, key, took)

    try:
        return desk.database.write(work)
    except IntegrityError as error:
        if not _is_used(desk, key):
            raise
        told = "This submission's key was used for other work. Load the page again."
        raise WorkRefused("key-used", told) from error


def _is_used(desk: Desk, key: str) -> bool:
    with desk.database.read() as session:
        return session.scalar(select(Assignment.id).where(Assignment.key == key)) is not None


def _again(session: Session, desk: Desk, grip: Grip) -> Handed:
    """The answer to a submission that is there already."""
    task, assignment = grip
    if assignment.state != "given":
        raise WorkRefused("undone", "You have taken this back since. Load the page again to go on with it.")
    stage = desk.stage_of(campaign_in(session, assignment.campaign_id), assignment.stage)
    answers = assignment.answers or {}
    return Handed(assignment.id, at_once(stage, answers), _told(stage, task, answers))


def _hand_in(
    session: Session, desk: Desk, grip: Grip, answers: Any, key: str, seconds: float
) -> Handed:
    task, assignment = grip
    campaign = campaign_in(session, task.campaign_id)
    protocol, now = desk.protocol_of(campaign), desk.clock()
    stage = protocol.stage(task.stage)
    if assignment.state == "given":
        raise WorkRefused("given-already", "You have handed this in already.")
    working_member_in(session, campaign.id, assignment.user_id)
    if assignment.state != "held":
        hold_again(grip, stage, now)
    elif task.state != "open":
        raise lease_over()
    cleaned = checked(stage.form, visible(task.payload), answers, stage.checks)
    settling = Settling(session, desk, campaign, protocol)
    _write_down(assignment, task, cleaned, key, seconds, now)
    data = {"assignment": assignment.id, "task": task.id, "stage": task.stage}
    log_in(session, desk, campaign.id, "given", data, assignment.user_id)
    _pay(settling, stage, assignment, cleaned)
    gold = _told(stage, task, cleaned)
    if gold is not None:
        judge_gold(settling, stage, assignment, gold)
    elif task.gold is None and task.given >= task.wanted:
        advance_in(session, desk, task, settling)
    settling.settle()
    return Handed(assignment.id, at_once(stage, cleaned), gold)


def _write_down(
    assignment: Assignment, task: Task, cleaned: dict[str, Any], key: str, seconds: float, now: int
) -> None:
    assignment.state, assignment.answers, assignment.draft = "given", cleaned, None
    assignment.key, assignment.given_at, assignment.seconds = key, now, seconds
    task.given += 1


def _pay(settling: Settling, stage: Stage, assignment: Assignment, cleaned: Answers) -> None:
    """What the work earns now, and what it may still earn."""
    assignment.may_earn = once_kept(stage, cleaned) + stage.pay.reward
    settling.pay(assignment, at_once(stage, cleaned), "work", stage.title)
    settling.promise(assignment, stage.pay.bonus)


def _told(stage: Stage, task: Task, answers: Answers) -> GoldTold | None:
    """How the answers compare with known ones; a comparison that fails must not cost anyone their work."""
    try:
        return told(stage, task, answers)
    except Exception:  # a protocol's own function
        return None


def undo(desk: Desk, assignment_id: int, user_id: int) -> None:
    """Take work back to go on with it, while nothing came of it that anyone has touched: the answers are a
    draft again, and the pay is set off."""

    def work(session: Session) -> None:
        grip = grip_in(session, assignment_id, user_id)
        task, assignment = grip
        campaign = campaign_in(session, task.campaign_id)
        protocol, now = desk.protocol_of(campaign), desk.clock()
        if assignment.state != "given":
            return  # sent twice, or never handed in: it is theirs to go on with, or not
        member = working_member_in(session, campaign.id, user_id)
        if task.gold is not None or not (
            task.state == "open" or _take_back_what_came(session, desk, campaign, grip, now)
        ):
            raise WorkRefused("too-late", "Others have gone on with this, so it cannot be taken back.")
        settling = Settling(session, desk, campaign, protocol)
        stage = protocol.stage(task.stage)
        _set_off(settling, assignment)
        if (assignment.given_at or 0) >= member.round_began_at:
            settling.promise(assignment, -stage.pay.bonus)
        settling.settle()
        task.given -= 1
        assignment.state, assignment.draft, assignment.answers = "held", assignment.answers, None
        assignment.given_at, assignment.held_at = None, now
        assignment.ends_at, assignment.may_earn = ends_at(stage, now), most_promised(stage)
        data = {"assignment": assignment.id, "task": task.id, "stage": task.stage}
        log_in(session, desk, campaign.id, "undone", data, user_id)

    desk.database.write(work)


def _set_off(settling: Settling, assignment: Assignment) -> None:
    """A line for all that the work has earned, the other way."""
    lines = select(func.coalesce(func.sum(Entry.amount), 0)).where(Entry.assignment_id == assignment.id)
    settling.pay(assignment, -int(settling.session.scalar(lines) or 0), "undone", "taken back")


def _take_back_what_came(session: Session, desk: Desk, campaign: Campaign, grip: Grip, now: int) -> bool:
    """Undo what this one answer alone led to, if that is only tasks that nobody has begun and records that
    nobody has found a fault in; whether it was."""
    task, assignment = grip
    if task.state == "disputed" or task.wanted != 1 or now - (assignment.given_at or 0) > UNDO:
        return False
    stage = desk.stage_of(campaign, task.stage)
    outcome = stage.then(done_of(desk, campaign, task, said_in(session, task)))
    if outcome.verdicts or outcome.rewards or outcome.disputed:
        return False
    made = select(Task).where(Task.source_id == task.id)
    tasks = session.scalars(for_change(made, skip_locked=True)).all()
    records = session.scalars(select(RecordRow).where(RecordRow.task_id == task.id)).all()
    ids, keys = [each.id for each in tasks], [each.key for each in records]
    if (
        len(tasks) != len(outcome.tasks)
        or len(records) != len(outcome.records)
        or any(each.state != "open" for each in tasks)
        or _is_touched(session, campaign, ids, keys)
    ):
        return False
    session.execute(delete(Barred).where(Barred.task_id.in_(ids)))
    for row in (*records, *tasks):
        session.delete(row)
    task.state, task.reason, task.done_at = "open", "", None
    return True


def _is_touched(session: Session, campaign: Campaign, tasks: list[int], records: list[str]) -> bool:
    """Whether someone had one of the tasks or said something about it, or found a fault in a record."""
    questions = (
        select(Assignment.id).where(Assignment.task_id.in_(tasks)),
        select(Comment.id).where(Comment.task_id.in_(tasks)),
        select(Erratum.id).where(Erratum.campaign_id == campaign.id, Erratum.record_key.in_(records)),
    )
    return any(session.scalar(question.limit(1)) is not None for question in questions)
