"""Signing in, joining, and who one is."""

from __future__ import annotations

from fastapi import HTTPException, Request

from commonsight.collect import accounts, invitations
from commonsight.errors import WorkRefused
from commonsight.web.collect.access import desk_of, memberships, signed_in, token_of
from commonsight.web.collect.account_pages import guarded_sign_in
from commonsight.web.collect.api.common import Line, Sent, Told, api_router

router = api_router("", "account")
door = api_router("", "account", door=True)


class Password(Sent):
    """Who one is."""

    name: Line
    password: Line


class Token(Told):
    """A secret: whoever has it is signed in."""

    token: str


class NewAccount(Password):
    """Someone new, who has an invitation."""

    invitation: Line
    """The token at the end of its link."""


class Invitation(Sent):
    """An invitation for who is signed in."""

    invitation: Line
    """The token at the end of its link."""


class Joined(Told):
    """The campaign that one is a member of now."""

    campaign_id: int


class NewcomerJoined(Joined):
    """The same, for someone new."""

    token: str


class Mine(Told):
    """One campaign, and what one is in it."""

    campaign_id: int
    name: str
    protocol: str
    role: str
    state: str
    out_reason: str
    """Why one gets no more work there; empty while one does."""
    passed: list[str]
    """Exams."""
    tier: str


class Myself(Told):
    """Who one is here."""

    user_id: int
    name: str
    campaigns: list[Mine]


@door.post("/sign-in")
def sign_in(request: Request, sent: Password) -> Token:
    """A token for a name and its password."""
    return Token(token=_signed_in(request, sent))


def _signed_in(request: Request, sent: Password) -> str:
    try:
        return guarded_sign_in(request, sent.name, sent.password)
    except WorkRefused as refused:
        raise HTTPException(401, str(refused), {"www-authenticate": "Bearer"}) from refused


@router.post("/sign-out", status_code=204)
def sign_out(request: Request) -> None:
    """The token is worth nothing any more."""
    signed_in(request)
    accounts.sign_out(desk_of(request), token_of(request))


@router.get("/me")
def myself(request: Request) -> Myself:
    """Who one is, and in which campaigns."""
    who = signed_in(request).who
    mine = [Mine.model_validate(each, from_attributes=True) for each in memberships(request)]
    return Myself(user_id=who.user_id, name=who.name, campaigns=mine)


@door.post("/accounts", status_code=201)
def make_account(request: Request, sent: NewAccount) -> NewcomerJoined:
    """A new account, which an invitation makes a member of its campaign."""
    desk = desk_of(request)
    invitations.read_invitation(desk, sent.invitation)
    who = accounts.make_user(desk, sent.name, sent.password)
    campaign_id = invitations.accept(desk, sent.invitation, who.user_id)
    return NewcomerJoined(campaign_id=campaign_id, token=_signed_in(request, sent))


@router.post("/join")
def join(request: Request, sent: Invitation) -> Joined:
    """Use an invitation."""
    user_id = signed_in(request).who.user_id
    return Joined(campaign_id=invitations.accept(desk_of(request), sent.invitation, user_id))
