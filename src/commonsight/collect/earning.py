"""What work earns by its stage's pay."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.counts import earned_in
from commonsight.collect.forms import how_many
from commonsight.collect.protocol import Answers, Money, Stage
from commonsight.collect.tables import UNSETTLED, Assignment

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


def most_earned(stage: Stage) -> Money:
    """What an assignment of this stage may earn at most, rewards and bonuses apart."""
    pay = stage.pay
    several = (field for field in stage.form if field.name == pay.each and field.kind in SEVERAL)
    return pay.amount * next((how_many(field)[1] for field in several), 1)


def committed_in(session: Session, campaign_id: int) -> Money:
    """What was earned, and what work that is under way or not yet judged may earn at most."""
    unsettled = select(func.coalesce(func.sum(Assignment.may_earn), 0)).where(
        UNSETTLED, Assignment.campaign_id == campaign_id
    )
    return earned_in(session, campaign_id) + int(session.scalar(unsettled) or 0)
