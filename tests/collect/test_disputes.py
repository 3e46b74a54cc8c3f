"""A dispute waits for a reviewer who had no part in it; their word decides, and is no vote."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from at_work import NO, QUESTION, YES, begun, check_books, crew, do, kinds, row, rows, write_task
from people import worker
from toy_protocol import TOY, VOTE, WRITE, voted

from commonsight.collect.desk import Desk
from commonsight.collect.disputes import Dispute, disputes, settle
from commonsight.collect.handing_in import undo
from commonsight.collect.protocol import Done, Outcome
from commonsight.collect.tables import Assignment, RecordRow, Task
from commonsight.errors import InvalidAnswers, WorkRefused


def _tied(desk: Desk) -> tuple[Desk, int, list[int]]:
    """Two who vote, and disagree."""
    two = replace(desk, protocols={"toy": replace(TOY, stages=(WRITE, replace(VOTE, overlap=2)))})
    first = begun(two, write_task("a"))
    people = crew(two, first, 3)
    do(two, first, people[0], QUESTION)
    do(two, first, people[1], YES)
    do(two, first, people[2], NO)
    return two, first, people


def _refused(work: Any) -> str:
    with pytest.raises(WorkRefused) as raised:
        work()
    return raised.value.code


def test_a_reviewer_decides(desk: Desk) -> None:
    two, first, people = _tied(desk)
    (dispute,) = disputes(two, first)
    task = row(desk, Task, stage="vote")
    assert dispute == Dispute(task.id, "vote", "As many for as against.", task.payload, [YES, NO])
    assert disputes(two, first, task.id) == [dispute]
    assert disputes(two, first, task.id + 1) == []
    boss = worker(two, first, "boss", role="reviewer")
    for user_id in people:
        assert _refused(lambda who=user_id: settle(two, task.id, who, YES)) == "not-reviewer"
    with pytest.raises(InvalidAnswers):
        settle(two, task.id, boss, {})
    settle(two, task.id, boss, YES)
    assert _refused(lambda: settle(two, task.id, boss, YES)) == "settled"
    assert disputes(two, first) == []
    word = row(desk, Assignment, user_id=boss)
    assert (word.state, word.answers, word.may_earn) == ("settled", YES, 0)
    assert row(desk, RecordRow).key == "a/vote"
    settled = row(desk, Task, stage="vote")
    assert (settled.state, settled.given, settled.taken) == ("done", 2, 2)
    assert "settled" in kinds(desk, first)
    assert _refused(lambda: undo(two, rows(desk, Assignment)[1].id, people[1])) == "too-late"
    check_books(desk)


def test_nobody_settles_what_they_took_part_in(desk: Desk) -> None:
    two, first, people = _tied(desk)
    task = row(desk, Task, stage="vote")
    for user_id in people:  # they become reviewers, but it stays their work
        worker(two, first, f"worker{people.index(user_id)}", role="reviewer")
        assert _refused(lambda who=user_id: settle(two, task.id, who, YES)) == "own-work"
    check_books(desk)


def test_two_reviewers_at_once_are_one_decision(desk: Desk) -> None:
    two, first, _ = _tied(desk)
    task = row(desk, Task, stage="vote")
    bosses = [worker(two, first, f"boss{number}", role="reviewer") for number in range(4)]

    def decide(boss: int) -> str:
        try:
            settle(two, task.id, boss, YES)
        except WorkRefused as refused:
            return refused.code
        return "done"

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(decide, bosses)) == ["done", *["settled"] * 3]
    assert len(rows(desk, RecordRow)) == 1
    check_books(desk)


def test_a_word_that_does_not_decide_changes_nothing(desk: Desk) -> None:
    def never(done: Done) -> Outcome:
        if done.adjudicated and done.said[0].answers == NO:
            raise ValueError("cannot be")
        return Outcome(disputed="It never is clear.") if done.said[0].answers == YES else voted(done)

    stages = (WRITE, replace(VOTE, overlap=1, then=never))
    unclear = replace(desk, protocols={"toy": replace(TOY, stages=stages)})
    first = begun(unclear, write_task("a"))
    ann, bob = crew(unclear, first, 2)
    do(unclear, first, ann, QUESTION)
    do(unclear, first, bob, YES)
    boss = worker(unclear, first, "boss", role="owner")
    task = row(desk, Task, stage="vote")
    for word in (YES, NO):
        assert _refused(lambda said=word: settle(unclear, task.id, boss, said)) == "still-disputed"
    assert rows(desk, Assignment, user_id=boss) == []
    assert row(desk, Task, stage="vote").reason == "It never is clear."
    check_books(desk)
