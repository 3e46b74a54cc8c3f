"""Campaigns and answers put straight into the database, for tests of what is read from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk
from commonsight.collect.tables import Assignment, Campaign, RecordRow, Task, User


def campaign_of(desk: Desk, name: str = "one", protocol: str = "toy") -> int:
    """A running campaign with nothing in it; its number."""

    def work(session: Session) -> int:
        made = Campaign(
            name=name, protocol=protocol, settings={}, state="running", seed=1, gold_rate=0.0, made_at=1
        )
        session.add(made)
        session.flush()
        return made.id

    return desk.database.write(work)


def hand_in_all(
    desk: Desk,
    campaign_id: int,
    stage: str,
    answers: Sequence[Mapping[str, Any]],
    by: str = "writer",
    payload: Mapping[str, Any] | None = None,
) -> list[int]:
    """One finished assignment for each of the answers, given a microsecond apart; their numbers."""

    def work(session: Session) -> list[int]:
        user = session.scalar(select(User).where(User.name == by))
        if user is None:
            user = User(name=by, password="x", made_at=1)
            session.add(user)
            session.flush()
        made = []
        for given in answers:
            # Unique across calls, so that a test may hand in more later.
            at = desk.clock() + len(made)
            task = Task(
                campaign_id=campaign_id, stage=stage, key=f"{by}/{at}/{len(made)}",
                payload=dict(payload or {}), about=[], state="done",
                wanted=1, taken=1, given=1, place=at, made_at=at, done_at=at,
            )  # fmt: skip
            session.add(task)
            session.flush()
            made.append(
                Assignment(
                    task_id=task.id, user_id=user.id, campaign_id=campaign_id, stage=stage, state="given",
                    answers=dict(given), held_at=at, ends_at=at, given_at=at,
                )
            )  # fmt: skip
        session.add_all(made)
        session.flush()
        return [one.id for one in made]

    return desk.database.write(work)


def take_back(desk: Desk, assignment_id: int) -> None:
    """As undoing does: the answers are a draft again."""
    change = update(Assignment).where(Assignment.id == assignment_id)
    desk.database.write(lambda session: session.execute(change.values(state="held", given_at=None)) and None)


def give_again(desk: Desk, assignment_id: int, answers: Mapping[str, Any]) -> None:
    """Handed in anew, with other answers."""
    values = {"state": "given", "given_at": desk.clock(), "answers": dict(answers)}
    change = update(Assignment).where(Assignment.id == assignment_id)
    desk.database.write(lambda session: session.execute(change.values(**values)) and None)


def keep_records(desk: Desk, campaign_id: int, records: Mapping[str, Mapping[str, Any]]) -> None:
    """Finished records by their keys, all of one task."""

    def work(session: Session) -> None:
        task = session.scalar(select(Task).where(Task.campaign_id == campaign_id).limit(1))
        if task is None:
            task = Task(
                campaign_id=campaign_id, stage="write", key="records", payload={}, about=[], state="done",
                wanted=1, place=0, made_at=1,
            )  # fmt: skip
            session.add(task)
            session.flush()
        for key, data in records.items():
            session.add(
                RecordRow(
                    campaign_id=campaign_id, key=key, data=dict(data), by=[], task_id=task.id,
                    made_at=desk.clock(),
                )
            )  # fmt: skip

    desk.database.write(work)
