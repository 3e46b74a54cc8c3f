"""A small drawn world, and collections with the papers' own protocols, on SQLite."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import clock, prepared_file
from people import CHEAP

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.collect import accounts
from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.desk import Desk
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.world.make import KINDS, Plan, make_world

__all__ = ["clock", "prepared_file"]


@pytest.fixture(scope="session")
def world_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world of a movie and of two sets."""
    folder = tmp_path_factory.mktemp("drawn") / "world"
    make_world(folder, Plan(16, 3, KINDS), progress=lambda units, _: units)
    return folder


@pytest.fixture(scope="session")
def world(world_folder: Path) -> DrawnWorld:
    """The same, looked at; scenes that were drawn again stay."""
    return DrawnWorld(world_folder)


@pytest.fixture
def desk(prepared_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """An open collection with every protocol, and with passwords that take no time."""
    monkeypatch.setattr(accounts, "HASHER", CHEAP)
    (tmp_path / "pictures").mkdir()
    shutil.copy(prepared_file, tmp_path / "collect.sqlite")
    database = Database(sqlite_url(tmp_path / "collect.sqlite"))
    yield Desk(database, BY_NAME, tmp_path / "pictures", b"secret for tests")
    database.close()
