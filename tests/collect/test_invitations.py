"""Invitations make a member once, in time, and only as they were signed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import HandClock, campaign, member, person
from sqlalchemy import update

from commonsight.collect.desk import Desk
from commonsight.collect.invitations import (
    accept,
    invite,
    open_invitations,
    read_invitation,
    take_back,
)
from commonsight.collect.tables import Invitation
from commonsight.errors import UsageError, WorkRefused

SAME_DESK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def _refusal(desk: Desk, token: str, user_id: int | None = None) -> str:
    with pytest.raises(WorkRefused) as raised:
        read_invitation(desk, token) if user_id is None else accept(desk, token, user_id)
    return raised.value.code


def test_an_invitation_makes_a_member_once(desk: Desk) -> None:
    first = campaign(desk)
    ann, bob = person(desk, "ann"), person(desk, "bob")
    token = invite(desk, first, "reviewer")
    assert read_invitation(desk, token) == (first, "first", "reviewer")
    assert accept(desk, token, ann) == first
    assert member(desk, first, ann).role == "reviewer"
    assert _refusal(desk, token) == "invitation-used"
    assert _refusal(desk, token, bob) == "invitation-used"
    assert accept(desk, token, ann) == first  # a second click


def test_an_invitation_ends(desk: Desk, clock: HandClock) -> None:
    token = invite(desk, campaign(desk), "worker", seconds=60)
    clock.pass_seconds(59)
    read_invitation(desk, token)
    clock.pass_seconds(1)
    assert _refusal(desk, token) == "invitation-over"
    assert _refusal(desk, token, person(desk, "ann")) == "invitation-over"


def test_two_who_race_for_one_invitation(desk: Desk) -> None:
    first = campaign(desk)
    token = invite(desk, first, "worker")
    people = [person(desk, f"racer{number}") for number in range(6)]

    def try_it(user_id: int) -> str:
        try:
            accept(desk, token, user_id)
        except WorkRefused as refused:
            return refused.code
        return "in"

    with ThreadPoolExecutor(6) as pool:
        told = sorted(pool.map(try_it, people))
    assert told == ["in", *["invitation-used"] * 5]


def test_who_is_more_never_becomes_less(desk: Desk) -> None:
    first = campaign(desk)
    ann = person(desk, "ann")
    for role, then in (("worker", "worker"), ("owner", "owner"), ("reviewer", "owner")):
        accept(desk, invite(desk, first, role), ann)
        assert member(desk, first, ann).role == then


def test_open_invitations_are_listed_and_taken_back(desk: Desk, clock: HandClock) -> None:
    first, second = campaign(desk), campaign(desk, "second")
    ended = invite(desk, first, "worker", seconds=5)
    token = invite(desk, first, "worker")
    used = invite(desk, first, "worker")
    accept(desk, used, person(desk, "ann"))
    clock.pass_seconds(5)
    (left,) = open_invitations(desk, first)
    assert left.token == token != ended
    take_back(desk, second, left.id)
    read_invitation(desk, token)
    take_back(desk, first, left.id)
    assert _refusal(desk, token) == "invitation-false"
    assert open_invitations(desk, first) == []


def test_a_changed_row_makes_no_link_grant_more(desk: Desk) -> None:
    token = invite(desk, campaign(desk), "worker")
    desk.database.write(lambda session: session.execute(update(Invitation).values(role="owner")))
    assert _refusal(desk, token) == "invitation-false"


def test_another_collections_invitation_is_false(desk: Desk) -> None:
    from dataclasses import replace

    token = invite(replace(desk, secret=b"another secret"), campaign(desk), "worker")
    assert _refusal(desk, token) == "invitation-false"


@pytest.mark.parametrize(
    ("role", "seconds", "why"),
    [("king", 60, "no role 'king'"), ("worker", 0, "more than nothing"), ("worker", 10**9, "at most a year")],
)
def test_no_other_invitation_is_made(desk: Desk, role: str, seconds: float, why: str) -> None:
    first = campaign(desk)
    with pytest.raises(UsageError, match=why):
        invite(desk, first, role, seconds=seconds)


def test_there_must_be_such_a_campaign(desk: Desk) -> None:
    with pytest.raises(WorkRefused, match="no such campaign"):
        invite(desk, 77, "worker")


@SAME_DESK
@given(data=st.data())
def test_a_tampered_token_is_never_accepted(desk: Desk, data: st.DataObject) -> None:
    """Any other string, one character changed, cut off or added, at any place."""
    (token,) = [one.token for one in open_invitations(desk, 1)] or [invite(desk, campaign(desk), "worker")]
    at = data.draw(st.integers(0, len(token)))
    put = data.draw(st.text(max_size=3))
    over = data.draw(st.integers(0, 3))
    other = token[:at] + put + token[at + over :]
    if other != token:
        assert _refusal(desk, other) == "invitation-false"
    assert read_invitation(desk, token).role == "worker"


@SAME_DESK
@given(st.text(max_size=600))
def test_any_other_text_is_false(desk: Desk, text: str) -> None:
    assert _refusal(desk, text) == "invitation-false"


def test_every_last_letter_but_the_right_one_is_false(desk: Desk) -> None:
    """Base64 does not use all bits of its last letter: others there must not be as good."""
    token = invite(desk, campaign(desk), "worker")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for letter in letters.replace(token[-1], ""):
        assert _refusal(desk, token[:-1] + letter) == "invitation-false"
