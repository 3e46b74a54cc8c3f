"""The pages of accounts, owners and reviewers in Chromium: for every eye, hand and width."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from busy import Busy
from fastapi import FastAPI
from hostile import HOSTILE, poison
from people import PASSWORD
from serving_helper import browser, needs_chromium, served, violations
from visitors import Visitor

from commonsight.collect import disputes, handing_in, invitations
from commonsight.collect.campaigns import membership
from commonsight.collect.desk import Desk, campaign_in
from commonsight.web.collect.access import COOKIE

pytestmark = needs_chromium

PLACES = (
    "", "workers", "invitations", "pay", "events", "export", "settings", "exams", "disputes",
    "disputes/{disputed}", "records", "records/{record}", "errata", "comments", "tasks/{task}",
)  # fmt: skip
WATCH = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""
Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as opened:
        yield opened


@pytest.fixture
def at(app: FastAPI, busy: Busy) -> Iterator[str]:
    """Where the app is served."""
    assert busy.campaign_id
    with served(app) as address:
        yield address


@pytest.fixture
def opened(app: FastAPI, at: str, chromium: Any) -> Iterator[Opened]:
    """Opens a browser's window for someone; in the end nothing may have gone wrong in it."""
    faults: list[str] = []
    contexts = []

    def opens(name: str = "", width: int = 1200, scheme: str = "light", **options: Any) -> Any:
        size = {"width": width, "height": 800}
        context = chromium.new_context(base_url=at, viewport=size, color_scheme=scheme, **options)
        contexts.append(context)
        if name:
            secret = Visitor(app, name).secret
            context.add_cookies([{"name": COOKIE, "value": secret, "url": at}])
        page = context.new_page()
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda told: told.type == "error" and faults.append(told.text))
        page.on("response", lambda answer: faults.extend(_missing(answer)))
        page.on("dialog", lambda dialog: faults.append(f"a dialog: {dialog.message}"))
        return page

    yield opens
    for context in contexts:
        context.close()
    assert [fault for fault in faults if "Failed to load resource" not in fault] == []


def _missing(answer: Any) -> list[str]:
    """What a page could not load; the page itself may be an error on purpose."""
    is_part = answer.request.resource_type != "document"
    return [f"{answer.status}: {answer.url}"] if is_part and answer.status >= 400 else []


def too_wide(page: Any) -> bool:
    """Whether one would have to push the page sideways."""
    root = "document.documentElement"
    return bool(page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))


def places(busy: Busy) -> list[str]:
    """The pages of the campaign, and those of an account."""
    named = [f"/campaigns/{busy.campaign_id}/{place.format(**busy._asdict())}" for place in PLACES]
    return ["/account", *named]


@pytest.mark.parametrize(
    ("width", "scheme", "rules"), [(1200, "dark", ["color-contrast"]), (390, "light", [])]
)
def test_every_page_is_for_everyone(
    opened: Opened, busy: Busy, desk: Desk, width: int, scheme: str, rules: list[str]
) -> None:
    """axe finds nothing, nothing moves while it loads, and nothing is wider than the window."""
    page = opened("olga", width, scheme)
    invitation = f"/join/{invitations.invite(desk, busy.campaign_id, 'worker')}"
    for path in [*places(busy), invitation]:
        page.goto(path)
        assert violations(page, *rules) == [], path
        assert not too_wide(page), path
        assert page.evaluate("window.shifted") < 0.01, path
    stranger = opened("", width, scheme)
    for path in ("/sign-in", invitation, "/nowhere"):
        stranger.goto(path)
        assert violations(stranger, *rules) == [], path
        assert not too_wide(stranger), path


@pytest.mark.parametrize("width", [390, 1200])
def test_nothing_moves_when_a_page_comes_in_pieces(
    app: FastAPI, opened: Opened, busy: Busy, width: int
) -> None:
    """As over a slow line, or on a busy machine: a browser that draws what it has would move it again."""
    page = opened("olga", width)
    with served(in_pieces(app)) as slow:
        for path in places(busy):
            page.goto(slow + path)
            assert page.evaluate("window.shifted") < 0.01, path


