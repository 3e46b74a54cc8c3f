"""What workers see of their own work, on both databases."""

from __future__ import annotations

import pytest
from at_work import NO, QUESTION, YES, begun, crew, do, taken, vote_task, write_task
from people import HandClock, worker

from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import UNDO, hand_in
from commonsight.collect.ledger import pay_out
from commonsight.collect.mine import handed_in, has_done, mine, past, with_free_work
from commonsight.collect.queue import give_back
from commonsight.errors import WorkRefused


def test_what_was_done_earned_and_said(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"), write_task("b"))
    ann = worker(desk, first, "ann")
    assert mine(desk, first, ann) == (0, 0, 0, 0, ())
    do(desk, first, ann, QUESTION)
    clock.pass_seconds(1)
    for voter in crew(desk, first, 3):
        do(desk, first, voter, YES, "vote")
    taken(desk, first, ann)
    own = mine(desk, first, ann)
    assert (own.given, own.held, own.earned, own.owed) == (1, 1, 1500, 1500)
    (told,) = own.feedback
    assert told[1:] == ("write", True, "The majority liked it.", clock())
    pay_out(desk, first, reason="june", by=None)
    assert mine(desk, first, ann).owed == 0
    assert mine(desk, first, ann).earned == 1500
    assert mine(desk, begun(desk, name="second"), ann).given == 0


def test_the_newest_words_come_first_and_not_all_of_them(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, *(write_task(str(number)) for number in range(2)))
    ann, voters = worker(desk, first, "ann"), crew(desk, first, 3)
    for vote in (YES, NO):
        do(desk, first, ann, QUESTION)
        clock.pass_seconds(1)
        for voter in voters:
            do(desk, first, voter, vote, "vote")
    assert [told.good for told in mine(desk, first, ann).feedback] == [False, True]
    assert [told.good for told in mine(desk, first, ann, most=1).feedback] == [False]


def test_what_became_of_the_last_one(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"))
    ann = worker(desk, first, "ann")
    work = taken(desk, first, ann)
    assert handed_in(desk, work.assignment_id, ann) is None
    hand_in(desk, work.assignment_id, ann, QUESTION, key="k")
    assert handed_in(desk, work.assignment_id, ann) == (work.assignment_id, "write", 1000, 0, None, True)
    assert handed_in(desk, work.assignment_id, worker(desk, first, "ben")) is None
    clock.now += UNDO + 1
    late = handed_in(desk, work.assignment_id, ann)
    assert late is not None
    assert not late.may_undo


def test_has_done_knows_stages_apart(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann = worker(desk, first, "ann")
    taken(desk, first, ann)
    assert not has_done(desk, first, ann, "write")
    do(desk, first, ann, QUESTION)
    assert has_done(desk, first, ann, "write")
    assert not has_done(desk, first, ann, "vote")


def test_stages_with_work_that_someone_could_take(desk: Desk) -> None:
    first = begun(desk, write_task("a"), vote_task("b"))
    assert with_free_work(desk, first, ["write", "vote", "other"]) == {"write", "vote"}
    do(desk, first, worker(desk, first, "ann"), QUESTION)
    assert with_free_work(desk, first, ["write"]) == set()


def test_work_is_to_be_seen_by_its_worker_whatever_became_of_it(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann, ben = worker(desk, first, "ann"), worker(desk, first, "ben")
    work = taken(desk, first, ann)
    assert past(desk, work.assignment_id, ann) == (work, "held")
    give_back(desk, work.assignment_id, ann)
    assert past(desk, work.assignment_id, ann).state == "returned"
    with pytest.raises(WorkRefused, match="not yours"):
        past(desk, work.assignment_id, ben)
    work = taken(desk, first, ann)
    hand_in(desk, work.assignment_id, ann, QUESTION, key="k")
    found = past(desk, work.assignment_id, ann)
    assert (found.state, found.work.draft) == ("given", QUESTION)
