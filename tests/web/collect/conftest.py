"""The annotation app for tests: on SQLite, since what it calls is tested on both databases."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from busy import BUSY, Busy, busy_campaign
from desks import clock, prepared_file
from fastapi import FastAPI
from people import CHEAP, HandClock
from serving_helper import browser

from commonsight.collect import accounts
from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.desk import Desk
from commonsight.web.collect.app import build_app
from commonsight.web.collect.limits import Limits

__all__ = ["clock", "prepared_file"]


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "HASHER", CHEAP)


def open_desk(folder: Path, clock: HandClock) -> Desk:
    """The collection in a folder, with the toy protocol."""
    database = Database(sqlite_url(folder / "collect.sqlite"))
    return Desk(database, {"toy": BUSY}, folder / "pictures", b"secret for tests", clock)


@pytest.fixture
def desk(prepared_file: Path, tmp_path: Path, clock: HandClock) -> Iterator[Desk]:
    """An open collection with nothing in it."""
    (tmp_path / "pictures").mkdir()
    shutil.copy(prepared_file, tmp_path / "collect.sqlite")
    made = open_desk(tmp_path, clock)
    yield made
    made.database.close()


@pytest.fixture(scope="session")
def built_app(prepared_file: Path) -> FastAPI:
    """Put together once: a hundred routes take their time."""
    return build_app(open_desk(prepared_file.parent, HandClock()))


@pytest.fixture
def app(built_app: FastAPI, desk: Desk) -> FastAPI:
    """The app as it is served, for this test's collection."""
    built_app.state.desk, built_app.state.limits = desk, Limits(desk.clock)
    return built_app


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser for all tests of a file. Not for longer: it keeps an event loop in this thread."""
    with browser() as opened:
        yield opened


class Laid(NamedTuple):
    """A collection with a busy campaign, to copy."""

    folder: Path
    busy: Busy
    now: int


@pytest.fixture(scope="session")
def laid(prepared_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Laid:
    """Made once: it takes a while."""
    folder = tmp_path_factory.mktemp("busy")
    (folder / "pictures").mkdir()
    shutil.copy(prepared_file, folder / "collect.sqlite")
    clock = HandClock()
    made = open_desk(folder, clock)
    busy = busy_campaign(made, clock)
    made.database.close()
    return Laid(folder, busy, clock.now)


@pytest.fixture
def busy(laid: Laid, desk: Desk, tmp_path: Path, clock: HandClock) -> Busy:
    """A campaign in full swing, in a collection that nobody has touched since."""
    assert desk.pictures.parent == tmp_path  # which has not been looked into yet
    shutil.copytree(laid.folder, tmp_path, dirs_exist_ok=True)
    clock.now = laid.now
    return laid.busy
