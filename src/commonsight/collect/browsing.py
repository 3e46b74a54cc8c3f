"""Looking through a campaign, page by page: its events, its records, what people said about its tasks.

Newest first. A page is at most `most` long; the next one is `before` the last line of this one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, func, or_, select
from sqlalchemy.orm import Session

from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.protocol import visible
from commonsight.collect.tables import Assignment, Comment, Event, RecordRow, Task, User
from commonsight.errors import WorkRefused

MOST = 50
SLICE = 300 * SECOND
SLICES = 12
"""Of an hour."""
MOST_SLICES = 48 * SLICES
"""As many are remembered."""
UNSETTLED_SLICES = 2
"""The latest are counted each time: an answer of then may still be on its way to the disk."""


class EventLine(NamedTuple):
    """Something that happened."""

    id: int
    kind: str
    name: str | None
    """Whose doing it was, if anyone's."""
    data: Mapping[str, Any]
    made_at: int


class RecordLine(NamedTuple):
    """A finished record."""

    id: int
    key: str
    data: Mapping[str, Any]
    version: int
    removed: bool
    task_id: int
    made_at: int


class CommentLine(NamedTuple):
    """What someone said about a task."""

    id: int
    task_id: int
    stage: str
    name: str
    text: str
    made_at: int


class TaskView(NamedTuple):
    """A task and what was said to it, without names."""

    task_id: int
    stage: str
    key: str
    state: str
    reason: str
    payload: Mapping[str, Any]
    said: tuple[Mapping[str, Any], ...]


def events(
    desk: Desk, campaign_id: int, *, kind: str = "", before: int | None = None, most: int = MOST
) -> list[EventLine]:
    """What happened, all of it or of one kind."""
    found = (
        select(Event.id, Event.kind, User.name, Event.data, Event.made_at)
        .join(User, User.id == Event.user_id, isouter=True)
        .where(Event.campaign_id == campaign_id)
        .order_by(Event.id.desc())
        .limit(most)
    )
    if kind:
        found = found.where(Event.kind == kind)
    if before is not None:
        found = found.where(Event.id < before)
    with desk.database.read() as session:
        return [EventLine(*row) for row in session.execute(found).tuples()]


def records(
    desk: Desk, campaign_id: int, *, search: str = "", before: int | None = None, most: int = MOST
) -> list[RecordLine]:
    """Records, all of them or those with these letters in their key or in what they hold."""
    found = (
        select(RecordRow)
        .where(RecordRow.campaign_id == campaign_id)
        .order_by(RecordRow.id.desc())
        .limit(most)
    )
    if before is not None:
        found = found.where(RecordRow.id < before)
    with desk.database.read() as session:
        if search.strip():
            on_sqlite = session.get_bind().dialect.name == "sqlite"
            # As the database writes it: SQLite has the JSON that we sent, PostgreSQL its own.
            written = json.dumps(search.strip(), ensure_ascii=on_sqlite)[1:-1]
            found = found.where(
                or_(
                    RecordRow.key.icontains(search.strip(), autoescape=True),
                    cast(RecordRow.data, Text).icontains(written, autoescape=True),
                )
            )
        return [_line(row) for row in session.scalars(found)]


def record(desk: Desk, campaign_id: int, record_id: int) -> RecordLine:
    """One record of this campaign."""
    with desk.database.read() as session:
        row = session.get(RecordRow, record_id)
    if row is None or row.campaign_id != campaign_id:
        raise WorkRefused("no-record", "There is no such record in this campaign.")
    return _line(row)


def _line(row: RecordRow) -> RecordLine:
    return RecordLine(row.id, row.key, row.data, row.version, row.removed, row.task_id, row.made_at)


def comments(
    desk: Desk, campaign_id: int, *, before: int | None = None, most: int = MOST
) -> list[CommentLine]:
    """What was said about the campaign's tasks."""
    found = (
        select(Comment.id, Comment.task_id, Task.stage, User.name, Comment.text, Comment.made_at)
        .join(Task, Task.id == Comment.task_id)
        .join(User, User.id == Comment.user_id)
        .where(Task.campaign_id == campaign_id)
        .order_by(Comment.id.desc())
        .limit(most)
    )
    if before is not None:
        found = found.where(Comment.id < before)
    with desk.database.read() as session:
        return [CommentLine(*row) for row in session.execute(found).tuples()]


def task(desk: Desk, campaign_id: int, task_id: int) -> TaskView:
    """One task of this campaign, with the answers in the order in which they came."""
    with desk.database.read() as session:
        found = task_in(session, campaign_id, task_id)
        given = (
            select(Assignment.answers)
            .where(Assignment.task_id == task_id, Assignment.state == "given")
            .order_by(Assignment.given_at, Assignment.id)
        )
        said = tuple(answers or {} for answers in session.scalars(given))
    return TaskView(found.id, found.stage, found.key, found.state, found.reason, visible(found.payload), said)


def task_in(session: Session, campaign_id: int, task_id: int) -> Task:
    """The row of a task, if it is this campaign's."""
    found = session.get(Task, task_id)
    if found is None or found.campaign_id != campaign_id:
        raise WorkRefused("no-task", "There is no such task in this campaign.")
    return found


def given_by_hour(desk: Desk, campaign_id: int, hours: int = 24) -> list[int]:
    """Answers handed in, for each of the last hours, the latest last.

    A busy day has too many to count them for every look: what lies back is counted once, in slices, and what
    is taken back of it later is not seen.
    """
    end = desk.clock() // SLICE + 1
    begin, settled = end - hours * SLICES, end - UNSETTLED_SLICES
    known = desk.given_in_slices.get(campaign_id, {})
    first = next((number for number in range(begin, settled) if number not in known), settled)
    counted = {**known, **_given_in_slices(desk, campaign_id, first, end)}
    oldest = end - MOST_SLICES
    still_known = {number: each for number, each in known.items() if number >= oldest}
    over = {number: counted.get(number, 0) for number in range(first, settled)}
    desk.given_in_slices[campaign_id] = still_known | over
    return [
        sum(counted.get(number, 0) for number in range(start, start + SLICES))
        for start in range(begin, end, SLICES)
    ]


def _given_in_slices(desk: Desk, campaign_id: int, first: int, end: int) -> dict[int, int]:
    """By number, the answers of each slice that has any."""
    number = Assignment.given_at // SLICE
    during = (Assignment.given_at >= first * SLICE, Assignment.given_at < end * SLICE)
    found = select(number, func.count()).where(Assignment.campaign_id == campaign_id, *during)
    with desk.database.read() as session:
        rows = session.execute(found.group_by(number)).tuples().all()
    return {each: answers for each, answers in rows if each is not None}
