"""Gold tasks come among the others, look like them, and count for a worker's standing."""

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
    row,
    rows,
    taken,
    vote_task,
    write_task,
)
from people import member
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.database import insert_new
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.gold import GoldTold, check_gold, is_right
from commonsight.collect.handing_in import hand_in, undo
from commonsight.collect.protocol import History, NewTask, Pay, Standing
from commonsight.collect.queue import give_back, look, take, waiting
from commonsight.collect.tables import Assignment, Task, Verdict
from commonsight.collect.tasks import task_row
from commonsight.errors import UsageError, WorkRefused


def _gold(desk: Desk, campaign_id: int, number: int, answers: dict[str, str] = YES) -> None:
    def work(session: Any) -> None:
        campaign = campaign_in(session, campaign_id)
        new = [vote_task(f"gold {place}") for place in range(number)]
        insert_new(session, Task, [task_row(desk, campaign, one, answers) for one in new])

    desk.database.write(work)


def _with_gold(desk: Desk, tasks: int, gold: int, rate: float, **options: Any) -> int:
    votes = (vote_task(f"v{place}", overlap=9) for place in range(tasks))
    campaign_id = begun(desk, *votes, gold_rate=rate, **options)
    _gold(desk, campaign_id, gold)
    return campaign_id


def _is_gold(desk: Desk, task_id: int) -> bool:
    return row(desk, Task, id=task_id).gold is not None


def test_gold_comes_at_its_rate_and_each_once(desk: Desk) -> None:
    first = _with_gold(desk, 40, 20, 0.3)
    (ann,) = crew(desk, first, 1)
    seen = []
    for _ in range(24):
        work = taken(desk, first, ann)
        seen.append(_is_gold(desk, work.task_id))
        hand_in(desk, work.assignment_id, ann, YES, key=str(work.assignment_id))
    assert 3 <= sum(seen) <= 13
    assert any(seen[:12])
    assert any(seen[12:])
    check_books(desk)


def test_no_gold_where_nothing_else_is_left_and_none_is_counted(desk: Desk) -> None:
    first = _with_gold(desk, 2, 5, 1.0)
    (ann,) = crew(desk, first, 1)
    assert waiting(desk, first, ann) == {"write": 0, "vote": 2}
    kinds = []
    while (work := take(desk, first, ann)) is not None:
        kinds.append(_is_gold(desk, work.task_id))
        hand_in(desk, work.assignment_id, ann, YES, key=str(work.assignment_id))
    assert kinds == [True] * 5 + [False] * 2
    assert [task.state for task in rows(desk, Task) if task.gold] == ["open"] * 5
    check_books(desk)


def test_everyone_gets_the_same_gold_in_another_order(desk: Desk) -> None:
    first = _with_gold(desk, 3, 5, 1.0)
    orders = []
    for user_id in crew(desk, first, 3):
        orders.append([])
        for _ in range(5):
            work = taken(desk, first, user_id)
            orders[-1].append(work.task_id)
            hand_in(desk, work.assignment_id, user_id, YES, key=str(work.assignment_id))
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])
    assert len({tuple(order) for order in orders}) > 1


def test_gold_cannot_be_told_from_other_work(desk: Desk) -> None:
    first = _with_gold(desk, 1, 1, 1.0)
    ann, bob = crew(desk, first, 2)
    gold = taken(desk, first, ann)
    assert _is_gold(desk, gold.task_id)
    desk.database.write(lambda session: setattr(campaign_in(session, first), "gold_rate", 0.0))
    other = taken(desk, first, bob)
    assert not _is_gold(desk, other.task_id)
    assert gold.payload == other.payload
    assert (gold.stage, gold.ends_at, gold.draft) == (other.stage, other.ends_at, other.draft)
    assert look(desk, gold.assignment_id, ann) == gold
    assert row(desk, Assignment, id=gold.assignment_id).may_earn == 200
    give_back(desk, gold.assignment_id, ann)
    check_books(desk)


def test_what_gold_says_counts_and_is_told_afterwards(desk: Desk) -> None:
    def strict(history: History, _: Any) -> Standing:
        wrong = history.gold.count(False)
        return Standing(qualified=wrong < 2, reason=f"{wrong} wrong", tier=f"{len(history.gold)} seen")

    strict_desk = replace(desk, protocols={"toy": replace(TOY, standing=strict)})
    first = _with_gold(strict_desk, 1, 3, 1.0)
    (ann,) = crew(strict_desk, first, 1)
    right = do(strict_desk, first, ann, YES)
    assert (right.earned, right.gold) == (200, GoldTold(True, YES))
    assert member(desk, first, ann).tier == "1 seen"
    wrong = do(strict_desk, first, ann, NO)
    assert (wrong.earned, wrong.gold) == (200, GoldTold(False, YES))
    key = row(desk, Assignment, id=wrong.assignment_id).key
    assert hand_in(strict_desk, wrong.assignment_id, ann, NO, key=key) == wrong
    with pytest.raises(WorkRefused, match="cannot be taken back"):
        undo(strict_desk, wrong.assignment_id, ann)
    do(strict_desk, first, ann, NO)
    assert member(desk, first, ann).out_reason == "2 wrong"
    assert [(one.by_gold, one.good) for one in rows(desk, Verdict)] == [(True, True), *[(True, False)] * 2]
    assert earnings(desk, first) == {ann: 600}
    check_books(desk)


def test_pay_that_waits_is_due_when_gold_is_right(desk: Desk) -> None:
    later = replace(VOTE, pay=Pay(200, only_if_kept=True))
    waits = replace(desk, protocols={"toy": replace(TOY, stages=(WRITE, later))})
    first = _with_gold(waits, 1, 2, 1.0)
    (ann,) = crew(waits, first, 1)
    do(waits, first, ann, YES)
    do(waits, first, ann, NO)
    assert earnings(desk, first) == {ann: 200}
    assert [one.may_earn for one in rows(desk, Assignment)] == [0, 0]
    check_books(desk)


def test_a_comparison_that_fails_costs_nobody_their_work(desk: Desk) -> None:
    def broken(_: Any, __: Any) -> bool:
        raise KeyError("good")

    faulty = replace(desk, protocols={"toy": replace(TOY, stages=(WRITE, replace(VOTE, agrees=broken)))})
    first = _with_gold(faulty, 1, 1, 1.0)
    (ann,) = crew(faulty, first, 1)
    assert do(faulty, first, ann, YES) == (1, 200, None)
    assert rows(desk, Verdict) == []
    check_books(desk)


def test_a_stage_says_when_answers_agree() -> None:
    assert is_right(VOTE, {"good": "yes", "more": 1}, {"good": "yes"})
    assert not is_right(VOTE, {"good": "yes"}, {"good": "no"})
    assert is_right(WRITE, {"question": "x"}, {"question": "x"})
    near = replace(WRITE, agrees=lambda gold, said: gold["question"] in said["question"])
    assert is_right(near, {"question": "x"}, {"question": "xyz"})
    check_gold(VOTE)
    check_gold(near)
    with pytest.raises(UsageError, match="'write' has no votes"):
        check_gold(WRITE)


def test_gold_of_a_stage_comes_only_with_work_of_it(desk: Desk) -> None:
    first = begun(desk, write_task("a"), NewTask("write", "b", write_task("b").payload), gold_rate=1.0)
    _gold(desk, first, 3)
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    assert (work.stage, _is_gold(desk, work.task_id)) == ("write", False)
    hand_in(desk, work.assignment_id, ann, QUESTION, key="k")
