"""The page of work in real Chromium: tags, counts, groups, keys, drafts, leases, zoom; and for everyone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from at_work import rows
from every_kind import ANSWERS, EVERY_KIND, LABELS, every_task
from fastapi import FastAPI
from people import PASSWORD, HandClock, campaign, worker
from people_in_browsers import Person
from serving_helper import needs_chromium, served, violations

from commonsight.collect import accounts
from commonsight.collect.desk import Desk
from commonsight.collect.forms import word_count
from commonsight.collect.queue import take
from commonsight.collect.tables import Assignment, Entry
from commonsight.web.collect.access import COOKIE

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = needs_chromium

QUESTION = '[name="group.0.question"]'
SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((each) => { sum += each.value; }))
    .observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(sum), 150));
})"""


class Site(NamedTuple):
    """A served campaign with a task of everything, and its worker."""

    at: str
    desk: Desk
    campaign: int
    user: int
    chromium: Any
    came: list[Person]

    def ann(self, **options: Any) -> Person:
        """Ann in a new browser, signed in."""
        ann = Person(self.chromium, self.at, "ann", **options)
        token = accounts.sign_in(self.desk, "ann", PASSWORD)
        ann.context.add_cookies([{"name": COOKIE, "value": token, "url": self.at}])
        self.came.append(ann)
        return ann

    def at_work(self, **options: Any) -> Person:
        """Ann at her work, the instructions put away."""
        ann = self.ann(**options)
        ann.page.goto(f"/work/{self.campaign}")
        ann.page.locator("details.guide").evaluate("each => { each.open = false }")
        return ann


@pytest.fixture
def site(chromium: Any, app: FastAPI, desk: Desk) -> Iterator[Site]:
    """The app, served; in the end nothing may have gone wrong in anyone's browser."""
    app.state.desk = desk = replace(desk, protocols={"every": EVERY_KIND})
    app.state.watcher = None
    here = campaign(desk, "Everything", "every")
    every_task(desk, here)
    came: list[Person] = []
    with served(app) as at:
        yield Site(at, desk, here, worker(desk, here, "ann"), chromium, came)
        for one in came:
            one.context.close()
    if hasattr(app.state, "similar"):
        del app.state.similar
    assert [fault for one in came for fault in one.faults] == []


def shown(person: Person, path: str) -> str:
    """What a field holds."""
    return str(person.page.locator(f'[name="{path}"]').input_value())


LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_is_for_everyone(site: Site, look: str) -> None:
    """axe finds nothing, nothing is wider than the window, and nothing moves while the page comes."""
    ann, here = site.ann(**LOOKS[look]), site.campaign
    guide = (f"/campaigns/{here}/guide/work",) if look == "light" else ()
    for path in (*guide, "/", f"/exam/{here}/entry", f"/work/{here}"):
        ann.page.goto(path)
        assert ann.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
        assert ann.page.evaluate(SHIFTS) < 0.02, path
        if path != f"/work/{here}":
            assert violations(ann.page) == [], path
    ann.hand_in()
    assert "not right yet" in ann.page.locator("#summary").inner_text()
    assert violations(ann.page) == []


def test_an_exams_draft_is_on_the_server(site: Site) -> None:
    ann = site.ann()
    ann.page.goto(f"/exam/{site.campaign}/entry")
    ann.page.locator('[name="samples.0.question"]').fill("Why is the")
    expect(ann.page.locator("#saved")).to_have_text(re.compile("Draft kept"))
    ann.page.evaluate("localStorage.clear()")
    ann.page.reload()
    assert shown(ann, "samples.0.question") == "Why is the"


