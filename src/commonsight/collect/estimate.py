"""What a campaign will cost: from the work that is left, and from what work has cost so far."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from sqlalchemy.orm import Session

from commonsight.collect.counts import StageCounts, children_in, earned_in, records_in, stage_counts_in
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.protocol import Field, Money, Protocol, Stage
from commonsight.collect.tables import Campaign


class Estimate(Struct, frozen=True):
    """What was spent, what is under way, and what all of it will come to."""

    spent: Money
    """Earned so far, paid out or not, with bonuses."""
    held: Money
    """What may still be earned, at most, by work that is under way or handed in but not yet judged. Together
    with what is spent, it is held against the budget."""
    expected_total: Money
    per_record: Money | None
    """Spent for each finished record, with all that led to no record; None while there is none."""
    answers_left: int
    """Answers still to come, those of tasks that other tasks will lead to among them."""


def estimate(desk: Desk, campaign_id: int) -> Estimate:
    """What the campaign will cost."""
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
        counts = stage_counts_in(session, campaign_id)
        return estimate_in(session, desk, campaign, counts, records_in(session, campaign_id))


def estimate_in(
    session: Session, desk: Desk, campaign: Campaign, counts: Mapping[str, StageCounts], records: int
) -> Estimate:
    """The same, from counts that are there already.

    Of a stage's finished tasks so many tasks of later stages came, and of its open ones as many will come,
    each wanting as many answers as those before. Where nothing is finished yet, one of the next stage comes
    of one. An answer costs what it has cost on average, rewards among it, or what the protocol pays where
    there is none yet; so does one that is paid once it is kept. Bonuses, and work that comes back to a stage
    it was in before, are not foreseen.
    """
    protocol = desk.protocol_of(campaign)
    came = {
        stage: children_in(session, campaign.id, stage) for stage, count in counts.items() if count.done
    }
    left = answers_left(protocol, counts, came)
    cost = {stage.name: cost_of_answer(stage, counts.get(stage.name)) for stage in protocol.stages}
    spent = earned_in(session, campaign.id)
    held = sum(count.may_earn for count in counts.values())
    waiting = sum(_unpaid(stage, counts.get(stage.name)) * cost[stage.name] for stage in protocol.stages)
    to_come = waiting + sum(number * cost[stage] for stage, number in left.items())
    return Estimate(
        spent=spent,
        held=held,
        expected_total=spent + round(to_come),
        per_record=round(spent / records) if records else None,
        answers_left=round(sum(left.values())),
    )


def answers_left(
    protocol: Protocol, counts: Mapping[str, StageCounts], came: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """By stage, answers that open tasks want and that tasks to come will want. `came` tells, by stage, how
    many tasks of others came of one that is done."""
    left: dict[str, float] = {}
    to_come = dict.fromkeys((stage.name for stage in protocol.stages), 0.0)
    for place, stage in enumerate(protocol.stages):
        count = counts.get(stage.name, StageCounts())
        wanted_each = count.wanted / count.tasks if count.tasks else stage.overlap
        left[stage.name] = count.left + to_come[stage.name] * wanted_each
        unfinished = count.open + count.disputed + to_come[stage.name]
        kept = count.done / count.finished if count.finished else 1.0
        for number, later in enumerate(protocol.stages[place + 1 :]):
            rate = came.get(stage.name, {}).get(later.name, 0.0) if count.finished else float(number == 0)
            to_come[later.name] += unfinished * kept * rate
    return left


def cost_of_answer(stage: Stage, count: StageCounts | None) -> float:
    """What one answer has cost so far, or else what the protocol pays for the least that is asked."""
    given = count.answers + count.gold_answers - _unpaid(stage, count) if count else 0
    if count and given > 0 and count.earned > 0:
        return count.earned / given
    return float(stage.pay.amount * _least(stage.form, stage.pay.each))


def _unpaid(stage: Stage, count: StageCounts | None) -> int:
    """Answers that have earned nothing yet, because it is not settled that they are kept."""
    return count.unsettled if count and stage.pay.only_if_kept else 0


def _least(form: tuple[Field, ...], group: str) -> int:
    return next((field.least or 1 for field in form if field.name == group), 1)
