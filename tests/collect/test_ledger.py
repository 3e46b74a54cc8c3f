"""The ledger adds up, its purses with it, and nobody is paid twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import people
import pytest
from laid_down import lay_record, lay_task
from people import HandClock
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.desk import Desk
from commonsight.collect.estimate import estimate
from commonsight.collect.ledger import balances, earned_in, enter_in, entries, last_payment, pay_out
from commonsight.collect.protocol import Pay
from commonsight.collect.tables import Entry, Event, Purse
from commonsight.errors import UsageError, WorkRefused


def _enter(
    desk: Desk, campaign_id: int, user_id: int, amount: int, kind: str = "work", stage: str = "write"
) -> None:
    def work(session: Session) -> None:
        enter_in(session, desk, campaign_id, user_id, amount, kind, stage=stage)

    desk.database.write(work)


def _in_step(desk: Desk) -> bool:
    """Whether purses and lines say the same of everyone."""
    with desk.database.read() as session:
        lines = select(Entry.campaign_id, Entry.user_id, func.sum(Entry.amount))
        purses = select(Purse.campaign_id, Purse.user_id, func.sum(Purse.earned - Purse.paid))
        summed = set(session.execute(lines.group_by(Entry.campaign_id, Entry.user_id)).tuples())
        return summed == set(session.execute(purses.group_by(Purse.campaign_id, Purse.user_id)).tuples())


def test_a_payment_is_noted_only_if_that_much_is_still_owed(desk: Desk) -> None:
    campaign = people.campaign(desk)
    zoe = people.worker(desk, campaign, "zoe")
    _enter(desk, campaign, zoe, 1000)
    _enter(desk, campaign, zoe, 1)  # while the owner sent 1000
    with pytest.raises(WorkRefused, match="has changed meanwhile") as raised:
        pay_out(desk, campaign, reason="June", by=None, total=1000)
    assert raised.value.code == "owed-changed"
    assert balances(desk, campaign)[0].owed == 1001
    assert pay_out(desk, campaign, reason="June", by=None, total=1001) == [(zoe, "zoe", 1001, 0, 1001)]
    assert pay_out(desk, campaign, reason="June", by=None, total=0) == []


def test_what_is_earned_is_owed_until_it_is_paid(desk: Desk) -> None:
    campaign = people.campaign(desk)
    zoe, ann = (people.worker(desk, campaign, name) for name in ("zoe", "ann"))
    _enter(desk, campaign, zoe, 1000)
    _enter(desk, campaign, zoe, 200, stage="vote")
    _enter(desk, campaign, zoe, 500, "reward")
    _enter(desk, campaign, ann, 1000)
    _enter(desk, campaign, ann, -1000, "undone")
    assert balances(desk, campaign) == [(ann, "ann", 0, 0, 0), (zoe, "zoe", 1700, 0, 1700)]
    assert pay_out(desk, campaign, reason="June", by=None) == [(zoe, "zoe", 1700, 0, 1700)]
    assert balances(desk, campaign) == [(ann, "ann", 0, 0, 0), (zoe, "zoe", 1700, 1700, 0)]
    assert pay_out(desk, campaign, reason="again", by=None) == []
    _enter(desk, campaign, zoe, 1000)
    assert [balance.owed for balance in balances(desk, campaign)] == [0, 1000]
    with desk.database.read() as session:
        assert earned_in(session, campaign) == 2700
        told = session.scalars(select(Event.data).where(Event.kind == "payout")).all()
    assert told == [{"workers": 1, "amount": 1700}]
    assert _in_step(desk)


def test_another_campaign_is_another_purse(desk: Desk) -> None:
    one, two = people.campaign(desk, "one"), people.campaign(desk, "two")
    ann = people.worker(desk, one, "ann")
    _enter(desk, one, ann, 300)
    _enter(desk, two, ann, 40)
    pay_out(desk, one, reason="", by=None)
    assert balances(desk, one) == [(ann, "ann", 300, 300, 0)]
    assert balances(desk, two) == [(ann, "ann", 40, 0, 40)]


def test_who_was_paid_too_much_makes_up_for_it_first(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann = people.worker(desk, campaign, "ann")
    _enter(desk, campaign, ann, 300)
    pay_out(desk, campaign, reason="", by=None)
    _enter(desk, campaign, ann, -300, "undone")
    assert balances(desk, campaign) == [(ann, "ann", 0, 300, -300)]
    assert pay_out(desk, campaign, reason="", by=None) == []
    _enter(desk, campaign, ann, 1000)
    assert [paid.owed for paid in pay_out(desk, campaign, reason="", by=None)] == [700]
    assert _in_step(desk)


def test_lines_are_listed_newest_first_and_page_by_page(desk: Desk, clock: HandClock) -> None:
    campaign = people.campaign(desk)
    ann, zoe = (people.worker(desk, campaign, name) for name in ("ann", "zoe"))
    for amount in (1, 2, 3):
        clock.pass_seconds(1)
        _enter(desk, campaign, ann, amount)
        _enter(desk, campaign, zoe, 10 * amount)
    first = entries(desk, campaign, most=4)
    assert [line.amount for line in first] == [30, 3, 20, 2]
    assert [line.amount for line in entries(desk, campaign, before=first[-1].id)] == [10, 1]
    mine = entries(desk, campaign, ann)
    assert [line.amount for line in mine] == [3, 2, 1]
    assert (mine[0].name, mine[0].kind, mine[0].made_at) == ("ann", "work", clock.now)


def test_the_last_payment_can_be_told_again(desk: Desk, clock: HandClock) -> None:
    campaign = people.campaign(desk)
    ann, zoe = (people.worker(desk, campaign, name) for name in ("ann", "zoe"))
    assert last_payment(desk, campaign) == []
    for amounts in ((100, 200), (7, 0)):
        clock.pass_seconds(60)
        _enter(desk, campaign, ann, amounts[0])
        _enter(desk, campaign, zoe, amounts[1])
        before = pay_out(desk, campaign, reason=f"{amounts[0]}", by=None)
        told = last_payment(desk, campaign)
        assert [(line.name, -line.amount) for line in told] == [(paid.name, paid.owed) for paid in before]
    assert [(line.name, line.amount, line.reason) for line in told] == [("ann", -7, "7")]


def test_many_at_once_are_all_counted_and_paid_once(desk: Desk) -> None:
    campaign = people.campaign(desk)
    workers = [people.worker(desk, campaign, f"worker{number}") for number in range(3)]

    def one(number: int) -> int:
        if number % 10 == 9:
            return sum(paid.owed for paid in pay_out(desk, campaign, reason="", by=None))
        _enter(desk, campaign, workers[number % 3], 100)
        return 0

    with ThreadPoolExecutor(8) as pool:
        paid = sum(pool.map(one, range(60)))
    paid += sum(balance.owed for balance in pay_out(desk, campaign, reason="", by=None))
    assert paid == 54 * 100
    assert all(balance.owed == 0 for balance in balances(desk, campaign))
    assert _in_step(desk)


def test_a_write_that_fails_leaves_neither_line_nor_sum(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann = people.worker(desk, campaign, "ann")

    def half(session: Session) -> None:
        enter_in(session, desk, campaign, ann, 100, "work", stage="write")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        desk.database.write(half)
    assert balances(desk, campaign) == []
    assert entries(desk, campaign) == []


def test_other_kinds_and_campaigns_are_refused(desk: Desk) -> None:
    campaign = people.campaign(desk)
    with pytest.raises(UsageError, match="no kind 'gift'"):
        _enter(desk, campaign, people.worker(desk, campaign, "ann"), 1, "gift")
    for ask in (balances, estimate, last_payment):
        with pytest.raises(WorkRefused, match="no such campaign"):
            ask(desk, 99)
    with pytest.raises(WorkRefused, match="no such campaign"):
        pay_out(desk, 99, reason="", by=None)


def test_the_estimate_of_a_campaign_that_has_not_begun(desk: Desk) -> None:
    """Ten questions to write for 1000 each, and of each comes one to vote on, for 3 people at 200."""
    campaign = people.campaign(desk)
    for number in range(10):
        lay_task(desk, campaign, "write", f"{number}", wanted=1)
    told = estimate(desk, campaign)
    assert (told.spent, told.held, told.per_record) == (0, 0, None)
    assert told.expected_total == 10 * 1000 + 10 * 3 * 200
    assert told.answers_left == 10 + 30


def test_the_estimate_follows_what_work_has_cost(desk: Desk) -> None:
    """Of 10 to write, 4 are done and one is held; of these 4 came 2 votes, one done, one with 1 of 3 answers.

    Writing cost 1500 an answer so far (6000 / 4), voting 100 (400 / 4). Six to write are left, of which 3
    votes will come (2 for 4), each wanting 3. To come: 6 x 1500 + (2 + 3 x 3) x 100 = 10,100.
    """
    campaign = people.campaign(desk)
    ann, bob, cid = (people.worker(desk, campaign, name) for name in ("ann", "bob", "cid"))
    written = []
    for number in range(10):
        said = {ann: {"question": "a b c"}} if number < 4 else {}
        held_by, state = bob if number == 4 else None, "done" if said else "open"
        options = {"state": state, "wanted": 1, "held_by": held_by}
        written.append(lay_task(desk, campaign, "write", f"{number}", said, **options)[0])
    yes = {"good": "yes"}
    said = {ann: yes, bob: yes, cid: yes}
    task, _ = lay_task(desk, campaign, "vote", "0", said, state="done", source=written[0])
    lay_task(desk, campaign, "vote", "1", {cid: yes}, source=written[3])
    _enter(desk, campaign, ann, 6000)
    _enter(desk, campaign, bob, 400, stage="vote")
    _enter(desk, campaign, cid, 77, "bonus", stage="")
    lay_record(desk, campaign, task, "0", {"question": "a b c"})
    told = estimate(desk, campaign)
    assert told.spent == 6477
    assert told.held == 0
    assert told.expected_total == 6477 + 10_100
    assert told.per_record == 6477
    assert told.answers_left == 6 + 2 + 9


def test_gold_is_no_work_that_is_left(desk: Desk) -> None:
    campaign = people.campaign(desk)
    ann = people.worker(desk, campaign, "ann")
    lay_task(desk, campaign, "vote", "gold", {ann: {"good": "yes"}}, gold={"good": "yes"}, wanted=1000)
    lay_task(desk, campaign, "vote", "real", wanted=3)
    told = estimate(desk, campaign)
    assert told.answers_left == 3
    assert told.expected_total == 600


def test_work_that_waits_to_be_kept_is_foreseen(desk: Desk) -> None:
    """Of 3 answers one is settled and brought 900; one waits, and may bring 1000; one is under way."""
    campaign = people.campaign(desk)
    ann, bob = (people.worker(desk, campaign, name) for name in ("ann", "bob"))
    said = {"question": "a b c"}
    lay_task(desk, campaign, "write", "0", {ann: said}, state="dropped", wanted=1)
    lay_task(desk, campaign, "write", "1", {ann: said}, state="dropped", wanted=1, may_earn=1000)
    lay_task(desk, campaign, "write", "2", held_by=bob, wanted=1, may_earn=1000)
    _enter(desk, campaign, ann, 900, "reward")
    stage = replace(WRITE, pay=Pay(1000, only_if_kept=True))
    waiting = replace(desk, protocols={"toy": replace(TOY, stages=(stage, VOTE))})
    told = estimate(waiting, campaign)
    assert (told.spent, told.held, told.answers_left) == (900, 2000, 1)
    assert told.expected_total == 900 + 900 + 900


def test_what_will_come_goes_the_ways_that_work_has_gone(desk: Desk) -> None:
    """Stages a, b, c, d. Of a done `a` came two `c` and no `b`; half of the `a` are dropped. Of a done `c`
    came one `d`. Open: 4 a, 3 c, 1 d. So 4 c will come (4 x 1/2 x 2), and 7 d of 7 unfinished c."""
    stages = tuple(replace(VOTE, name=name, overlap=1) for name in "abcd")
    desk = replace(desk, protocols={"toy": replace(TOY, stages=stages)})
    campaign = people.campaign(desk)
    ann = people.worker(desk, campaign, "ann")
    yes = {ann: {"good": "yes"}}
    first, _ = lay_task(desk, campaign, "a", "done", yes, state="done", wanted=1)
    lay_task(desk, campaign, "a", "dropped", yes, state="dropped", wanted=1)
    second, _ = lay_task(desk, campaign, "c", "done", yes, state="done", wanted=1, source=first)
    lay_task(desk, campaign, "d", "open", wanted=1, source=second)
    for number in range(4):
        lay_task(desk, campaign, "a", f"{number}", wanted=1)
    for number in range(3):
        lay_task(desk, campaign, "c", f"{number}", wanted=1, source=first if number == 0 else None)
    told = estimate(desk, campaign)
    assert told.answers_left == 4 + (3 + 4) + (1 + 7)
    assert told.expected_total == (4 + 7 + 8) * 200
