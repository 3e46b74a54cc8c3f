"""The queue: who gets which task next.

Work that finishes what others began comes first: later stages before earlier ones. Within a stage, tasks
stand in an order drawn by chance, and each worker goes round in it, from where they took the last one. So
finding the next one takes as long at the hundred-thousandth task as at the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, exists, func, literal_column, select
from sqlalchemy.orm import Session

from commonsight.collect.advance import let_overdue_go_on_in
from commonsight.collect.database import for_change
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.earning import committed_in, most_promised
from commonsight.collect.gold import is_turn, next_gold_in
from commonsight.collect.leases import (
    GRIPS,
    Grip,
    give_back,
    hold_again,
    lease_over,
    renew,
    return_expired_in,
    save_draft,
    working_member_in,
)
from commonsight.collect.protocol import Protocol, Stage, visible
from commonsight.collect.tables import Assignment, Barred, Campaign, Member, Task
from commonsight.errors import WorkRefused

__all__ = ["Work", "give_back", "look", "renew", "return_expired_in", "save_draft", "take", "tidy", "waiting"]

IS_FREE = and_(Task.state == literal_column("'open'"), Task.taken < Task.wanted, Task.gold.is_(None))
"""As the index of free tasks has it, in words."""


class Work(NamedTuple):
    """A task in a worker's hands, with what they may see of it."""

    assignment_id: int
    task_id: int
    campaign_id: int
    stage: str
    payload: dict[str, Any]
    draft: dict[str, Any] | None
    ends_at: int


def take(desk: Desk, campaign_id: int, user_id: int, stage: str | None = None) -> Work | None:
    """What the worker holds, or else what they had begun, or else the next task; None if there is none.

    With `stage`, only of that stage. What is held may be finished whatever happens to the campaign.
    """
    return desk.database.write(lambda session: _take(session, desk, campaign_id, user_id, stage))


def _take(session: Session, desk: Desk, campaign_id: int, user_id: int, stage: str | None) -> Work | None:
    campaign = campaign_in(session, campaign_id)
    member = working_member_in(session, campaign_id, user_id, lock=True)
    protocol = desk.protocol_of(campaign)
    return_expired_in(session, desk, campaign, protocol)
    grip = _held_in(session, member, stage)
    if grip is not None:
        return _work(grip)
    _check_running(campaign)
    let_overdue_go_on_in(session, desk, campaign, protocol)
    stages = stages_for(protocol, member, stage)
    payable = _payable_in(session, campaign, stages)
    grip = _begun_in(session, desk, member, payable) or _next_in(session, desk, campaign, member, payable)
    if grip is None and len(payable) < len(stages):
        raise WorkRefused("budget", "The money for this campaign is used up or promised for work under way.")
    if grip is None and stage is None:
        _tell_of_exams_in(session, protocol, member)
    return None if grip is None else _work(grip)


def _work(grip: Grip) -> Work:
    task, assignment = grip
    return Work(
        assignment.id, task.id, task.campaign_id, task.stage, visible(task.payload), assignment.draft,
        assignment.ends_at,
    )  # fmt: skip


def _check_running(campaign: Campaign) -> None:
    if campaign.state == "finished":
        raise WorkRefused("finished", "This campaign is finished. Thank you.")
    if campaign.state != "running":
        raise WorkRefused("paused", "This campaign is paused: no new work is handed out for now.")


def _payable_in(session: Session, campaign: Campaign, stages: Sequence[Stage]) -> list[Stage]:
    """The stages whose work the money that is left can pay, whatever becomes of it. Those who take work at
    the same time wait here for each other."""
    if campaign.budget is None:
        return list(stages)
    session.execute(for_change(select(Campaign.id).where(Campaign.id == campaign.id)))
    left = max(0, campaign.budget - committed_in(session, campaign.id))
    return [stage for stage in stages if most_promised(stage) <= left]


def may_do(stage: Stage, member: Member) -> bool:
    """Whether someone's role opens a stage, and no exam closes it. Owners may do what reviewers may."""
    role = "worker" if member.role == "worker" else "reviewer"
    return stage.role == role and not (stage.closed_to and stage.closed_to in member.passed)


def stages_for(protocol: Protocol, member: Member, name: str | None = None) -> list[Stage]:
    """The stages that someone may work in, the last one first."""
    mine = [stage for stage in protocol.stages if may_do(stage, member) and name in (None, stage.name)]
    ready = [stage for stage in mine if not stage.exam or stage.exam in member.passed]
    if mine and not ready:
        raise _exam_first(mine[0])
    return ready[::-1]


