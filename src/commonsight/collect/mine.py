"""What workers see of their own work: what it earned, what others said of it, what became of the last one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import UNDO
from commonsight.collect.protocol import Money, visible
from commonsight.collect.queue import IS_FREE, Work
from commonsight.collect.tables import Assignment, Entry, Purse, Task, Verdict
from commonsight.errors import WorkRefused

MOST_FEEDBACK = 5


class Feedback(NamedTuple):
    """What was said of one piece of work."""

    assignment_id: int
    stage: str
    good: bool
    text: str
    made_at: int


class Mine(NamedTuple):
    """Someone's own part in a campaign."""

    given: int
    """Pieces of work handed in."""
    held: int
    """Pieces that they have begun."""
    earned: Money
    owed: Money
    feedback: tuple[Feedback, ...]
    """The newest first."""


class HandedIn(NamedTuple):
    """What became of a piece of work so far."""

    assignment_id: int
    stage: str
    earned: Money
    may_earn: Money
    """What it will earn if it is kept."""
    gold: bool | None
    """Where the answer was known: whether this one was right."""
    may_undo: bool


def mine(desk: Desk, campaign_id: int, user_id: int, most: int = MOST_FEEDBACK) -> Mine:
    """What someone did, earned and was told in a campaign."""
    of_mine = (Assignment.campaign_id == campaign_id, Assignment.user_id == user_id)
    purse = select(
        func.coalesce(func.sum(Purse.earned), 0), func.coalesce(func.sum(Purse.paid), 0)
    ).where(Purse.campaign_id == campaign_id, Purse.user_id == user_id)
    states = select(Assignment.state, func.count()).where(*of_mine).group_by(Assignment.state)
    with desk.database.read() as session:
        earned, paid = session.execute(purse).tuples().one()
        count = dict(session.execute(states).tuples().all())
        return Mine(
            count.get("given", 0),
            count.get("held", 0),
            int(earned),
            int(earned) - int(paid),
            tuple(_feedback(session, campaign_id, user_id, most)),
        )


def _feedback(session: Session, campaign_id: int, user_id: int, most: int) -> list[Feedback]:
    """Verdicts that say something; a bare one is told by its mark alone."""
    found = (
        select(Verdict.assignment_id, Assignment.stage, Verdict.good, Verdict.feedback, Verdict.made_at)
        .join(Assignment, Assignment.id == Verdict.assignment_id)
        .where(Verdict.campaign_id == campaign_id, Verdict.user_id == user_id, Verdict.by_gold.is_(False))
        .order_by(Verdict.made_at.desc(), Verdict.id.desc())
        .limit(most)
    )
    return [Feedback(*row) for row in session.execute(found).tuples()]


def with_free_work(desk: Desk, campaign_id: int, stages: Iterable[str]) -> set[str]:
    """Which of these stages have a task that someone could take, whoever they are."""
    with desk.database.read() as session:
        free = (Task.campaign_id == campaign_id, IS_FREE)
        return {
            stage
            for stage in stages
            if session.scalar(select(Task.id).where(*free, Task.stage == stage).limit(1)) is not None
        }


def has_done(desk: Desk, campaign_id: int, user_id: int, stage: str) -> bool:
    """Whether someone has handed in work of this stage before: then they know how it is done."""
    done = select(Assignment.id).where(
        Assignment.campaign_id == campaign_id, Assignment.user_id == user_id,
        Assignment.state == "given", Assignment.stage == stage,
    )  # fmt: skip
    with desk.database.read() as session:
        return session.scalar(done.limit(1)) is not None


def handed_in(desk: Desk, assignment_id: int, user_id: int) -> HandedIn | None:
    """What became of a piece of work of one's own that is handed in; None if it is not, or not theirs."""
    wanted = (
        select(Assignment, Task)
        .join(Task, Task.id == Assignment.task_id)
        .where(Assignment.id == assignment_id, Assignment.user_id == user_id, Assignment.state == "given")
    )
    with desk.database.read() as session:
        found = session.execute(wanted).tuples().first()
        if found is None:
            return None
        assignment, task = found
        lines = select(func.coalesce(func.sum(Entry.amount), 0)).where(Entry.assignment_id == assignment.id)
        by_gold = Verdict.assignment_id == assignment.id, Verdict.by_gold.is_(True)
        right = session.scalar(select(Verdict.good).where(*by_gold).limit(1))
        fresh = desk.clock() - (assignment.given_at or 0) <= UNDO
        return HandedIn(
            assignment.id,
            assignment.stage,
            int(session.scalar(lines) or 0),
            assignment.may_earn,
            right,
            task.gold is None and (task.state == "open" or (task.wanted == 1 and fresh)),
        )


class Past(NamedTuple):
    """Work that was someone's, whatever became of it."""

    work: Work
    state: str
    """As `tables.Assignment` has it."""


def past(desk: Desk, assignment_id: int, user_id: int) -> Past:
    """A piece of one's own work, also when its time ran out: what was written about it is not lost."""
    wanted = (
        select(Assignment, Task)
        .join(Task, Task.id == Assignment.task_id)
        .where(Assignment.id == assignment_id, Assignment.user_id == user_id)
    )
    with desk.database.read() as session:
        found = session.execute(wanted).tuples().first()
    if found is None:
        raise WorkRefused("not-yours", "This work is not yours. Go to your work to see what is.")
    assignment, task = found
    payload: dict[str, Any] = visible(task.payload)
    draft = assignment.draft if assignment.answers is None else assignment.answers
    work = Work(
        assignment.id, task.id, task.campaign_id, task.stage, payload, draft, assignment.ends_at
    )
    return Past(work, assignment.state)
