"""Telling other programs what happens: every event is sent to each webhook that wants it, at least once.

Events are first put into each webhook's queue and taken out when its server has said yes, so that none is
lost when a server, or this one, stops in between. One that comes twice has the same id both times. What is
sent is signed, and it goes to the open web by TLS alone, unless who runs this server has allowed otherwise.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from commonsight.build.imaging.sets.addresses import is_open
from commonsight.collect.database import for_change
from commonsight.collect.delivering import Message, Post, deliver_once, delivered, keep_delivering, untold
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import KINDS
from commonsight.collect.signing import is_signed, secret_of
from commonsight.collect.tables import Delivery, Event, Webhook
from commonsight.errors import UsageError, WorkRefused

__all__ = [
    "Added", "Hook", "Message", "Post", "add", "deliver_once", "delivered", "is_signed", "keep_delivering",
    "remove", "webhooks",
]  # fmt: skip

LONGEST_URL = 2000


class Added(NamedTuple):
    """A new webhook. Its secret is told this once."""

    id: int
    secret: str


class Hook(NamedTuple):
    """A webhook as its owner sees it."""

    id: int
    url: str
    kinds: tuple[str, ...]
    private: bool
    waiting: int
    """Events that it is still to be told of."""
    failures: int
    """In a row."""
    last_error: str
    next_at: int


def add(
    desk: Desk, campaign_id: int, url: str, kinds: Iterable[str] = (), *, private: bool = False
) -> Added:
    """Tell this address of events from now on, of these kinds or of all."""
    checked = _checked_url(url, private)
    wanted = sorted(set(kinds))
    if unknown := [kind for kind in wanted if kind not in KINDS]:
        known = ", ".join(KINDS)
        raise UsageError(f"There are no events of the kind '{unknown[0]:.40}'. There are: {known}.")
    salt = secrets.token_hex(32)

    def work(session: Session) -> int:
        campaign_in(session, campaign_id)
        last = session.scalar(select(func.max(Event.id)).where(Event.campaign_id == campaign_id))
        hook = Webhook(
            campaign_id=campaign_id, url=checked, private=private, salt=salt, kinds=wanted, after=last or 0,
            failures=0, last_error="", next_at=0,
        )  # fmt: skip
        session.add(hook)
        session.flush()
        return hook.id

    return Added(desk.database.write(work), secret_of(desk.secret, salt))


def _checked_url(url: str, private: bool) -> str:
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"'{url:.80}' is no address ({error}). Write https://host/path.") from error
    if parts.scheme not in ("https", "http") or not host or len(url) > LONGEST_URL or not url.isascii():
        raise UsageError(f"'{url:.80}' is no address for a webhook. Write https://host/path.")
    if parts.username is not None or parts.password is not None:
        raise UsageError("The address holds a name or a password. Messages are signed; leave these out.")
    if not private and (parts.scheme != "https" or _is_near(host)):
        raise UsageError(
            f"'{url:.80}' is not a TLS address of the open web, so what is sent could be read or reach what "
            "only this machine can. Write https://host/path; who runs the server may add --allow-private."
        )
    return url.strip()


def _is_near(host: str) -> bool:
    """Whether the address itself says that it is not of the open web; names are looked up when it is used."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost") or "." not in host
    return not is_open(host)


def remove(desk: Desk, campaign_id: int, webhook_id: int) -> None:
    """Tell this address of nothing any more."""

    def work(session: Session) -> None:
        found = for_change(select(Webhook).where(Webhook.id == webhook_id))
        hook = session.scalar(found)
        if hook is None or hook.campaign_id != campaign_id:
            raise WorkRefused("no-webhook", "There is no such webhook in this campaign.")
        session.execute(delete(Delivery).where(Delivery.webhook_id == webhook_id))
        session.delete(hook)

    desk.database.write(work)


def webhooks(desk: Desk, campaign_id: int) -> list[Hook]:
    """All of a campaign. What waits is what is queued, and what happened since."""
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        found = select(Webhook).where(Webhook.campaign_id == campaign_id).order_by(Webhook.id)
        return [
            Hook(
                hook.id, hook.url, tuple(hook.kinds), hook.private, _waiting(session, hook), hook.failures,
                hook.last_error, hook.next_at,
            )
            for hook in session.scalars(found)
        ]  # fmt: skip


def _waiting(session: Session, hook: Webhook) -> int:
    queued = select(func.count()).select_from(Delivery).where(Delivery.webhook_id == hook.id)
    since = select(func.count()).select_from(Event).where(*untold(hook.campaign_id, hook.after))
    if hook.kinds:
        since = since.where(Event.kind.in_(hook.kinds))
    return (session.scalar(queued) or 0) + (session.scalar(since) or 0)
