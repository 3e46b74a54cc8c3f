"""The watcher learns from a campaign's own work, in time, and never stands in the way."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from choosing_protocol import CHOOSING, phrase, record_data
from handed_in import campaign_of, hand_in_all, keep_records

from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.desk import Desk
from commonsight.collect.tables import Base
from commonsight.runs.watching import Watcher, watcher
from commonsight.text.encoders import HashedEncoder

ENCODER = HashedEncoder(64)
LONG = {"question": "Why does the woman open the door?", "right": "one two three four five six seven eight",
        "wrong": ["lamp coat door hill", "boat cup horse train", "dog cat man river"]}  # fmt: skip


@pytest.fixture
def now() -> list[int]:
    return [1_700_000_000_000_000]


@pytest.fixture
def desk(tmp_path: Path, now: list[int]) -> Iterator[Desk]:
    database = Database(sqlite_url(tmp_path / "collect.sqlite"))
    Base.metadata.create_all(database.writer)
    yield Desk(database, {"choosing": CHOOSING}, tmp_path, b"x", lambda: now[0])
    database.close()


def _look(watch: Watcher, campaign: int, entry: dict[str, Any]) -> list[tuple[str, str]]:
    return [(told.field, told.kind) for told in watch.look(campaign, "write", {}, {"questions": [entry]})]


def test_a_new_campaign_warns_of_what_needs_no_records(desk: Desk) -> None:
    campaign = campaign_of(desk, protocol="choosing")
    watch = Watcher(desk, encoder=ENCODER)
    watch.refresh(campaign)
    assert _look(watch, campaign, LONG) == [("questions.0.right", "length")]


def test_the_records_and_the_texts_so_far_are_learned_from(desk: Desk) -> None:
    campaign = campaign_of(desk, protocol="choosing")
    keep_records(desk, campaign, record_data(1, 60, right=lambda draw: f"perhaps {phrase(draw, 4)}"))
    hand_in_all(desk, campaign, "write", [{"questions": [LONG]}] * 25)
    watch = Watcher(desk, encoder=ENCODER)
    learned = watch.refresh(campaign)
    assert learned.records == 60
    assert "perhaps" in learned.telling
    assert learned.usual["write", ("questions", "wrong")].texts == 75
    wrong = ["dog cat man hill field", "train hill boat cup lamp", "letter phone coat lamp door"]
    entry = {"question": "What is it that he does?", "right": "perhaps dog cat man street", "wrong": wrong}
    assert set(_look(watch, campaign, entry)) == {
        ("questions.0.right", "telling-word"), ("questions.0.right", "blind-model"),
    }  # fmt: skip


def test_earlier_texts_are_looked_through(desk: Desk) -> None:
    campaign = campaign_of(desk, protocol="choosing")
    hand_in_all(desk, campaign, "write", [{"questions": [LONG]}])
    watch = Watcher(desk, encoder=ENCODER)
    watch.refresh(campaign)
    asked = {"question": "Why does the woman open the door?"}
    assert _look(watch, campaign, asked) == [("questions.0.question", "likeness")]


def test_it_learns_anew_when_there_is_enough_that_is_new(desk: Desk) -> None:
    campaign = campaign_of(desk, protocol="choosing")
    watch = Watcher(desk, encoder=ENCODER, every=10)
    assert watch.catch_up(campaign), "nothing was known"
    keep_records(desk, campaign, record_data(1, 9))
    assert not watch.catch_up(campaign)
    keep_records(desk, campaign, {f"more{key}": data for key, data in record_data(2, 1).items()})
    assert watch.catch_up(campaign)
    assert watch.learned(campaign).records == 10


def test_it_is_asked_in_the_background_once_in_a_while(
    desk: Desk, now: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Now:
        """A thread that does nothing."""

        def __init__(self, *, args: tuple[int], **_: Any) -> None:
            asked.extend(args)

        def start(self) -> None:
            return

    monkeypatch.setattr(watcher, "Thread", Now)
    campaign = campaign_of(desk, protocol="choosing")
    watch = Watcher(desk, encoder=ENCODER)
    for _ in range(5):
        _look(watch, campaign, {})
    assert asked == [campaign]
    now[0] += watcher.PATIENCE
    _look(watch, campaign, {})
    assert asked == [campaign, campaign]


def test_a_fault_is_for_the_log_and_not_for_the_writer(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    campaign = campaign_of(desk, protocol="choosing")
    keep_records(desk, campaign, {"odd": {"nothing": "that an item could be made of"}})
    watch = Watcher(desk, encoder=ENCODER)
    with caplog.at_level(logging.ERROR):
        assert watch.catch_up(campaign) is False
        assert watch.look(campaign + 1, "write", {}, {}) == []
        assert watch.look(campaign, "no such stage", {}, {}) == []
    assert "nothing learned" in caplog.text
    assert "no warnings" in caplog.text


def test_a_stage_without_watched_fields_costs_nothing(desk: Desk) -> None:
    (stage, *_) = CHOOSING.stages
    bare = replace(CHOOSING, stages=(replace(stage, form=()),))
    campaign = campaign_of(desk, protocol="choosing")
    assert Watcher(replace(desk, protocols={"choosing": bare})).look(campaign, "write", {}, {}) == []
