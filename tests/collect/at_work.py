"""Workers at work, for tests of the engine; and what must hold whatever they did."""

from __future__ import annotations

from collections import Counter
from typing import Any

from people import campaign, tasks
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.campaigns import add_member_in
from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import Handed, hand_in
from commonsight.collect.protocol import NewTask
from commonsight.collect.queue import Work, take
from commonsight.collect.tables import (
    Assignment,
    Barred,
    Entry,
    Event,
    Purse,
    RecordRow,
    Task,
    User,
    Verdict,
)

PICTURE = {
    "picture": "x.png", "width": 4, "height": 3, "alt": "",
    "regions": [{"label": "person"}, {"label": "dog"}],
}  # fmt: skip
QUESTION = {"question": "Why is [person1] waving now?"}
YES, NO = {"good": "yes"}, {"good": "no"}


def write_task(key: str, **options: Any) -> NewTask:
    """A task of the first stage."""
    return NewTask("write", key, {"picture": PICTURE}, **options)


def vote_task(key: str, **options: Any) -> NewTask:
    """A task that three vote on, out of nowhere."""
    return NewTask("vote", key, {"picture": PICTURE, "question": "Why?"}, **options)


def begun(desk: Desk, *new: NewTask, **options: Any) -> int:
    """A campaign with these tasks."""
    campaign_id = campaign(desk, **options)
    tasks(desk, campaign_id, *new)
    return campaign_id


def crew(desk: Desk, campaign_id: int, number: int, passed: tuple[str, ...] = ("start",)) -> list[int]:
    """So many workers who may do everything."""
    names = [f"worker{place}" for place in range(number)]

    def work(session: Session) -> list[int]:
        known = {user.name: user for user in session.scalars(select(User).where(User.name.in_(names)))}
        new = [User(name=name, password="x", made_at=desk.clock()) for name in names if name not in known]
        session.add_all(new)
        session.flush()
        users = known | {user.name: user for user in new}
        for name in names:
            add_member_in(session, desk, campaign_id, users[name].id, "worker").passed = list(passed)
        return [users[name].id for name in names]

    return desk.database.write(work)


def taken(desk: Desk, campaign_id: int, user_id: int, stage: str | None = None) -> Work:
    """The next work of someone, which there must be."""
    work = take(desk, campaign_id, user_id, stage)
    assert work is not None
    return work


def do(desk: Desk, campaign_id: int, user_id: int, answers: Any, stage: str | None = None) -> Handed:
    """Take the next work and hand it in."""
    work = taken(desk, campaign_id, user_id, stage)
    return hand_in(desk, work.assignment_id, user_id, answers, key=f"{work.assignment_id}/{desk.clock()}")


def row(desk: Desk, table: type[Any], **where: Any) -> Any:
    """The one row of a table with these values."""
    with desk.database.read() as session:
        return session.scalars(select(table).filter_by(**where)).one()


def rows(desk: Desk, table: type[Any], **where: Any) -> list[Any]:
    """All rows of a table with these values, in order."""
    with desk.database.read() as session:
        return list(session.scalars(select(table).filter_by(**where).order_by(*table.__table__.primary_key)))


def kinds(desk: Desk, campaign_id: int) -> list[str]:
    """What happened, in order."""
    return [event.kind for event in rows(desk, Event, campaign_id=campaign_id)]


def earnings(desk: Desk, campaign_id: int) -> dict[int, int]:
    """What everyone earned, by the lines of the ledger."""
    sums: Counter[int] = Counter()
    for line in rows(desk, Entry, campaign_id=campaign_id):
        sums[line.user_id] += line.amount if line.kind != "payout" else 0
    return dict(sums)


def check_books(desk: Desk) -> None:
    """What must hold at any moment: counters are what the rows say, and nobody has what is not for them."""
    with desk.database.read() as session:
        states: dict[int, Counter[str]] = {}
        for task_id, state, number in session.execute(
            select(Assignment.task_id, Assignment.state, func.count()).group_by(
                Assignment.task_id, Assignment.state
            )
        ):
            states.setdefault(task_id, Counter())[state] = number
        for task in session.scalars(select(Task)):
            counted = states.get(task.id, Counter())
            assert task.given == counted["given"], f"task {task.id}: {task.given} given, {counted}"
            assert task.taken == counted["held"] + counted["given"], f"task {task.id}: {task.taken} taken"
            assert task.taken <= task.wanted
            if task.gold is None:
                assert task.state != "open" or task.given < task.wanted
        doubled = select(Assignment.task_id).group_by(Assignment.task_id, Assignment.user_id)
        assert session.scalars(doubled.having(func.count() > 1)).all() == []
        touched = (Barred.task_id == Assignment.task_id) & (Barred.user_id == Assignment.user_id)
        assert session.scalars(select(Assignment.id).join(Barred, touched)).all() == []
        keys = session.scalars(select(RecordRow.key)).all()
        assert len(keys) == len(set(keys))
        for assignment in session.scalars(select(Assignment)):
            assert assignment.state in ("held", "given") or assignment.may_earn == 0
            assert (assignment.given_at is not None) == (assignment.answers is not None)
        purses: Counter[int] = Counter()
        for purse in session.scalars(select(Purse)):
            purses[purse.user_id] += purse.earned
        lines: Counter[int] = Counter()
        for line in session.scalars(select(Entry).where(Entry.kind != "payout")):
            lines[line.user_id] += line.amount
        assert purses == lines
        own = select(Verdict.id).join(Assignment, Assignment.id == Verdict.assignment_id)
        assert session.scalars(own.where(Verdict.user_id != Assignment.user_id)).all() == []
