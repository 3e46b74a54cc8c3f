"""What comes of a task that has all its answers: the stage's `then` says it, and here it is made so.

All of it happens in the write that brought the last answer. A `then` that fails, or whose outcome cannot be
applied, loses nothing: the task is disputed, and a reviewer sees why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import literal_column, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from commonsight.collect.database import for_change, insert_new
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.earning import once_kept
from commonsight.collect.events import log_in
from commonsight.collect.protocol import Done, Money, NewTask, Outcome, Protocol, Record, Reward, Said
from commonsight.collect.settling import Settling
from commonsight.collect.tables import Assignment, Barred, Campaign, RecordRow, Task
from commonsight.collect.tasks import LONGEST_KEY, place_of, task_row

IS_OPEN = Task.state == literal_column("'open'")
DAY = 86_400 * SECOND
OVERDUE_AT_ONCE = 5
"""Tasks that one write lets go on without the answers that never came."""


def advance_in(
    session: Session, desk: Desk, task: Task, settling: Settling | None = None, *, by: Said | None = None
) -> None:
    """Let a task become what its answers make of it. `by` is a reviewer's word, which settles a dispute."""
    campaign = campaign_in(session, task.campaign_id)
    protocol = desk.protocol_of(campaign) if settling is None else settling.protocol
    own = Settling(session, desk, campaign, protocol) if settling is None else settling
    session.flush()  # what fails here is no fault of what comes of it
    said = said_in(session, task) if by is None else (by,)
    try:
        with session.begin_nested():
            done = done_of(desk, campaign, task, said, adjudicated=by is not None)
            trial = Settling(session, desk, campaign, protocol)
            _apply(trial, task, done, protocol.stage(task.stage).then(done))
            session.flush()
        own.add(trial)
    except Exception as error:
        if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError):
            raise  # the database's fault, not the protocol's: the whole write may run again
        _dispute(session, desk, task, f"{type(error).__name__}: {str(error)[:500]}")
    if settling is None:
        own.settle()


def said_in(session: Session, task: Task) -> tuple[Said, ...]:
    """What the workers said, in the order in which they handed it in."""
    given = (
        select(Assignment)
        .where(Assignment.task_id == task.id, Assignment.state == "given")
        .order_by(Assignment.given_at, Assignment.id)
    )
    return tuple(
        Said(one.id, one.user_id, one.answers or {}, one.seconds) for one in session.scalars(given)
    )


def done_of(
    desk: Desk, campaign: Campaign, task: Task, said: Sequence[Said], *, adjudicated: bool = False
) -> Done:
    """A task as `then` sees it."""
    return Done(
        key=task.key,
        stage=task.stage,
        payload=task.payload,
        said=tuple(said),
        settings=desk.settings_of(campaign),
        seed=place_of(campaign.seed, f"what comes of {task.stage}", task.key),
        about=tuple(task.about),
        adjudicated=adjudicated,
    )


def _apply(settling: Settling, task: Task, done: Done, outcome: Outcome) -> None:
    session, desk = settling.session, settling.desk
    if outcome.disputed:
        _dispute(session, desk, task, outcome.disputed)
        return
    task.state, task.reason = ("dropped" if outcome.dropped else "done"), outcome.dropped
    task.done_at = desk.clock()
    kind = "task-dropped" if outcome.dropped else "task-done"
    data = {"task": task.id, "stage": task.stage, "key": task.key, "reason": outcome.dropped}
    log_in(session, desk, task.campaign_id, kind, data)
    if make_tasks_in(session, desk, settling.campaign, outcome.tasks, source=task):
        _pass_by_in(settling, task)
    for record in outcome.records:
        _keep(settling, task, record)
    _judge(settling, done, outcome)


def _pass_by_in(settling: Settling, source: Task) -> None:
    """A task that wants no answers, because a campaign's settings leave its stage out, has all of them."""
    complete = select(Task).where(Task.source_id == source.id, Task.state == "open", Task.wanted < 1)
    for task in settling.session.scalars(complete.order_by(Task.id)).all():
        advance_in(settling.session, settling.desk, task, settling)


def _dispute(session: Session, desk: Desk, task: Task, reason: str) -> None:
    task.state, task.reason = "disputed", reason
    data = {"task": task.id, "stage": task.stage, "key": task.key, "reason": reason}
    log_in(session, desk, task.campaign_id, "disputed", data)


def make_tasks_in(
    session: Session, desk: Desk, campaign: Campaign, tasks: Iterable[NewTask], source: Task | None = None
) -> int:
    """New tasks, without those that are there already; how many. Who wrote what a task judges, or what that
    was itself about, never gets it."""
    made = 0
    source_id = None if source is None else source.id
    for new in sorted(tasks, key=lambda new: (new.stage, new.key)):
        barred = {*new.not_for, *authors_in(session, campaign.id, new.about)}
        if not insert_new(session, Task, [task_row(desk, campaign, new) | {"source_id": source_id}]):
            continue
        made += 1
        at = (Task.campaign_id == campaign.id, Task.stage == new.stage, Task.key == new.key)
        task_id = session.scalars(select(Task.id).where(*at)).one()
        rows = [{"task_id": task_id, "user_id": user_id} for user_id in sorted(barred)]
        insert_new(session, Barred, rows)
    return made


