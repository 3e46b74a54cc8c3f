"""The explorer in a real browser: nothing leaves the machine, axe finds nothing, scripts do their work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from serving_helper import browser, needs_chromium, served, violations

from commonsight.runs.exploring.book import Book
from commonsight.web.explore.views import item_path

pytestmark = needs_chromium

OPENED = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="module")
def site(explorer: FastAPI) -> Iterator[str]:
    with served(explorer) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.fixture
def page(chromium: Any, site: str) -> Iterator[Any]:
    """A page that fails when it asks for anything elsewhere, or when a script of it fails."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    faults: list[str] = []
    opened.on("request", lambda asked: None if asked.url.startswith(site) else faults.append(asked.url))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield opened
    opened.wait_for_load_state()
    harmed = opened.evaluate("window.harmed")
    context.close()
    assert faults == []
    assert harmed is None


def _paths(shelf: dict[str, Book], key: str) -> list[str]:
    paths = ["/", *(f"/{each}/" for each in shelf), f"/{key}/board", f"/{key}/compare", f"/{key}/submit"]
    paths += [f"/{key}/errata", f"/{key}/?q=zzzz", "/nothing/"]
    return [*paths, *(item_path(each, book.index.ids[1]) for each, book in shelf.items())]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(
    chromium: Any, site: str, shelf: dict[str, Book], key: str, look: str
) -> None:
    wide = 1200 if look == "light" else 390
    context = chromium.new_context(color_scheme=look, viewport={"width": wide, "height": 900})
    opened = context.new_page()
    found = {}
    for path in _paths(shelf, key):
        opened.goto(site + path)
        opened.evaluate(OPENED)
        if told := violations(opened):
            found[path] = told
        across = opened.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert across <= 0, f"{path} is wider than {wide} pixels"
    context.close()
    assert found == {}


def test_boxes_are_drawn_over_a_thumbnail_that_is_pointed_at(page: Any, site: str, key: str) -> None:
    page.goto(f"{site}/{key}/")
    first = page.locator(".grid a.open").nth(1)
    assert first.locator("svg").count() == 0
    first.hover()
    first.locator("svg [data-box]").first.wait_for(state="attached")


def test_tags_light_up_their_boxes_and_stay_lit_when_clicked(
    page: Any, site: str, shelf: dict[str, Book], key: str
) -> None:
    page.goto(site + item_path(key, shelf[key].index.ids[1]))
    tag = page.locator(".step a.tag").first
    number = tag.get_attribute("data-boxes").split()[0]
    region = page.locator(f".seen .frame [data-box='{number}']").first
    tag.hover()
    assert "lit" in region.get_attribute("class")
    page.mouse.move(0, 0)
    assert "lit" not in region.get_attribute("class")
    tag.click()
    page.mouse.move(0, 0)
    assert "lit" in region.get_attribute("class")


def test_filters_change_the_view_and_its_address_without_a_new_page(page: Any, site: str, key: str) -> None:
    page.goto(f"{site}/{key}/")
    page.evaluate("window.kept = true")
    before = page.locator(".count").inner_text()
    page.locator(".filters a.label", has_text="val").first.click()
    page.wait_for_url(lambda url: "f.split=val" in url)
    assert page.locator(".count").inner_text() != before
    page.locator("#q").fill("why")
    page.wait_for_url(lambda url: "q=why" in url)
    assert "f.split=val" in page.url
    page.select_option("select[name='r.half']", "wrong")
    page.wait_for_url(lambda url: "r.half=wrong" in url)
    assert page.evaluate("window.kept") is True
    page.go_back()
    page.wait_for_url(lambda url: "r.half=wrong" not in url)


def test_every_filter_of_every_dataset_leaves_what_it_says(
    page: Any, site: str, shelf: dict[str, Book]
) -> None:
    for each, book in shelf.items():
        page.goto(f"{site}/{each}/")
        shown = page.locator(".filters > details").count()
        assert shown == len(book.index.filters)
        for place in range(shown):
            page.goto(f"{site}/{each}/")
            page.evaluate(OPENED)
            label = page.locator(".filters > details").nth(place).locator("a.label").last
            expected = label.locator(".soft").inner_text()
            label.click()
            page.wait_for_url(lambda url: "f." in url)
            assert page.locator(".count").inner_text().startswith(f"{expected} of"), (each, place)


def test_on_a_phone_filters_are_behind_a_button(chromium: Any, site: str, key: str) -> None:
    for scripts in (True, False):
        context = chromium.new_context(
            viewport={"width": 390, "height": 844}, java_script_enabled=scripts
        )
        opened = context.new_page()
        opened.goto(f"{site}/{key}/")
        assert opened.locator(".filters").is_hidden()
        assert opened.locator("fieldset.runs").is_hidden()
        assert opened.locator(".grid a.open").first.bounding_box()["y"] < 500
        opened.locator("label[for='show-filters']").click()
        opened.locator(".filters a.label", has_text="val").first.click()
        opened.wait_for_url(lambda url: "f.split=val" in url)
        assert opened.locator(".filters").is_visible() is scripts, "without scripts it is another page"
        context.close()


def test_steps_of_a_program_light_up_both_graphs(page: Any, site: str, shelf: dict[str, Book]) -> None:
    page.goto(site + item_path("cric", shelf["cric"].index.ids[0]))
    fact = page.locator("[data-of-steps]:not([data-of-steps=''])").first
    step = fact.get_attribute("data-of-steps").split()[0]
    page.locator(f"tr[data-step='{step}']").hover()
    assert "lit" in fact.get_attribute("class")


def test_pages_are_reached_by_number(page: Any, site: str, shelf: dict[str, Book]) -> None:
    large = max(shelf, key=lambda each: shelf[each].index.count)
    page.goto(f"{site}/{large}/")
    page.locator("#page").fill("2")
    page.locator(".pages button").click()
    page.wait_for_url(lambda url: "page=2" in url)
    page.get_by_role("link", name="Previous").click()
    page.wait_for_url(lambda url: "page=2" not in url)


def test_it_can_be_used_by_keyboard_alone(page: Any, site: str, key: str) -> None:
    page.goto(f"{site}/{key}/")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/items/" in url)
    first = page.url
    page.keyboard.press("j")
    page.wait_for_url(lambda url: url != first)
    page.keyboard.press("h")
    page.wait_for_url(lambda url: "hide=1" in url)
    assert page.locator(".pill.good").count() == 0
    page.keyboard.press("u")
    page.wait_for_url(lambda url: "/items/" not in url)


def test_the_next_page_comes_by_scrolling(page: Any, site: str, shelf: dict[str, Book]) -> None:
    large = max(shelf, key=lambda each: shelf[each].index.count)
    assert shelf[large].index.count > 60
    page.goto(f"{site}/{large}/")
    assert page.locator(".grid .item").count() == 60
    page.locator("#more").scroll_into_view_if_needed()
    page.locator(".grid .item").nth(60).wait_for(state="attached")


def test_everything_works_without_scripts(chromium: Any, site: str, key: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(f"{site}/{key}/")
    opened.locator("#q").fill("why")
    opened.select_option("select[name='r.half']", "wrong")
    opened.get_by_role("button", name="Search").click()
    assert "q=why" in opened.url
    assert "r.half=wrong" in opened.url
    opened.locator(".grid a.open").first.click()
    assert "/items/" in opened.url
    context.close()
