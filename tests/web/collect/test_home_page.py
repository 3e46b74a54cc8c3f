"""The start: what waits, what was earned, what was said; and nothing that is not for this person."""

from __future__ import annotations

from at_work import QUESTION, crew, do, write_task
from fastapi import FastAPI
from people import campaign, tasks, worker
from visitors import Visitor

from commonsight.collect.campaigns import set_state
from commonsight.collect.desk import Desk
from commonsight.collect.quality import put_out
from commonsight.collect.queue import take


def test_someone_without_a_campaign_is_told_how_to_join_one(app: FastAPI) -> None:
    assert "Open the link of an invitation" in Visitor(app, "ann").look("/")


def test_what_waits_what_was_earned_and_what_was_said(app: FastAPI, desk: Desk) -> None:
    first = campaign(desk, "First <one>")
    tasks(desk, first, write_task("a"), write_task("b"))
    ann = worker(desk, first, "ann")
    visitor = Visitor(app, "ann")
    page = visitor.look("/")
    assert "First &lt;one&gt;" in page
    assert "2 wait" in page
    assert "Before you begin" not in page, "nothing waits behind the exam yet"
    do(desk, first, ann, QUESTION)
    for voter in crew(desk, first, 2):
        do(desk, first, voter, {"good": "yes"}, "vote")
    page = visitor.look("/")
    assert "<dt>Earned</dt><dd>$0.15</dd>" in page
    assert "The majority liked it." in page
    assert "✓ Kept" in page
    assert "1 waits" in page


def test_work_that_was_begun_is_gone_on_with_even_when_paused(app: FastAPI, desk: Desk) -> None:
    first = campaign(desk)
    tasks(desk, first, write_task("a"))
    assert take(desk, first, worker(desk, first, "ann")) is not None
    set_state(desk, first, "paused", None)
    page = Visitor(app, "ann").look("/")
    assert "Go on<" in page
    assert "Paused: no new work" in page


def test_an_exam_is_offered_when_it_opens_work(app: FastAPI, desk: Desk) -> None:
    first = campaign(desk)
    tasks(desk, first, write_task("a"))
    do(desk, first, worker(desk, first, "ben"), QUESTION)
    worker(desk, first, "ann")
    page = Visitor(app, "ann").look("/")
    assert f'href="/exam/{first}/start"' in page
    assert "after the exam" in page


def test_who_is_out_is_told_why(app: FastAPI, desk: Desk) -> None:
    first = campaign(desk)
    tasks(desk, first, write_task("a"))
    owner, ann = worker(desk, first, "olga", role="owner"), worker(desk, first, "ann")
    put_out(desk, first, ann, "Too fast to have looked.", owner)
    page = Visitor(app, "ann").look("/")
    assert "Too fast to have looked." in page
    assert f'href="/work/{first}"' not in page
    assert f'href="/campaigns/{first}/"' in Visitor(app, "olga").look("/")
