"""What a run asked is put together again word for word."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from commonsight.cli.main import app
from commonsight.runs.exploring.book import Book, open_book
from commonsight.runs.plan import read_kept
from commonsight.runs.running import questioner
from commonsight.store.dataset import read_dataset
from commonsight.vlm.client import Request
from commonsight.web.explore.app import build_app, named
from commonsight.web.explore.views import item_path

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def book(drawn_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A scripted model at every rotation of the choices, on a dataset that it names by another path."""
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(ROOT / "examples")
    words = ("run", drawn_world / "vcr", "--split", "val", "--limit", 2, "--circular", "--task", "q2a")
    model = ("--model", "python:first_choice:answer", "--out", tmp_path / "scripted")
    app(list(map(str, (*words, *model))), standalone_mode=False)
    return open_book(drawn_world / "vcr", [tmp_path / "scripted"], workers=1)


def test_prompts_are_those_that_were_asked(book: Book) -> None:
    run = book.runs["scripted"]
    asker = questioner(read_kept(run.path).plan)
    item = next(iter(read_dataset(book.folder, split="val")))
    asked = {}
    for question in asker.questions([item]):
        assert not isinstance(question.request, Request)
        texts = [part for turn in question.request().turns for part in turn.parts if isinstance(part, str)]
        asked[question.task] = texts
    told = book.prompts["scripted"].of(item)
    assert told.keys() == asked.keys()
    assert len(told) == 4, "one for each rotation"
    for task, turns in told.items():
        whole = "\n".join(turn.text for turn in turns)
        assert all(text in whole for text in asked[task])
        assert "[picture: " in whole


def test_an_item_leads_to_what_was_asked_of_it(book: Book) -> None:
    visitor = TestClient(build_app(named([book])), base_url="http://127.0.0.1")
    item = next(iter(read_dataset(book.folder, split="val")))
    path = item_path(book.key, item.id)
    assert f"{path}/prompt?run=scripted&amp;task=q2a" in visitor.get(path).text
    whole = visitor.get(f"{path}/prompt?run=scripted&task=q2a")
    part = visitor.get(f"{path}/prompt?run=scripted&task=q2a", headers={"hx-request": "true"})
    assert "[picture: " in part.text
    assert part.text in whole.text
    assert "<html" not in part.text
    for asked in ("run=other&task=q2a", "run=scripted&task=qa2r"):
        assert visitor.get(f"{path}/prompt?{asked}").status_code == 404