def test_tags_are_chosen_clicked_or_numbered(site: Site) -> None:
    ann = site.at_work()
    keys = ann.page.keyboard
    ann.page.locator(QUESTION).focus()
    keys.type("Why does [")
    offered = ann.page.locator(".choose-tag [role=option]")
    assert offered.all_inner_texts() == [f"{label}{n}" for n, label in enumerate(LABELS, 1)]
    keys.type("3")
    assert offered.all_inner_texts() == ["person3"]
    keys.press("Tab")
    keys.type(" hold 4, or 99? [t")
    keys.press("Escape")
    keys.press("Backspace")
    keys.press("Backspace")
    assert shown(ann, "group.0.question") == "Why does [person3] hold [teddy bear4], or 99? "
    ann.page.locator("svg.boxes polygon[data-box='1']").first.click()
    ann.page.locator(".tags [data-box='0']").click()
    keys.type("'s 2")
    keys.press("Escape")
    expect(ann.page.locator(QUESTION)).to_have_value(re.compile(r" 99\? \[dog2\] \[person1\]'s \[dog2\]$"))
    ann.page.locator('[name="action"]').focus()
    keys.type("sits")
    ann.page.locator('[name="action"]').select_text()
    ann.page.locator(".mark-words").click()
    assert shown(ann, "action") == "{sits}"
    assert ann.page.locator('[data-path="action"] mark').inner_text() == "{sits}"


def test_a_box_and_its_tags_light_up_together(site: Site) -> None:
    ann = site.at_work()
    ann.page.fill(QUESTION, "Is [dog2] here?")
    lit, boxes, tags = (ann.page.locator(f"{part}.lit") for part in ("", "rect", ".mirror .tag"))
    ann.page.locator("svg.boxes polygon[data-box='1']").first.hover()
    expect(tags).to_have_text("[dog2]")
    expect(boxes).to_have_attribute("data-box", "1")
    ann.page.locator("h1").hover()
    expect(lit).to_have_count(0)
    ann.page.locator(QUESTION).scroll_into_view_if_needed()
    tag = ann.page.locator(".mirror .tag").first.bounding_box()
    ann.page.mouse.move(tag["x"] + 10, tag["y"] + 8)  # through the text, which lies above
    expect(boxes).to_have_attribute("data-box", "1")
    ann.page.locator(".said .tag[data-boxes='0 2']").hover()
    expect(boxes).to_have_count(2)
    ann.page.locator("h1").hover()
    expect(lit).to_have_count(0)
    ann.page.locator(QUESTION).focus()
    ann.page.locator(QUESTION).evaluate("each => each.setSelectionRange(5, 5)")
    expect(boxes).to_have_attribute("data-box", "1")


WORDS = [
    "", "one", "  two words ", "[person1]'s dog", "[teddy bear4] sits", "a - b", "…", "can't won’t",
    "x\ny\tz", "[a][b]", "[person1 here", "naïve 東京 3", "a]b", "½ ²", "— [ ]", "{in a hat} goes",
]  # fmt: skip


def test_words_are_counted_as_the_server_counts_them(site: Site) -> None:
    ann = site.at_work()
    counted = ann.page.evaluate("texts => texts.map(window.commonsightWords)", WORDS)
    assert counted == [word_count(text) for text in WORDS]
    count = ann.page.locator("#f-group-0-question-count")
    assert count.inner_text() == "at least 3 words"
    ann.page.fill(QUESTION, "Why [dog2]?")
    assert count.inner_text() == "2 words, at least 3"
    ann.page.fill(QUESTION, "Why is [dog2]?")
    assert count.inner_text() == "3 words, at least 3 ✓"
    ann.page.fill('[name="action"]', "word " * 13)
    assert ann.page.locator("#f-action-count").inner_text() == "13 words, at most 12"


def test_groups_grow_and_shrink_and_fields_come_and_go(site: Site) -> None:
    ann = site.at_work()
    group = ann.page.locator('[data-path="group"]')
    add = group.locator("> .add")
    ann.page.fill(QUESTION, "First one here")
    add.click()
    ann.page.keyboard.type("Second [dog2")
    ann.page.keyboard.press("Enter")
    add.click()
    assert add.is_hidden()
    assert group.locator("> .entries > .entry > legend .entry-number").all_inner_texts() == ["1", "2", "3"]
    group.locator("> .entries > .entry").nth(0).locator("> .remove").click()
    assert ann.page.locator(QUESTION).count() == 0
    ann.page.get_by_role("button", name="Put back").click()
    assert shown(ann, "group.0.question") == "First one here"
    group.locator("> .entries > .entry").nth(0).locator("> .remove").click()
    assert shown(ann, "group.1.question") == "Second [dog2]"

    why = ann.page.locator('[name="why"]')
    assert why.is_hidden()
    ann.fill_in({"good": "no"})
    assert why.is_visible()
    ann.fill_in({"good": "yes", "premise": "1"})
    assert why.is_hidden()
    assert shown(ann, "premise_text") == "It rains on [dog2]."
    ann.page.fill('[name="premise_text"]', "It rains on [person1].")
    ann.fill_in({"premise": "0"})
    assert shown(ann, "premise_text") == "It rains on [person1].", "what was changed stays"