def in_pieces(app: Any, pieces: int = 4, pause: float = 0.05) -> Any:
    """The same app, whose pages arrive bit by bit."""

    async def slowed(scope: Any, receive: Any, send: Any) -> None:
        async def send_slowly(message: Any) -> None:
            body = message.get("body", b"")
            if not body.startswith(b"<!doctype html>"):
                await send(message)
                return
            size = -(-len(body) // pieces)
            for start in range(0, len(body), size):
                await send(message | {"body": body[start : start + size], "more_body": True})
                await asyncio.sleep(pause)
            await send(message | {"body": b""})

        plain = [(name, value) for name, value in scope.get("headers", ()) if name != b"accept-encoding"]
        await app(scope | {"headers": plain}, receive, send_slowly)

    return slowed


def test_signing_in_by_the_keyboard_alone(opened: Opened, busy: Busy) -> None:
    page = opened()
    page.goto(f"/campaigns/{busy.campaign_id}/")
    assert page.url.endswith(f"/sign-in?next=/campaigns/{busy.campaign_id}/")
    page.keyboard.type("olga")
    page.keyboard.press("Tab")
    page.keyboard.type("not the password")
    page.keyboard.press("Enter")
    assert page.get_by_role("alert").inner_text().startswith("This name and this password")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/campaigns/{busy.campaign_id}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")


def test_the_overview_keeps_up_without_loading_anew(opened: Opened, busy: Busy, desk: Desk) -> None:
    page = opened("olga", 390)
    page.clock.install()
    page.goto(f"/campaigns/{busy.campaign_id}/")
    answers = page.locator("table.stages tbody tr").first.locator("td").last
    assert answers.inner_text() == "5"
    page.evaluate("window.same = true")
    page.locator("#stages-scroll").evaluate("each => each.scrollTo({ left: 90 })")
    page.locator("#waiting-exams").focus()
    said = {"question": "Who is it for?"}
    handing_in.hand_in(desk, busy.held, busy.users["wim"], said, key="new", seconds=5)
    page.clock.fast_forward(6000)
    page.locator("table.stages tbody tr:first-child td:last-child", has_text="6").wait_for()
    assert page.evaluate("window.same")
    assert page.evaluate("document.activeElement.id") == "waiting-exams", "nobody is thrown out of place"
    assert page.locator("#stages-scroll").evaluate("each => each.scrollLeft") == 90


def test_an_invitation_from_the_owners_hand_to_the_newcomers_home(
    opened: Opened, busy: Busy, desk: Desk
) -> None:
    owner = opened("olga", permissions=["clipboard-read", "clipboard-write"])
    owner.goto(f"/campaigns/{busy.campaign_id}/invitations")
    owner.get_by_label("As", exact=True).select_option("reviewer")
    owner.get_by_role("button", name="Make links").click()
    owner.get_by_role("button", name="Copy link 1").click()
    owner.get_by_text("Copied", exact=True).wait_for()
    link = owner.evaluate("navigator.clipboard.readText()")
    newcomer = opened()
    newcomer.goto(link)
    form = newcomer.get_by_role("form", name="I am new")
    form.get_by_label("Name").fill("nell")
    form.get_by_label("Password").fill("short")
    form.get_by_role("button").click()
    assert newcomer.evaluate("document.querySelectorAll(':invalid').length") > 0, "the browser says so itself"
    form.get_by_label("Password").fill("a long pass phrase")
    form.get_by_role("button").click()
    newcomer.wait_for_url(f"**/campaigns/{busy.campaign_id}/")
    assert "nell" in newcomer.get_by_role("banner").inner_text()
    found = membership(desk, max(busy.users.values()) + 1)
    assert [mine.role for mine in found] == ["reviewer"]


def test_a_dispute_is_settled_by_hand(opened: Opened, busy: Busy, desk: Desk) -> None:
    page = opened("rob", 390)
    page.goto(f"/campaigns/{busy.campaign_id}/disputes")
    page.get_by_role("link", name="Is it a good question?").click()
    page.get_by_role("radio", name="Yes").check()
    page.get_by_role("button", name="Settle it").click()
    assert page.get_by_text("Settled.").is_visible()
    assert disputes.disputes(desk, busy.campaign_id) == []


def test_all_of_it_works_without_scripts(opened: Opened, busy: Busy, desk: Desk) -> None:
    page = opened("olga", java_script_enabled=False)
    page.goto(f"/campaigns/{busy.campaign_id}/settings")
    page.get_by_role("button", name="Pause").click()
    with desk.database.read() as session:
        assert campaign_in(session, busy.campaign_id).state == "paused"
    page.goto(f"/campaigns/{busy.campaign_id}/workers")
    page.get_by_text("Put out…").first.click()
    page.get_by_label("Why (they will read it)").first.fill("Too fast.")
    page.get_by_role("button", name="Put ada out").click()
    assert "Too fast." in page.locator("main").inner_text()


def test_what_people_wrote_stays_text_and_in_its_place(opened: Opened, busy: Busy, desk: Desk) -> None:
    kinds = ("script", "attribute", "image", "textarea", "htmx", "long")
    poison(desk, busy, " ".join(HOSTILE[kind] for kind in kinds))
    page = opened("olga", 390)
    for path in places(busy):
        page.goto(path)
        assert not too_wide(page), path
