"""The status counts what is there, and looks at little of it to do so."""

from __future__ import annotations

import people
import pytest
from laid_down import lay_record, lay_task
from people import HandClock
from sqlalchemy import Connection, event, update
from sqlalchemy.orm import Session

from commonsight.collect.agreement import live_agreement
from commonsight.collect.desk import Desk
from commonsight.collect.status import HOUR, NEWEST, Status, status
from commonsight.collect.tables import Assignment, Erratum, ExamTry, Member, RecordRow
from commonsight.errors import WorkRefused

YES = {"good": "yes"}


def _crowd(desk: Desk, campaign: int) -> list[int]:
    people.worker(desk, campaign, "boss", role="owner")
    return [people.worker(desk, campaign, name) for name in ("ann", "bob", "cid")]


def test_a_campaign_with_nothing_in_it(desk: Desk, clock: HandClock) -> None:
    campaign = people.campaign(desk, "empty", budget=5000)
    told = status(desk, campaign)
    assert (told.name, told.protocol, told.state, told.currency) == ("empty", "toy", "running", "USD")
    assert [(line.name, line.open, line.answers) for line in told.stages] == [("write", 0, 0), ("vote", 0, 0)]
    assert (told.records, told.members, told.active_last_hour, told.per_hour) == (0, {}, 0, 0.0)
    assert (told.expected_end, told.budget, told.at) == (None, 5000, clock.now)


