"""What an owner sees and does."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import Field

from commonsight.collect import agreement as agreements
from commonsight.collect import browsing, campaigns, invitations, ledger, quality
from commonsight.collect import status as statuses
from commonsight.web.collect.access import Id, desk_of, member
from commonsight.web.collect.api.common import Before, Line, Most, Sent, Told, api_router

router = api_router("/campaigns/{campaign_id}", "owner")

DAY = 24 * 3600


class StageLine(Told):
    """One stage: its tasks by state, and its answers."""

    name: str
    title: str
    open: int
    held: int
    done: int
    disputed: int
    dropped: int
    answers: int
    wanted: int


class Estimate(Told):
    """What was spent, what is under way, and what all of it will come to."""

    spent: int
    held: int
    expected_total: int
    per_record: int | None
    answers_left: int


class Status(Told):
    """A campaign at one moment."""

    campaign_id: int
    name: str
    protocol: str
    state: str
    currency: str
    stages: list[StageLine]
    records: int
    members: dict[str, int]
    out: int
    active_last_hour: int
    per_hour: float
    expected_end: int | None
    estimate: Estimate
    budget: int | None
    disputes: int
    exams_waiting: int
    errata_open: int
    gold_answers: int
    at: int


class Measure(Told):
    """A coefficient and its interval."""

    value: float | None
    low: float | None
    high: float | None


class Agreement(Told):
    """What votes say together."""

    alpha: Measure
    kappa: Measure
    percent: Measure
    items: int
    votes: int
    left_out: int


class FieldAgreement(Told):
    """How far the answers to one field agree."""

    stage: str
    field: str
    agreement: Agreement


class Worker(Told):
    """A member, and how their work is."""

    user_id: int
    name: str
    role: str
    given: int
    good: int
    judged: int
    gold_right: int
    gold_seen: int
    tier: str
    out_reason: str
    median_seconds: float | None
    earned: int


class Reason(Sent):
    """Why someone gets no more work; they read it."""

    reason: Annotated[str, Field(min_length=1, max_length=500)]


class Bonus(Told):
    """What someone earned by a round."""

    user_id: int
    name: str
    amount: int
    tier: str


class NewState(Sent):
    """Whether work is handed out."""

    state: Literal["running", "paused", "finished"]


class Invite(Sent):
    """A link for one person."""

    role: Literal["worker", "reviewer", "owner"] = "worker"
    days: Annotated[int, Field(ge=1, le=366)] = 7


class Invited(Told):
    """A new invitation."""

    invitation: str
    """The token at the end of the link `/join/…`."""


class OpenInvitation(Told):
    """One that nobody has used yet."""

    id: str
    role: str
    ends_at: int
    token: str


class Balance(Told):
    """What someone earned, was paid, and is owed."""

    user_id: int
    name: str
    earned: int
    paid: int
    owed: int


class Payment(Sent):
    """A note on a payment."""

    reason: Line = ""
    total: Annotated[int, Field(ge=0, le=2**53)] | None = None
    """What was paid in all: noted only if that much is still owed."""


class Event(Told):
    """Something that happened."""

    id: int
    kind: str
    name: str | None
    data: dict[str, Any]
    made_at: int


@router.get("/status", response_model=Status)
def status(request: Request, campaign_id: Id) -> statuses.Status:
    """Where the campaign stands."""
    member(request, campaign_id, "owner")
    return statuses.status(desk_of(request), campaign_id)


@router.get("/agreement", response_model=list[FieldAgreement])
def agreement(request: Request, campaign_id: Id) -> list[agreements.FieldAgreement]:
    """How far workers agree."""
    member(request, campaign_id, "reviewer")
    return agreements.live_agreement(desk_of(request), campaign_id)


@router.get("/workers", response_model=list[Worker])
def workers(request: Request, campaign_id: Id) -> list[quality.WorkerLine]:
    """Everyone, and how good their work is."""
    member(request, campaign_id, "owner")
    return quality.workers(desk_of(request), campaign_id)


@router.post("/workers/{user_id}/out", status_code=204)
def put_out(request: Request, campaign_id: Id, user_id: Id, sent: Reason) -> None:
    """No more work for them."""
    me = member(request, campaign_id, "owner")
    quality.put_out(desk_of(request), campaign_id, user_id, sent.reason, me.who.user_id)


@router.post("/workers/{user_id}/readmit", status_code=204)
def readmit(request: Request, campaign_id: Id, user_id: Id) -> None:
    """Work for them again."""
    me = member(request, campaign_id, "owner")
    quality.readmit(desk_of(request), campaign_id, user_id, me.who.user_id)


@router.post("/rounds", response_model=list[Bonus])
def close_round(request: Request, campaign_id: Id) -> list[quality.Bonus]:
    """Settle tiers and bonuses, and begin anew."""
    me = member(request, campaign_id, "owner")
    return quality.close_round(desk_of(request), campaign_id, me.who.user_id)


@router.put("/state", status_code=204)
def set_state(request: Request, campaign_id: Id, sent: NewState) -> None:
    """Pause, resume or finish."""
    me = member(request, campaign_id, "owner")
    campaigns.set_state(desk_of(request), campaign_id, sent.state, me.who.user_id)


@router.patch("/settings", status_code=204)
def update_settings(request: Request, campaign_id: Id, sent: dict[str, Any]) -> None:
    """Change these settings and leave the others."""
    me = member(request, campaign_id, "owner")
    campaigns.update_settings(desk_of(request), campaign_id, sent, me.who.user_id)


@router.get("/invitations", response_model=list[OpenInvitation])
def open_invitations(request: Request, campaign_id: Id) -> list[invitations.Open]:
    """Those that can still be used."""
    member(request, campaign_id, "owner")
    return invitations.open_invitations(desk_of(request), campaign_id)


@router.post("/invitations", status_code=201)
def invite(request: Request, campaign_id: Id, sent: Invite) -> Invited:
    """A link for one person."""
    member(request, campaign_id, "owner")
    token = invitations.invite(desk_of(request), campaign_id, sent.role, seconds=sent.days * DAY)
    return Invited(invitation=token)


@router.delete("/invitations/{invitation_id}", status_code=204)
def take_back(request: Request, campaign_id: Id, invitation_id: str) -> None:
    """A link that is worth nothing any more."""
    member(request, campaign_id, "owner")
    invitations.take_back(desk_of(request), campaign_id, invitation_id)


@router.get("/pay", response_model=list[Balance])
def balances(request: Request, campaign_id: Id) -> list[ledger.Balance]:
    """What everyone earned, was paid and is owed."""
    member(request, campaign_id, "owner")
    return ledger.balances(desk_of(request), campaign_id)


@router.post("/pay", response_model=list[Balance])
def pay_out(request: Request, campaign_id: Id, sent: Payment) -> list[ledger.Balance]:
    """Note that everyone was paid what they were owed; `owed` is what each one got."""
    me = member(request, campaign_id, "owner")
    return ledger.pay_out(
        desk_of(request), campaign_id, reason=sent.reason, by=me.who.user_id, total=sent.total
    )


@router.get("/events", response_model=list[Event])
def events(
    request: Request,
    campaign_id: Id,
    kind: Annotated[str, Query(max_length=40)] = "",
    before: Before = None,
    most: Most = browsing.MOST,
) -> list[browsing.EventLine]:
    """What happened, newest first."""
    member(request, campaign_id, "owner")
    return browsing.events(desk_of(request), campaign_id, kind=kind, before=before, most=most)
