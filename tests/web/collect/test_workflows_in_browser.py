"""Each paper's workflow from the invitation to the exported record, by people at real pages in Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drawn_campaigns import drawn_campaign
from fastapi import FastAPI
from people import member, person
from people_in_browsers import Person
from serving_helper import needs_chromium, served

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.collect.desk import Desk
from commonsight.collect.exams import exam_of
from commonsight.collect.export import export_dataset
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.store.dataset import read_dataset

pytestmark = needs_chromium

Newcomer = Callable[..., Person]


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A collection that knows every protocol."""
    return replace(desk, protocols=BY_NAME)


@pytest.fixture
def newcomer(chromium: Any, app: FastAPI, desk: Desk) -> Iterator[Newcomer]:
    """Makes people who join a campaign; in the end nothing may have gone wrong in their browsers."""
    came: list[Person] = []
    app.state.desk = desk
    with served(app) as at:

        def comes(name: str, campaign_id: int, role: str = "worker", *passed: str) -> Person:
            someone = Person(chromium, at, name)
            came.append(someone)
            someone.join(desk, campaign_id, role)
            if passed:
                have_passed(desk, campaign_id, name, *passed)
            return someone

        yield comes
        for one in came:
            one.context.close()
    if hasattr(app.state, "similar"):
        del app.state.similar
    assert [fault for one in came for fault in one.faults] == []


def have_passed(desk: Desk, campaign_id: int, name: str, *exams: str) -> None:
    """As if they had sat these, which another test does."""
    from commonsight.collect.tables import Member

    user_id = person(desk, name)
    desk.database.write(
        lambda session: setattr(session.get_one(Member, (campaign_id, user_id)), "passed", list(exams))
    )


def exported(desk: Desk, campaign_id: int, folder: Path) -> list[Item]:
    """The records, as a dataset on disk has them."""
    export_dataset(desk, campaign_id, folder / "exported")
    items = list(read_dataset(folder / "exported"))
    assert [list(faults(item)) for item in items] == [[]] * len(items)
    assert all(item.provenance["drawn"] for item in items)
    return items


def labels_of(someone: Person) -> list[str]:
    """The tags of the picture that someone looks at."""
    return [str(text) for text in someone.page.locator(".tags [data-box]").all_inner_texts()]


def test_vcr(newcomer: Newcomer, desk: Desk, drawn_world: Path, tmp_path: Path) -> None:
    here = drawn_campaign(desk, drawn_world, "vcr", 1, review_share=1.0)
    ann, rita = newcomer("ann", here), newcomer("rita", here, "reviewer")
    ann.press("Go to the exam")
    triplet = {
        "question": "Why does [person1] look at [person2]?",
        "answer": "[person1] wants to talk.",
        "likelihood": "likely",
        "rationale": "[person1] is turned towards [person2] and smiles.",
    }
    exam = exam_of(BY_NAME["vcr"], "qualification")
    assert "Someone reads what you wrote" in ann.sit(here, exam, {"samples": [triplet]})
    rita.grade(here)

    ann.page.goto("/")
    ann.press("Work in Drawn vcr")
    ann.fill_in({"triplets": [triplet | {"question": ""}], "interesting": "okay"})
    question = ann.page.locator('[name="triplets.0.question"]')
    question.focus()
    ann.page.keyboard.type("Why does 1 look at [per")
    ann.page.keyboard.press("ArrowDown")
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.type("?")
    assert question.input_value() == triplet["question"]
    assert ann.page.locator(".count").first.inner_text() == "6 words, at least 4 ✓"
    assert "You earned $0.22." in ann.hand_in()

    rita.page.goto(f"/work/{here}")
    assert "Why does [person1] look at [person2]?" in rita.page.locator(".shows").inner_text()
    rita.page.locator("h1").click()
    for key in "333y":
        rita.page.keyboard.press(key)
    words = "Just what is needed: one has to look at both of them, and then think."
    rita.page.keyboard.type(words)
    assert "You earned $0.40." in rita.hand_in()
    ann.page.goto("/")
    assert words in ann.page.locator(".feedback").inner_text()
    (item,) = exported(desk, here, tmp_path)
    assert item.texts["question"].bracketed(item.labels) == triplet["question"]


