"""Agreement of votes in the database is that of the same votes on paper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import people
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid_down import lay_task
from people import HandClock
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.agreement import live_agreement, vote_of
from commonsight.collect.desk import Desk
from commonsight.collect.protocol import Field

YES, NO = {"good": "yes"}, {"good": "no"}


def _voters(desk: Desk, campaign: int, number: int = 4) -> list[int]:
    return [people.worker(desk, campaign, f"voter{place}") for place in range(number)]


def test_by_hand(desk: Desk) -> None:
    """Three tasks: yes no no, yes yes yes, yes no; and one vote that says nothing about agreement.

    Pairs that agree: 1 of 3, 3 of 3, 0 of 1. Of 8 votes 5 are yes. Chance: (5/8)^2 + (3/8)^2 = 34/64.
    """
    campaign = people.campaign(desk)
    ann, bob, cid, _ = _voters(desk, campaign)
    lay_task(desk, campaign, "vote", "1", {ann: YES, bob: NO, cid: NO}, state="dropped")
    lay_task(desk, campaign, "vote", "2", {cid: YES, bob: YES, ann: YES}, state="done")
    lay_task(desk, campaign, "vote", "3", {ann: YES, bob: NO}, held_by=cid)
    lay_task(desk, campaign, "vote", "4", {ann: NO})
    lay_task(desk, campaign, "vote", "5")
    lay_task(desk, campaign, "write", "6", {ann: {"question": "is it so"}})
    (found,) = live_agreement(desk, campaign)
    assert (found.stage, found.field) == ("vote", "good")
    told = found.agreement
    assert (told.items, told.votes, told.left_out) == (3, 8, 1)
    assert told.percent.value == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert told.kappa.value == pytest.approx((4 / 9 - 34 / 64) / (30 / 64))
    assert told.alpha.value == pytest.approx(1 - 7 * (3 * 2 / 3 + 0 + 2) / (5 * 3 + 3 * 5))


def test_gold_and_other_campaigns_are_left_out(desk: Desk) -> None:
    campaign, other = people.campaign(desk), people.campaign(desk, "other")
    ann, bob, *_ = _voters(desk, campaign)
    lay_task(desk, campaign, "vote", "gold", {ann: YES, bob: NO}, gold=YES)
    lay_task(desk, other, "vote", "there", {ann: YES, bob: NO})
    lay_task(desk, campaign, "vote", "here", {ann: YES, bob: YES})
    (found,) = live_agreement(desk, campaign)
    assert (found.agreement.items, found.agreement.percent.value) == (1, 1)
    assert live_agreement(desk, campaign, newest=None) == [found]


def test_a_dashboard_looks_at_what_came_last(desk: Desk, clock: HandClock) -> None:
    """Twenty tasks on which both differ, then ten on which they agree."""
    campaign = people.campaign(desk)
    ann, bob, *_ = _voters(desk, campaign)
    for number in range(30):
        clock.pass_seconds(1)
        lay_task(desk, campaign, "vote", f"{number}", {ann: YES, bob: YES if number >= 20 else NO})
    (live,), (all_of_it,) = (live_agreement(desk, campaign, newest=most) for most in (10, None))
    assert (live.agreement.items, live.agreement.percent.value) == (10, 1)
    assert (all_of_it.agreement.items, all_of_it.agreement.percent.value) == (30, pytest.approx(1 / 3))


def test_no_votes_measure_nothing(desk: Desk) -> None:
    (found,) = live_agreement(desk, people.campaign(desk))
    assert found.agreement.alpha.value is None
    assert found.agreement.items == 0


def test_each_entry_of_a_group_is_voted_on_by_itself(desk: Desk) -> None:
    """Ann says yes, no; Bob says yes, yes, no: they agree on the first, not on the second."""
    group = Field("parts", "group", "Parts", parts=(Field("ok", "choice", "OK?"),))
    stage = replace(VOTE, form=(group, Field("why", "choices", "Why?")), votes=("parts.ok", "why"))
    desk = replace(desk, protocols={"toy": replace(TOY, stages=(WRITE, stage))})
    campaign = people.campaign(desk)
    ann, bob, *_ = _voters(desk, campaign)
    yes, no = {"ok": "yes"}, {"ok": "no"}
    said = {ann: {"parts": [yes, no], "why": ["b", "a"]}, bob: {"parts": [yes, yes, no], "why": ["a", "b"]}}
    lay_task(desk, campaign, "vote", "1", said)
    parts, why = live_agreement(desk, campaign)
    assert (parts.field, parts.agreement.items, parts.agreement.left_out) == ("parts.ok", 2, 1)
    assert parts.agreement.percent.value == pytest.approx(1 / 2)
    assert why.agreement.percent.value == 1


ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(ANSWERS)
def test_whatever_is_said_is_a_vote(said: Any) -> None:
    assert isinstance(vote_of(said), str)
    if isinstance(said, list):
        assert vote_of(said) == vote_of(said[::-1])
    if isinstance(said, str):
        assert vote_of(f"  {said} ") == vote_of(said)