def _exam_first(stage: Stage) -> WorkRefused:
    return WorkRefused(f"exam:{stage.exam}", f"Pass the exam first: '{stage.title}' is open to who has.")


def _tell_of_exams_in(session: Session, protocol: Protocol, member: Member) -> None:
    """Where nothing is left but work behind an exam, say so."""
    for stage in protocol.stages:
        if may_do(stage, member) and stage.exam and stage.exam not in member.passed:
            free = (Task.campaign_id == member.campaign_id, Task.stage == stage.name, IS_FREE)
            if session.scalar(select(Task.id).where(*free).limit(1)) is not None:
                raise _exam_first(stage)


def _held_in(session: Session, member: Member, stage: str | None) -> Grip | None:
    """What they took or took back last and still hold."""
    mine = (Assignment.campaign_id == member.campaign_id, Assignment.user_id == member.user_id)
    held = (
        GRIPS.where(*mine, Assignment.state == "held")
        .order_by(Assignment.held_at.desc(), Assignment.id.desc())
        .limit(1)
    )
    found = session.execute(held if stage is None else held.where(Assignment.stage == stage)).tuples().first()
    return None if found is None else Grip(*found)


def _begun_in(session: Session, desk: Desk, member: Member, stages: Sequence[Stage]) -> Grip | None:
    """What they had begun to write when its time ran out, if its place is still free."""
    by_name = {stage.name: stage for stage in stages}
    mine = (Assignment.campaign_id == member.campaign_id, Assignment.user_id == member.user_id)
    begun = (
        GRIPS.where(*mine, Assignment.state == "returned", Assignment.draft.is_not(None))
        .where(Task.state == "open", Task.taken < Task.wanted, Assignment.stage.in_(by_name))
        .order_by(Assignment.held_at.desc())
        .limit(1)
    )
    found = session.execute(for_change(begun, skip_locked=True)).tuples().first()
    if found is None:
        return None
    grip = Grip(*found)
    hold_again(grip, by_name[grip.task.stage], desk.clock())
    return grip


def _untouched_by(user_id: int) -> ColumnElement[bool]:
    """Tasks that someone is neither at nor done with, nor barred from. What they gave back may come again."""
    done = exists().where(
        Assignment.task_id == Task.id, Assignment.user_id == user_id, Assignment.state != "returned"
    )
    barred = exists().where(Barred.task_id == Task.id, Barred.user_id == user_id)
    return and_(~done, ~barred)


def _next_in(
    session: Session, desk: Desk, campaign: Campaign, member: Member, stages: Sequence[Stage]
) -> Grip | None:
    for stage, task_id in _candidates_in(session, campaign, member, stages):
        grip = _hold_in(session, desk, member, stage, task_id)
        if grip is not None:
            return grip
    return None


def _candidates_in(
    session: Session, campaign: Campaign, member: Member, stages: Sequence[Stage]
) -> Iterator[tuple[Stage, int]]:
    """Tasks to hand out, each held still: the first will do, unless something is amiss with it."""
    pools = (*(pool for pool in member.pools if pool), "")
    untouched = _untouched_by(member.user_id)
    gold = is_turn(campaign, member)
    # What others are taking at this moment is passed over at first, and waited for if nothing else is left.
    for skip_locked in (True, False):
        for stage in stages:
            for pool in pools:
                found = _next_free_in(session, member, stage, pool, untouched, skip_locked)
                if found is None:
                    continue
                if gold:
                    hidden = next_gold_in(session, campaign, member, stage.name, pools, untouched)
                    yield from () if hidden is None else ((stage, hidden),)
                yield stage, found
        if session.get_bind().dialect.name == "sqlite":
            return  # one writer at a time: nothing is ever passed over


def _next_free_in(
    session: Session, member: Member, stage: Stage, pool: str, untouched: ColumnElement[bool],
    skip_locked: bool,
) -> int | None:  # fmt: skip
    """The next task of a stage and pool, from where the worker is in the queue, then from its beginning."""
    free = (
        select(Task.id)
        .where(Task.campaign_id == member.campaign_id, Task.stage == stage.name, Task.pool == pool)
        .where(IS_FREE, untouched)
        .order_by(Task.place)
        .limit(1)
    )
    here = member.reached.get(_whereabouts(stage.name, pool))
    parts = [free] if here is None else [free.where(Task.place > here), free.where(Task.place <= here)]
    for part in parts:
        found = session.scalar(for_change(part, skip_locked=skip_locked))
        if found is not None:
            return found
    return None


