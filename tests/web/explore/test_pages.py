"""Every page of the explorer, as a browser without scripts gets it."""

from __future__ import annotations

import re

import pytest
from shelves import HOSTILE, TOKEN
from starlette.testclient import TestClient

from commonsight.core.answer import Pick
from commonsight.runs.exploring.book import Book
from commonsight.web.explore.views import item_path


def _total(page: str) -> int:
    found = re.search(r'class="count"[^>]*>([\d,]+) of', page)
    assert found is not None
    return int(found[1].replace(",", ""))


def test_the_shelf_leads_to_every_dataset(visitor: TestClient, shelf: dict[str, Book]) -> None:
    page = visitor.get("/")
    for key in shelf:
        assert f'href="/{key}/"' in page.text
        assert visitor.get(f"/{key}/").status_code == 200
        assert visitor.get(f"/{key}").headers["location"] == f"/{key}/"


def test_filters_words_and_runs_narrow_the_grid(
    visitor: TestClient, shelf: dict[str, Book], key: str
) -> None:
    book = shelf[key]
    assert _total(visitor.get(f"/{key}/").text) == book.index.count
    val = int((book.index.filters["split"].codes == book.index.filters["split"].labels.index("val")).sum())
    assert _total(visitor.get(f"/{key}/?f.split=val").text) == val
    wrong = int(book.runs["half"].wrong.sum())
    assert _total(visitor.get(f"/{key}/?r.half=wrong").text) == wrong
    assert _total(visitor.get(f"/{key}/?r.half=wrong&r.often=right&differ=1&order=hardest").text) < wrong
    assert "Nothing fits" in visitor.get(f"/{key}/?q=zzzzzz").text
    old = visitor.get(f"/{key}/?f.gone=x&r.gone=wrong&order=nonsense&page=abc")
    assert _total(old.text) == book.index.count, "an old link still opens"


def test_htmx_gets_only_what_changes(visitor: TestClient, key: str) -> None:
    whole = visitor.get(f"/{key}/").text
    part = visitor.get(f"/{key}/", headers={"hx-target": "results"}).text
    more = visitor.get(f"/{key}/?page=2", headers={"hx-target": "more"}).text
    assert "<html" in whole
    assert "<html" not in part
    assert "<form" not in more


@pytest.mark.parametrize("place", [0, 1, 3])
def test_items_of_every_kind_have_a_page(visitor: TestClient, shelf: dict[str, Book], place: int) -> None:
    for key, book in shelf.items():
        item = book.item(book.index.ids[place])
        assert item is not None
        page = visitor.get(item_path(key, item.id))
        assert page.status_code == 200
        for task in book.benchmark.tasks:
            assert task.title in page.text.replace("&gt;", ">")
        assert page.text.count("<figure") >= len(item.scenes)
        boxes = visitor.get(f"{item_path(key, item.id)}/boxes").text
        assert boxes.count("<svg") == len(item.scenes)


def test_an_item_tells_what_runs_said_and_looked_at(
    visitor: TestClient, shelf: dict[str, Book], key: str
) -> None:
    item = shelf[key].item(shelf[key].index.ids[1])
    assert item is not None
    page = visitor.get(item_path(key, item.id)).text
    assert "often" in page
    assert "70.0 %" in page
    assert "What networks looked at" in page
    assert "shade-5" in page
    hidden = visitor.get(f"{item_path(key, item.id)}?hide=1").text
    assert isinstance(item.gold, Pick)
    assert "pill good" not in hidden
    assert "70.0 %" not in hidden


def test_neighbours_keep_the_view(visitor: TestClient, shelf: dict[str, Book], key: str) -> None:
    book = shelf[key]
    split = book.index.filters["split"]
    val = [book.index.ids[row] for row in split.members(["val"])]
    page = visitor.get(f"{item_path(key, val[1])}?f.split=val").text
    assert f'{item_path(key, val[0])}?f.split=val" data-key="k"' in page
    assert f'{item_path(key, val[2])}?f.split=val" data-key="j"' in page


def test_board_and_comparison(visitor: TestClient, shelf: dict[str, Book], key: str) -> None:
    board = visitor.get(f"/{key}/board").text
    assert "drawn world" in board
    rows = re.findall(r'<th scope="row" class="text"><a [^>]*>(\w+)</a>', board)
    assert rows == ["often", "half"]
    assert "by the number of choices" in board, "chance holds for a drawn world, too"
    assert "published" not in board.replace('class="published"', ""), "what people score does not"
    assert "question type</summary>" in board
    compared = visitor.get(f"/{key}/compare?a=half&b=often").text
    measured = shelf[key].runs
    only = int((measured["often"].right & measured["half"].wrong).sum())
    assert f">{only}</a>" in compared
    without = next(other for other in shelf if other != key)
    assert visitor.get(f"/{without}/compare").status_code == 404
    assert "No run was given" in visitor.get(f"/{without}/board").text


