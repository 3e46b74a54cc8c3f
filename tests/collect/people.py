"""People and campaigns for tests, made in a line."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import Any

from argon2 import PasswordHasher
from PIL import Image
from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect.accounts import checked_name
from commonsight.collect.campaigns import add_member_in, make_campaign
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.protocol import NewTask
from commonsight.collect.tables import Member, Task, User
from commonsight.collect.tasks import add_tasks_in

PASSWORD = "correct horse battery"
"""Everyone's, in tests."""
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Put it in the place of `accounts.HASHER` where a test signs many people in."""


class HandClock:
    """A clock that moves only when told."""

    def __init__(self, now: int = 1_700_000_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += int(seconds * 1_000_000)


@cache
def _hashed() -> str:
    return CHEAP.hash(PASSWORD)


def campaign(desk: Desk, name: str = "first", protocol: str = "toy", **options: Any) -> int:
    """A campaign that runs."""
    return make_campaign(desk, name, protocol, **options)


def person(desk: Desk, name: str) -> int:
    """Someone who signs in with `PASSWORD`, made without the time that a real hash takes."""

    def work(session: Session) -> int:
        user = session.scalar(select(User).where(User.name == checked_name(name)))
        if user is None:
            user = User(name=checked_name(name), password=_hashed(), made_at=desk.clock(), disabled=False)
            session.add(user)
            session.flush()
        return user.id

    return desk.database.write(work)


def worker(
    desk: Desk,
    campaign_id: int,
    name: str,
    *,
    role: str = "worker",
    passed: Sequence[str] = (),
    pools: Sequence[str] = (),
) -> int:
    """A member of the campaign, who has passed these exams; the user's id."""
    user_id = person(desk, name)

    def work(session: Session) -> None:
        member = add_member_in(session, desk, campaign_id, user_id, role)
        member.passed, member.pools = list(passed), list(pools)

    desk.database.write(work)
    return user_id


def member(desk: Desk, campaign_id: int, user_id: int) -> Member:
    """What someone is in a campaign now."""
    with desk.database.read() as session:
        return session.get_one(Member, (campaign_id, user_id))


def tasks(desk: Desk, campaign_id: int, *new: NewTask) -> list[int]:
    """These tasks, put into the campaign; their ids, in order."""

    def work(session: Session) -> list[int]:
        add_tasks_in(session, desk, campaign_in(session, campaign_id), new)
        found = session.execute(
            select(Task.stage, Task.key, Task.id).where(Task.campaign_id == campaign_id)
        ).tuples()
        ids = {(stage, key): task_id for stage, key, task_id in found}
        return [ids[one.stage, one.key] for one in new]

    return desk.database.write(work)


def picture(shade: int = 128, size: tuple[int, int] = (64, 48), kind: str = "PNG") -> bytes:
    """The bytes of a small picture of one colour."""
    stream = io.BytesIO()
    Image.new("RGB", size, (shade, 255 - shade, 90)).save(stream, kind)
    return stream.getvalue()
