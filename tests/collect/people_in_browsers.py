"""People at the app in a real browser: they join by invitation, sit exams, work and review.

Nothing that their pages ask for may lie outside of this machine, and no script of ours may fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from people import PASSWORD

from commonsight.collect.desk import Desk
from commonsight.collect.invitations import invite
from commonsight.collect.protocol import Exam

PATIENCE = 15_000
"""Milliseconds for one step, on a machine that has other things to do."""

FILL = """(said) => said.filter(([path, value, place]) => {
  const entry = path.replace(/[.][0-9]+([.].*)?$/, "");
  const controls = () => [path, `${path}.${place}`].flatMap((name) => [...document.getElementsByName(name)]);
  if (!controls().length) document.querySelector(`[data-path="${entry}"] > .add`)?.click();
  const named = controls();
  const isText = (each) => each.type === "textarea" || each.type === "text";
  const control = named.find((each) => isText(each) || each.value === value);
  if (!control) return true;
  if (!isText(control)) {
    if (!control.checked) control.click();
    return false;
  }
  control.value = value;
  for (const name of ["input", "change"]) control.dispatchEvent(new Event(name, { bubbles: true }));
  return false;
})"""
"""What a person does to a form, without the time that typing takes; gives back what it has no field for."""


def _said(answers: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str, int]]:
    """Names and values as a form has them, each with its place where there are several."""
    for name, value in answers.items():
        path = f"{prefix}{name}"
        for place, each in enumerate([value] if isinstance(value, str) else value):
            if isinstance(each, Mapping):
                yield from _said(each, f"{path}.{place}.")
            else:
                yield path, str(each), place


class Person:
    """One browser, with its own cookies."""

    def __init__(self, chromium: Any, at: str, name: str, **options: Any) -> None:
        self.name, self.at = name, at
        self.faults: list[str] = []
        shown = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | options
        self.context = chromium.new_context(base_url=at, **shown)
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._watch)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.page.on("console", self._hear)
        self.page.on("dialog", lambda dialog: dialog.accept())

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.at, "data:")):
            self.faults.append(f"asked for {request.url}")

    def _hear(self, message: Any) -> None:
        known = ("status of 4", "htmx:oobErrorNoTarget")  # refusals; the check of an entry that is gone
        if message.type == "error" and not any(each in message.text for each in known):
            self.faults.append(f"console: {message.text}")

    def join(self, desk: Desk, campaign_id: int, role: str = "worker") -> None:
        """A new account, by invitation."""
        self.page.goto(f"/join/{invite(desk, campaign_id, role)}")
        self.page.fill("#new-name", self.name)
        self.page.fill("#new-password", PASSWORD)
        self.press("Make an account and join")

    def press(self, name: str) -> None:
        """A button or a link that leads to another page."""
        found = self.page.get_by_role("button", name=name).or_(self.page.get_by_role("link", name=name))
        with self.page.expect_navigation():
            found.first.click()

    def fill_in(self, answers: Mapping[str, Any]) -> None:
        """Say this in the form, all at once: answers as the form's fields have them."""
        missing = self.page.evaluate(FILL, list(_said(answers)))
        assert missing == [], f"the form does not ask for {missing}"

    def hand_in(self, keys: str = "Control+Shift+Enter") -> str:
        """Hand in and stop, or, without Shift, take the next one; what the page then says came of it."""
        with self.page.expect_navigation():
            self.page.keyboard.press(keys)
        return str(self.page.locator("main").inner_text())

    def sit(self, campaign_id: int, exam: Exam, written: Mapping[str, Any] | None = None) -> str:
        """An exam with all graded questions right; what is told."""
        self.page.goto(f"/exam/{campaign_id}/{exam.name}")
        self.fill_in({question.field.name: question.right for question in exam.graded} | dict(written or {}))
        return self.hand_in("Control+Enter")

    def grade(self, campaign_id: int, verdict: str = "Pass") -> None:
        """The oldest exam that waits to be read."""
        self.page.goto(f"/campaigns/{campaign_id}/exams")
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=verdict, exact=True).first.click()

    def work(self, campaign_id: int, answers: Mapping[str, Any], stage: str = "") -> str:
        """Take the next work, say this, hand it in, and stop; what the page then says."""
        self.page.goto(f"/work/{campaign_id}" + (f"?stage={stage}" if stage else ""))
        self.fill_in(answers)
        return self.hand_in()
