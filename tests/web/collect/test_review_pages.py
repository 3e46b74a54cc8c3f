"""Reviewers grade exams, settle disputes and errata, and look through what is finished."""

from __future__ import annotations

import json

import pytest
from busy import Busy
from fastapi import FastAPI
from visitors import Visitor

from commonsight.collect import browsing, comments, disputes, errata, exams, invitations
from commonsight.collect.campaigns import membership
from commonsight.collect.desk import Desk


@pytest.fixture
def at(busy: Busy) -> str:
    return f"/campaigns/{busy.campaign_id}"


@pytest.fixture
def rob(app: FastAPI, at: str) -> Visitor:
    visitor = Visitor(app, "rob")
    visitor.look(f"{at}/")
    return visitor


def test_an_exam_is_read_and_passed(rob: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    page = rob.look(f"{at}/exams")
    for told in ("Before you begin · newt", "100 % of the graded", "Why is it blue?", "Light scatters in"):
        assert told in page
    assert "Is the sky blue?" not in page, "the graded part is told by its share"
    path = f"{at}/exams/{busy.exam_try}"
    assert rob.fill(path, verdict="nonsense").status_code == 422
    answer = rob.fill(path, verdict="passed", feedback="Well said.")
    assert answer.headers["location"] == f"{at}/exams?done=graded"
    assert membership(desk, busy.users["newt"])[0].passed == ("start",)
    assert exams.exam_for(desk, busy.campaign_id, busy.users["newt"], "start").feedback == "Well said."
    assert rob.fill(path, verdict="failed").status_code == 404
    assert "waits to be read" in rob.look(f"{at}/exams")


def test_an_exam_is_failed(rob: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    rob.fill(f"{at}/exams/{busy.exam_try}", verdict="failed", feedback="Say more.")
    seen = exams.exam_for(desk, busy.campaign_id, busy.users["newt"], "start")
    assert (seen.state, seen.tries_left, seen.feedback) == ("open", 1, "Say more.")


def test_a_dispute_is_settled(rob: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    assert "As many for as against." in rob.look(f"{at}/disputes")
    path = f"{at}/disputes/{busy.disputed}"
    page = rob.look(path)
    assert "Answer 1" in page
    assert "Answer 2" in page
    assert "ada" not in page, "nobody is named"
    wrong = rob.fill(path)
    assert wrong.status_code == 422
    assert "not right yet" in wrong.text or "must be changed" in wrong.text
    assert rob.fill(path, good="yes").headers["location"] == f"{at}/disputes?done=settled"
    assert disputes.disputes(desk, busy.campaign_id) == []
    assert len(browsing.records(desk, busy.campaign_id)) == 3
    assert rob.get(path).status_code == 404
    assert rob.fill(path, good="yes").status_code == 404


def test_who_took_part_does_not_settle(app: FastAPI, at: str, desk: Desk, busy: Busy) -> None:
    """The writer became a reviewer since."""
    invitations.accept(desk, invitations.invite(desk, busy.campaign_id, "reviewer"), busy.users["wim"])
    wim = Visitor(app, "wim")
    answer = wim.fill(f"{at}/disputes/{busy.disputed}", good="yes")
    assert answer.status_code == 403
    assert "another reviewer must decide" in answer.text


def test_records_are_searched(rob: Visitor, at: str, busy: Busy) -> None:
    assert rob.look(f"{at}/records").count('<li class="card">') == 2
    assert rob.look(f"{at}/records?search=cup2").count('<li class="card">') == 2
    assert "Nothing has these letters" in rob.look(f"{at}/records?search=zebra")
    page = rob.look(f"{at}/records/{busy.record}")
    assert "version 1" in page
    assert rob.get(f"{at}/records?search={'x' * 300}").status_code == 422


def test_a_fault_is_reported(rob: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    path = f"{at}/records/{busy.record}/report"
    assert rob.fill(path, text="  ").status_code == 422
    assert rob.fill(path, text="It rhymes.").headers["location"].endswith("done=reported")
    assert [fault.text for fault in errata.open_errata(desk, busy.campaign_id)][1] == "It rhymes."


def test_a_record_is_mended(rob: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    page = rob.look(f"{at}/errata")
    assert "names the wrong cup" in page
    path = f"{at}/errata/{busy.erratum}"
    wrong = rob.fill(path, action="fixed", data="{no json")
    assert wrong.status_code == 422
    assert "no JSON object" in wrong.text
    assert rob.fill(path, action="fixed", data="[1]").status_code == 422
    assert rob.fill(path, action="fixed", data='{"other": 1}').status_code == 422
    assert rob.fill(path, action="vanished").status_code == 422
    assert rob.fill(path, action="refused").status_code == 422, "a reason is due"
    mended = json.dumps({"question": "Who put the other cup there?"})
    assert rob.fill(path, action="fixed", data=mended).headers["location"] == f"{at}/errata?done=settled"
    record = browsing.record(desk, busy.campaign_id, busy.record)
    assert (record.version, record.data["question"]) == (2, "Who put the other cup there?")
    assert rob.fill(path, action="removed").status_code == 409


def test_a_record_is_removed(rob: Visitor, at: str, busy: Busy) -> None:
    rob.fill(f"{at}/errata/{busy.erratum}", action="removed", answer="Rightly so.")
    page = rob.look(f"{at}/records/{busy.record}")
    assert "removed" in page
    assert "Report it" not in page


def test_tasks_are_talked_about(rob: Visitor, at: str, busy: Busy) -> None:
    assert "The cup is hard to see." in rob.look(f"{at}/comments")
    path = f"{at}/tasks/{busy.task}"
    assert "Your question" in rob.look(path)
    assert rob.fill(f"{path}/comments", text=" ").status_code == 422
    assert rob.fill(f"{path}/comments", text="I see it.").headers["location"] == f"{path}?done=said"
    assert "I see it." in rob.look(path)
    assert f"{at}/disputes/{busy.disputed}" in rob.look(f"{at}/tasks/{busy.disputed}")


def test_long_lists_come_in_pages(rob: Visitor, at: str, busy: Busy, desk: Desk) -> None:
    for number in range(browsing.MOST):
        comments.say(desk, busy.task, busy.users["wim"], f"remark {number}")
    first = rob.look(f"{at}/comments")
    assert "The cup is hard to see." not in first
    before = browsing.comments(desk, busy.campaign_id)[-1].id
    assert f"{at}/comments?before={before}" in first
    assert "The cup is hard to see." in rob.look(f"{at}/comments?before={before}")
