"""Where a campaign stands: how much is done, how fast it goes, when it ends and what it costs.

A dashboard asks for this every few seconds, so nothing here reads tasks or answers one by one: all numbers
come from indices, from purses, or from the newest answers only.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.counts import StageCounts, records_in, stage_counts_in
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.estimate import Estimate, estimate_in
from commonsight.collect.protocol import Money, Protocol
from commonsight.collect.tables import Assignment, Erratum, ExamTry, Member

HOUR = 3600 * SECOND
NEWEST = 5000
"""Answers that the pace is told from, if the last hour had more."""
LONGEST = 10 * 365 * 24.0
"""Hours beyond which no end is foretold."""


class StageLine(Struct, frozen=True):
    """One stage: its tasks by state, without gold, and its answers."""

    name: str
    title: str
    open: int
    held: int
    """Assignments under way, gold among them."""
    done: int
    disputed: int
    dropped: int
    answers: int
    """Handed in."""
    wanted: int
    """Answers that the tasks there are want in all."""


class Status(Struct, frozen=True):
    """A campaign at one moment."""

    campaign_id: int
    name: str
    protocol: str
    state: str
    currency: str
    stages: tuple[StageLine, ...]
    records: int
    members: dict[str, int]
    """How many there are of each role."""
    out: int
    """Members who get no more work."""
    active_last_hour: int
    """People who handed something in."""
    per_hour: float
    """Answers, over the last hour, or since the first of them if that is less."""
    expected_end: int | None
    """When the last answer comes if it goes on like this, in microseconds since 1970; None if nothing moves
    or nothing is left."""
    estimate: Estimate
    budget: Money | None
    disputes: int
    exams_waiting: int
    """Written exams that wait for a reviewer."""
    errata_open: int
    gold_answers: int
    at: int
    """When this was so."""


def status(desk: Desk, campaign_id: int) -> Status:
    """Where the campaign stands."""
    now = desk.clock()
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
        protocol = desk.protocol_of(campaign)
        counts = stage_counts_in(session, campaign_id)
        records = records_in(session, campaign_id)
        cost = estimate_in(session, desk, campaign, counts, records)
        per_hour = _pace(session, campaign_id, now)
        members, out = _members(session, campaign_id)
        return Status(
            campaign_id=campaign.id,
            name=campaign.name,
            protocol=campaign.protocol,
            state=campaign.state,
            currency=protocol.currency,
            stages=_lines(protocol, counts),
            records=records,
            members=members,
            out=out,
            active_last_hour=_active(session, campaign_id, now - HOUR),
            per_hour=per_hour,
            expected_end=_end(now, cost.answers_left, per_hour),
            estimate=cost,
            budget=campaign.budget,
            disputes=sum(count.disputed for count in counts.values()),
            exams_waiting=_waiting(session, campaign_id),
            errata_open=_open_errata(session, campaign_id),
            gold_answers=sum(count.gold_answers for count in counts.values()),
            at=now,
        )


def _lines(protocol: Protocol, counts: Mapping[str, StageCounts]) -> tuple[StageLine, ...]:
    lines = []
    for stage in protocol.stages:
        count = counts.get(stage.name, StageCounts())
        lines.append(
            StageLine(
                stage.name, stage.title, count.open, count.held, count.done, count.disputed, count.dropped,
                count.answers, count.wanted,
            )
        )  # fmt: skip
    return tuple(lines)


def _pace(session: Session, campaign_id: int, now: int) -> float:
    """Answers an hour. Of a very busy hour only the newest are counted, and the time that they took."""
    given_at = (
        select(Assignment.given_at)
        .where(Assignment.campaign_id == campaign_id, Assignment.given_at > now - HOUR)
        .order_by(Assignment.given_at.desc())
        .limit(NEWEST)
        .subquery()
    )
    counted = select(func.count(), func.min(given_at.c.given_at)).select_from(given_at)
    number, first = session.execute(counted).one()
    if not number:
        return 0.0
    began = first if number == NEWEST else max(now - HOUR, _first_answer(session, campaign_id, first))
    return float(number * HOUR / max(now - began, 60 * SECOND))  # one answer a second ago is no pace


def _first_answer(session: Session, campaign_id: int, known: int) -> int:
    """When the campaign's first answer came, so that a young one is not held against a whole hour."""
    given = (Assignment.campaign_id == campaign_id, Assignment.given_at.is_not(None))
    return session.scalar(select(func.min(Assignment.given_at)).where(*given)) or known


def _active(session: Session, campaign_id: int, since: int) -> int:
    """Members who handed something in: each is looked up, not each answer."""
    handed_in = (
        select(Assignment.id)
        .where(
            Assignment.campaign_id == campaign_id,
            Assignment.user_id == Member.user_id,
            Assignment.state == "given",
            Assignment.given_at > since,
        )
        .exists()
    )
    members = select(func.count()).select_from(Member).where(Member.campaign_id == campaign_id, handed_in)
    return session.scalar(members) or 0


def _end(now: int, answers_left: int, per_hour: float) -> int | None:
    hours = answers_left / per_hour if per_hour else LONGEST
    return now + round(hours * HOUR) if 0 < hours < LONGEST else None


def _members(session: Session, campaign_id: int) -> tuple[dict[str, int], int]:
    """Members by role, and how many of them are out."""
    found = select(Member.role, func.count()).where(Member.campaign_id == campaign_id)
    roles = dict(session.execute(found.group_by(Member.role).order_by(Member.role)).tuples().all())
    out = select(func.count()).select_from(Member)
    return roles, session.scalar(out.where(Member.campaign_id == campaign_id, Member.out_reason != "")) or 0


def _waiting(session: Session, campaign_id: int) -> int:
    tries = select(func.count()).select_from(ExamTry)
    return session.scalar(tries.where(ExamTry.campaign_id == campaign_id, ExamTry.state == "waiting")) or 0


def _open_errata(session: Session, campaign_id: int) -> int:
    errata = select(func.count()).select_from(Erratum)
    return session.scalar(errata.where(Erratum.campaign_id == campaign_id, Erratum.state == "open")) or 0
