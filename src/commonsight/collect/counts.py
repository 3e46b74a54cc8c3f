"""How much work there is in each stage: numbers that come from an index alone, whatever the tasks show."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from sqlalchemy import ColumnElement, false, func, select
from sqlalchemy.orm import Session

from commonsight.collect.protocol import Money
from commonsight.collect.tables import HELD, UNSETTLED, Assignment, Purse, RecordRow, Task

SAMPLE = 200
"""Tasks from which it is told what comes of others."""


class StageCounts(NamedTuple):
    """The tasks of one stage, without gold."""

    open: int = 0
    done: int = 0
    disputed: int = 0
    dropped: int = 0
    wanted: int = 0
    """Answers that its tasks want in all, dropped ones as many as they got."""
    answers: int = 0
    """Handed in."""
    left: int = 0
    """Answers that its open tasks still want, under way or not."""
    held: int = 0
    """Assignments under way."""
    gold: int = 0
    gold_answers: int = 0
    earned: Money = 0
    """Of all work in it."""
    unsettled: int = 0
    """Handed in, and not yet settled what it earns in the end."""
    may_earn: Money = 0
    """What work earns at most that is under way, unsettled, or of a round that is open."""

    @property
    def tasks(self) -> int:
        """All of them."""
        return self.open + self.done + self.disputed + self.dropped

    @property
    def finished(self) -> int:
        """Those that nothing more will come of."""
        return self.done + self.dropped


def stage_counts_in(session: Session, campaign_id: int) -> dict[str, StageCounts]:
    """The counts of every stage that has any task."""
    sums: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(StageCounts._fields, 0))
    _add_tasks(session, campaign_id, sums)
    earned = (
        select(Purse.stage, func.sum(Purse.earned), func.sum(Purse.promised))
        .where(Purse.campaign_id == campaign_id, Purse.stage != "")
        .group_by(Purse.stage)
    )
    for stage, amount, promised in session.execute(earned).tuples():
        sums[stage]["earned"] += int(amount)
        sums[stage]["may_earn"] += int(promised)
    _add_under_way(session, campaign_id, sums)
    return {stage: StageCounts(**counts) for stage, counts in sums.items()}


def _add_tasks(session: Session, campaign_id: int, sums: dict[str, dict[str, int]]) -> None:
    """All tasks, less those that are gold: the index of all does not say which are, the one of gold does."""
    sizes = (func.count(), func.sum(Task.given), func.sum(Task.wanted))
    every = select(Task.stage, Task.state, *sizes).where(Task.campaign_id == campaign_id)
    every = every.group_by(Task.stage, Task.state)
    for stage, state, tasks, given, wanted in session.execute(every).tuples():
        _add(sums[stage], state, tasks, int(given), int(wanted))
    # Gold one by one: asked to group it, SQLite would go through all tasks in the order of the groups.
    columns = (Task.stage, Task.state, Task.given, Task.wanted)
    gold = select(*columns).where(*is_gold(campaign_id), Task.stage.in_(sorted(sums)))
    for stage, state, given, wanted in session.execute(gold).tuples():
        _add(sums[stage], state, -1, -given, -wanted)
        sums[stage]["gold"] += 1
        sums[stage]["gold_answers"] += given


def is_gold(campaign_id: int) -> tuple[ColumnElement[bool], ...]:
    """With a stage, what leads to gold tasks and no others. All places are 0 or more; to say so lets SQLite,
    which counts conditions where it has not counted rows, take the index that is for gold alone."""
    return Task.campaign_id == campaign_id, Task.gold.is_not(None), Task.place >= 0


def _add(counts: dict[str, int], state: str, tasks: int, given: int, wanted: int) -> None:
    counts[state] += tasks
    counts["answers"] += given
    counts["wanted"] += wanted if state != "dropped" else given
    counts["left"] += wanted - given if state == "open" else 0


def _add_under_way(session: Session, campaign_id: int, sums: dict[str, dict[str, int]]) -> None:
    held = (HELD, Assignment.campaign_id == campaign_id, Assignment.ends_at > 0)  # see `is_gold`
    for stage in session.scalars(select(Assignment.stage).where(*held)):
        sums[stage]["held"] += 1
    unsettled = (
        select(Assignment.stage, Assignment.state, func.count(), func.sum(Assignment.may_earn))
        .where(UNSETTLED, Assignment.campaign_id == campaign_id)
        .group_by(Assignment.stage, Assignment.state)
    )
    for stage, state, number, amount in session.execute(unsettled).tuples():
        sums[stage]["unsettled"] += number if state == "given" else 0
        sums[stage]["may_earn"] += int(amount)


def children_in(session: Session, campaign_id: int, stage: str) -> dict[str, float]:
    """By stage, how many tasks came of a done task of this one, on average over some of these."""
    done = (Task.campaign_id == campaign_id, Task.stage == stage, Task.state == "done")
    some = session.scalars(select(Task.id).where(*done).limit(SAMPLE)).all()
    came = Counter(session.scalars(select(Task.stage).where(Task.source_id.in_(some))))
    return {name: number / len(some) for name, number in came.items()}


def records_in(session: Session, campaign_id: int) -> int:
    """Finished records, without those that an erratum removed."""
    kept = (RecordRow.campaign_id == campaign_id, RecordRow.removed == false())
    return session.scalar(select(func.count()).select_from(RecordRow).where(*kept)) or 0


def earned_in(session: Session, campaign_id: int) -> Money:
    """All that was earned in a campaign so far, paid out or not: what its budget is held against."""
    total = select(func.coalesce(func.sum(Purse.earned), 0)).where(Purse.campaign_id == campaign_id)
    return int(session.scalar(total) or 0)
