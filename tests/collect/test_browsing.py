"""Looking through a campaign: newest first, page by page, and never into another campaign."""

from __future__ import annotations

from dataclasses import replace

import pytest
from laid_down import lay_record, lay_task
from people import HandClock, campaign, person
from sqlalchemy import event
from sqlalchemy.orm import Session

from commonsight.collect import browsing
from commonsight.collect.desk import Desk
from commonsight.collect.events import log_in
from commonsight.collect.tables import Comment
from commonsight.errors import WorkRefused


def test_events_come_newest_first_and_in_pages(desk: Desk) -> None:
    number, other, ann = campaign(desk), campaign(desk, "other"), person(desk, "ann")

    def work(session: Session) -> None:
        for each in range(7):
            log_in(session, desk, number, "given" if each % 2 else "record", {"n": each}, ann)
        log_in(session, desk, other, "given", {"n": 99})

    desk.database.write(work)
    first = browsing.events(desk, number, most=5)
    assert [line.data["n"] for line in first] == [6, 5, 4, 3, 2]
    assert {line.name for line in first} == {"ann"}
    rest = browsing.events(desk, number, before=first[-1].id)
    assert [line.data.get("n") for line in rest] == [1, 0, None]
    assert rest[-1].kind == "state"
    assert rest[-1].name is None
    assert [line.data["n"] for line in browsing.events(desk, number, kind="given")] == [5, 3, 1]


@pytest.mark.parametrize(
    ("search", "keys"),
    [
        ("", ["c", "b", "a/100%"]),
        ("  ", ["c", "b", "a/100%"]),
        ("CAT", ["b", "a/100%"]),
        ("100%", ["a/100%"]),
        ("%", ["a/100%"]),
        ("_", []),
        ("café", ["c"]),
        ('say "hi"', ["c"]),
        ("'; DROP TABLE records; --", []),
        ("\\", ["b"]),
    ],
)
def test_records_are_found_by_what_they_hold(desk: Desk, search: str, keys: list[str]) -> None:
    number = campaign(desk)
    task, _ = lay_task(desk, number, "write", "t")
    lay_record(desk, number, task, "a/100%", {"question": "Is the cat black?"})
    lay_record(desk, number, task, "b", {"parts": ["two", {"x": "a Cat \\ dog"}]})
    lay_record(desk, number, task, "c", {"question": 'In the café they say "hi"'})
    lay_record(desk, campaign(desk, "other"), task, "d", {"question": "a cat, café 100% _ \\"})
    assert [line.key for line in browsing.records(desk, number, search=search)] == keys


def test_records_come_in_pages(desk: Desk) -> None:
    number = campaign(desk)
    task, _ = lay_task(desk, number, "write", "t")
    for each in range(5):
        lay_record(desk, number, task, f"r{each}", {"n": each})
    first = browsing.records(desk, number, most=3)
    assert [line.key for line in first] == ["r4", "r3", "r2"]
    assert [line.key for line in browsing.records(desk, number, before=first[-1].id)] == ["r1", "r0"]


def test_a_record_or_task_of_another_campaign_is_not_there(desk: Desk) -> None:
    number, other = campaign(desk), campaign(desk, "other")
    task, _ = lay_task(desk, number, "write", "t")
    lay_record(desk, number, task, "r", {"n": 1})
    (line,) = browsing.records(desk, number)
    assert browsing.record(desk, number, line.id) == line
    for look in (browsing.record, browsing.task):
        for record_id in (line.id if look is browsing.record else task, 10**9):
            with pytest.raises(WorkRefused, match="no such") as raised:
                look(desk, other, record_id)
            assert raised.value.code.startswith("no-")


def test_a_task_with_its_answers_in_their_order(desk: Desk) -> None:
    number = campaign(desk)
    ann, bob, eve = (person(desk, name) for name in ("ann", "bob", "eve"))
    said = {bob: {"good": "no"}, ann: {"good": "yes"}}
    task, _ = lay_task(desk, number, "vote", "t", said, held_by=eve, payload={"question": "Why?"})
    seen = browsing.task(desk, number, task)
    assert (seen.stage, seen.key, seen.state, seen.payload) == ("vote", "t", "open", {"question": "Why?"})
    assert seen.said == ({"good": "no"}, {"good": "yes"})


def test_comments_of_one_campaign(desk: Desk) -> None:
    number, other, ann = campaign(desk), campaign(desk, "other"), person(desk, "ann")
    mine, _ = lay_task(desk, number, "write", "t")
    theirs, _ = lay_task(desk, other, "write", "t")

    def work(session: Session) -> None:
        for task, text in ((mine, "one"), (theirs, "not mine"), (mine, "two"), (mine, "three")):
            session.add(Comment(task_id=task, user_id=ann, text=text, made_at=desk.clock()))
            session.flush()

    desk.database.write(work)
    first = browsing.comments(desk, number, most=2)
    assert [(line.text, line.name, line.stage) for line in first] == [
        ("three", "ann", "write"), ("two", "ann", "write")
    ]  # fmt: skip
    assert [line.text for line in browsing.comments(desk, number, before=first[-1].id)] == ["one"]


def test_answers_are_counted_by_the_hour(desk: Desk, clock: HandClock) -> None:
    number, ann = campaign(desk), person(desk, "ann")
    for key, wait in (("a", 0), ("b", 3600), ("c", 60), ("d", 3600 * 3)):
        clock.pass_seconds(wait)
        lay_task(desk, number, "write", key, {ann: {}})
    assert browsing.given_by_hour(desk, number, 5) == [1, 2, 0, 0, 1]
    assert browsing.given_by_hour(desk, number, 4) == [2, 0, 0, 1]
    assert browsing.given_by_hour(desk, number, 2) == [0, 1]
    clock.pass_seconds(3600 * 48)
    assert browsing.given_by_hour(desk, number) == [0] * 24


def test_what_lies_back_is_counted_once(desk: Desk, clock: HandClock) -> None:
    number, ann = campaign(desk), person(desk, "ann")
    for key in range(30):
        clock.pass_seconds(1000)
        lay_task(desk, number, "write", str(key), {ann: {}})
        told = browsing.given_by_hour(desk, number)
        assert told == browsing.given_by_hour(replace(desk), number), "as one who counts all of them"
        assert sum(told) == key + 1
    asked: list[str] = []
    event.listen(desk.database.reader, "before_cursor_execute", lambda *call: asked.append(str(call[3])))
    browsing.given_by_hour(desk, number)
    began = clock.now // browsing.SLICE - browsing.UNSETTLED_SLICES + 1
    assert any(str(began * browsing.SLICE) in each for each in asked)
    clock.pass_seconds(3600 * 100)
    assert browsing.given_by_hour(desk, number) == [0] * 24
    assert len(desk.given_in_slices[number]) <= browsing.MOST_SLICES
