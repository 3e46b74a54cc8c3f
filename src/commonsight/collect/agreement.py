"""How far workers agree, while they work: alpha, kappa and plain agreement over the fields that are votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from commonsight.collect.counts import is_gold
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.tables import Assignment, Task
from commonsight.score.agreement import Agreement, agreement, ballots

NEWEST = 500
"""Tasks that a dashboard looks at in each stage: enough for an interval of a few points, and soon done."""
EACH = 6
"""Answers that are looked through for each of them."""
FEW_RESAMPLES = 200
ROWS = 2000
"""Rows that are fetched at once."""


class FieldAgreement(Struct, frozen=True):
    """How far the answers to one field agree."""

    stage: str
    field: str
    """With its group, where it is in one: `triplets.good`."""
    agreement: Agreement


def live_agreement(
    desk: Desk,
    campaign_id: int,
    *,
    newest: int | None = NEWEST,
    resamples: int = FEW_RESAMPLES,
    seed: int = 0,
) -> list[FieldAgreement]:
    """Agreement over all votes on the tasks that were answered last; over all tasks where `newest` is None.

    Gold tasks are left out, as everyone gets them, and so is what reviewers decided.
    """
    found = []
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
        for stage in desk.protocol_of(campaign).stages:
            if not stage.votes:
                continue
            rows = list(_rows(session, campaign_id, stage.name, stage.votes, newest))
            for place, field in enumerate(stage.votes):
                cast = [*_cast(rows, place, field)]
                votes, tasks = [one for _, one in cast], [task for task, _ in cast]
                measured = agreement(ballots(votes), tasks, seed=seed, resamples=resamples)
                found.append(FieldAgreement(stage.name, field, measured))
    return found


_Row = tuple[int, tuple[Any, ...]]
"""A task, and what one worker said to each of the fields."""


def _rows(
    session: Session, campaign_id: int, stage: str, votes: tuple[str, ...], newest: int | None
) -> Iterator[_Row]:
    """Answers of a stage, task by task, and those to one task in the order in which they came."""
    gold = set(session.scalars(select(Task.id).where(*is_gold(campaign_id), Task.stage == stage)))
    given = (
        Assignment.campaign_id == campaign_id,
        Assignment.stage == stage,
        Assignment.given_at.is_not(None),
    )
    fields = [Assignment.answers[field.partition(".")[0]] for field in votes]
    query: Select[Any] = select(Assignment.task_id, *fields).where(Assignment.state == "given")
    query = query.order_by(Assignment.task_id, Assignment.id)
    if newest is None:
        found: Iterable[Any] = session.execute(query.where(*given).execution_options(yield_per=ROWS))
    else:
        last = select(Assignment.task_id).where(*given).order_by(Assignment.given_at.desc())
        tasks = [*dict.fromkeys(session.scalars(last.limit(newest * EACH)))][:newest]
        # By task alone, so that no database thinks of looking through the whole stage.
        found = session.execute(query.where(Assignment.task_id.in_(sorted(tasks))))
    for task_id, *said in found:
        if task_id not in gold:
            yield task_id, tuple(said)


def _cast(rows: list[_Row], place: int, field: str) -> Iterator[tuple[int, list[str]]]:
    """The votes on each task; on each entry of a group, where the field is a part of one."""
    part = field.partition(".")[2]
    for task_id, answers in groupby(rows, key=lambda row: row[0]):
        said = [row[1][place] for row in answers]
        if not part:
            yield task_id, [vote_of(one) for one in said if one is not None]
            continue
        groups = [one if isinstance(one, list) else [] for one in said]
        for entry in range(max(map(len, groups))):
            at = [group[entry].get(part) for group in groups if entry < len(group)]
            yield task_id, [vote_of(one) for one in at if one is not None]


def vote_of(said: Any) -> str:
    """An answer as a vote: words without regard to case and spaces, what was chosen in any order."""
    if isinstance(said, str):
        return " ".join(said.split()).casefold()
    if isinstance(said, list):
        said = sorted(vote_of(one) for one in said)
    return msgspec.json.encode(said, order="deterministic").decode()
