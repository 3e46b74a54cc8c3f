"""A worker's standing: what verdicts and gold say of them, and what follows by the protocol's rules."""

from __future__ import annotations

from collections import defaultdict

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.database import for_change
from commonsight.collect.desk import Desk
from commonsight.collect.events import log_in
from commonsight.collect.leases import let_go_of_all_in
from commonsight.collect.protocol import History, Protocol, Standing
from commonsight.collect.tables import Assignment, Campaign, Member, Verdict


def history_of_in(session: Session, campaign: Campaign, user_id: int, *, closing: bool = False) -> History:
    """What is known of a worker. Verdicts from before they were let in again are forgotten."""
    member = session.get_one(Member, (campaign.id, user_id))
    found = (
        select(Verdict.good, Verdict.by_gold, Verdict.stage, Verdict.made_at)
        .where(Verdict.campaign_id == campaign.id, Verdict.user_id == user_id)
        .where(Verdict.made_at >= member.forgiven_at)
        .order_by(Verdict.made_at, Verdict.id)
    )
    gold: list[bool] = []
    verdicts: list[bool] = []
    in_round: list[bool] = []
    by_stage: dict[str, list[bool]] = defaultdict(list)
    round_by_stage: dict[str, list[bool]] = defaultdict(list)
    for good, by_gold, stage, made_at in session.execute(found).tuples():
        if by_gold:
            gold.append(good)
            continue
        verdicts.append(good)
        by_stage[stage].append(good)
        if made_at >= member.round_began_at:
            in_round.append(good)
            round_by_stage[stage].append(good)
    return History(
        verdicts=tuple(verdicts),
        gold=tuple(gold),
        round_verdicts=tuple(in_round),
        round_done=sum(round_done_in(session, campaign.id, member).values()),
        tier=member.tier,
        by_stage={stage: tuple(found) for stage, found in by_stage.items()},
        round_by_stage={stage: tuple(found) for stage, found in round_by_stage.items()},
        closing=closing,
    )


def round_done_in(session: Session, campaign_id: int, member: Member) -> dict[str, int]:
    """By stage, how many assignments a worker handed in since the last round was closed."""
    done = (
        select(Assignment.stage, func.count())
        .where(Assignment.campaign_id == campaign_id, Assignment.user_id == member.user_id)
        .where(Assignment.state == "given", Assignment.given_at >= member.round_began_at)
        .group_by(Assignment.stage)
    )
    return dict(session.execute(done).tuples().all())


def locked_member_in(session: Session, campaign_id: int, user_id: int) -> Member | None:
    """What someone is in a campaign, which nobody else changes until this write is over."""
    wanted = select(Member).where(Member.campaign_id == campaign_id, Member.user_id == user_id)
    return session.scalar(for_change(wanted))


def settle_standing_in(
    session: Session,
    desk: Desk,
    campaign: Campaign,
    user_id: int,
    *,
    protocol: Protocol | None = None,
    closing: bool = False,
) -> Standing:
    """Draw what follows from a worker's history. Who is out stays out until the owner lets them in again;
    reviewers and owners stand as they are."""
    member = locked_member_in(session, campaign.id, user_id)
    if member is None or member.role != "worker":
        return Standing()
    rules = desk.protocol_of(campaign) if protocol is None else protocol
    history = history_of_in(session, campaign, user_id, closing=closing)
    standing = rules.standing(history, desk.settings_of(campaign))
    member.tier, member.pools = standing.tier, list(standing.pools)
    if not standing.qualified and not member.out_reason:
        send_home_in(session, desk, member, standing.reason or "The work was not good enough.")
    return standing


def send_home_in(session: Session, desk: Desk, member: Member, reason: str, by: int | None = None) -> None:
    """Hand out no more work to someone, and put back what they hold."""
    member.out_reason = reason
    let_go_of_all_in(session, desk, member.campaign_id, member.user_id, "out")
    log_in(session, desk, member.campaign_id, "out", {"user": member.user_id, "reason": reason}, by)
