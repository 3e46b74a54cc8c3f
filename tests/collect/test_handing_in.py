"""Work that is handed in counts once, is paid once, and leads to what its stage says; or is taken back."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from at_work import (
    NO,
    PICTURE,
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
from people import HandClock, member, tasks, worker
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.comments import say
from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import Handed, hand_in, undo
from commonsight.collect.protocol import (
    Done,
    Field,
    NewTask,
    Outcome,
    Pay,
    Record,
    Reward,
    Stage,
    Verdict,
)
from commonsight.collect.quality import put_out
from commonsight.collect.queue import give_back, look, take
from commonsight.collect.tables import Assignment, Entry, Event, RecordRow, Task
from commonsight.collect.tables import Verdict as VerdictRow
from commonsight.errors import InvalidAnswers, WorkRefused


def _with(desk: Desk, *stages: Stage) -> Desk:
    """The desk with other stages in the toy."""
    return replace(desk, protocols={"toy": replace(TOY, stages=stages)})


def _refused(work: Callable[[], Any]) -> str:
    with pytest.raises(WorkRefused) as raised:
        work()
    return raised.value.code


def test_from_a_picture_to_a_record(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann, *voters = crew(desk, first, 4)
    assert do(desk, first, ann, {"question": "  Why is [dog2] here? ", "junk": 1}) == Handed(1, 1000, None)
    assert row(desk, Assignment, id=1).answers == {"question": "Why is [dog2] here?"}
    for user_id, vote in zip(voters, (YES, NO, YES), strict=True):
        do(desk, first, user_id, vote)
    record = row(desk, RecordRow)
    assert (record.key, record.data, record.by) == ("a/vote", {"question": "Why is [dog2] here?"}, [1])
    assert row(desk, VerdictRow).good
    assert earnings(desk, first) == {ann: 1500, **dict.fromkeys(voters, 200)}
    assert [task.state for task in rows(desk, Task)] == ["done", "done"]
    happened = kinds(desk, first)
    assert happened[happened.index("given") :] == [
        "given", "task-done", "given", "given", "given", "task-done", "record", "verdict",
    ]  # fmt: skip
    check_books(desk)


def test_answers_that_do_not_fit_change_nothing(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    with pytest.raises(InvalidAnswers, match="question: Write in small letters"):
        hand_in(desk, work.assignment_id, ann, {"question": "WHY IS THAT"}, key="k")
    with pytest.raises(InvalidAnswers, match="at least 3 words"):
        hand_in(desk, work.assignment_id, ann, {"question": "Why?"}, key="k")
    assert look(desk, work.assignment_id, ann) == work
    assert earnings(desk, first) == {}
    assert hand_in(desk, work.assignment_id, ann, QUESTION, key="k").earned == 1000


def test_sent_twice_it_counts_once(desk: Desk) -> None:
    first = begun(desk, write_task("a"), write_task("b"))
    ann, bob = crew(desk, first, 2)
    work = taken(desk, first, ann)
    told = [hand_in(desk, work.assignment_id, ann, QUESTION, key="mine") for _ in range(3)]
    assert told == [Handed(work.assignment_id, 1000, None)] * 3
    assert _refused(lambda: hand_in(desk, work.assignment_id, ann, QUESTION, key="new")) == "given-already"
    other = taken(desk, first, bob, "write")
    assert _refused(lambda: hand_in(desk, other.assignment_id, bob, QUESTION, key="mine")) == "key-used"
    assert _refused(lambda: hand_in(desk, work.assignment_id, bob, QUESTION, key="mine")) == "not-yours"
    for bad in ("", "x" * 65, "a\0"):
        bad_one = partial(hand_in, desk, other.assignment_id, bob, QUESTION, key=bad)
        assert _refused(bad_one) == "bad-key"
    assert earnings(desk, first) == {ann: 1000}
    check_books(desk)


def test_sent_many_times_at_once_it_counts_once(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    number = taken(desk, first, ann).assignment_id
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: hand_in(desk, number, ann, QUESTION, key="k"), range(8)))
    assert told == [Handed(number, 1000, None)] * 8
    assert earnings(desk, first) == {ann: 1000}
    check_books(desk)


def test_the_last_votes_at_once_lead_to_one_record(desk: Desk) -> None:
    first = begun(desk, *(vote_task(f"v{number}") for number in range(4)))
    people = crew(desk, first, 3)

    def all_of(user_id: int) -> None:
        while take(desk, first, user_id) is not None:
            do(desk, first, user_id, YES)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(all_of, people))
    assert sorted(record.key for record in rows(desk, RecordRow)) == ["v0", "v1", "v2", "v3"]
    assert earnings(desk, first) == dict.fromkeys(people, 800)
    check_books(desk)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -5.0, 1e30])
def test_times_that_cannot_be_are_not_believed(desk: Desk, seconds: float) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    hand_in(desk, taken(desk, first, ann).assignment_id, ann, QUESTION, key="k", seconds=seconds)
    assert 0.0 <= row(desk, Assignment).seconds <= 30 * 86_400


def test_who_is_out_hands_nothing_in(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann, bob = crew(desk, first, 2)
    number = taken(desk, first, ann).assignment_id
    put_out(desk, first, ann, "No.", None)
    assert _refused(lambda: hand_in(desk, number, ann, QUESTION, key="k")) == "out"
    assert take(desk, first, bob) is not None
    check_books(desk)


# --- pay ---------------------------------------------------------------------------------------------------

TWO = Field("pairs", "group", "Pairs", parts=(Field("word", "text", "Word"),), least=1, most=3)


def _pieces(done: Done) -> Outcome:
    return Outcome(tasks=tuple(NewTask("vote", f"{done.key}/{one.assignment}", {"question": "?"},
                                       overlap=1, about=(one.assignment,)) for one in done.said))  # fmt: skip


def _kept(done: Done) -> Outcome:
    word = done.said[0].answers["good"]
    if word == "yes":
        return Outcome(records=(Record(done.key, {}, by=done.about),), verdicts=_verdicts(done, True))
    return Outcome(verdicts=_verdicts(done, False), dropped="no good")


def _verdicts(done: Done, good: bool) -> tuple[Verdict, ...]:
    return tuple(Verdict(each, good) for each in done.about)


def test_pay_for_each_entry_of_a_group(desk: Desk) -> None:
    each = _with(desk, replace(WRITE, form=(TWO,), pay=Pay(300, each="pairs"), then=_pieces, checks=()), VOTE)
    first = begun(each, write_task("a"))
    (ann,) = crew(each, first, 1)
    work = taken(each, first, ann)
    assert row(desk, Assignment).may_earn == 900
    handed = hand_in(each, work.assignment_id, ann, {"pairs": [{"word": "a"}, {"word": "b"}, {}]}, key="k")
    assert handed.earned == 600
    assert row(desk, Assignment).may_earn == 0
    assert earnings(desk, first) == {ann: 600}


@pytest.mark.parametrize(("vote", "amount"), [(YES, 300), (NO, 0)])
def test_pay_only_if_kept(desk: Desk, vote: dict[str, str], amount: int) -> None:
    stage = replace(WRITE, pay=Pay(300, only_if_kept=True), then=_pieces)
    kept = _with(desk, stage, replace(VOTE, then=_kept))
    first = begun(kept, write_task("a"), budget=500)
    ann, bob = crew(kept, first, 2)
    assert do(kept, first, ann, QUESTION).earned == 0
    assert row(desk, Assignment).may_earn == 300
    assert earnings(desk, first) == {}
    do(kept, first, bob, vote)
    assert earnings(desk, first).get(ann, 0) == amount
    assert [one.may_earn for one in rows(desk, Assignment)] == [0, 0]
    assert hand_in(kept, 1, ann, QUESTION, key=row(desk, Assignment, id=1).key).earned == 0
    check_books(desk)


def test_what_is_kept_twice_is_paid_once(desk: Desk) -> None:
    def both(done: Done) -> Outcome:
        (one,) = done.said
        again = tuple(
            NewTask("vote", f"{done.key}/{n}", {"question": "?"}, overlap=1, about=(one.assignment,))
            for n in range(2)
        )
        return Outcome(tasks=again)

    stage = replace(WRITE, pay=Pay(300, only_if_kept=True), then=both)
    kept = _with(desk, stage, replace(VOTE, then=_kept))
    first = begun(kept, write_task("a"))
    ann, bob = crew(kept, first, 2)
    do(kept, first, ann, QUESTION)
    do(kept, first, bob, YES)
    do(kept, first, bob, YES)
    assert earnings(desk, first) == {ann: 300, bob: 400}
    assert len(rows(desk, VerdictRow)) == 2


# --- a then that fails, and what it may not do -------------------------------------------------------------


def _raises(_: Done) -> Outcome:
    raise ZeroDivisionError("by nothing")


@pytest.mark.parametrize(
    ("then", "why"),
    [
        (_raises, "ZeroDivisionError: by nothing"),
        (lambda _: Outcome(tasks=(NewTask("nowhere", "k", {}),)), "nowhere"),
        (lambda _: Outcome(tasks=(NewTask("vote", "k" * 201, {}),)), "200 characters"),
        (lambda _: Outcome(tasks=(NewTask("vote", "k", {}, about=(999,)),)), "no assignment 999"),
        (lambda _: Outcome(tasks=(NewTask("vote", "k", {}, not_for=(999,)),)), "Integrity"),
        (lambda _: Outcome(tasks=(NewTask("vote", "k", {"a": object()}),)), "object"),
        (lambda _: Outcome(records=(Record("", {}),)), "1 to 200"),
        (lambda _: Outcome(records=(Record("r", {}),), verdicts=(Verdict(999, True),)), "999"),
        (lambda _: Outcome(rewards=(Reward(999, 5, "x"),)), "999"),
        (lambda _: "nonsense", "str"),
    ],
)
def test_a_step_that_fails_loses_nothing(desk: Desk, then: Any, why: str) -> None:
    broken = _with(desk, replace(WRITE, then=then), VOTE)
    first = begun(broken, write_task("a"))
    (ann,) = crew(broken, first, 1)
    assert do(broken, first, ann, QUESTION).earned == 1000
    task = row(desk, Task)
    assert task.state == "disputed"
    assert why in task.reason
    assert "disputed" in kinds(desk, first)
    assert "task-done" not in kinds(desk, first)
    assert rows(desk, RecordRow) == rows(desk, VerdictRow) == []
    assert earnings(desk, first) == {ann: 1000}
    check_books(desk)


def test_the_same_again_makes_nothing_new(desk: Desk) -> None:
    def same(done: Done) -> Outcome:
        new = NewTask("vote", "shared", {"question": "?"})
        return Outcome(tasks=(new, new), records=(Record("shared", {"by": done.key}),))

    shared = _with(desk, replace(WRITE, then=same), VOTE)
    first = begun(shared, write_task("a"), write_task("b"))
    (ann,) = crew(shared, first, 1)
    do(shared, first, ann, QUESTION, "write")
    do(shared, first, ann, QUESTION, "write")
    assert len(rows(desk, Task, stage="vote")) == len(rows(desk, RecordRow)) == 1
    assert kinds(desk, first).count("record") == 1


def test_a_stage_that_wants_no_answers_is_passed_by(desk: Desk) -> None:
    def unasked(done: Done) -> Outcome:
        new = NewTask("vote", done.key, {"question": "?"}, overlap=0, about=(done.said[0].assignment,))
        return Outcome(tasks=(new,))

    def kept(done: Done) -> Outcome:
        assert done.said == ()
        return Outcome(records=(Record(done.key, {}, by=done.about),))

    stages = (replace(WRITE, then=unasked, pay=Pay(70, only_if_kept=True)), replace(VOTE, then=kept))
    quick = _with(desk, *stages)
    first = begun(quick, write_task("a"))
    (ann,) = crew(quick, first, 1)
    number = do(quick, first, ann, QUESTION).assignment_id
    assert [task.state for task in rows(desk, Task)] == ["done", "done"]
    assert row(desk, RecordRow).by == [number]
    assert earnings(desk, first) == {ann: 70}
    assert _refused(lambda: undo(quick, number, ann)) == "too-late"


def test_then_sees_the_task_as_it_is(desk: Desk, clock: HandClock) -> None:
    seen: list[Done] = []

    def watch(done: Done) -> Outcome:
        seen.append(done)
        return Outcome(dropped="seen")

    watched = _with(desk, WRITE, replace(VOTE, then=watch))
    first = begun(watched, vote_task("v"), settings={"most_bad": 7}, seed=3)
    people = crew(watched, first, 3)
    works = [taken(watched, first, user_id) for user_id in people]
    for place in (2, 0, 1):
        clock.pass_seconds(1)
        answers = YES if place else NO
        hand_in(watched, works[place].assignment_id, people[place], answers, key=f"k{place}", seconds=place)
    (done,) = seen
    assert [one.worker for one in done.said] == [people[2], people[0], people[1]]
    assert [one.seconds for one in done.said] == [2.0, 0.0, 1.0]
    assert (done.key, done.stage, done.settings, done.adjudicated) == ("v", "vote", {"most_bad": 7}, False)
    again = begun(watched, vote_task("v"), name="second", seed=4)
    for user_id in crew(watched, again, 3):
        do(watched, again, user_id, YES)
    assert seen[1].seed != done.seed
    assert row(desk, Task, campaign_id=first).reason == "seen"


def test_bad_verdicts_send_a_worker_home(desk: Desk) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(4)), settings={"most_bad": 2})
    ann, *voters = crew(desk, first, 4)
    for _ in range(2):
        do(desk, first, ann, QUESTION, "write")
    held = taken(desk, first, ann, "write")
    for user_id in voters:
        do(desk, first, user_id, NO, "vote")
        do(desk, first, user_id, NO, "vote")
    assert member(desk, first, ann).out_reason == "2 pieces of work were turned down."
    assert row(desk, Assignment, id=held.assignment_id).state == "returned"
    assert _refused(lambda: take(desk, first, ann)) == "out"
    assert kinds(desk, first).count("out") == 1
    check_books(desk)


# --- taking back --------------------------------------------------------------------------------------------


def test_a_vote_is_taken_back_while_others_still_vote(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, vote_task("v"))
    ann, bob, cat = crew(desk, first, 3)
    number = do(desk, first, ann, YES).assignment_id
    key = row(desk, Assignment).key
    clock.pass_seconds(5000)
    undo(desk, number, ann)
    undo(desk, number, ann)  # a second click
    work = look(desk, number, ann)
    assert (work.draft, take(desk, first, ann)) == (YES, work)
    assert earnings(desk, first) == {ann: 0}
    assert [line.kind for line in rows(desk, Entry)] == ["work", "undone"]
    assert _refused(lambda: hand_in(desk, number, ann, YES, key=key)) == "undone"  # an echo from before
    assert hand_in(desk, number, ann, NO, key="new").earned == 200
    for user_id in (bob, cat):
        do(desk, first, user_id, NO)
    assert _refused(lambda: undo(desk, number, ann)) == "too-late"
    assert earnings(desk, first) == dict.fromkeys((ann, bob, cat), 200)
    assert "undone" in kinds(desk, first)
    check_books(desk)


def test_what_nobody_has_touched_yet_is_taken_back_with_all_that_came_of_it(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann, bob = crew(desk, first, 2)
    number = do(desk, first, ann, QUESTION).assignment_id
    undo(desk, number, ann)
    assert [(task.stage, task.state) for task in rows(desk, Task)] == [("write", "open")]
    check_books(desk)
    hand_in(desk, number, ann, {"question": "Who is it now?"}, key="again")
    assert row(desk, Task, stage="vote").payload["question"] == "Who is it now?"
    give_back(desk, taken(desk, first, bob).assignment_id, bob)
    assert _refused(lambda: undo(desk, number, ann)) == "too-late"
    check_books(desk)


def test_records_that_came_of_it_are_taken_back_too(desk: Desk) -> None:
    def at_once(done: Done) -> Outcome:
        return Outcome(records=(Record(done.key, {}, by=(done.said[0].assignment,)),))

    quick = _with(desk, replace(WRITE, then=at_once, pay=Pay(50, only_if_kept=True)), VOTE)
    first = begun(quick, write_task("a"))
    (ann,) = crew(quick, first, 1)
    number = do(quick, first, ann, QUESTION).assignment_id
    assert earnings(desk, first) == {ann: 50}
    undo(quick, number, ann)
    assert rows(desk, RecordRow) == []
    assert earnings(desk, first) == {ann: 0}
    hand_in(quick, number, ann, QUESTION, key="again")
    assert earnings(desk, first) == {ann: 50}
    check_books(desk)


def test_not_after_an_hour_nor_once_someone_spoke_of_it(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"), write_task("b"))
    (ann,) = crew(desk, first, 1)
    number = do(desk, first, ann, QUESTION, "write").assignment_id
    clock.pass_seconds(3601)
    assert _refused(lambda: undo(desk, number, ann)) == "too-late"
    number = do(desk, first, ann, QUESTION, "write").assignment_id
    say(desk, row(desk, Task, key="b/vote" if rows(desk, Task, key="b/vote") else "a/vote").id, ann, "Hm.")
    say(desk, max(task.id for task in rows(desk, Task, stage="vote")), ann, "Hm.")
    assert _refused(lambda: undo(desk, number, ann)) == "too-late"


def test_two_held_at_once_after_taking_back(desk: Desk) -> None:
    first = begun(desk, vote_task("a"), vote_task("b"))
    (ann,) = crew(desk, first, 1)
    number = do(desk, first, ann, YES).assignment_id
    following = taken(desk, first, ann)
    undo(desk, number, ann)
    back = taken(desk, first, ann)
    assert back.assignment_id in (number, following.assignment_id)
    hand_in(desk, number, ann, YES, key="again")
    assert taken(desk, first, ann).assignment_id == following.assignment_id
    check_books(desk)


def test_a_disputed_task_is_not_taken_back(desk: Desk) -> None:
    broken = _with(desk, replace(WRITE, then=_raises), VOTE)
    first = begun(broken, write_task("a"))
    (ann,) = crew(broken, first, 1)
    number = do(broken, first, ann, QUESTION).assignment_id
    assert _refused(lambda: undo(broken, number, ann)) == "too-late"


def test_events_name_who_did_what(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    do(desk, first, ann, QUESTION)
    event = row(desk, Event, kind="given")
    assert (event.user_id, event.data["stage"]) == (ann, "write")
    assert PICTURE["regions"]
    worker(desk, first, "bob")
    assert tasks(desk, first, write_task("a")) == [1]
