"""Campaigns: a protocol with its settings, whether it runs, and who takes part as what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.protocol import Money
from commonsight.collect.settings import MOST, changed_settings
from commonsight.collect.tables import Campaign, Member
from commonsight.errors import UsageError

STATES = ("running", "paused", "finished")
ROLES = ("worker", "reviewer", "owner")
"""From who may do little to who may do all."""
LONGEST_NAME = 120


class Membership(NamedTuple):
    """One campaign that a person takes part in, and as what."""

    campaign_id: int
    name: str
    protocol: str
    role: str
    state: str
    out_reason: str
    passed: tuple[str, ...]
    tier: str


def make_campaign(
    desk: Desk,
    name: str,
    protocol: str,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    budget: Money | None = None,
    gold_rate: float = 0.0,
) -> int:
    """A new campaign; its id."""
    kept = checked_name(name)
    if protocol not in desk.protocols:
        known = ", ".join(sorted(desk.protocols))
        raise UsageError(f"There is no protocol '{protocol}'. Choose one of: {known}.")
    changed = changed_settings(desk.protocols[protocol], settings or {})
    desk.protocols[protocol].under(changed)  # which says what does not go together
    _check_numbers(seed, budget, gold_rate)

    def work(session: Session) -> int:
        campaign = Campaign(
            name=kept, protocol=protocol, settings=changed, state="running", seed=seed, budget=budget,
            gold_rate=gold_rate, made_at=desk.clock(),
        )  # fmt: skip
        session.add(campaign)
        try:
            session.flush()
        except IntegrityError as error:
            raise UsageError(f"There is a campaign '{kept}' already. Give this one another name.") from error
        log_in(session, desk, campaign.id, "state", {"state": "running"})
        return campaign.id

    return desk.database.write(work)


def checked_name(name: str) -> str:
    """A campaign's name: a line that can be seen."""
    kept = " ".join(name.split())
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable():
        raise UsageError(f"A campaign's name has 1 to {LONGEST_NAME} characters that can be seen.")
    return kept


def _check_numbers(seed: int, budget: Money | None, gold_rate: float) -> None:
    if not 0 <= seed <= MOST:
        raise UsageError(f"The seed is {seed}. Give a whole number from 0 to {MOST}.")
    if budget is not None and not 0 < budget <= MOST:
        raise UsageError("The budget must be more than nothing. Leave it out where there is none.")
    if not 0.0 <= gold_rate <= 1.0:
        raise UsageError(f"The share of gold questions is {gold_rate}. Give a number from 0 to 1.")


def set_state(desk: Desk, campaign_id: int, state: str, by: int | None) -> None:
    """Hand out work, or stop to. What workers hold already they may still hand in."""
    if state not in STATES:
        raise UsageError(f"A campaign cannot be '{state}'. It is one of: {', '.join(STATES)}.")

    def work(session: Session) -> None:
        campaign = campaign_in(session, campaign_id, lock=True)
        if campaign.state != state:
            campaign.state = state
            log_in(session, desk, campaign_id, "state", {"state": state}, by)

    desk.database.write(work)


def update_settings(desk: Desk, campaign_id: int, settings: Mapping[str, Any], by: int | None) -> None:
    """Change these settings and leave the others. Work that comes from now on follows them."""

    def work(session: Session) -> None:
        campaign = campaign_in(session, campaign_id, lock=True)
        protocol = desk.protocol_of(campaign)
        known = {name: value for name, value in campaign.settings.items() if name in protocol.settings}
        changed = changed_settings(protocol, known | dict(settings))
        desk.protocols[campaign.protocol].under(changed)
        if changed != campaign.settings:
            campaign.settings = changed
            log_in(session, desk, campaign_id, "settings", {"settings": changed}, by)

    desk.database.write(work)


def set_limits(
    desk: Desk, campaign_id: int, *, budget: Money | None, gold_rate: float, by: int | None
) -> None:
    """Change how much may be spent, and how many of the tasks are gold."""
    _check_numbers(0, budget, gold_rate)

    def work(session: Session) -> None:
        campaign = campaign_in(session, campaign_id, lock=True)
        if (campaign.budget, campaign.gold_rate) != (budget, gold_rate):
            campaign.budget, campaign.gold_rate = budget, gold_rate
            log_in(session, desk, campaign_id, "settings", {"budget": budget, "gold_rate": gold_rate}, by)

    desk.database.write(work)


def membership(desk: Desk, user_id: int) -> list[Membership]:
    """The campaigns that a person takes part in, by name."""
    found = (
        select(Campaign, Member)
        .join(Member, Member.campaign_id == Campaign.id)
        .where(Member.user_id == user_id)
        .order_by(Campaign.name)
    )
    with desk.database.read() as session:
        return [
            Membership(
                campaign.id, campaign.name, campaign.protocol, member.role, campaign.state,
                member.out_reason, tuple(member.passed), member.tier,
            )
            for campaign, member in session.execute(found).tuples()
        ]  # fmt: skip


def member_in(session: Session, campaign_id: int, user_id: int) -> Member | None:
    """What a person is in a campaign."""
    return session.get(Member, (campaign_id, user_id))


def add_member_in(session: Session, desk: Desk, campaign_id: int, user_id: int, role: str) -> Member:
    """Make someone a member. Who is one already stays what they are, or becomes more; never less."""
    check_role(role)
    member = member_in(session, campaign_id, user_id)
    now = desk.clock()
    if member is None:
        member = Member(
            campaign_id=campaign_id, user_id=user_id, role=role, passed=[], tier="", pools=[],
            out_reason="", round_began_at=now, joined_at=now,
        )  # fmt: skip
        session.add(member)
    elif ROLES.index(member.role) < ROLES.index(role):
        member.role = role
    else:
        return member
    session.flush()
    log_in(session, desk, campaign_id, "member", {"role": role}, user_id)
    return member


def check_role(role: str) -> None:
    """A role that there is."""
    if role not in ROLES:
        raise UsageError(f"There is no role '{role}'. Choose one of: {', '.join(ROLES)}.")