def test_tasks_by_state_without_gold(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann, bob, cid = _crowd(desk, campaign)
    lay_task(desk, campaign, "write", "1", wanted=1, held_by=ann)
    done, _ = lay_task(desk, campaign, "write", "2", {ann: {"question": "a b c"}}, state="done", wanted=1)
    lay_task(desk, campaign, "vote", "1", {ann: YES})
    lay_task(desk, campaign, "vote", "2", {ann: YES, bob: YES, cid: YES}, state="dropped")
    lay_task(desk, campaign, "vote", "3", {ann: YES, bob: YES, cid: YES}, state="disputed")
    lay_task(desk, campaign, "vote", "gold", {ann: YES, bob: YES}, gold=YES, wanted=99, held_by=cid)
    lay_task(desk, people.campaign(desk, "other"), "vote", "1", {ann: YES})
    for key in ("1", "2", "3"):
        lay_record(desk, campaign, done, key, {})
    _remove_record(desk, "2")
    told = status(desk, campaign)
    write, vote = told.stages
    assert (write.open, write.held, write.done, write.disputed, write.dropped) == (1, 1, 1, 0, 0)
    assert (vote.open, vote.held, vote.done, vote.disputed, vote.dropped) == (1, 1, 0, 1, 1)
    assert (write.answers, write.wanted, vote.answers, vote.wanted) == (1, 2, 7, 9)
    assert (told.gold_answers, told.disputes, told.records) == (2, 1, 2)
    assert told.members == {"owner": 1, "worker": 3}


def _remove_record(desk: Desk, key: str) -> None:
    def work(session: Session) -> None:
        session.execute(update(RecordRow).where(RecordRow.key == key).values(removed=True))

    desk.database.write(work)


def test_what_waits_for_reviewers_is_counted(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann, bob, _ = _crowd(desk, campaign)

    def work(session: Session) -> None:
        for state, user in (("waiting", ann), ("passed", bob)):
            session.add(
                ExamTry(
                    campaign_id=campaign, user_id=user, exam="start", answers={}, share=1.0, state=state,
                    made_at=1,
                )
            )  # fmt: skip
        for state in ("open", "open", "fixed"):
            session.add(
                Erratum(campaign_id=campaign, record_key="1", user_id=ann, text="!", state=state, made_at=1)
            )
        session.get_one(Member, (campaign, bob)).out_reason = "too hasty"

    desk.database.write(work)
    told = status(desk, campaign)
    assert (told.exams_waiting, told.errata_open, told.out) == (1, 2, 1)


def test_the_pace_and_the_end(desk: Desk, clock: HandClock) -> None:
    """Two answers long ago and four in the last hour: 4 an hour. The four tasks want 8 more: two hours."""
    campaign = people.campaign(desk)
    ann, bob, cid = _crowd(desk, campaign)
    lay_task(desk, campaign, "vote", "1", {ann: YES, bob: YES}, wanted=2, state="done")
    clock.pass_seconds(1800)
    for number in range(2, 6):
        clock.pass_seconds(900)
        lay_task(desk, campaign, "vote", f"{number}", {cid if number == 2 else ann: YES}, wanted=3)
    told = status(desk, campaign)
    assert (told.per_hour, told.active_last_hour) == (4.0, 2)
    assert told.expected_end == clock.now + 2 * HOUR
    clock.pass_seconds(2 * 3600)
    later = status(desk, campaign)
    assert (later.per_hour, later.active_last_hour, later.expected_end) == (0.0, 0, None)


def test_a_young_campaign_is_not_held_against_an_hour(desk: Desk, clock: HandClock) -> None:
    """Three answers in ten minutes are 18 an hour; one just now is no pace of thousands."""
    campaign = people.campaign(desk)
    ann, bob, cid = _crowd(desk, campaign)
    lay_task(desk, campaign, "vote", "1", {ann: YES}, wanted=1, state="done")
    assert status(desk, campaign).per_hour == 60.0
    clock.pass_seconds(600)
    lay_task(desk, campaign, "vote", "2", {bob: YES, cid: YES}, wanted=2, state="done")
    assert status(desk, campaign).per_hour == 18.0


def test_a_busy_hour_is_told_from_its_newest_answers(
    desk: Desk, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four answers are looked at, which came within six minutes: 40 an hour, whatever came before."""
    monkeypatch.setattr("commonsight.collect.status.NEWEST", 4)
    assert NEWEST > 4
    campaign = people.campaign(desk)
    ann, *_ = _crowd(desk, campaign)
    for number in range(10):
        clock.pass_seconds(120)
        lay_task(desk, campaign, "vote", f"{number}", {ann: YES}, wanted=1, state="done")
    assert status(desk, campaign).per_hour == 40.0


def test_no_such_campaign(desk: Desk) -> None:
    with pytest.raises(WorkRefused, match="no such campaign"):
        status(desk, 7)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_dashboard_never_goes_through_all_tasks_or_answers(desk: Desk) -> None:
    """As SQLite plans it, by rules."""
    plans = _planned(desk, "EXPLAIN QUERY PLAN")
    steps = [step for step in plans if "tasks" in step or "assignments" in step]
    assert len(steps) >= 12
    assert [step for step in steps if "SCAN" in step] == []
    # All tasks or answers of a campaign are passed by only in an index that says all that is asked.
    whole = [step for step in steps if "(campaign_id=?)" in step]
    few = ("ix_assignments_held", "ix_assignments_unsettled", "ix_tasks_gold")
    assert [step for step in whole if "COVERING" not in step and not any(name in step for name in few)] == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_an_index_serves_every_question_of_a_dashboard(desk: Desk) -> None:
    """PostgreSQL reads small tables whole; told not to, it finds an index for everything."""
    plans = _planned(desk, "EXPLAIN", "SET enable_seqscan = off")
    assert sum("Index" in step for step in plans) >= 12
    large = ("tasks", "assignments", "records", "ledger")
    assert [step for step in plans if any(f"Seq Scan on {name}" in step for name in large)] == []


def _planned(desk: Desk, explain: str, *settings: str) -> list[str]:
    """How the database would do all that the status and live agreement ask for, step by step."""
    campaign = people.campaign(desk)
    ann, *_ = _crowd(desk, campaign)
    lay_task(desk, campaign, "vote", "1", {ann: YES})
    lay_task(desk, campaign, "write", "1", {ann: {"question": "a b c"}}, state="done")
    asked: list[tuple[str, object]] = []

    def note(_: Connection, __: object, statement: str, values: object, *___: object) -> None:
        asked.append((statement, values))

    event.listen(desk.database.reader, "before_cursor_execute", note)
    assert isinstance(status(desk, campaign), Status)
    live_agreement(desk, campaign)
    event.remove(desk.database.reader, "before_cursor_execute", note)
    steps = []
    with desk.database.reader.connect() as connection:
        for setting in settings:
            connection.exec_driver_sql(setting)
        for statement, values in asked:
            if "FROM" in statement:
                rows = connection.exec_driver_sql(f"{explain} {statement}", values)  # type: ignore[arg-type]
                steps += [str(row[-1]) for row in rows]
    return steps


def test_undone_work_is_not_counted(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann, *_ = _crowd(desk, campaign)
    _, (given,) = lay_task(desk, campaign, "vote", "1", {ann: YES})
    assert status(desk, campaign).active_last_hour == 1

    def undo(session: Session) -> None:
        values = {"state": "held", "given_at": None, "answers": None}
        session.execute(update(Assignment).where(Assignment.id == given).values(**values))

    desk.database.write(undo)
    told = status(desk, campaign)
    assert (told.active_last_hour, told.per_hour, told.stages[1].held) == (0, 0.0, 1)