def _whereabouts(stage: str, pool: str) -> str:
    return f"{stage}/{pool}" if pool else stage


def _hold_in(session: Session, desk: Desk, member: Member, stage: Stage, task_id: int) -> Grip | None:
    """Put a task that is held still into a worker's hands."""
    mine = (Assignment.task_id == Task.id) & (Assignment.user_id == member.user_id)
    wanted = select(Task, Assignment).join(Assignment, mine, isouter=True).where(Task.id == task_id)
    found: tuple[Task, Assignment | None] = session.execute(wanted).tuples().one()
    (task, assignment), now = found, desk.clock()
    if assignment is None:
        assignment = Assignment(
            task_id=task_id, user_id=member.user_id, campaign_id=task.campaign_id, stage=task.stage,
            state="returned", draft=None, answers=None, key=None, held_at=now, ends_at=now, given_at=None,
        )  # fmt: skip
        session.add(assignment)
    elif assignment.state != "returned":
        return None  # they handed it in a moment ago, in another tab
    grip = Grip(task, assignment)
    hold_again(grip, stage, now)
    member.takes += 1
    if task.gold is None:
        member.reached = member.reached | {_whereabouts(task.stage, task.pool): task.place}
    session.flush()
    return grip


def look(desk: Desk, assignment_id: int, user_id: int) -> Work:
    """What the worker holds. Work that went back is refused, unless it can be held on to."""
    with desk.database.read() as session:
        wanted = GRIPS.where(Assignment.id == assignment_id, Assignment.user_id == user_id)
        found = session.execute(wanted).tuples().first()
    if found is None:
        raise WorkRefused("not-yours", "This work is not yours. Go to your work to see what is.")
    grip = Grip(*found)
    if grip.assignment.state == "given":
        raise WorkRefused("given-already", "You have handed this in already.")
    if grip.assignment.state != "held":
        raise lease_over()
    return _work(grip)


def waiting(desk: Desk, campaign_id: int, user_id: int) -> dict[str, int]:
    """By stage, how many tasks are free for someone now; stages that they may not work in are left out."""
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
        member = working_member_in(session, campaign_id, user_id)
        stages = [
            stage.name
            for stage in desk.protocol_of(campaign).stages
            if may_do(stage, member) and (not stage.exam or stage.exam in member.passed)
        ]
        closed = _closed_to_in(session, member)
        return {stage: _free_in(session, member, stage) - closed[stage] for stage in stages}


def _free_in(session: Session, member: Member, stage: str) -> int:
    """Free tasks of a stage, for whomever."""
    free = (Task.campaign_id == member.campaign_id, Task.stage == stage, _is_open_to(member), IS_FREE)
    return session.scalar(select(func.count()).select_from(Task).where(*free)) or 0


def _closed_to_in(session: Session, member: Member) -> Counter[str]:
    """By stage, free tasks that someone is at, is done with or is barred from: found from their own work."""
    free = select(Task.stage, func.count()).where(IS_FREE, _is_open_to(member)).group_by(Task.stage)
    mine = (
        free.join(Assignment, Assignment.task_id == Task.id)
        .where(Assignment.campaign_id == member.campaign_id, Assignment.user_id == member.user_id)
        .where(Assignment.state != "returned")
    )
    # A sum and no column: the campaign's index would be the wrong way round.
    barred = free.join(Barred, Barred.task_id == Task.id).where(
        Barred.user_id == member.user_id, Task.campaign_id + 0 == member.campaign_id
    )
    closed: Counter[str] = Counter()
    for query in (mine, barred):
        for stage, number in session.execute(query).tuples():
            closed[stage] += number
    return closed


def _is_open_to(member: Member) -> ColumnElement[bool]:
    """Tasks whose pool someone's tier opens."""
    return Task.pool.in_(sorted({*member.pools, ""}))


def tidy(desk: Desk, campaign_id: int) -> int:
    """Take back leases that ran out, and let tasks go on that waited too long; how many. `take` does so too:
    this is for times when nobody takes anything."""

    def work(session: Session) -> int:
        campaign = campaign_in(session, campaign_id)
        protocol = desk.protocol_of(campaign)
        returned = return_expired_in(session, desk, campaign, protocol)
        return returned + let_overdue_go_on_in(session, desk, campaign, protocol)

    return desk.database.write(work)
