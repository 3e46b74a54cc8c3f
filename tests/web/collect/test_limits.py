"""Limits hold for whoever guesses or floods, come back with time, and never fill the memory."""

from __future__ import annotations

import json

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from people import HandClock
from visitors import Visitor

from commonsight.collect.desk import SECOND, Desk
from commonsight.web.collect.app import build_app
from commonsight.web.collect.limits import MOST_BODY, Limits, Rate, is_storable, network_of


@given(st.integers(1, 20), st.integers(1, 100), st.lists(st.integers(0, 5 * SECOND), max_size=120))
def test_a_rate_is_never_exceeded(times: int, seconds: int, pauses: list[int]) -> None:
    """At most `times` at once, and in any while no more than those and what came back in it."""
    clock = HandClock()
    rate = Rate(times, seconds, clock)
    let_in = []
    for pause in pauses:
        clock.now += pause
        if rate.take("who") == 0:
            let_in.append(clock.now)
    step = int(seconds * SECOND / times)
    for first, began in enumerate(let_in):
        for last, ended in enumerate(let_in[first:], first):
            assert last - first + 1 <= times + (ended - began) // step


def test_what_one_used_comes_back_and_others_are_not_hindered() -> None:
    clock = HandClock()
    rate = Rate(3, 30, clock)
    assert [rate.take("a") for _ in range(4)] == [0, 0, 0, 10]
    assert rate.take("b") == 0
    clock.pass_seconds(9.5)
    assert rate.take("a") == 1
    clock.pass_seconds(0.5)
    assert [rate.take("a"), rate.take("a")] == [0, 10]
    rate.give_back("a")
    assert rate.take("a") == 0


def test_the_least_recent_are_forgotten_first() -> None:
    rate = Rate(1, 60, HandClock(), most_keys=3)
    for key in "abcd":
        assert rate.take(key) == 0
    assert rate.take("d") > 0
    assert rate.take("a") == 0


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_a_customer_is_one_address(host: str, network: str) -> None:
    assert network_of(host) == network


ANYTHING = st.recursive(
    st.text() | st.text("\0\ud800\\u0") | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(ANYTHING)
def test_storable_is_what_can_be_encoded_and_has_no_null(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
        encodes = True
    except UnicodeEncodeError:
        encodes = False
    assert is_storable(value) == (encodes and "\\u0000" not in text.replace("\\\\", ""))


def test_a_very_deep_value_is_looked_at_to_its_end() -> None:
    value: object = "\0"
    for _ in range(100_000):
        value = [value]
    assert not is_storable(value)


def test_a_large_body_is_refused_as_a_page(app: FastAPI) -> None:
    visitor = Visitor(app)
    visitor.look("/sign-in")
    answer = visitor.fill("/sign-in", name="x" * MOST_BODY, password="y")
    assert answer.status_code == 413
    assert "1,000,000 bytes" in answer.text
    assert "content-security-policy" in answer.headers


def test_a_body_that_hides_its_size_is_refused(app: FastAPI) -> None:
    visitor = Visitor(app)
    chunks = (b"a" * 100_000 for _ in range(11))  # sent without a length
    form = {"content-type": "application/x-www-form-urlencoded"}
    answer = visitor.post("/sign-in", content=chunks, headers=form)
    assert answer.status_code == 413


def test_writes_have_a_rate_for_each_person(desk: Desk, clock: HandClock) -> None:
    app = build_app(desk, limits=Limits(clock, writes_a_minute=3))
    one, other = Visitor(app, "one"), Visitor(app, "other")
    codes = [one.fill("/account/password", old="x", new="y", again="z").status_code for _ in range(4)]
    assert codes == [422, 422, 422, 429]
    assert other.fill("/account/password", old="x", new="y", again="z").status_code == 422
    refused = one.fill("/account/password", old="x", new="y", again="z")
    assert int(refused.headers["retry-after"]) == 20
    assert "wait 20 seconds" in refused.text
    assert one.get("/account").status_code == 200
    clock.pass_seconds(20)
    assert one.fill("/account/password", old="x", new="y", again="z").status_code == 422