def test_pmr(newcomer: Newcomer, desk: Desk, drawn_world: Path, tmp_path: Path) -> None:
    here = drawn_campaign(desk, drawn_world, "pmr", 1, check_share=1.0, qualification_pairs=1)
    ann, ben = newcomer("ann", here, "worker", "qualification"), newcomer("ben", here)
    rita = newcomer("rita", here, "reviewer")
    actions = {
        "action_true": "[person1] {in the picture} will help [person2] with the bag.",
        "action_false": "[person1] {in the picture} will leave [person2] alone with it.",
    }
    ben.sit(here, exam_of(BY_NAME["pmr"], "qualification"), {"samples": [{"premise": "0"} | actions]})
    rita.grade(here, "Pass with distinction")
    assert member(desk, here, person(desk, "ben")).passed == ["qualification", "advanced"]

    ann.page.goto(f"/work/{here}")
    assert ann.page.locator('[data-path="premise"] .option').count() == 6
    ann.fill_in({"premise": "2"} | actions)
    premise = ann.page.locator('[name="premise_text"]').input_value()
    assert premise == ann.page.locator('[data-path="premise"] .option').nth(2).locator(".text").inner_text()
    ann.page.locator('[data-path="premise"] [value="0"]').check()
    assert ann.page.locator('[name="premise_text"]').input_value() != premise, "it follows what is chosen"
    ann.page.locator('[name="action_true"]').select_text()
    assert ann.page.locator('[data-path="action_true"] .mirror mark').inner_text() == "{in the picture}"
    assert "You earned $0.015." in ann.hand_in()

    ben.page.goto(f"/work/{here}")
    assert ben.page.locator('[name="distractor1"]').is_hidden()
    ben.page.locator("h1").click()
    ben.page.keyboard.press("a")
    first = ben.page.locator('[name="distractor1"]')
    assert first.input_value() == actions["action_true"]
    for name, action in (("distractor1", "action_true"), ("distractor2", "action_false")):
        ben.fill_in({name: actions[action].replace("in the picture", "on a horse")})
    assert "You earned" in ben.hand_in()

    told = rita.work(here, {"meets": "yes", "feedback": "Well done."})
    assert "Handed in." in told
    (item,) = exported(desk, here, tmp_path)
    assert len(item.choices) == 4


def test_nlvr2(newcomer: Newcomer, desk: Desk, drawn_world: Path, tmp_path: Path) -> None:
    here = drawn_campaign(
        desk, drawn_world, "nlvr2", 1,
        sentences=1, held_out=0.0, shortest_side=64, first_pool=1.0, keep_splits=False,
    )  # fmt: skip
    ann, ben = newcomer("ann", here, "worker", "writing"), newcomer("ben", here)
    assert "You passed." in ben.sit(here, exam_of(BY_NAME["nlvr2"], "checking"))
    assert "Handed in." in ann.work(here, {}, "prune"), "all pictures stay"
    assert "Handed in." in ann.work(here, {}, "construct")

    ann.page.goto(f"/work/{here}")
    ann.fill_in({"fit": "yes"})
    ann.page.locator('[data-choice="pairs.1"] img').first.click()
    ann.page.locator('[data-choice="pairs.3"] .letter').click(force=True)
    chosen = ann.page.locator('[name="selected"]:checked')
    assert [each.get_attribute("value") for each in chosen.all()] == ["1", "3"]
    assert ann.page.locator(".lettered.chosen .letter").all_inner_texts() == ["B", "D"]
    ann.fill_in({"sentence": "There is at least one person in the left picture."})
    assert "You earned $0.25." in ann.hand_in()

    pairs = {}
    for _ in range(4):
        ben.page.goto(f"/work/{here}")
        left = ben.page.locator(".pair img").first.get_attribute("src")
        pairs[left] = ben.page.locator(".pair img").count()
        ben.page.locator("h1").click()
        ben.page.keyboard.press("t")
        ben.hand_in()
    assert list(pairs.values()) == [2, 2, 2, 2]
    items = exported(desk, here, tmp_path)
    assert len(items) == 2, "two of the four were held to be false by who wrote the sentence"
    assert "That is all for now." in ben.page.locator("main").inner_text()


