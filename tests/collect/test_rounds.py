"""Rounds, tiers, bonuses, samples; who is sent home, and who may come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from at_work import (
    NO,
    QUESTION,
    YES,
    begun,
    check_books,
    crew,
    do,
    earnings,
    kinds,
    row,
    rows,
    taken,
    vote_task,
    write_task,
)
from people import HandClock, member, person, worker
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.handing_in import hand_in
from commonsight.collect.protocol import (
    Done,
    History,
    NewTask,
    Outcome,
    Sampling,
    Standing,
    Verdict,
)
from commonsight.collect.quality import (
    Bonus,
    close_round,
    draw_samples,
    history_of_in,
    put_out,
    readmit,
    workers,
)
from commonsight.collect.queue import take
from commonsight.collect.tables import Assignment, Barred, Entry, Task
from commonsight.errors import WorkRefused


def _history(desk: Desk, campaign_id: int, user_id: int) -> History:
    with desk.database.read() as session:
        return history_of_in(session, campaign_in(session, campaign_id), user_id)


def _written_and_voted(desk: Desk, first: int, writer: int, voters: list[int], *votes: Any) -> None:
    for vote in votes:
        do(desk, first, writer, QUESTION, "write")
        for voter in voters:
            do(desk, first, voter, vote, "vote")


def test_a_history_is_what_was_said_of_someones_work(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(5)))
    ann, *voters = crew(desk, first, 4)
    _written_and_voted(desk, first, ann, voters, YES, NO)
    told = _history(desk, first, ann)
    assert (told.verdicts, told.gold, told.round_verdicts) == ((True, False), (), (True, False))
    assert (told.round_done, told.tier, told.by_stage) == (2, "", {"write": (True, False)})
    close_round(desk, first, None)
    clock.pass_seconds(1)
    _written_and_voted(desk, first, ann, voters, YES)
    told = _history(desk, first, ann)
    assert (told.verdicts, told.round_verdicts, told.round_done) == ((True, False, True), (True,), 1)
    assert told.round_by_stage == {"write": (True,)}


def test_closing_a_round_pays_bonuses_once(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(4)))
    ann, *voters = crew(desk, first, 4)
    worker(desk, first, "idle")
    _written_and_voted(desk, first, ann, voters, YES, YES)
    before = earnings(desk, first)
    told = close_round(desk, first, None)
    assert told == [Bonus(ann, "worker0", 200, "good"), *(Bonus(one, f"worker{n}", 200, "")
                    for n, one in enumerate(voters, 1))]  # fmt: skip
    assert member(desk, first, ann).pools == ["hard"]
    assert earnings(desk, first) == {user_id: amount + 200 for user_id, amount in before.items()}
    assert close_round(desk, first, None) == []
    clock.pass_seconds(1)
    assert close_round(desk, first, None) == []
    assert kinds(desk, first).count("round") == 3
    check_books(desk)


def test_a_bonus_for_some_stages_and_earnings_that_do_not_stay(desk: Desk) -> None:
    def strict(history: History, _: Any) -> Standing:
        if not history.closing:
            return Standing()
        share = history.round_verdicts.count(True) / max(1, len(history.round_verdicts))
        return Standing(bonus_each=50, bonus_for=("vote",), rates={"write": share} if share else {})

    strict_desk = replace(desk, protocols={"toy": replace(TOY, standing=strict)})
    first = begun(strict_desk, *(write_task(f"t{number}") for number in range(4)))
    ann, *voters = crew(strict_desk, first, 4)
    _written_and_voted(strict_desk, first, ann, voters, YES, NO, YES, YES)
    amounts = {bonus.user_id: bonus.amount for bonus in close_round(strict_desk, first, None)}
    # Four written at 1000 and three kept at 500 more: a quarter of it goes back.
    assert amounts == {ann: -(4 * 1000 + 3 * 500) // 4, **dict.fromkeys(voters, 200)}
    assert earnings(desk, first)[ann] == 5500 - 1375
    assert row(desk, Entry, kind="undone").reason == "75% of the round's work was right"
    check_books(desk)


def _sampled() -> Any:
    def looked_at(done: Done) -> Outcome:
        good = done.said[0].answers["good"] == "yes"
        return Outcome(verdicts=tuple(Verdict(each, good) for each in done.about))

    def to_judge(done: Done) -> NewTask | None:
        (said,) = done.said
        if "now" not in said.answers["question"]:
            return None
        return NewTask(
            "judge", f"{done.key}/judged", {"question": said.answers["question"]}, about=(said.assignment,)
        )

    judge = replace(VOTE, name="judge", role="reviewer", overlap=1, exam="", then=looked_at)
    return replace(TOY, stages=(WRITE, VOTE, judge), sampling=Sampling("write", 2, to_judge))


def test_samples_are_looked_at_before_a_round_is_closed(desk: Desk, clock: HandClock) -> None:
    sampled = replace(desk, protocols={"toy": _sampled()})
    first = begun(sampled, *(write_task(f"t{number}") for number in range(9)))
    ann, bob = crew(sampled, first, 2)
    reviewer = worker(sampled, first, "reviewer", role="reviewer")
    for _ in range(4):
        do(sampled, first, ann, QUESTION, "write")
    do(sampled, first, bob, QUESTION, "write")
    do(sampled, first, bob, {"question": "Nothing to look at"}, "write")
    with pytest.raises(WorkRefused, match="3 of 3 pieces of work that were drawn for this round") as raised:
        close_round(sampled, first, None)
    assert raised.value.code == "samples"
    do(sampled, first, ann, QUESTION, "write")
    assert draw_samples(sampled, first, None) == 0  # drawn once a round
    judged = rows(desk, Task, stage="judge")
    assert len(judged) == 3
    assert {one.user_id for task in judged for one in rows(desk, Barred, task_id=task.id)} == {ann, bob}
    for _ in judged:
        do(sampled, first, reviewer, YES)
    told = close_round(sampled, first, None)
    assert [(bonus.user_id, bonus.tier) for bonus in told] == [(ann, "good"), (bob, "")]
    clock.pass_seconds(1)
    do(sampled, first, ann, QUESTION, "write")
    assert len(close_round(sampled, first, None, anyway=True)) == 1
    check_books(desk)


def test_a_protocol_without_samples_has_none(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    assert draw_samples(desk, first, None) == 0


def test_who_is_out_may_be_let_in_again(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(5)), settings={"most_bad": 1})
    ann, *voters = crew(desk, first, 4)
    _written_and_voted(desk, first, ann, voters, NO)
    with pytest.raises(WorkRefused, match="1 pieces of work were turned down"):
        take(desk, first, ann)
    assert close_round(desk, first, None)[0].amount == 0  # no bonus for who is out
    readmit(desk, first, ann, None)
    readmit(desk, first, ann, None)
    assert kinds(desk, first).count("readmitted") == 1
    clock.pass_seconds(1)
    assert _history(desk, first, ann).verdicts == ()
    _written_and_voted(desk, first, ann, voters, YES)
    assert member(desk, first, ann).out_reason == ""
    _written_and_voted(desk, first, ann, voters, NO)
    assert member(desk, first, ann).out_reason != ""


def test_an_owner_sends_someone_away(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    owner = worker(desk, first, "owner", role="owner")
    held = taken(desk, first, ann)
    put_out(desk, first, ann, "Rude.", owner)
    assert row(desk, Assignment, id=held.assignment_id).state == "returned"
    with pytest.raises(WorkRefused, match="Rude"):
        take(desk, first, ann)
    for who, why in ((owner, "cannot be sent away"), (person(desk, "stranger"), "do not take part")):
        with pytest.raises(WorkRefused, match=why):
            put_out(desk, first, who, "x", owner)
    check_books(desk)


def test_everyone_and_how_good_they_are(desk: Desk) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(3)), vote_task("extra"))
    ann, *voters = crew(desk, first, 4)
    for seconds in (10, 40, 20):
        work = taken(desk, first, ann, "write")
        hand_in(desk, work.assignment_id, ann, QUESTION, key=f"{seconds}", seconds=seconds)
    for voter in voters:
        for vote in (YES, NO):
            work = taken(desk, first, voter, "vote")
            hand_in(desk, work.assignment_id, voter, vote, key=f"{work.assignment_id}", seconds=5)
    lines = {line.user_id: line for line in workers(desk, first)}
    mine = lines[ann]
    assert (mine.name, mine.role, mine.given, mine.median_seconds) == ("worker0", "worker", 3, 20.0)
    assert mine.earned == earnings(desk, first)[ann]
    assert (mine.judged, mine.good) == (len(_history(desk, first, ann).verdicts), mine.good)
    assert all(lines[voter].given == 2 and lines[voter].median_seconds == 5.0 for voter in voters)
    assert [line.name for line in workers(desk, first)] == ["worker0", "worker1", "worker2", "worker3"]
