"""Commands about collections: hashes that take no time, databases of both kinds, and a collection to copy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from desks import empty_database_url, postgres
from people import CHEAP, PASSWORD, campaign

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.collect.folder import make_folder, open_folder

__all__ = ["empty_database_url", "postgres"]


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonsight.collect.accounts.HASHER", CHEAP)
    monkeypatch.setenv("COMMONSIGHT_PASSWORD", PASSWORD)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection") / "made"
    make_folder(folder)
    desk = open_folder(folder, BY_NAME)
    campaign(desk, "pilot", "vcr")
    desk.database.close()
    return folder


@pytest.fixture
def ours(made_once: Path, tmp_path: Path) -> Path:
    """A collection with one campaign, `pilot`, by VCR's protocol."""
    return shutil.copytree(made_once, tmp_path / "ours")
