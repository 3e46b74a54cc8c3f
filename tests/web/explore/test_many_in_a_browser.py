"""A hundred thousand items in a real browser: nothing breaks or takes long, and pages stay light."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from serving_helper import browser, needs_chromium, served

from _erring_runs import erring_run
from commonsight.runs.exploring.book import PAGE, Book, open_book
from commonsight.store.dataset import read_dataset, read_info, write_dataset
from commonsight.web.explore.app import build_app, named

ITEMS = 100_000
PATIENCE = 5.0
"""Seconds that nothing may take, even on a busy machine; the bench says how long things do take."""

pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture(scope="module")
def book(drawn_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    folder = tmp_path_factory.mktemp("many")
    few = list(read_dataset(drawn_world / "vcr", outlines=False))
    info = read_info(drawn_world / "vcr")
    assert info is not None
    many = [structs.replace(one, id=f"{one.id}-{n}") for n, one in enumerate(islice(cycle(few), ITEMS))]
    write_dataset(folder / "data", many, info, images=drawn_world / "vcr")
    run = erring_run(folder / "half", many, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONSIGHT_CACHE", str(folder / "cache"))
        yield open_book(folder / "data", [run])


@pytest.fixture(scope="module")
def view(book: Book) -> Iterator[str]:
    """The address of the grid."""
    with served(build_app(named([book]))) as address:
        yield f"{address}/{book.key}/"


@pytest.fixture(scope="module")
def page(view: str) -> Iterator[Any]:
    with browser() as chromium:
        opened = chromium.new_page(viewport={"width": 1200, "height": 900})
        faults: list[str] = []
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.set_default_timeout(1000 * PATIENCE)
        opened.goto(view)  # what is read once is read now
        opened.locator(".grid a.open").first.click()
        yield opened
        assert faults == []


def test_the_first_page_shows_one_page_of_all(page: Any, view: str) -> None:
    begin = time.monotonic()
    page.goto(view)
    assert time.monotonic() - begin < PATIENCE
    assert page.locator(".count").inner_text() == "100,000 of 100,000 items"
    assert page.locator(".grid .item").count() == PAGE
    assert page.evaluate("document.querySelectorAll('*').length") < 4000


def test_filters_words_and_runs_are_swapped_in(page: Any, view: str, book: Book) -> None:
    page.goto(view)
    page.locator(".filters a.label", has_text="val").first.click()
    page.wait_for_url(lambda url: "f.split=val" in url)
    split = book.index.filters["split"]
    val = len(split.members(["val"]))
    assert page.locator(".count").inner_text().startswith(f"{val:,} of")
    page.locator("#q").fill("why person")
    page.wait_for_url(lambda url: "q=why+person" in url or "q=why%20person" in url)
    page.select_option("select[name='r.half']", "wrong")
    page.wait_for_url(lambda url: "r.half=wrong" in url)
    assert 0 < int(page.locator(".count").inner_text().split(" ")[0].replace(",", "")) < val


def test_scrolling_goes_on_and_keeps_its_shape(page: Any, view: str) -> None:
    page.goto(view)
    for turn in range(1, 8):
        page.locator("#more").scroll_into_view_if_needed()
        page.locator(".grid .item").nth(turn * PAGE).wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    tops = page.evaluate("Array.from(document.querySelectorAll('.grid .item'), (e) => e.offsetTop)")
    assert tops == sorted(tops), "cards stay in order, whatever is not drawn yet"


def test_any_page_is_reached_by_its_number(page: Any, view: str, book: Book) -> None:
    page.goto(view)
    last = -(-ITEMS // PAGE)
    page.locator("#page").fill(str(last))
    page.locator(".pages button").click()
    page.wait_for_url(lambda url: f"page={last}" in url)
    assert page.locator(".grid .item").count() == ITEMS - (last - 1) * PAGE
    page.locator(".grid a.open").last.click()
    page.wait_for_url(lambda url: "/items/" in url)
    assert page.locator("h1").inner_text() == book.index.ids[-1]
    page.keyboard.press("k")
    page.wait_for_url(lambda url: book.index.ids[-2] in url)
    assert page.locator("a[data-key='j']").count() == 1
