"""Guides and exams by plain forms: what is asked, what is told, and that a resend is no second try."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from every_kind import EVERY_KIND, every_task
from fastapi import FastAPI
from page_forms import form_to
from people import campaign, member, worker
from visitors import Visitor

from commonsight.collect.desk import Desk
from commonsight.collect.grading import grade, to_grade


@pytest.fixture
def app(app: FastAPI, desk: Desk) -> FastAPI:
    """The app with a protocol whose second stage is behind an exam."""
    app.state.desk = replace(desk, protocols={"every": EVERY_KIND})
    return app


@pytest.fixture
def ann(app: FastAPI) -> Visitor:
    """A worker of campaign 1, which has a task to draw samples from and one behind the exam."""
    desk: Desk = app.state.desk
    assert campaign(desk, "first", "every") == 1
    every_task(desk, 1)
    every_task(desk, 1, "hard", stage="behind")
    worker(desk, 1, "ann")
    return Visitor(app, "ann")


AT = "/exam/1/entry"
RIGHT = {"sky": "yes", "samples.0.question": "Why is [person1] waiting?"}


def sat(ann: Visitor, **said: str) -> Any:
    """The exam, handed in as the page has it with these answers."""
    answers = {name.replace("__", "."): text for name, text in said.items()}
    return ann.post(AT, data=dict(form_to(ann.look(AT), AT).pairs) | answers)


def test_work_behind_an_exam_leads_to_it(ann: Visitor) -> None:
    assert ann.get("/work/1?stage=behind").headers["location"] == AT
    page = ann.look(AT)
    assert "2 tries left" in page
    assert 'data-entry="samples.0.scene"' in page
    assert 'data-about="samples.0.scene"' in page
    assert "nobody sees this" not in page


def test_what_is_wrong_with_the_form_is_told_and_is_no_try(ann: Visitor) -> None:
    answer = sat(ann, samples__0__question="Why [cat9]?")
    assert answer.status_code == 422
    assert 'href="#f-sky">Is the sky blue?: Choose one.' in answer.text
    assert 'href="#f-samples-0-question">Question: Write at least 3 words' in answer.text
    assert "Why [cat9]?" in answer.text
    assert "2 tries left" in ann.look(AT)


def test_a_wrong_answer_is_explained_and_may_be_tried_again(ann: Visitor) -> None:
    failed = sat(ann, **{name.replace(".", "__"): text for name, text in (RIGHT | {"sky": "no"}).items()})
    assert "Not this time." in failed.text
    assert "Look up." in failed.text
    assert "✗ not right" in failed.text
    assert "1 try left" in ann.look(AT)


def test_a_resent_exam_is_told_the_same_and_counts_once(app: FastAPI, ann: Visitor) -> None:
    sent = dict(form_to(ann.look(AT), AT).pairs) | RIGHT
    first, second = ann.post(AT, data=sent), ann.post(AT, data=sent)
    assert "Someone reads what you wrote" in first.text
    assert "Someone reads what you wrote" in second.text
    (waiting,) = to_grade(app.state.desk, 1)
    assert waiting.answers["samples"] == [{"question": "Why is [person1] waiting?"}]
    assert "look again later" in ann.look(AT)
    assert ann.post(AT, data=sent | {"key": "other"}).status_code == 409


def test_what_was_written_is_there_on_another_machine(app: FastAPI, ann: Visitor) -> None:
    sent = RIGHT | {"samples.0.question": "Why is <b>[person1]</b> wai"}
    kept = ann.put(f"{AT}/draft", data=sent, headers={"csrf": ann.csrf})
    assert (kept.status_code, kept.json()) == (200, {"kept": True})
    elsewhere = Visitor(app, "ann")
    page = elsewhere.look(AT)
    assert "Why is &lt;b&gt;[person1]&lt;/b&gt; wai" in page
    assert "Draft kept" in page
    assert "2 tries left" in page
    assert dict(form_to(page, AT).pairs)["sky"] == "yes"
    assert to_grade(app.state.desk, 1) == []
    elsewhere.post(AT, data=dict(form_to(page, AT).pairs) | RIGHT)
    late = ann.put(f"{AT}/draft", data=sent, headers={"csrf": ann.csrf})
    assert (late.status_code, late.json()["code"]) == (409, "exam-waiting")
    (waiting,) = to_grade(app.state.desk, 1)
    assert waiting.answers["samples"] == [{"question": "Why is [person1] waiting?"}]


def test_a_programs_odd_draft_is_no_trouble_for_the_page(ann: Visitor) -> None:
    at = "/api/campaigns/1/exams/entry"
    odd: list[Any] = ["x", [1], [{}, {}], [{"question": 4}]]
    for draft in ({"sky": [3], "samples": each} for each in odd):
        assert ann.put(f"{at}/draft", json={"draft": draft}, headers={"csrf": ann.csrf}).status_code == 204
        assert ann.get(at).json()["draft"] == draft
        assert "2 tries left" in ann.look(AT)


def test_a_reviewer_opens_the_work(app: FastAPI, ann: Visitor) -> None:
    desk: Desk = app.state.desk
    ann.post(AT, data=dict(form_to(ann.look(AT), AT).pairs) | RIGHT)
    (waiting,) = to_grade(desk, 1)
    grade(desk, waiting.try_id, worker(desk, 1, "rita", role="reviewer"), True, "Good <eye>.")
    told = ann.look(AT)
    assert "You passed." in told
    assert "Good &lt;eye&gt;." in told
    assert member(desk, 1, waiting.user_id).passed == ["entry"]
    assert ann.get("/work/1?stage=behind").headers["location"].startswith("/work/1/")


def test_exams_and_guides_that_are_not_there(app: FastAPI, ann: Visitor) -> None:
    assert ann.get("/exam/1/nothing").status_code == 404
    assert ann.get("/campaigns/1/guide/nothing").status_code == 404
    for path in (AT, "/campaigns/1/guide/work"):
        assert Visitor(app, "eve").get(path).status_code == 404
        assert Visitor(app).get(path).status_code == 303


def test_the_guide_has_good_and_bad_examples(ann: Visitor) -> None:
    page = ann.look("/campaigns/1/guide/work")
    assert "Look at all of it." in page
    assert "✓ Good" in page
    assert "✗ Not like this" in page
    assert "$0.10 each, up to $0.30" in page