def test_aokvqa(newcomer: Newcomer, desk: Desk, drawn_world: Path, tmp_path: Path) -> None:
    here = drawn_campaign(desk, drawn_world, "aokvqa", 2, screeners=1, rationales=1, direct_answers=1)
    ann, ben = (newcomer(name, here, "worker", "questions", "rationales") for name in ("ann", "ben"))
    questions = [
        {"picture": "0", "question": "What do people do here at noon?", "answer": "eat",
         "wrong": ["sleep", "swim", "drive"], "compared": "different"},
        {"picture": "2", "question": "Which season of the year is it?", "answer": "autumn",
         "wrong": ["winter", "spring", "night"], "compared": "different"},
    ]  # fmt: skip
    ann.page.goto(f"/work/{here}")
    ann.fill_in({"questions": questions})
    assert ann.page.locator('[data-path="questions.0.picture"] .option').count() == 4
    assert "You earned $0.40." in ann.hand_in()

    ben.page.goto(f"/work/{here}?stage=write")
    ben.page.locator('[name="questions.0.question"]').press_sequentially("What season is it?")
    earlier = ben.page.locator("#f-questions-0-question-similar")
    earlier.get_by_text("Which season of the year is it?").wait_for()
    ben.press("Skip this one")

    for _ in range(2):
        assert "You earned $0.03." in ben.work(here, {"meets": "yes"}, "screen")
    for _ in range(2):
        said = {"confirmed": "yes", "rationale": "One sees the leaves, and knows when they fall."}
        assert "You earned $0.10." in ben.work(here, said, "explain")
    cyd = newcomer("cyd", here)
    for _ in range(2):
        assert "You earned $0.02." in cyd.work(here, {"answer": "autumn"}, "answer")
    items = exported(desk, here, tmp_path)
    asked = {item.texts["question"].bracketed(()) for item in items}
    assert asked == {each["question"] for each in questions}
    assert all(len(item.choices) == 4 and len(item.rationales) == 1 for item in items)


def test_cric(newcomer: Newcomer, desk: Desk, drawn_world: Path, tmp_path: Path) -> None:
    here = drawn_campaign(desk, drawn_world, "cric", 1, votes=1, exam=True)
    ann, ben = newcomer("ann", here), newcomer("ben", here, "worker", "reading")
    protocol = BY_NAME["cric"].under({"exam": True})
    assert "You passed." in ann.sit(here, exam_of(protocol, "reading"))
    marks = {"grammatical": "yes", "unambiguous": "no", "right": "no", "note": "Too many things there."}
    assert "You earned $0.05." in ann.work(here, marks)

    ben.page.goto(f"/work/{here}?stage=correct")
    assert "Too many things there." in ben.page.locator(".shows").inner_text()
    ben.fill_in({"action": "correct"})
    assert "edge" in ben.page.locator('[name="question"]').input_value(), "it begins with what is there"
    tags = labels_of(ben)
    ben.fill_in({"question": "Who stands on the left?", "answer": "person", "pointing": "other"})
    ben.page.locator(f'.tags [data-box="{tags.index("person1")}"]').click()
    assert ben.page.locator('[name="target"]:checked').get_attribute("value") == "0"
    assert "You earned $0.15." in ben.hand_in()

    cy = newcomer("cyd", here, "worker", "reading")
    fine = {"grammatical": "yes", "unambiguous": "yes", "right": "yes"}
    assert "Handed in." in cy.work(here, fine)
    (item,) = exported(desk, here, tmp_path)
    assert item.texts["question"].bracketed(item.labels) == "Who stands on the left?"
    assert item.target == (100,)
