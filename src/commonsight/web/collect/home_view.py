"""A person's start: their campaigns, what waits for them in each, what they earned, what was said of it."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request

from commonsight.collect import mine, queue
from commonsight.collect.campaigns import Membership
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.mine import Mine
from commonsight.collect.protocol import Protocol, Stage
from commonsight.errors import WorkRefused
from commonsight.web.collect.access import desk_of, memberships, signed_in
from commonsight.web.collect.work_view import pay_text


class StageCard(NamedTuple):
    """One kind of work that someone may do, or could after an exam."""

    stage: Stage
    pay: str
    waiting: int | None
    """Tasks that are free for them; None behind an exam."""


class CampaignCard(NamedTuple):
    """One campaign as its member sees it."""

    member: Membership
    title: str
    """Of its protocol."""
    currency: str
    stages: tuple[StageCard, ...]
    waiting: int
    exams: tuple[tuple[str, str], ...]
    """Names and titles of those that would open more work."""
    mine: Mine
    titles: dict[str, str]
    """Of all stages, by name: feedback may be about any."""


def campaign_cards(request: Request) -> list[CampaignCard]:
    """All campaigns of the person who asks; those where they may work come first."""
    desk, user_id = desk_of(request), signed_in(request).who.user_id
    cards = [_card(desk, member, user_id) for member in memberships(request)]
    return sorted(cards, key=lambda card: (card.member.state != "running", bool(card.member.out_reason)))


def _card(desk: Desk, member: Membership, user_id: int) -> CampaignCard:
    with desk.database.read() as session:
        protocol = desk.protocol_of(campaign_in(session, member.campaign_id))
    try:
        waiting = queue.waiting(desk, member.campaign_id, user_id)
    except WorkRefused:  # they are out: the page says why
        waiting = {}
    behind = _behind_exams(protocol, member)
    free = mine.with_free_work(desk, member.campaign_id, [stage.name for stage in behind])
    behind = [stage for stage in behind if stage.name in free or not waiting]
    stages = tuple(
        StageCard(stage, pay_text(stage, protocol.currency), waiting.get(stage.name))
        for stage in protocol.stages
        if stage.name in waiting or stage in behind
    )
    titles = {exam.name: exam.title for exam in protocol.exams}
    return CampaignCard(
        member,
        protocol.title,
        protocol.currency,
        stages,
        sum(waiting.values()),
        tuple((name, titles[name]) for name in dict.fromkeys(stage.exam for stage in behind)),
        mine.mine(desk, member.campaign_id, user_id),
        {stage.name: stage.title for stage in protocol.stages},
    )


def _behind_exams(protocol: Protocol, member: Membership) -> list[Stage]:
    """Stages that an exam would open to someone of this role."""
    if member.out_reason:
        return []
    role = "worker" if member.role == "worker" else "reviewer"
    return [
        stage
        for stage in protocol.stages
        if stage.role == role
        and stage.exam
        and stage.exam not in member.passed
        and not (stage.closed_to and stage.closed_to in member.passed)
    ]
