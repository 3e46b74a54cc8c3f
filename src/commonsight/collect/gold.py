"""Gold tasks: questions with known answers, among the others and not to be told from them.

A gold task is put to everyone, once each. Chance, drawn anew each time that work is handed out, decides
whether it is gold; the task is of the very stage that the worker would have had work of. It pays the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from commonsight.collect.database import for_change
from commonsight.collect.earning import once_kept
from commonsight.collect.protocol import Answers, Stage
from commonsight.collect.settling import Settling
from commonsight.collect.tables import Assignment, Campaign, Member, Task
from commonsight.collect.tasks import place_of
from commonsight.errors import UsageError

ALL_PLACES = 2**63


class GoldTold(NamedTuple):
    """What a worker may be told of a gold task, once it is handed in: nothing can be changed then."""

    right: bool
    expected: dict[str, Any]


def is_turn(campaign: Campaign, member: Member) -> bool:
    """Whether what is handed out now is to be gold."""
    drawn = place_of(campaign.seed, f"gold for {member.user_id}", str(member.takes))
    return drawn < campaign.gold_rate * ALL_PLACES


def next_gold_in(
    session: Session, campaign: Campaign, member: Member, stage: str, pools: Sequence[str],
    untouched: ColumnElement[bool],
) -> int | None:  # fmt: skip
    """A gold task of the stage that the worker has not had: each worker has them in another order."""
    begin = place_of(campaign.seed, "gold begins", str(member.user_id))
    wanted = (
        select(Task.id)
        .where(Task.campaign_id == campaign.id, Task.stage == stage, Task.gold.is_not(None), untouched)
        .where(Task.state != "dropped", Task.pool.in_(pools), Task.taken < Task.wanted)
        .order_by(Task.place)
        .limit(1)
    )
    for part in (Task.place >= begin, Task.place < begin):
        found = session.scalar(for_change(wanted.where(part), skip_locked=True))
        if found is not None:
            return found
    return None


def is_right(stage: Stage, gold: Answers, answers: Answers) -> bool:
    """Whether answers are as good as the known ones."""
    if stage.agrees is not None:
        return stage.agrees(gold, answers)
    return all(answers.get(name) == gold.get(name) for name in stage.votes or gold)


def told(stage: Stage, task: Task, answers: Answers) -> GoldTold | None:
    """How answers compare with the known ones; None where none are known."""
    if task.gold is None:
        return None
    return GoldTold(is_right(stage, task.gold, answers), dict(task.gold))


def judge_gold(settling: Settling, stage: Stage, assignment: Assignment, gold: GoldTold) -> None:
    """The verdict of a gold task. Pay that waits for the work to be kept is due when it is right."""
    settling.judge(assignment, gold.right, "gold", by_gold=True)
    if gold.right:
        settling.pay(assignment, once_kept(stage, assignment.answers or {}), "work", "kept")
    assignment.may_earn = 0


def check_gold(stage: Stage) -> None:
    """Refuse gold for a stage whose answers cannot be compared."""
    if stage.agrees is None and not stage.votes:
        raise UsageError(
            f"The stage '{stage.name}' has no votes, so its answers cannot be held against known ones. "
            "Give gold for another stage."
        )
