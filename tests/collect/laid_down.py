"""Tasks with answers of several people, put straight into the database: what dashboards and exports read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk
from commonsight.collect.tables import Assignment, RecordRow, Task


def lay_task(
    desk: Desk,
    campaign_id: int,
    stage: str,
    key: str,
    said: Mapping[int, Mapping[str, Any]] | None = None,
    *,
    state: str = "open",
    wanted: int = 3,
    held_by: int | None = None,
    gold: Mapping[str, Any] | None = None,
    payload: Mapping[str, Any] | None = None,
    place: int = 0,
    may_earn: int = 0,
    source: int | None = None,
) -> tuple[int, list[int]]:
    """A task that these people answered (user id to answers), and one may hold: its id, and theirs."""
    now, given = desk.clock(), said or {}

    def work(session: Session) -> tuple[int, list[int]]:
        task = Task(
            campaign_id=campaign_id, stage=stage, key=key, payload=dict(payload or {}), about=[], state=state,
            wanted=wanted, taken=len(given) + (held_by is not None), given=len(given), place=place,
            gold=None if gold is None else dict(gold), made_at=now, source_id=source,
        )  # fmt: skip
        session.add(task)
        session.flush()
        rows = []
        for user_id, answers in given.items():
            rows.append(_assignment(task, user_id, "given", now, dict(answers)))
        if held_by is not None:
            rows.append(_assignment(task, held_by, "held", now, None))
        for row in rows:  # one by one: their ids tell the order
            row.may_earn = may_earn
            session.add(row)
            session.flush()
        return task.id, [row.id for row in rows]

    return desk.database.write(work)


def _assignment(task: Task, user_id: int, state: str, now: int, answers: dict[str, Any] | None) -> Assignment:
    return Assignment(
        task_id=task.id, user_id=user_id, campaign_id=task.campaign_id, stage=task.stage, state=state,
        answers=answers, held_at=now, ends_at=now + 1, given_at=now if state == "given" else None,
        seconds=7.5,
    )  # fmt: skip


def lay_record(
    desk: Desk, campaign_id: int, task_id: int, key: str, data: Mapping[str, Any], by: list[int] | None = None
) -> None:
    """A finished record that rests on these assignments."""

    def work(session: Session) -> None:
        session.add(
            RecordRow(
                campaign_id=campaign_id, key=key, data=dict(data), by=by or [], task_id=task_id,
                made_at=desk.clock(),
            )
        )  # fmt: skip

    desk.database.write(work)