def test_pictures_are_those_of_the_dataset_and_no_others(
    visitor: TestClient, shelf: dict[str, Book], key: str
) -> None:
    stored = shelf[key].index.cards([0])[0].pictures[0].stored
    assert stored is not None
    name = stored.removeprefix("images/")
    small = visitor.get(f"/{key}/thumbs/{name}")
    assert (small.status_code, small.headers["content-type"]) == (200, "image/webp")
    assert visitor.get(f"/{key}/pictures/{name}").content == (shelf[key].folder / stored).read_bytes()
    for path in (
        "../dataset.json",
        "%2e%2e/dataset.json",
        "..%2fdataset.json",
        f"{name}x",
        "a/b.png",
        "//etc/passwd",
    ):
        for kind in ("thumbs", "pictures"):
            assert visitor.get(f"/{key}/{kind}/{path}").status_code in (404, 400)


def test_what_is_not_there_is_not_found(visitor: TestClient, key: str) -> None:
    for path in (
        "/nothing/",
        f"/{key}/items/nothing",
        f"/{key}/items/nothing/boxes",
        "/nothing/board",
        "/static/x",
    ):
        assert visitor.get(path).status_code == 404


def test_texts_that_mean_harm_are_shown_as_texts(
    visitor: TestClient, shelf: dict[str, Book], key: str
) -> None:
    first = shelf[key].index.ids[0]
    for path in (f"/{key}/", item_path(key, first), f"/{key}/?q={HOSTILE}", f"/{key}/board?metric={HOSTILE}"):
        page = visitor.get(path)
        assert "<script>window" not in page.text
        assert "<img src=x" not in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]


def test_a_file_is_sent_in_and_scored(visitor: TestClient, shelf: dict[str, Book], key: str) -> None:
    book = shelf[key]
    val = [book.index.ids[row] for row in book.index.filters["split"].members(["val"])]
    names = ["annot_id", *(f"answer_{n}" for n in range(4))]
    names += [f"rationale_conditioned_on_a{a}_{n}" for a in range(4) for n in range(4)]
    rows = [",".join((item, *(["0.25"] * 20))) for item in val]
    content = "\n".join((",".join(names), *rows)) + "\n"
    files = {"predictions": ("p.csv", content, "text/csv")}
    sent = visitor.post(f"/{key}/submit", data={"name": "mine <b>"}, files=files)
    assert sent.status_code == 303, sent.text
    page = visitor.get(f"/{key}/submit").text
    assert "mine &lt;b&gt;" in page
    bad = visitor.post(
        f"/{key}/submit", data={"name": "x"}, files={"predictions": ("p.csv", "nonsense", "text/csv")}
    )
    assert bad.status_code == 422
    assert 'role="alert"' in bad.text
    foreign = visitor.post(
        f"/{key}/submit", data={"name": "x"}, files=files, headers={"origin": "http://evil.test"}
    )
    assert foreign.status_code == 403
    assert str(book.folder) not in bad.text


def test_a_fault_is_reported_and_settled(visitor: TestClient, shelf: dict[str, Book], key: str) -> None:
    item = shelf[key].item(shelf[key].index.ids[3])
    assert item is not None
    assert isinstance(item.gold, Pick)
    told = visitor.post(f"/{key}/report", data={"item": item.id, "text": HOSTILE, "by": "someone"})
    assert told.status_code == 303
    assert "Thank you" in visitor.get(told.headers["location"]).text
    page = visitor.get(f"/{key}/errata").text
    assert "<script>window" not in page
    found = re.search(rf'action="/{key}/errata/([0-9a-f]+)"', page)
    assert found is not None
    address = f"/{key}/errata/{found[1]}"
    settle = {"token": TOKEN, "action": "fixed", "answer": "Yes.", "right": str((item.gold.index + 1) % 4)}
    assert visitor.post(address, data={**settle, "token": "guessed"}).status_code == 403
    assert visitor.post(address, data={**settle, "right": "9"}).status_code == 422
    assert visitor.post(address, data={**settle, "right": "", "change": '{"id": "x"}'}).status_code == 422
    assert visitor.post(address, data=settle).status_code == 303
    assert "<strong>fixed</strong>" in visitor.get(f"/{key}/errata").text
    assert visitor.post(f"/{key}/report", data={"item": "nothing", "text": "x"}).status_code == 404
