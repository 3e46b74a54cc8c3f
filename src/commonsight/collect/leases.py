"""Work in a worker's hands: for how long it is theirs, how it is kept, and how it goes back.

Whoever changes an assignment holds its task still first, so the task's counters and its assignments always
say the same. A lease that ran out is taken back when someone next asks for work; until another has its place,
the worker may still go on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import literal_column, select
from sqlalchemy.orm import Session

from commonsight.collect.database import for_change
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.earning import most_promised
from commonsight.collect.events import log_in
from commonsight.collect.forms import draft_of
from commonsight.collect.protocol import Protocol, Stage
from commonsight.collect.tables import Assignment, Campaign, Member, Task
from commonsight.errors import WorkRefused

IS_HELD = Assignment.state == literal_column("'held'")
"""In words, so that both databases see that the index of held work has all that is asked for."""
MOST_LEASES = 20
"""A tab that stays open renews its lease; but not for ever, or one forgotten tab would hold up a campaign."""
AT_ONCE = 100
"""Leases that one write takes back."""


GRIPS = select(Task, Assignment).select_from(Task).join(Assignment, Assignment.task_id == Task.id)
"""Tasks come first, so that they are locked first: two at the same task wait for each other there."""


class Grip(NamedTuple):
    """A task and a worker's assignment of it, held still."""

    task: Task
    assignment: Assignment


def grip_in(session: Session, assignment_id: int, user_id: int) -> Grip:
    """The worker's assignment, and nobody else's."""
    wanted = GRIPS.where(Assignment.id == assignment_id, Assignment.user_id == user_id)
    found = session.execute(for_change(wanted)).tuples().first()
    if found is None:
        raise WorkRefused("not-yours", "This work is not yours. Go to your work to see what is.")
    return Grip(*found)


def working_member_in(session: Session, campaign_id: int, user_id: int, *, lock: bool = False) -> Member:
    """What someone is in a campaign, if they may work there. With `lock`, nobody changes it meanwhile."""
    wanted = select(Member).where(Member.campaign_id == campaign_id, Member.user_id == user_id)
    member = session.scalar(for_change(wanted) if lock else wanted)
    if member is None:
        raise WorkRefused("not-member", "You do not take part in this campaign. Ask its owner to invite you.")
    if member.out_reason:
        raise WorkRefused("out", f"No more work is handed out to you here: {member.out_reason}")
    return member


def lease_over() -> WorkRefused:
    """That the time was up and the work went on without this worker."""
    return WorkRefused(
        "lease-over",
        "You held this for longer than its time, and it went back to be done by others. Take the next one.",
    )


def ends_at(stage: Stage, now: int) -> int:
    """When a lease ends that begins, or is renewed, now."""
    return now + round(stage.minutes * 60 * SECOND)


def hold_again(grip: Grip, stage: Stage, now: int) -> None:
    """Put returned work into its worker's hands again, where there is still a place."""
    task, assignment = grip
    if assignment.state != "returned" or task.state != "open" or task.taken >= task.wanted:
        raise lease_over()
    task.taken += 1
    assignment.state, assignment.held_at, assignment.ends_at = "held", now, ends_at(stage, now)
    assignment.may_earn = most_promised(stage)


def let_go_in(session: Session, desk: Desk, grip: Grip, why: str) -> None:
    """Put held work back, for whoever comes next."""
    task, assignment = grip
    task.taken -= 1
    assignment.state, assignment.may_earn = "returned", 0
    data = {"task": task.id, "stage": task.stage, "why": why}
    log_in(session, desk, task.campaign_id, "returned", data, assignment.user_id)


def let_go_of_all_in(session: Session, desk: Desk, campaign_id: int, user_id: int, why: str) -> None:
    """Put back all that someone holds; what they are handing in at this moment stays theirs."""
    held = (
        GRIPS.where(Assignment.campaign_id == campaign_id, Assignment.user_id == user_id, IS_HELD)
        .order_by(Assignment.id)
    )
    for found in session.execute(for_change(held, skip_locked=True)).tuples():
        let_go_in(session, desk, Grip(*found), why)


def return_expired_in(session: Session, desk: Desk, campaign: Campaign, protocol: Protocol) -> int:
    """Take back leases that ran out; how many. A lease that has much longer to go than any stage gives was
    made by a clock that was ahead: it begins anew."""
    now = desk.clock()
    longest = max(ends_at(stage, now) for stage in protocol.stages)
    far = longest + (longest - now)
    amiss = (
        GRIPS.where(Assignment.campaign_id == campaign.id, IS_HELD)
        .where((Assignment.ends_at <= now) | (Assignment.ends_at > far))
        .order_by(Assignment.ends_at)
        .limit(AT_ONCE)
    )
    returned = 0
    for row in session.execute(for_change(amiss, skip_locked=True)).tuples().all():
        grip = Grip(*row)
        if grip.assignment.ends_at <= now:
            let_go_in(session, desk, grip, "time")
            returned += 1
        else:
            grip.assignment.held_at = now
            grip.assignment.ends_at = ends_at(protocol.stage(grip.task.stage), now)
    return returned


def give_back(desk: Desk, assignment_id: int, user_id: int) -> None:
    """Put work back unfinished. What was written so far is forgotten; giving back twice does nothing."""

    def work(session: Session) -> None:
        grip = grip_in(session, assignment_id, user_id)
        if grip.assignment.state == "held":
            grip.assignment.draft = None
            let_go_in(session, desk, grip, "given back")

    desk.database.write(work)


def renew(desk: Desk, assignment_id: int, user_id: int) -> int:
    """Hold work for longer, from now on; when the lease then ends. A lease that ran out meanwhile begins
    anew if nobody else has its place."""
    return desk.database.write(lambda session: _renew_in(session, desk, assignment_id, user_id)[0])


def save_draft(desk: Desk, assignment_id: int, user_id: int, draft: Mapping[str, Any]) -> int:
    """Keep unfinished answers. Who writes is there, so the lease is renewed too; when it then ends."""
    kept = draft_of(draft)

    def work(session: Session) -> int:
        until, grip = _renew_in(session, desk, assignment_id, user_id)
        grip.assignment.draft = kept
        return until

    return desk.database.write(work)


def _renew_in(session: Session, desk: Desk, assignment_id: int, user_id: int) -> tuple[int, Grip]:
    grip = grip_in(session, assignment_id, user_id)
    campaign = campaign_in(session, grip.task.campaign_id)
    stage, now = desk.stage_of(campaign, grip.task.stage), desk.clock()
    assignment = grip.assignment
    if assignment.state == "given":
        raise WorkRefused("given-already", "You have handed this in already.")
    if assignment.state != "held":
        if campaign.state != "running":
            raise lease_over()
        working_member_in(session, campaign.id, user_id)
        hold_again(grip, stage, now)
    length = ends_at(stage, now) - now
    assignment.ends_at = max(assignment.ends_at, min(now + length, assignment.held_at + MOST_LEASES * length))
    return assignment.ends_at, grip
