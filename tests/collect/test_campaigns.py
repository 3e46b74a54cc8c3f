"""Campaigns: made once by name, paused and resumed, and who takes part in them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from people import campaign, member, person, worker
from sqlalchemy import select

from commonsight.collect.campaigns import (
    add_member_in,
    make_campaign,
    membership,
    set_limits,
    set_state,
    update_settings,
)
from commonsight.collect.desk import Desk, campaign_in, campaign_named
from commonsight.collect.tables import Campaign, Event
from commonsight.errors import UsageError, WorkRefused


def _events(desk: Desk, campaign_id: int) -> list[tuple[str, dict[str, object], int | None]]:
    with desk.database.read() as session:
        found = session.scalars(select(Event).where(Event.campaign_id == campaign_id).order_by(Event.id))
        return [(one.kind, one.data, one.user_id) for one in found]


def _row(desk: Desk, campaign_id: int) -> Campaign:
    with desk.database.read() as session:
        return campaign_in(session, campaign_id)


def test_a_campaign_keeps_what_it_changed(desk: Desk) -> None:
    made = make_campaign(
        desk, "  the\tfirst ", "toy", settings={"most_bad": 5}, seed=7, budget=50_000, gold_rate=0.1
    )
    row = _row(desk, made)
    assert (row.name, row.state, row.settings) == ("the first", "running", {"most_bad": 5})
    assert (row.seed, row.budget, row.gold_rate) == (7, 50_000, 0.1)
    assert desk.settings_of(row) == {"most_bad": 5}
    with desk.database.read() as session:
        assert campaign_named(session, "the first").id == made


def test_a_name_is_given_once(desk: Desk) -> None:
    campaign(desk, "first")
    with pytest.raises(UsageError, match="a campaign 'first' already"):
        campaign(desk, " first")
    assert campaign(desk, "second") > 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"name": " "}, "1 to 120 characters"),
        ({"name": "x" * 121}, "1 to 120 characters"),
        ({"name": "a\x1bb"}, "1 to 120 characters"),
        ({"protocol": "other"}, "no protocol 'other'. Choose one of: toy"),
        ({"settings": {"speed": 1}}, "no setting 'speed'"),
        ({"seed": -1}, "The seed is -1"),
        ({"budget": 0}, "more than nothing"),
        ({"gold_rate": 1.5}, "from 0 to 1"),
        ({"gold_rate": float("nan")}, "from 0 to 1"),
    ],
)
def test_what_makes_no_campaign_is_told(desk: Desk, options: dict[str, object], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        make_campaign(desk, **({"name": "first", "protocol": "toy"} | options))  # type: ignore[arg-type]
    with desk.database.read() as session:
        assert session.scalars(select(Campaign)).all() == []


def test_settings_that_do_not_go_together_make_no_campaign(desk: Desk) -> None:
    def refuse(_: object) -> object:
        raise UsageError("These do not go together.")

    toy = replace(desk.protocols["toy"], rebuilt=refuse)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="do not go together"):
        make_campaign(replace(desk, protocols={"toy": toy}), "first", "toy", settings={"most_bad": 9})
    plain = make_campaign(desk, "first", "toy")
    with pytest.raises(UsageError, match="do not go together"):
        update_settings(replace(desk, protocols={"toy": toy}), plain, {"most_bad": 9}, None)
    assert _row(desk, plain).settings == {}


def test_a_campaign_is_paused_and_resumed(desk: Desk) -> None:
    first = campaign(desk)
    ann = worker(desk, first, "ann", role="owner")
    for state in ("paused", "paused", "running", "finished"):
        set_state(desk, first, state, ann)
    states = [(data["state"], by) for kind, data, by in _events(desk, first) if kind == "state"]
    assert states == [("running", None), ("paused", ann), ("running", ann), ("finished", ann)]
    with pytest.raises(UsageError, match="cannot be 'asleep'"):
        set_state(desk, first, "asleep", ann)
    with pytest.raises(WorkRefused, match="no such campaign"):
        set_state(desk, 99, "paused", ann)


def test_settings_are_changed_and_set_back(desk: Desk) -> None:
    first = campaign(desk)
    update_settings(desk, first, {"most_bad": 9}, None)
    assert _row(desk, first).settings == {"most_bad": 9}
    update_settings(desk, first, {}, None)
    assert _row(desk, first).settings == {"most_bad": 9}
    update_settings(desk, first, {"most_bad": 3}, None)
    assert _row(desk, first).settings == {}
    set_limits(desk, first, budget=900, gold_rate=0.5, by=None)
    set_limits(desk, first, budget=900, gold_rate=0.5, by=None)
    assert (_row(desk, first).budget, _row(desk, first).gold_rate) == (900, 0.5)
    assert [kind for kind, _, _ in _events(desk, first)] == ["state", "settings", "settings", "settings"]


def test_people_take_part_in_several_campaigns(desk: Desk) -> None:
    second, first = campaign(desk, "second"), campaign(desk, "first")
    ann = worker(desk, first, "ann", passed=["start"])
    worker(desk, second, "ann", role="reviewer")
    told = membership(desk, ann)
    assert [(one.name, one.role, one.passed, one.state) for one in told] == [
        ("first", "worker", ("start",), "running"),
        ("second", "reviewer", (), "running"),
    ]
    assert membership(desk, person(desk, "bob")) == []


def test_being_made_a_member_again_is_told_once(desk: Desk) -> None:
    first = campaign(desk)
    ann = worker(desk, first, "ann")
    worker(desk, first, "ann")
    assert [data for kind, data, by in _events(desk, first) if by == ann] == [{"role": "worker"}]
    assert member(desk, first, ann).joined_at == desk.clock()
    with pytest.raises(UsageError, match="no role 'king'"):
        desk.database.write(lambda session: add_member_in(session, desk, first, ann, "king"))
