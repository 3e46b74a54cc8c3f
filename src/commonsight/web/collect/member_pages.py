"""Pages about who may come in, and about what people are owed."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from commonsight.collect import invitations, ledger
from commonsight.collect.money import plain
from commonsight.errors import UsageError, WorkRefused
from commonsight.web.collect.access import Id, Me, desk_of, member
from commonsight.web.collect.showing import back_to, campaign_page

router = APIRouter(prefix="/campaigns/{campaign_id}", include_in_schema=False)

Line = Annotated[str, Form(max_length=1000)]
Amount = Annotated[int, Form(ge=0, le=2**53)]
DAY = 24 * 3600
MOST_INVITED = 100
"""Invitations that are made at once."""


@router.get("/invitations")
def invited(request: Request, campaign_id: Id) -> Response:
    """Invitations that nobody has used yet."""
    return _invitations(request, member(request, campaign_id, "owner"))


def _invitations(request: Request, me: Me, *, status: int = 200, told: str = "") -> Response:
    found = invitations.open_invitations(desk_of(request), me.campaign_id)
    links = [(one, str(request.url_for("invitation", token=one.token))) for one in found]
    return campaign_page(
        request, me, "collect/owner_invitations.html", status=status, told=told, links=links
    )


@router.post("/invitations")
def invite(
    request: Request,
    campaign_id: Id,
    role: Line = "worker",
    days: Annotated[int, Form(ge=1, le=366)] = 7,
    number: Annotated[int, Form(ge=1, le=MOST_INVITED)] = 1,
) -> Response:
    """Links, each for one person."""
    me = member(request, campaign_id, "owner")
    try:
        for _ in range(number):
            invitations.invite(desk_of(request), campaign_id, role, seconds=days * DAY)
    except UsageError as error:
        return _invitations(request, me, status=422, told=str(error))
    return back_to(me, "invitations", "invited")


@router.post("/invitations/{invitation_id}/take-back")
def take_back(request: Request, campaign_id: Id, invitation_id: str) -> Response:
    """A link that is worth nothing any more."""
    me = member(request, campaign_id, "owner")
    invitations.take_back(desk_of(request), campaign_id, invitation_id)
    return back_to(me, "invitations", "taken-back")


@router.get("/pay")
def pay(request: Request, campaign_id: Id) -> Response:
    """What everyone earned and is owed."""
    return _pay(request, member(request, campaign_id, "owner"))


def _pay(request: Request, me: Me, *, status: int = 200, told: str = "") -> Response:
    desk = desk_of(request)
    lines = ledger.balances(desk, me.campaign_id)
    return campaign_page(
        request,
        me,
        "collect/owner_pay.html",
        status=status,
        told=told,
        lines=lines,
        owed=sum(max(0, line.owed) for line in lines),
        recent=ledger.entries(desk, me.campaign_id, most=20),
    )


@router.post("/pay")
def note_payment(
    request: Request, campaign_id: Id, reason: Line = "", total: Amount = 0, sure: Line = ""
) -> Response:
    """Everyone was paid what the page said that they were owed."""
    me = member(request, campaign_id, "owner")
    if sure != "yes":
        return _pay(request, me, status=422, told="Say that you have paid everyone, or nothing is noted.")
    try:
        paid = ledger.pay_out(
            desk_of(request), campaign_id, reason=reason.strip(), by=me.who.user_id, total=total
        )
    except WorkRefused as refused:
        return _pay(request, me, status=409, told=str(refused))
    return back_to(me, "pay", "paid" if paid else "nothing-owed")


@router.get("/pay.csv")
def pay_table(request: Request, campaign_id: Id) -> Response:
    """What everyone is owed, as a table for whoever pays."""
    member(request, campaign_id, "owner")
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(("name", "earned", "paid", "owed"))
    for line in ledger.balances(desk_of(request), campaign_id):
        table.writerow((line.name, plain(line.earned), plain(line.paid), plain(line.owed)))
    kept = {"content-disposition": 'attachment; filename="pay.csv"', "cache-control": "no-store"}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=kept)
