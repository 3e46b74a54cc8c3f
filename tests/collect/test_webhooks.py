"""Every event reaches every webhook that wants it, signed, whatever servers do; and no other place."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event as Signal
from typing import Any

import people
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listening import Listener, listening
from people import HandClock
from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect import webhooks as webhooks_module
from commonsight.collect.delivering import CLAIM
from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.events import KINDS, log_in
from commonsight.collect.posting import post_message
from commonsight.collect.signing import TOLERANCE, secret_of, signature
from commonsight.collect.tables import Delivery, Webhook
from commonsight.collect.webhooks import (
    Message,
    add,
    deliver_once,
    delivered,
    is_signed,
    keep_delivering,
    remove,
    webhooks,
)
from commonsight.errors import UsageError, WorkRefused


@pytest.fixture
def server() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


def _happen(desk: Desk, campaign: int, *kinds: str, user: int | None = None, **data: Any) -> None:
    def work(session: Session) -> None:
        for number, kind in enumerate(kinds):
            log_in(session, desk, campaign, kind, {"number": number} | data, user)

    desk.database.write(work)


def _told(server: Listener) -> list[tuple[str, int]]:
    return [(event["kind"], event["data"]["number"]) for event in server.events()]


def test_events_are_posted_and_signed(desk: Desk, clock: HandClock, server: Listener) -> None:
    campaign = people.campaign(desk, "the first")
    _happen(desk, campaign, "state")
    people.worker(desk, campaign, "boss", role="owner")
    ann = people.worker(desk, campaign, "ann")
    hook = add(desk, campaign, server.url, private=True)
    _happen(desk, campaign, "given", user=ann)
    _happen(desk, campaign, "out", user_id=ann)
    assert deliver_once(desk, post_message) == 2
    ((headers, body),) = server.heard
    given, out = server.events()
    assert (given["kind"], given["who"], given["data"]) == ("given", "w2", {"number": 0})
    assert given["at"] == clock.now
    assert (out["who"], out["data"]["user_id"]) == (None, "w2")
    assert b'"campaign":"the first"' in body
    assert b"ann" not in body
    now = clock.now // SECOND
    assert is_signed(hook.secret, headers["commonsight-signature"], body, now=now)
    assert not is_signed(hook.secret, headers["commonsight-signature"], body + b" ", now=now)
    assert not is_signed(hook.secret[::-1], headers["commonsight-signature"], body, now=now)
    assert not is_signed(hook.secret, headers["commonsight-signature"], body, now=now + TOLERANCE + 1)
    assert (headers["content-type"], headers["user-agent"]) == ("application/json", "commonsight")
    assert deliver_once(desk, post_message) == 0
    assert len(server.heard) == 1


def test_a_webhook_is_told_of_what_it_asks_for(desk: Desk, server: Listener) -> None:
    one, other = people.campaign(desk, "one"), people.campaign(desk, "other")
    add(desk, one, server.url, ["record", "erratum"], private=True)
    _happen(desk, one, "given", "record", "verdict", "erratum")
    _happen(desk, other, "record")
    assert deliver_once(desk, post_message) == 2
    assert _told(server) == [("record", 1), ("erratum", 3)]
    _happen(desk, one, "given")
    assert deliver_once(desk, post_message) == 0
    (hook,) = webhooks(desk, one)
    assert (hook.waiting, hook.kinds) == (0, ("erratum", "record"))


def test_a_server_that_fails_is_tried_again_later_and_later(
    desk: Desk, clock: HandClock, server: Listener
) -> None:
    campaign = people.campaign(desk)
    add(desk, campaign, server.url, private=True)
    _happen(desk, campaign, "record")
    server.answers = [500, 404, 302]
    waits = []
    for failures in (1, 2, 3):
        assert deliver_once(desk, post_message) == 0
        (hook,) = webhooks(desk, campaign)
        assert (hook.failures, hook.waiting) == (failures, 1)
        waits.append((hook.next_at - clock.now) // SECOND)
        assert deliver_once(desk, post_message) == 0, "it is not its time yet"
        clock.pass_seconds(waits[-1])
    assert waits == [10, 20, 40]
    assert hook.last_error == "its server said 302"
    assert len(server.heard) == 3, "and it cannot send us elsewhere"
    assert deliver_once(desk, post_message) == 1
    (hook,) = webhooks(desk, campaign)
    assert (hook.failures, hook.last_error, hook.waiting) == (0, "", 0)
    assert len({event["id"] for event in server.events()}) == 1


def test_waits_end_at_an_hour(desk: Desk, clock: HandClock) -> None:
    campaign = people.campaign(desk)
    add(desk, campaign, "https://example.org/hook")
    _happen(desk, campaign, "record")
    for _ in range(12):
        deliver_once(desk, lambda _: 503)
        clock.pass_seconds(3600)
    (hook,) = webhooks(desk, campaign)
    assert (hook.failures, hook.next_at - clock.now) == (12, 0)


def test_what_was_sent_as_we_were_killed_comes_again(desk: Desk, clock: HandClock) -> None:
    """The server has it, and we stop before we note that: the claim runs out and it is sent once more."""
    campaign = people.campaign(desk)
    add(desk, campaign, "https://example.org/hook")
    _happen(desk, campaign, "record")
    sent: list[bytes] = []

    class Killed(BaseException):
        pass

    def killed(message: Message) -> int:
        sent.append(message.body)
        raise Killed

    with pytest.raises(Killed):
        deliver_once(desk, killed)
    assert deliver_once(desk, lambda _: 200) == 0, "another process might still be at it"
    clock.pass_seconds(CLAIM // SECOND)

    def take(message: Message) -> int:
        sent.append(message.body)
        return 204

    assert deliver_once(desk, take) == 1
    assert sent[0] == sent[1]


def test_several_processes_send_nothing_twice(desk: Desk, server: Listener) -> None:
    campaign = people.campaign(desk)
    add(desk, campaign, server.url, private=True)
    for _ in range(3):
        _happen(desk, campaign, *["given"] * 50)
    with ThreadPoolExecutor(4) as pool:
        taken = sum(pool.map(lambda _: deliver_once(desk, post_message), range(8)))
    while more := deliver_once(desk, post_message):
        taken += more
    numbers = [event["id"] for event in server.events()]
    assert taken == len(numbers) == 150
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_an_event_that_is_written_late_is_not_passed_over(desk: Desk, server: Listener) -> None:
    """Numbered first, committed last: someone who went by numbers would lose it."""
    campaign = people.campaign(desk)
    add(desk, campaign, server.url, private=True)
    with Session(desk.database.writer) as late, late.begin():
        log_in(late, desk, campaign, "given", {"number": 1})
        late.flush()
        _happen(desk, campaign, "record")
        assert deliver_once(desk, post_message) == 1
    assert deliver_once(desk, post_message) == 1
    first, second = server.events()
    assert first["id"] > second["id"]


def test_each_webhook_has_its_own_queue(desk: Desk, clock: HandClock, server: Listener) -> None:
    campaign = people.campaign(desk)
    add(desk, campaign, server.url, private=True)
    bad = add(desk, campaign, "https://example.org/down")
    _happen(desk, campaign, "record")

    def post(message: Message) -> int:
        if "example.org" in message.url:
            raise TimeoutError("not there")
        return post_message(message)

    assert deliver_once(desk, post) == 1
    good, down = webhooks(desk, campaign)
    assert (good.waiting, down.waiting, down.last_error) == (0, 1, "TimeoutError: not there")
    remove(desk, campaign, bad.id)
    clock.pass_seconds(60)
    assert deliver_once(desk, post) == 0
    assert [hook.id for hook in webhooks(desk, campaign)] == [good.id]
    with desk.database.read() as session:
        assert session.scalars(select(Delivery)).all() == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("ftp://example.org/", "no address for a webhook"),
        ("example.org", "no address for a webhook"),
        ("https://", "no address for a webhook"),
        ("https://[::1", "no address"),
        ("https://example.org:99999/", "no address"),
        ("https://müller.example/", "no address for a webhook"),
        ("https://example.org/" + "x" * 2000, "no address for a webhook"),
        ("https://me:hunter2@example.org/", "a name or a password"),
        ("http://example.org/", "open web"),
        ("https://127.0.0.1/", "open web"),
        ("https://[::1]:8000/", "open web"),
        ("https://169.254.169.254/latest/meta-data", "open web"),
        ("https://10.1.2.3/", "open web"),
        ("https://[::ffff:192.168.0.1]/", "open web"),
        ("https://localhost:8000/", "open web"),
        ("https://api.localhost/", "open web"),
        ("https://intranet/", "open web"),
    ],
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_addresses_that_are_refused(desk: Desk, url: str, told: str) -> None:
    campaign = people.campaign(desk)
    with pytest.raises(UsageError, match=told) as raised:
        add(desk, campaign, url)
    assert "hunter2" not in str(raised.value)
    assert webhooks(desk, campaign) == []


def test_a_name_that_leads_to_this_machine_is_refused_when_it_is_used(desk: Desk, server: Listener) -> None:
    """Whoever points a name of the open web at 127.0.0.1 reaches nothing."""
    campaign = people.campaign(desk)
    add(desk, campaign, server.url, private=True)

    def no_longer_allowed(session: Session) -> None:
        session.scalars(select(Webhook)).one().private = False

    desk.database.write(no_longer_allowed)
    _happen(desk, campaign, "record")
    assert deliver_once(desk, post_message) == 0
    (hook,) = webhooks(desk, campaign)
    assert "an address of this machine or its network" in hook.last_error
    assert server.heard == []


def test_what_is_not_there_is_refused(desk: Desk) -> None:
    campaign, other = people.campaign(desk), people.campaign(desk, "other")
    hook = add(desk, campaign, "https://example.org/")
    with pytest.raises(WorkRefused, match="no such webhook"):
        remove(desk, other, hook.id)
    with pytest.raises(WorkRefused, match="no such campaign"):
        add(desk, 99, "https://example.org/")
    with pytest.raises(UsageError, match="no events of the kind 'nonsense'"):
        add(desk, campaign, "https://example.org/", ["given", "nonsense"])


def test_secrets_are_in_no_database_and_no_log(
    desk: Desk, clock: HandClock, server: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    campaign = people.campaign(desk)
    with caplog.at_level(logging.DEBUG):
        hook = add(desk, campaign, server.url, private=True)
        _happen(desk, campaign, "record")
        server.answers = [500]
        deliver_once(desk, post_message)
        clock.pass_seconds(60)
        stop = Signal()
        keep_delivering(desk, stop, lambda _: stop.set() or 200, pause=0.0)
    assert hook.secret not in caplog.text
    with desk.database.read() as session:
        row = session.scalars(select(Webhook)).one()
        kept = str([getattr(row, column.key) for column in Webhook.__table__.columns])
        assert hook.secret not in kept
        assert secret_of(desk.secret, row.salt) == hook.secret


def test_delivering_goes_on_after_a_fault_until_it_is_stopped(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop = Signal()
    tries: list[int] = []

    def faulty(*_: object) -> int:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError("postgresql://me:hunter2@host/")
        stop.set()
        return 0

    monkeypatch.setattr("commonsight.collect.delivering.deliver_once", faulty)
    keep_delivering(desk, stop, pause=0.0)
    assert len(tries) == 2
    assert "hunter2" not in caplog.text


def test_while_a_site_is_served_what_happens_is_delivered(desk: Desk, server: Listener) -> None:
    campaign = people.campaign(desk)
    add(desk, campaign, server.url, private=True)
    _happen(desk, campaign, "record")
    came = Signal()

    def post(message: Message) -> int:
        status = post_message(message)
        came.set()
        return status

    with delivered(desk, post, pause=0.01):
        assert came.wait(30)
    assert _told(server) == [("record", 0)]
    assert webhooks(desk, campaign)[0].waiting == 0, "it ends only once it has noted what was taken"


@given(st.text(max_size=100) | st.from_regex(r"t=[0-9]{1,14},v1=[0-9a-f]{60,66}"), st.binary(max_size=20))
def test_whatever_comes_as_a_signature_is_none(header: str, body: bytes) -> None:
    assert not is_signed("secret", header, body, now=1_700_000_000)


@given(st.binary(max_size=50), st.integers(0, 2**40 // 1000))
def test_what_was_signed_is_signed(body: bytes, at: int) -> None:
    assert is_signed("secret", signature("secret", at, body), body, now=at + TOLERANCE)


def test_every_kind_of_event_is_one_that_can_be_asked_for() -> None:
    """What the code logs by a word of its own is listed; the rest is told from a task's end."""
    source = Path(webhooks_module.__file__).parent
    text = "".join(path.read_text("utf-8") for path in sorted(source.glob("*.py")))
    said = re.findall(r'log_in\((?:[^()]|\([^()]*\))*?_id, "([a-z-]+)"', text)
    assert len(set(said)) >= 12
    assert set(said) <= set(KINDS)
