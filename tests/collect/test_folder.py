"""A collection on the disk: made once, private, and opened only by who has its database and its secret."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import campaign
from sqlalchemy import text
from toy_protocol import TOY

from commonsight.collect.database import Database
from commonsight.collect.folder import (
    bring_up_to_date,
    checked_address,
    is_collection,
    make_folder,
    open_folder,
    read_place,
)
from commonsight.collect.invitations import invite, read_invitation
from commonsight.collect.migrations import current
from commonsight.errors import CommonsightError, StorageUnavailable, UsageError

TOYS = {"toy": TOY}


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_collection_is_made_and_opened(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "ours"
    assert not is_collection(folder)
    make_folder(folder)
    assert is_collection(folder)
    assert (_mode(folder), _mode(folder / "secret")) == (0o700, 0o600)
    desk = open_folder(folder, TOYS)
    token = invite(desk, campaign(desk), "worker")
    desk.database.close()
    again = open_folder(folder, TOYS)
    assert read_invitation(again, token).campaign == "first"
    again.database.close()


def test_a_collection_can_be_moved(tmp_path: Path) -> None:
    make_folder(tmp_path / "here")
    (tmp_path / "here").rename(tmp_path / "there")
    desk = open_folder(tmp_path / "there", TOYS)
    assert campaign(desk) == 1
    desk.database.close()


def test_two_collections_have_two_secrets(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_folder(tmp_path / name)
    assert (tmp_path / "one" / "secret").read_text() != (tmp_path / "two" / "secret").read_text()


def test_a_server_is_named_by_a_variable(
    tmp_path: Path, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_DATABASE", empty_database_url)
    make_folder(tmp_path / "ours", "env:OUR_DATABASE")
    assert empty_database_url not in (tmp_path / "ours" / "collect.json").read_text()
    desk = open_folder(tmp_path / "ours", TOYS)
    assert campaign(desk) == 1
    desk.database.close()
    with pytest.raises(UsageError, match="belongs to another collection"):
        make_folder(tmp_path / "other", empty_database_url)
    assert not (tmp_path / "other").exists()
    monkeypatch.delenv("OUR_DATABASE")
    with pytest.raises(UsageError, match="OUR_DATABASE, which is not set"):
        open_folder(tmp_path / "ours", TOYS)


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:hunter2@host/name", "postgresql://host/name?password=hunter2", "hunter2@host"],
)
def test_a_password_is_not_kept_nor_told(tmp_path: Path, address: str) -> None:
    with pytest.raises(UsageError) as raised:
        make_folder(tmp_path / "ours", address)
    assert "hunter2" not in str(raised.value)
    assert "env:NAME" in str(raised.value)
    assert not (tmp_path / "ours").exists()


def test_a_server_that_is_not_there_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be used"):
        make_folder(tmp_path / "ours", "postgresql://someone@127.0.0.1:9/none")
    assert not (tmp_path / "ours").exists()


def test_no_folder_is_made_twice_or_over_others(tmp_path: Path) -> None:
    make_folder(tmp_path / "ours")
    with pytest.raises(UsageError, match="is a collection already"):
        make_folder(tmp_path / "ours")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds other files"):
        make_folder(tmp_path / "theirs")
    with pytest.raises(UsageError, match="is a file"):
        make_folder(tmp_path / "theirs" / "letter.txt")


def test_what_was_stopped_on_the_way_is_taken_up(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    make_folder(folder)
    secret = (folder / "secret").read_text()
    (folder / "collect.json").unlink()
    make_folder(folder)
    assert (folder / "secret").read_text() == secret
    (folder / "collect.sqlite").unlink()
    with pytest.raises(UsageError, match=r"no tables of ours yet.*commonsight collect init"):
        open_folder(folder, TOYS)
    bring_up_to_date(folder)
    open_folder(folder, TOYS).database.close()


def test_what_is_no_collection_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is no collection\. Make one: commonsight collect init"):
        open_folder(tmp_path, TOYS)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "Restore it"),
        (b'{"database": 3, "made_with": "x"}', "Restore it"),
        (b'{"database": "collect.sqlite", "made_with": "x", "format": 2}', "format is 2, this version"),
        (b'{"database": "../other.sqlite", "made_with": "x"}', "not a path below"),
        (b'{"database": "/etc/other.sqlite", "made_with": "x"}', "not a path below"),
    ],
)
def test_a_damaged_collection_says_so(tmp_path: Path, content: bytes, why: str) -> None:
    make_folder(tmp_path / "ours")
    (tmp_path / "ours" / "collect.json").write_bytes(content)
    with pytest.raises(CommonsightError, match=why):
        open_folder(tmp_path / "ours", TOYS)


def test_a_secret_that_others_can_read_is_none(tmp_path: Path) -> None:
    make_folder(tmp_path)
    secret = tmp_path / "secret"
    secret.chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        open_folder(tmp_path, TOYS)
    secret.chmod(0o600)
    kept = secret.read_text()
    secret.write_text("short")
    with pytest.raises(UsageError, match="holds no secret") as raised:
        open_folder(tmp_path, TOYS)
    assert kept not in str(raised.value)
    secret.unlink()
    with pytest.raises(UsageError, match=r"cannot be read\. Restore it"):
        open_folder(tmp_path, TOYS)


def test_an_older_schema_is_told_and_left_alone(tmp_path: Path) -> None:
    make_folder(tmp_path)
    database = Database(f"sqlite:///{tmp_path / 'collect.sqlite'}")
    database.write(lambda session: session.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(UsageError, match="newer version"):
        open_folder(tmp_path, TOYS)
    assert current(database) == "9999"
    database.close()
    assert read_place(tmp_path).made_with.startswith("commonsight ")


@given(st.text())
def test_any_address_is_taken_or_refused_and_no_password_is_kept(address: str) -> None:
    url = f"postgresql://ann:{address}@host/name"
    for given_address in (address, url):
        try:
            kept = checked_address(given_address)
        except UsageError:
            continue
        assert kept == given_address
        assert kept != url or not address
