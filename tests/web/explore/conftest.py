"""A small shelf for tests: drawn datasets of every kind, two runs, and one question that means harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from msgspec import structs
from safetensors.numpy import save_file
from shelves import HOSTILE, TOKEN
from starlette.testclient import TestClient

from _erring_runs import erring_run
from commonsight.benchmarks import find
from commonsight.core.text import TaggedText
from commonsight.runs.exploring.book import Book, open_book
from commonsight.runs.exploring.errata import Errata
from commonsight.runs.exploring.submissions import Submissions
from commonsight.store.dataset import read_dataset, read_info, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native
from commonsight.web.explore.app import build_app, named


@pytest.fixture(scope="session")
def shelf(
    drawn_world: Path, fixtures_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Book]]:
    """Datasets of all five kinds, by their keys."""
    folder = tmp_path_factory.mktemp("shelf")
    items = list(read_dataset(drawn_world / "vcr"))
    harm = {**items[0].texts, "question": TaggedText.plain(HOSTILE)}
    items[0] = structs.replace(items[0], texts=harm, groups={**items[0].groups, "movie": HOSTILE})
    info = read_info(drawn_world / "vcr")
    assert info is not None
    write_dataset(folder / "vcr", items, info, images=drawn_world / "vcr")
    runs = [
        erring_run(folder / name, items, every, sure=0.7, reply=HOSTILE)
        for name, every in (("often", 5), ("half", 2))
    ]
    words = len(items[1].choices[0].tokens)
    shares = np.full((4, words, 2), 0.5, np.float16)
    save_file({f"{items[1].id}/q2a/objects": shares}, folder / "often" / "attention.safetensors")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMMONSIGHT_CACHE", str(folder / "cache"))
        books = [open_book(folder / "vcr", runs, workers=1)]
        others = (drawn_world / "pmr", _many(drawn_world, folder), *_native(fixtures_dir, folder))
        books += [open_book(each, workers=1) for each in others]
        yield named(books)


def _native(fixtures_dir: Path, folder: Path) -> Iterator[Path]:
    """Questions with programs, and with people's own answers; without pictures."""
    for name, file in (("cric", "val_questions.json"), ("aokvqa", "aokvqa_v1p0_val.json")):
        items = list(read_native(find(name).native, [fixtures_dir / name / file]))
        write_dataset(folder / name, items, DatasetInfo(name, name, "1", Made("test", "1"), {}))
        yield folder / name


def _many(drawn_world: Path, folder: Path) -> Path:
    """Pairs of pictures, more than a page of the grid has."""
    items = list(read_dataset(drawn_world / "nlvr2"))
    several = [
        structs.replace(item, id=f"{item.id}-{turn}")
        for turn in range(70 // len(items) + 1)
        for item in items
    ]
    info = read_info(drawn_world / "nlvr2")
    assert info is not None
    write_dataset(folder / "many", several, info, images=drawn_world / "nlvr2")
    return folder / "many"


@pytest.fixture(scope="session")
def explorer(shelf: dict[str, Book], tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The app with everything that it can have."""
    folder = tmp_path_factory.mktemp("kept")
    key = next(iter(shelf))
    book = shelf[key]
    sent = {key: Submissions(folder / "sent", book.folder, book.benchmark, "val", lambda: 1.0)}
    return build_app(shelf, submissions=sent, errata={key: Errata(folder / "errata")}, token=TOKEN)


@pytest.fixture
def visitor(explorer: FastAPI) -> TestClient:
    """A browser without scripts."""
    return TestClient(explorer, base_url="http://127.0.0.1", follow_redirects=False)


@pytest.fixture(scope="session")
def key(shelf: dict[str, Book]) -> str:
    """The dataset with runs."""
    return next(iter(shelf))