def authors_in(session: Session, campaign_id: int, about: Iterable[int]) -> set[int]:
    """Who did these assignments, and those that they were about, and so on."""
    authors: set[int] = set()
    seen: set[int] = set()
    left = set(about)
    while left:
        found = (
            select(Assignment.id, Assignment.user_id, Task.about)
            .join(Task, Task.id == Assignment.task_id)
            .where(Assignment.id.in_(left), Assignment.campaign_id == campaign_id)
        )
        rows = session.execute(found).tuples().all()
        if len(rows) != len(left):
            raise ValueError(f"no assignment {min(left - {row[0] for row in rows})} to be about")
        seen |= left
        authors.update(row[1] for row in rows)
        left = {other for row in rows for other in row[2]} - seen
    return authors


def _keep(settling: Settling, task: Task, record: Record) -> None:
    """A record, once: the same key again changes nothing."""
    if not 0 < len(record.key) <= LONGEST_KEY:
        raise ValueError(f"a record's key has 1 to {LONGEST_KEY} characters, not {len(record.key)}")
    row = {
        "campaign_id": task.campaign_id, "key": record.key, "data": msgspec.to_builtins(record.data),
        "by": list(record.by), "task_id": task.id, "version": 1, "removed": False,
        "made_at": settling.desk.clock(),
    }  # fmt: skip
    if insert_new(settling.session, RecordRow, [row]):
        data = {"record": record.key, "task": task.id}
        log_in(settling.session, settling.desk, task.campaign_id, "record", data)


def _judge(settling: Settling, done: Done, outcome: Outcome) -> None:
    """Verdicts and rewards; and whatever was to be paid only if it is kept.

    Work is kept when a record rests on it or a verdict finds it good, whichever comes first. It is not kept,
    for good, when a verdict finds it bad or the task that it led to is dropped.
    """
    kept = {each for record in outcome.records for each in record.by}
    kept |= {verdict.assignment for verdict in outcome.verdicts if verdict.good}
    lost = {verdict.assignment for verdict in outcome.verdicts if not verdict.good}
    if outcome.dropped:
        lost |= {*done.about, *(said.assignment for said in done.said)}
    found = _assignments(settling, kept | lost | {reward.assignment for reward in outcome.rewards})
    for verdict in outcome.verdicts:
        settling.judge(found[verdict.assignment], verdict.good, verdict.reason, verdict.feedback)
        data: dict[str, Any] = {"assignment": verdict.assignment, "good": verdict.good}
        data |= {"reason": verdict.reason, "user": found[verdict.assignment].user_id}
        log_in(settling.session, settling.desk, settling.campaign.id, "verdict", data)
    for reward in outcome.rewards:
        _reward(settling, found[reward.assignment], reward)
    for each in sorted(kept | lost):
        if found[each].state == "given" and found[each].may_earn:
            due = _due(settling, found[each]) if each in kept else 0
            settling.pay(found[each], due, "work", "kept")
            found[each].may_earn = 0


def _reward(settling: Settling, assignment: Assignment, reward: Reward) -> None:
    """Money of later work; what was held back for it is free again."""
    settling.pay(assignment, reward.amount, "reward", reward.reason)
    if assignment.state == "given" and assignment.may_earn:
        left = assignment.may_earn - reward.amount
        assignment.may_earn = max(_due(settling, assignment), left)


def _due(settling: Settling, assignment: Assignment) -> Money:
    """What is paid when an assignment is kept."""
    return once_kept(settling.protocol.stage(assignment.stage), assignment.answers or {})


def _assignments(settling: Settling, ids: set[int]) -> dict[int, Assignment]:
    """The assignments that an outcome names, as they are now and for this write alone."""
    if not ids:
        return {}
    wanted = select(Assignment).where(
        Assignment.id.in_(ids), Assignment.campaign_id == settling.campaign.id
    )
    settling.session.flush()  # reading rows anew would lose what this write has changed in them
    rows = settling.session.scalars(for_change(wanted.order_by(Assignment.id)))
    found = {row.id: row for row in rows}
    if missing := ids - found.keys():
        raise ValueError(f"there is no assignment {min(missing)} in this campaign")
    return found


def let_overdue_go_on_in(session: Session, desk: Desk, campaign: Campaign, protocol: Protocol) -> int:
    """Tasks that have waited for workers as long as their stage allows go on with the answers that they have,
    or are dropped if they have none; how many. One that someone is at is left in peace."""
    passed = 0
    for stage in protocol.stages:
        if stage.days is None:
            continue
        overdue = (
            select(Task)
            .where(Task.campaign_id == campaign.id, Task.stage == stage.name, Task.gold.is_(None))
            .where(IS_OPEN, Task.made_at <= desk.clock() - round(stage.days * DAY))
            .where(Task.taken == Task.given)
            .order_by(Task.made_at)
            .limit(OVERDUE_AT_ONCE)
        )
        for task in session.scalars(for_change(overdue, skip_locked=True)).all():
            passed += 1
            _go_on(session, desk, campaign, protocol, task, stage.days)
    return passed


def _go_on(
    session: Session, desk: Desk, campaign: Campaign, protocol: Protocol, task: Task, days: float
) -> None:
    settling = Settling(session, desk, campaign, protocol)
    task.wanted = task.given
    if task.given:
        advance_in(session, desk, task, settling)
    else:
        done = done_of(desk, campaign, task, ())
        _apply(settling, task, done, Outcome(dropped=f"Nobody did it in {days:g} days."))
    settling.settle()
