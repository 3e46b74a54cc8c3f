"""Faults in records are reported, judged, and mended or removed; and what people say about tasks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import people
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid_down import lay_record, lay_task
from sqlalchemy import select

from commonsight.collect.comments import checked_words, comments, say
from commonsight.collect.desk import Desk
from commonsight.collect.errata import errata, erratum, open_errata, report, settle
from commonsight.collect.tables import Event, RecordRow
from commonsight.errors import UsageError, WorkRefused

OLD, NEW = {"question": "Why is the dog blue ?"}, {"question": "Why is the dog brown ?"}


def _record(desk: Desk) -> tuple[int, int, int]:
    """A campaign with one record by Ann, and a reviewer."""
    campaign = people.campaign(desk)
    ann = people.worker(desk, campaign, "ann", role="reviewer")
    rita = people.worker(desk, campaign, "rita", role="reviewer")
    task, by = lay_task(desk, campaign, "write", "1", {ann: OLD}, state="done", wanted=1)
    lay_record(desk, campaign, task, "one", OLD, by)
    return campaign, ann, rita


def _now(desk: Desk) -> tuple[dict[str, Any], int, bool]:
    with desk.database.read() as session:
        row = session.scalars(select(RecordRow)).one()
        return row.data, row.version, row.removed


def _told(desk: Desk, kind: str) -> list[dict[str, Any]]:
    with desk.database.read() as session:
        return list(session.scalars(select(Event.data).where(Event.kind == kind).order_by(Event.id)))


def test_a_fault_is_mended(desk: Desk) -> None:
    campaign, _, rita = _record(desk)
    number = report(desk, campaign, "one", rita, "  The dog is brown. ")
    (found,) = open_errata(desk, campaign)
    assert (found.id, found.name, found.text, found.state) == (number, "rita", "The dog is brown.", "open")
    assert (found.record_key, found.data, found.version) == ("one", OLD, 1)
    settle(desk, number, rita, "fixed", "Thank you.", NEW)
    assert _now(desk) == (NEW, 2, False)
    assert open_errata(desk, campaign) == []
    settled = erratum(desk, campaign, number)
    assert (settled.state, settled.answer, settled.before, settled.data) == ("fixed", "Thank you.", OLD, NEW)
    assert _told(desk, "erratum") == [
        {"erratum": number, "record": "one", "state": "open"},
        {"erratum": number, "record": "one", "state": "fixed", "version": 2},
    ]


def test_a_record_is_removed_and_what_it_said_is_kept(desk: Desk) -> None:
    campaign, _, rita = _record(desk)
    first, second = (report(desk, campaign, "one", rita, text) for text in ("bad", "worse"))
    settle(desk, first, rita, "removed")
    assert _now(desk) == (OLD, 1, True)
    assert erratum(desk, campaign, first).before == OLD
    with pytest.raises(WorkRefused, match="removed meanwhile"):
        settle(desk, second, rita, "fixed", "", NEW)
    settle(desk, second, rita, "removed")
    assert [each.state for each in errata(desk, campaign)] == ["removed", "removed"]
    with pytest.raises(WorkRefused, match="no such record"):
        report(desk, campaign, "one", rita, "again")


def test_a_report_is_refused_with_a_reason(desk: Desk) -> None:
    campaign, _, rita = _record(desk)
    number = report(desk, campaign, "one", rita, "I do not like it")
    with pytest.raises(UsageError, match="why it stays"):
        settle(desk, number, rita, "refused", "  ")
    settle(desk, number, rita, "refused", "It is a good question.")
    assert _now(desk) == (OLD, 1, False)
    assert erratum(desk, campaign, number).before is None


def test_nobody_judges_reports_about_their_own_work(desk: Desk) -> None:
    campaign, ann, rita = _record(desk)
    number = report(desk, campaign, "one", rita, "bad")
    with pytest.raises(WorkRefused, match="your own work"):
        settle(desk, number, ann, "refused", "It is perfect.")
    assert len(open_errata(desk, campaign)) == 1


@pytest.mark.parametrize(
    ("action", "data", "told"),
    [
        ("deleted", None, "one of: fixed, removed, refused"),
        ("fixed", None, "Give it"),
        ("fixed", OLD, "says this already"),
        ("fixed", {"answer": "no question"}, "makes no item"),
        ("fixed", {"question": "Is [9] here?", "regions": 3 * [[[[[[[[[[]]]]]]]]]]}, "cannot be a record"),
    ],
)
def test_what_is_no_way_to_settle(desk: Desk, action: str, data: dict[str, Any] | None, told: str) -> None:
    campaign, _, rita = _record(desk)
    number = report(desk, campaign, "one", rita, "bad")
    with pytest.raises(UsageError, match=told):
        settle(desk, number, rita, action, "", data)
    assert _now(desk) == (OLD, 1, False)
    assert len(open_errata(desk, campaign)) == 1


def test_of_two_who_settle_at_once_one_does(desk: Desk) -> None:
    campaign, _, rita = _record(desk)
    number = report(desk, campaign, "one", rita, "bad")

    def one(place: int) -> str:
        try:
            settle(desk, number, rita, "fixed", "", {"question": f"Why is dog {place} brown ?"})
        except WorkRefused as error:
            return error.code
        return "settled"

    with ThreadPoolExecutor(4) as pool:
        results = sorted(pool.map(one, range(4)))
    assert results == ["settled", *["settled-already"] * 3]
    assert _now(desk)[1] == 2


def test_what_is_not_there_is_refused(desk: Desk) -> None:
    campaign, _, rita = _record(desk)
    number = report(desk, campaign, "one", rita, "bad")
    other = people.campaign(desk, "other")
    refused = [
        lambda: report(desk, campaign, "two", rita, "bad"),
        lambda: report(desk, other, "one", rita, "bad"),
        lambda: erratum(desk, other, number),
        lambda: settle(desk, 99, rita, "removed"),
        lambda: say(desk, 99, rita, "hello"),
    ]
    for ask in refused:
        with pytest.raises(WorkRefused, match="no such"):
            ask()


def test_comments_are_blind_among_workers(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann, bob = (people.worker(desk, campaign, name) for name in ("ann", "bob"))
    rita = people.worker(desk, campaign, "rita", role="reviewer")
    task, _ = lay_task(desk, campaign, "vote", "1")
    for user, text in ((ann, "Is it yes?"), (bob, "I said no."), (rita, "Look at the sky.")):
        say(desk, task, user, text)
    assert [(each.name, each.role, each.text) for each in comments(desk, task)] == [
        ("ann", "worker", "Is it yes?"), ("bob", "worker", "I said no."),
        ("rita", "reviewer", "Look at the sky."),
    ]  # fmt: skip
    assert [each.name for each in comments(desk, task, seen_by=ann)] == ["ann", "rita"]
    assert [told["task"] for told in _told(desk, "comment")] == [task] * 3


@pytest.mark.parametrize(
    ("text", "told"), [("", "nothing"), (" \n\u200b", "nothing"), ("x" * 5001, "too long")]
)
def test_words_that_are_none_or_too_many(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        checked_words(text, "a comment")


@given(st.text(max_size=200))
def test_words_that_are_kept_stay_as_they_are(text: str) -> None:
    try:
        kept = checked_words(text, "a comment")
    except UsageError:
        return
    assert checked_words(kept, "a comment") == kept
    assert kept.encode().decode() == kept
    assert "\0" not in kept
