"""Status, cost, agreement, pay and export of real work: what people did through the queue is what is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from at_work import NO, QUESTION, YES, begun, check_books, crew, do, taken, write_task
from people import HandClock
from toy_protocol import TOY

from commonsight.collect.agreement import live_agreement
from commonsight.collect.delivering import Message
from commonsight.collect.desk import Desk
from commonsight.collect.export import export_all, export_dataset, records
from commonsight.collect.handing_in import undo
from commonsight.collect.ledger import balances, estimate, pay_out
from commonsight.collect.protocol import Pay
from commonsight.collect.status import status
from commonsight.collect.webhooks import add, deliver_once
from commonsight.store.dataset import read_dataset


def _work(desk: Desk, campaign: int, workers: list[int], votes: dict[int, dict[str, Any]]) -> None:
    """The first one writes a question, and these vote on it."""
    do(desk, campaign, workers[0], QUESTION, "write")
    for place, vote in votes.items():
        do(desk, campaign, workers[place], vote, "vote")


def test_a_small_campaign_from_end_to_end(desk: Desk, tmp_path: Path) -> None:
    """Two questions: one is liked by all three, one by one of three. Writing pays 1000 and a vote 200, and a
    question that is kept brings 500 more."""
    campaign = begun(desk, write_task("a"), write_task("b"))
    workers = crew(desk, campaign, 4)
    _work(desk, campaign, workers, {1: YES, 2: YES, 3: YES})
    told = status(desk, campaign)
    assert [(line.open, line.done, line.answers) for line in told.stages] == [(1, 1, 1), (0, 1, 3)]
    assert told.estimate.spent == 1000 + 3 * 200 + 500
    # One more to write, at 1500 (what the first one came to), and three votes on it.
    assert told.estimate.answers_left == 1 + 3
    assert told.estimate.expected_total == 2100 + 1500 + 600
    _work(desk, campaign, workers, {1: NO, 2: YES, 3: NO})
    told = status(desk, campaign)
    assert (told.records, told.estimate.answers_left, told.active_last_hour) == (1, 0, 4)
    assert told.stages[1].dropped == 1
    assert told.estimate.spent == told.estimate.expected_total == 2100 + 1000 + 600
    (votes,) = live_agreement(desk, campaign)
    assert (votes.agreement.items, votes.agreement.percent.value) == (2, pytest.approx((1 + 1 / 3) / 2))
    paid = pay_out(desk, campaign, reason="", by=None)
    assert [(each.name, each.owed) for each in paid] == [
        ("worker0", 2500), ("worker1", 400), ("worker2", 400), ("worker3", 400),
    ]  # fmt: skip
    check_books(desk)
    (record,) = records(desk, campaign)
    assert record.data == {"question": QUESTION["question"]}
    export_dataset(desk, campaign, tmp_path / "made")
    (item,) = read_dataset(tmp_path / "made")
    assert item.provenance["workers"] == ["w1"]
    assert export_all(desk, campaign, tmp_path / "all.jsonl") == 8


def test_what_is_undone_is_not_owed(desk: Desk) -> None:
    campaign = begun(desk, write_task("a"))
    workers = crew(desk, campaign, 4)
    do(desk, campaign, workers[0], QUESTION, "write")
    work = do(desk, campaign, workers[1], YES, "vote")
    assert [each.owed for each in balances(desk, campaign)] == [1000, 200]
    undo(desk, work.assignment_id, workers[1])
    assert [each.owed for each in balances(desk, campaign)] == [1000, 0]
    told = status(desk, campaign)
    assert (told.stages[1].answers, told.stages[1].held, told.estimate.spent) == (0, 1, 1000)
    check_books(desk)


def test_pay_for_what_is_kept_is_foreseen_until_it_is_decided(desk: Desk) -> None:
    """Writing pays 1000 once the question is kept: then it is under way, then spent or gone."""
    write, vote = TOY.stages
    stages = (replace(write, pay=Pay(1000, only_if_kept=True)), vote)
    desk = replace(desk, protocols={"toy": replace(TOY, stages=stages)})
    campaign = begun(desk, write_task("a"))
    workers = crew(desk, campaign, 4)
    taken(desk, campaign, workers[0], "write")
    told = estimate(desk, campaign)
    assert (told.spent, told.held, told.expected_total) == (0, 1000, 1000 + 600)
    do(desk, campaign, workers[0], QUESTION, "write")
    told = estimate(desk, campaign)
    assert (told.spent, told.held, told.expected_total) == (0, 1000, 1000 + 600)
    for place in (1, 2, 3):
        do(desk, campaign, workers[place], YES, "vote")
    told = estimate(desk, campaign)
    assert (told.spent, told.held, told.expected_total) == (2100, 0, 2100)


def test_a_webhook_hears_of_records(desk: Desk, clock: HandClock) -> None:
    campaign = begun(desk, write_task("a"))
    workers = crew(desk, campaign, 4)
    add(desk, campaign, "https://example.org/hook", ["record", "verdict"])
    clock.pass_seconds(1)
    _work(desk, campaign, workers, {1: YES, 2: YES, 3: NO})
    heard: list[Message] = []

    def post(message: Message) -> int:
        heard.append(message)
        return 200

    assert deliver_once(desk, post) == 2
    events = msgspec.json.decode(heard[0].body)["events"]
    assert sorted(event["kind"] for event in events) == ["record", "verdict"]
    (verdict,) = (event["data"] for event in events if event["kind"] == "verdict")
    assert (verdict["user"], verdict["good"]) == ("w1", True)
