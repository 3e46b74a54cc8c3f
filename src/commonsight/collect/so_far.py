"""The newest work of a campaign, for what learns from it while it goes on."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select

from commonsight.collect.desk import Desk
from commonsight.collect.protocol import Protocol, Record
from commonsight.collect.tables import Assignment, Campaign, RecordRow
from commonsight.errors import UsageError


def protocol_of(desk: Desk, campaign_id: int) -> Protocol:
    """How a campaign collects, with what it changed."""
    with desk.database.read() as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None:
            raise UsageError(f"There is no campaign with the number {campaign_id}.")
        return desk.protocol_of(campaign)


def record_count(desk: Desk, campaign_id: int) -> int:
    """How many records it has, without those that were removed."""
    wanted = select(func.count()).select_from(RecordRow).where(RecordRow.campaign_id == campaign_id)
    with desk.database.read() as session:
        return session.scalar(wanted.where(RecordRow.removed.is_(False))) or 0


def newest_records(desk: Desk, campaign_id: int, most: int) -> list[Record]:
    """Its last so many records, the newest first."""
    wanted = (
        select(RecordRow.key, RecordRow.data, RecordRow.by)
        .where(RecordRow.campaign_id == campaign_id, RecordRow.removed.is_(False))
        .order_by(RecordRow.id.desc())
        .limit(most)
    )
    with desk.database.read() as session:
        return [Record(key, data, tuple(by)) for key, data, by in session.execute(wanted)]


def newest_answers(desk: Desk, campaign_id: int, stage: str, most: int) -> list[dict[str, Any]]:
    """The last so many answers that were handed in at a stage, the newest first."""
    wanted = (
        select(Assignment.answers)
        .where(Assignment.campaign_id == campaign_id, Assignment.stage == stage)
        .where(Assignment.given_at.is_not(None), Assignment.state == "given")
        .order_by(Assignment.given_at.desc())
        .limit(most)
    )
    with desk.database.read() as session:
        return [answers or {} for answers in session.scalars(wanted)]