def test_everything_can_be_done_with_keys(site: Site) -> None:
    ann = site.at_work()
    keys = ann.page.keyboard
    ann.page.locator("h1").click()
    keys.press("?")
    assert ann.page.locator("#keys").is_visible()
    keys.press("Escape")
    keys.press("j")
    keys.type("Why here [dog2] or 1")
    keys.press("Escape")
    keys.press("j")
    keys.press("3")  # and on to the next field that is not answered
    keys.press("1")
    keys.press("Escape")
    for _ in range(2):  # over the two texts that need not be written
        keys.press("j")
        keys.press("Escape")
    keys.press("j")
    keys.press("b")
    keys.press("j")
    keys.press("j")
    keys.type("a cat")
    keys.press("Escape")
    keys.press("j")
    keys.press("y")
    assert "You earned $0.10." in ann.hand_in("Control+Enter")
    (assignment,) = rows(site.desk, Assignment)
    expected = ANSWERS | {"premise_text": "[person1] is late."}
    expected["group"] = [{"question": "Why here [dog2] or [person1]", "sure": "good"}]
    assert assignment.answers == expected
    assert 0 < assignment.seconds < 600
    with ann.page.expect_navigation():
        keys.press("u")
    assert shown(ann, "group.0.question") == "Why here [dog2] or [person1]"
    ann.page.locator("h1").click()
    keys.press("?")
    ann.page.locator("#single-keys").uncheck()
    keys.press("Escape")
    keys.press("n")
    assert ann.page.locator('[name="good"]:checked').get_attribute("value") == "yes"


def test_a_draft_survives_everything(site: Site) -> None:
    ann = site.at_work()
    with ann.page.expect_response(lambda answer: answer.url.endswith("/draft")) as kept:
        ann.page.fill(QUESTION, "Why is it")
    assert kept.value.ok
    ann.page.get_by_text("Draft kept").wait_for()
    assert ann.page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft:'))") == []
    ann.context.set_offline(True)
    ann.page.fill(QUESTION, "Why is it so late")
    ann.page.get_by_text("Not saved yet").wait_for()
    ann.page.close()
    ann.context.set_offline(False)
    ann.page = ann.context.new_page()
    ann.page.goto(f"/work/{site.campaign}")
    expect(ann.page.locator(QUESTION)).to_have_value("Why is it so late")
    (assignment,) = rows(site.desk, Assignment)
    assert assignment.draft == {"group": [{"question": "Why is it so late"}]}
    ann.faults.clear()  # being offline is told in the console


def test_who_was_signed_out_loses_nothing(site: Site) -> None:
    ann = site.at_work()
    accounts.end_all(site.desk, site.user)
    ann.page.fill(QUESTION, "Why am I out")
    note = ann.page.locator("#notices [role=alert]")
    expect(note).to_contain_text("You are signed out.")
    note.get_by_role("link").click()
    ann.page.fill("#name", "ann")
    ann.page.fill("#password", PASSWORD)
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(QUESTION)).to_have_value("Why am I out")


