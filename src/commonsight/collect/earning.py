"""What work earns by its stage's pay."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.counts import earned_in
from commonsight.collect.forms import how_many
from commonsight.collect.protocol import Answers, Money, Stage
from commonsight.collect.tables import UNSETTLED, Assignment, Purse

SEVERAL = ("group", "texts", "choices", "boxes")


def earned(stage: Stage, answers: Answers) -> Money:
    """What these answers earn, at once or once they are kept."""
    pay = stage.pay
    if not pay.each:
        return pay.amount
    said = answers.get(pay.each)
    return pay.amount * (len(said) if isinstance(said, list) else int(bool(said)))


def at_once(stage: Stage, answers: Answers) -> Money:
    """What these answers earn when they are handed in."""
    return 0 if stage.pay.only_if_kept else earned(stage, answers)


def once_kept(stage: Stage, answers: Answers) -> Money:
    """What these answers earn when it is settled that they are kept."""
    return earned(stage, answers) if stage.pay.only_if_kept else 0


def most_earned(stage: Stage) -> Money:
    """What an assignment of this stage may earn at most, rewards and bonuses apart."""
    pay = stage.pay
    several = (field for field in stage.form if field.name == pay.each and field.kind in SEVERAL)
    return pay.amount * next((how_many(field)[1] for field in several), 1)


def most_promised(stage: Stage) -> Money:
    """What an assignment of this stage may cost at most: what is held against the budget while someone has
    it in hand."""
    return most_earned(stage) + stage.pay.reward + stage.pay.bonus


def committed_in(session: Session, campaign_id: int) -> Money:
    """What was earned, and what work may earn at most that is under way, not yet judged, or of a round that
    is not yet closed."""
    unsettled = select(func.coalesce(func.sum(Assignment.may_earn), 0)).where(
        UNSETTLED, Assignment.campaign_id == campaign_id
    )
    promised = select(func.coalesce(func.sum(Purse.promised), 0)).where(Purse.campaign_id == campaign_id)
    open_sums = (int(session.scalar(each) or 0) for each in (unsettled, promised))
    return earned_in(session, campaign_id) + sum(open_sums)
