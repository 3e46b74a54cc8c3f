"""Invitations: links that make someone a member of one campaign, once, and not for ever.

A link is signed with the collection's secret, so that none can be made up, and noted in the database, so that
none works twice or after it was taken back.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any, NamedTuple, cast

from itsdangerous import BadData, URLSafeSerializer
from sqlalchemy import CursorResult, delete, select, update
from sqlalchemy.orm import Session

from commonsight.collect.campaigns import add_member_in, check_role
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.tables import Invitation
from commonsight.errors import UsageError, WorkRefused

LONGEST = 366 * 24 * 3600
"""Seconds that an invitation may be good for."""
LONGEST_TOKEN = 500
_SALT = "commonsight.collect.invitation"


class Invited(NamedTuple):
    """What an invitation is to."""

    campaign_id: int
    campaign: str
    role: str


class Open(NamedTuple):
    """An invitation that nobody has used yet."""

    id: str
    role: str
    ends_at: int
    token: str


def invite(desk: Desk, campaign_id: int, role: str, *, seconds: float = 7 * 24 * 3600) -> str:
    """A new token, for one person."""
    check_role(role)
    if not 0 < seconds <= LONGEST:
        raise UsageError("An invitation is good for more than nothing and at most a year. Give fewer days.")
    made = Invitation(
        id=secrets.token_urlsafe(16), campaign_id=campaign_id, role=role,
        ends_at=desk.clock() + int(seconds * SECOND), used_by=None,
    )  # fmt: skip
    token = _token(desk, made)

    def work(session: Session) -> None:
        campaign_in(session, campaign_id)
        session.add(
            Invitation(id=made.id, campaign_id=campaign_id, role=role, ends_at=made.ends_at, used_by=None)
        )

    desk.database.write(work)
    return token


def read_invitation(desk: Desk, token: str) -> Invited:
    """What this token is to, while it can still be used."""
    with desk.database.read() as session:
        invitation = _usable_in(session, desk, token)
        campaign = campaign_in(session, invitation.campaign_id)
        return Invited(campaign.id, campaign.name, invitation.role)


def accept(desk: Desk, token: str, user_id: int) -> int:
    """Make this person a member, and the token used; the campaign. Of two who race, one wins."""

    def work(session: Session) -> int:
        invitation = _usable_in(session, desk, token, by=user_id)
        if invitation.used_by is None:
            mine = (
                update(Invitation)
                .where(Invitation.id == invitation.id, Invitation.used_by.is_(None))
                .values(used_by=user_id)
            )
            if cast(CursorResult[Any], session.execute(mine)).rowcount != 1:
                raise _used()
            add_member_in(session, desk, invitation.campaign_id, user_id, invitation.role)
        return invitation.campaign_id

    return desk.database.write(work)


def open_invitations(desk: Desk, campaign_id: int) -> list[Open]:
    """Those that can still be used, the soonest to end first."""
    found = (
        select(Invitation)
        .where(
            Invitation.campaign_id == campaign_id,
            Invitation.used_by.is_(None),
            Invitation.ends_at > desk.clock(),
        )
        .order_by(Invitation.ends_at, Invitation.id)
    )
    with desk.database.read() as session:
        return [Open(one.id, one.role, one.ends_at, _token(desk, one)) for one in session.scalars(found)]


def take_back(desk: Desk, campaign_id: int, invitation_id: str) -> None:
    """An invitation that nobody used is worth nothing any more."""
    gone = delete(Invitation).where(
        Invitation.id == invitation_id,
        Invitation.campaign_id == campaign_id,
        Invitation.used_by.is_(None),
    )
    desk.database.write(lambda session: session.execute(gone))


def _usable_in(session: Session, desk: Desk, token: str, by: int | None = None) -> Invitation:
    """The invitation that a token stands for; one that `by` has used is theirs to use again."""
    invitation = session.get(Invitation, _read(desk, token))
    if invitation is None or not hmac.compare_digest(_token(desk, invitation), token):
        raise _false()
    if invitation.used_by is not None and invitation.used_by != by:
        raise _used()
    if invitation.used_by is None and invitation.ends_at <= desk.clock():
        raise WorkRefused("invitation-over", "This invitation has ended. Ask for a new one.")
    return invitation


def _serializer(desk: Desk) -> URLSafeSerializer:
    return URLSafeSerializer(
        desk.secret, salt=_SALT, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
    )


def _token(desk: Desk, invitation: Invitation) -> str:
    """Signed over all that it grants: changing a row in the database does not make a link grant more."""
    told = [invitation.id, invitation.campaign_id, invitation.role, invitation.ends_at]
    return str(_serializer(desk).dumps(told))


def _read(desk: Desk, token: str) -> str:
    """The id in a token with a right signature."""
    if not token.isascii() or len(token) > LONGEST_TOKEN:
        raise _false()
    try:
        told = _serializer(desk).loads(token)
    except BadData as error:
        raise _false() from error
    if not isinstance(told, list) or not told or not isinstance(told[0], str):
        raise _false()
    return told[0]


def _false() -> WorkRefused:
    return WorkRefused(
        "invitation-false", "This invitation is not one of ours, or it was taken back. Ask for a new one."
    )


def _used() -> WorkRefused:
    return WorkRefused("invitation-used", "This invitation has been used. Ask for one of your own.")
