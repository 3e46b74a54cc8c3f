"""A budget is held against all that was earned or may still be, and nothing goes beyond it."""

from __future__ import annotations

from dataclasses import replace

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
from people import HandClock
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.campaigns import set_limits
from commonsight.collect.desk import Desk
from commonsight.collect.earning import committed_in
from commonsight.collect.handing_in import hand_in, undo
from commonsight.collect.ledger import estimate
from commonsight.collect.protocol import Pay
from commonsight.collect.quality import close_round
from commonsight.collect.queue import give_back, take
from commonsight.collect.tables import Assignment, Purse
from commonsight.errors import WorkRefused


def _refused(desk: Desk, campaign_id: int, user_id: int, stage: str | None = None) -> str:
    with pytest.raises(WorkRefused) as raised:
        take(desk, campaign_id, user_id, stage)
    return raised.value.code


def test_no_work_once_the_money_is_promised(desk: Desk) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(5)), budget=2000)
    ann, bob, cat = crew(desk, first, 3)
    taken(desk, first, ann)
    held = taken(desk, first, bob)
    assert _refused(desk, first, cat) == "budget"
    give_back(desk, held.assignment_id, bob)
    do(desk, first, cat, QUESTION)
    assert _refused(desk, first, bob) == "budget"
    set_limits(desk, first, budget=5000, gold_rate=0.0, by=None)
    assert take(desk, first, bob) is not None


def test_nothing_is_handed_out_that_could_go_beyond_the_budget(desk: Desk) -> None:
    first = begun(desk, write_task("a"), write_task("b"), vote_task("c"), budget=1700)
    ann, bob, cat = crew(desk, first, 3)
    do(desk, first, ann, QUESTION, "write")
    assert _refused(desk, first, bob, "write") == "budget"
    do(desk, first, bob, YES)  # a vote is cheaper, and can still be paid
    assert _refused(desk, first, ann, "write") == "budget"
    voted = [do(desk, first, cat, YES).earned for _ in range(2)]
    assert voted == [200, 200]
    assert _refused(desk, first, bob) == "budget"


def test_rewards_and_bonuses_are_held_against_the_budget(desk: Desk, clock: HandClock) -> None:
    stages = (replace(WRITE, pay=Pay(1000, reward=500, bonus=100)), replace(VOTE, pay=Pay(200, bonus=100)))
    promising = replace(desk, protocols={"toy": replace(TOY, stages=stages)})
    first = begun(promising, write_task("a"), write_task("b"), budget=3400)
    ann, *voters = crew(promising, first, 4)

    def left() -> int:
        told = estimate(promising, first)
        with desk.database.read() as session:
            assert committed_in(session, first) == told.spent + told.held
        return 3400 - told.spent - told.held

    held = taken(promising, first, ann)
    assert left() == 3400 - 1600
    give_back(promising, held.assignment_id, ann)
    assert left() == 3400
    work = do(promising, first, ann, QUESTION)
    assert left() == 3400 - 1600
    undo(promising, work.assignment_id, ann)
    assert left() == 3400 - 1600
    hand_in(promising, work.assignment_id, ann, QUESTION, key="again")
    assert left() == 3400 - 1600
    for voter in voters:
        do(promising, first, voter, YES, "vote")
    assert left() == 3400 - 1600 - 3 * 300
    assert row(desk, Assignment, id=work.assignment_id).may_earn == 0  # the reward has come
    assert _refused(promising, first, voters[0], "write") == "budget"
    clock.pass_seconds(1)
    assert sum(bonus.amount for bonus in close_round(promising, first, None)) == 400
    assert left() == 3400 - 1600 - 3 * 300
    assert sum(purse.promised for purse in rows(desk, Purse)) == 0
    check_books(desk)


def test_what_is_not_kept_frees_what_was_held_back_for_it(desk: Desk) -> None:
    stages = (replace(WRITE, pay=Pay(1000, reward=500)), VOTE)
    promising = replace(desk, protocols={"toy": replace(TOY, stages=stages)})
    first = begun(promising, write_task("a"))
    ann, *voters = crew(promising, first, 4)
    do(promising, first, ann, QUESTION)
    assert row(desk, Assignment).may_earn == 500
    for voter in voters:
        do(promising, first, voter, NO)
    assert row(desk, Assignment, user_id=ann).may_earn == 0
    assert earnings(desk, first)[ann] == 1000
