"""Sending events to webhooks: queued first, taken out once their server has said yes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event as Signal
from threading import Thread
from typing import Any, NamedTuple, cast

import msgspec
from sqlalchemy import ColumnElement, CursorResult, delete, false, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from commonsight.collect.database import for_change, insert_new
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.pseudonyms import pseudonyms_in
from commonsight.collect.signing import secret_of, signature
from commonsight.collect.tables import Campaign, Delivery, Event, Webhook

log = logging.getLogger(__name__)

BATCH = 100
"""Events in one message."""
QUEUED_AT_ONCE = 1000
CLAIM = 60 * SECOND
"""How long one process has a webhook to itself: longer than a message may take."""
FIRST_WAIT, LONGEST_WAIT = 10 * SECOND, 3600 * SECOND
"""After the first failure, and after many."""
PAUSE = 2.0
_PEOPLE = ("user", "user_id", "by")
"""What events call people in their data."""


class Message(NamedTuple):
    """One POST."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    private: bool
    """Whether it may go to an address of this machine's network."""


Post = Callable[[Message], int]
"""Sends a message: the answer's status, or any exception."""


def untold(campaign_id: Any, after: Any) -> tuple[ColumnElement[bool], ...]:
    """Events after this one that stand in no queue yet: numbers, or columns of a query around it."""
    return Event.campaign_id == campaign_id, Event.told == false(), Event.id > after


def deliver_once(desk: Desk, post: Post) -> int:
    """Send what waits, one message to each webhook that is due; how many events were taken."""
    happened = select(Event.id).where(*untold(Webhook.campaign_id, Webhook.after)).exists()
    for campaign_id in _due(desk, Webhook.campaign_id, happened):
        while _queue(desk, campaign_id) == QUEUED_AT_ONCE:
            pass
    queued = select(Delivery.event_id).where(Delivery.webhook_id == Webhook.id).exists()
    return sum(_deliver(desk, webhook_id, post) for webhook_id in _due(desk, Webhook.id, queued))


def _due(desk: Desk, what: InstrumentedAttribute[int], wanted: ColumnElement[bool]) -> list[int]:
    """Of webhooks that may be tried now. Reading first: where there is nothing to do, nothing is written."""
    with desk.database.read() as session:
        found = select(what).where(Webhook.next_at <= desk.clock(), wanted)
        return sorted(set(session.scalars(found)))


def _queue(desk: Desk, campaign_id: int) -> int:
    """Put events into the queues of the webhooks that want them; how many were looked at."""

    def work(session: Session) -> int:
        found = select(Webhook).where(Webhook.campaign_id == campaign_id).order_by(Webhook.id)
        hooks = session.scalars(for_change(found)).all()  # one process at a time
        if not hooks:
            return 0
        after = min(hook.after for hook in hooks)
        found_events = select(Event.id, Event.kind).where(*untold(campaign_id, after))
        events = session.execute(found_events.order_by(Event.id).limit(QUEUED_AT_ONCE)).tuples().all()
        rows = [
            {"webhook_id": hook.id, "event_id": number}
            for hook in hooks
            for number, kind in events
            if number > hook.after and (not hook.kinds or kind in hook.kinds)
        ]
        insert_new(session, Delivery, rows)
        told = update(Event).where(Event.id.in_([number for number, _ in events])).values(told=True)
        session.execute(told, execution_options={"synchronize_session": False})
        return len(events)

    return desk.database.write(work)


def _deliver(desk: Desk, webhook_id: int, post: Post) -> int:
    """One message; how many events its server took."""
    if not _claimed(desk, webhook_id):
        return 0
    hook, events, message = _message(desk, webhook_id)
    if hook is None or message is None:
        _settle(desk, webhook_id, next_at=0)
        return 0
    try:
        status = post(message)
        error = "" if 200 <= status < 300 else f"its server said {status}"
    except Exception as fault:  # whatever goes wrong with someone else's server is noted, and tried again
        error = f"{type(fault).__name__}: {fault}"[:200]
    if error:
        failures = hook.failures + 1
        waits = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures - 1, 20))
        _settle(desk, webhook_id, next_at=desk.clock() + waits, failures=failures, last_error=error)
        return 0
    _settle(desk, webhook_id, events, next_at=0, failures=0, last_error="")
    return len(events)


def _claimed(desk: Desk, webhook_id: int) -> bool:
    """Whether it is ours to try now: of several processes, one gets it."""
    now = desk.clock()
    claim = update(Webhook).where(Webhook.id == webhook_id, Webhook.next_at <= now)

    def work(session: Session) -> bool:
        changed = session.execute(claim.values(next_at=now + CLAIM))
        return cast(CursorResult[Any], changed).rowcount == 1

    return desk.database.write(work)


def _message(desk: Desk, webhook_id: int) -> tuple[Webhook | None, Sequence[int], Message | None]:
    """What is to be sent next, oldest first."""
    with desk.database.read() as session:
        hook = session.get(Webhook, webhook_id)
        if hook is None:
            return None, (), None
        waiting = (
            select(Event)
            .join(Delivery, Delivery.event_id == Event.id)
            .where(Delivery.webhook_id == webhook_id)
            .order_by(Delivery.event_id)
            .limit(BATCH)
        )
        events = session.scalars(waiting).all()
        if not events:
            return hook, (), None
        campaign = campaign_in(session, hook.campaign_id)
        body = _body(session, campaign, events)
    at = desk.clock() // SECOND
    headers = {
        "content-type": "application/json",
        "user-agent": "commonsight",
        "commonsight-signature": signature(secret_of(desk.secret, hook.salt), at, body),
    }
    return hook, [event.id for event in events], Message(hook.url, body, headers, hook.private)


def _body(session: Session, campaign: Campaign, events: Iterable[Event]) -> bytes:
    names = pseudonyms_in(session, campaign.id)
    told = []
    for event in events:
        hidden = {key: names[event.data[key]] for key in _PEOPLE if isinstance(event.data.get(key), int)}
        told.append(
            {
                "id": event.id,
                "kind": event.kind,
                "at": event.made_at,
                "who": None if event.user_id is None else names[event.user_id],
                "data": event.data | hidden,
            }
        )
    return msgspec.json.encode({"campaign": campaign.name, "events": told}, order="deterministic")


def _settle(desk: Desk, webhook_id: int, taken: Sequence[int] = (), **values: int | str) -> None:
    def work(session: Session) -> None:
        theirs = (Delivery.webhook_id == webhook_id, Delivery.event_id.in_(taken))
        session.execute(delete(Delivery).where(*theirs))
        session.execute(update(Webhook).where(Webhook.id == webhook_id).values(**values))

    desk.database.write(work)


@contextmanager
def delivered(desk: Desk, post: Post | None = None, *, pause: float = PAUSE) -> Iterator[None]:
    """While the block lasts, what happens is delivered, in a thread of its own."""
    stop = Signal()
    options = {"pause": pause}
    thread = Thread(target=keep_delivering, args=(desk, stop, post), kwargs=options, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(CLAIM / SECOND)


def keep_delivering(desk: Desk, stop: Signal, post: Post | None = None, *, pause: float = PAUSE) -> None:
    """Deliver until told to stop; for a thread of its own."""
    from commonsight.collect.posting import post_message

    send = post_message if post is None else post
    while not stop.is_set():
        try:
            busy = deliver_once(desk, send) > 0
        except Exception as error:  # a database that is away for a while must not end this
            log.warning("webhooks: %s", type(error).__name__)
            busy = False
        if not busy:
            stop.wait(pause)