def test_a_double_click_hands_in_once_and_a_fault_keeps_the_text(site: Site) -> None:
    ann = site.at_work()
    ann.fill_in(ANSWERS)
    ann.page.fill(QUESTION, "Too short")
    said = ann.hand_in("Control+Enter")
    assert "Question: Write at least 3 words; here there are 2." in said
    assert ann.page.evaluate("document.activeElement.id") == "summary"
    ann.page.locator("#summary a").first.click()
    assert ann.page.evaluate("document.activeElement.name") == "group.0.question"
    assert ann.page.locator('[name="which"]:checked').count() == 1
    ann.page.fill(QUESTION, "Long enough now")
    with ann.page.expect_navigation():
        ann.page.locator(".hand-in .main").dblclick()
    ann.page.get_by_text("You earned $0.10.").wait_for()
    assert [each.amount for each in rows(site.desk, Entry)] == [1000]


def test_a_button_is_hit_though_the_page_would_move(site: Site) -> None:
    """Leaving a field tells what is wrong with it, which takes a line: only after the button is let go."""
    ann = site.at_work()
    ann.page.locator(QUESTION).focus()
    ann.page.keyboard.type("Why [cat9]")
    ann.page.locator("#f-group-0-question-told .complaint").first.wait_for(state="attached")
    with ann.page.expect_navigation():
        ann.page.locator(".hand-in .main").click()
    assert "not right yet" in ann.page.locator("#summary").inner_text()


def test_live_checks_speak_once_a_field_was_left(site: Site) -> None:
    ann = site.at_work()
    complaint = ann.page.locator("#f-group-0-question-told .complaint")
    ann.page.locator(QUESTION).focus()
    ann.page.keyboard.type("Why [cat9]")
    complaint.first.wait_for(state="attached")
    assert complaint.first.is_hidden()
    ann.page.keyboard.press("Tab")
    complaint.first.wait_for(state="visible")
    ann.page.fill(QUESTION, "Why is [dog2] here")
    complaint.first.wait_for(state="detached")


def test_a_lease_that_ran_out_is_told_and_nothing_is_lost(site: Site, clock: HandClock) -> None:
    ann = site.at_work()
    ann.page.clock.install()
    ann.page.goto(f"/work/{site.campaign}")
    assert ann.page.locator("#lease").inner_text() == "yours for 10 min"
    ann.page.mouse.move(5, 5)
    clock.pass_seconds(601)
    assert take(site.desk, site.campaign, worker(site.desk, site.campaign, "ben")) is not None
    with ann.page.expect_response(lambda answer: answer.url.endswith("/renew")) as answer:
        ann.page.clock.run_for(130_000)
    assert answer.value.status == 409
    note = ann.page.locator("#notices [role=alert]")
    note.wait_for()
    assert "it went back to be done by others" in note.inner_text()
    ann.page.fill(QUESTION, "Still here")
    assert "went back to be done by others" in ann.hand_in("Control+Enter")
    assert shown(ann, "group.0.question") == "Still here"


def test_pictures_are_chosen_and_enlarged(site: Site) -> None:
    ann = site.at_work()
    ann.page.locator('[data-choice="pairs.2"] img').first.click()
    assert ann.page.locator('[name="which"]:checked').get_attribute("value") == "2"
    assert ann.page.locator(".lettered.chosen").get_attribute("data-choice") == "pairs.2"
    ann.page.locator('[data-choice="pairs.0"] .zoom').first.click()
    dialog = ann.page.locator("#zoom")
    assert dialog.locator("img").count() == 2
    ann.page.keyboard.press("Escape")
    assert dialog.is_hidden()
    ann.page.locator("h1").click()
    ann.page.keyboard.press("o")
    assert ann.page.locator("svg.boxes").first.is_hidden()


def test_it_works_without_scripts(site: Site) -> None:
    ann = site.at_work(java_script_enabled=False)
    with ann.page.expect_navigation():
        ann.page.locator('[value="add:group"]').click()
    ann.fill_in({
        **ANSWERS, "group": [{"question": "Why is [dog2] here?", "sure": "poor"}] * 2, "good": "no",
        "why": "not good",
    })  # fmt: skip
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name="Hand in and stop").click()
    assert "You earned $0.20." in ann.page.locator("main").inner_text()
    (assignment,) = rows(site.desk, Assignment)
    assert len(assignment.answers["group"]) == 2
