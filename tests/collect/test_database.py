"""Reads see, writes happen whole or not at all, and faults of the database say what to do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from commonsight.collect.database import Database, insert_new, sqlite_url
from commonsight.collect.desk import Desk, SteadyClock
from commonsight.collect.tables import Picture, User
from commonsight.errors import StorageUnavailable, UsageError


def _add(session: Session, name: str) -> None:
    session.add(User(name=name, password="x", made_at=1))


def _count(desk: Desk) -> int:
    with desk.database.read() as session:
        return session.scalar(select(func.count()).select_from(User)) or 0


def test_a_write_that_fails_leaves_nothing(desk: Desk) -> None:
    def half(session: Session) -> None:
        _add(session, "one")
        session.flush()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        desk.database.write(half)
    assert _count(desk) == 0


def test_many_writers_at_once_lose_nothing(desk: Desk) -> None:
    """Each reads a number and writes the next, as a counter in the database would."""

    def bump(session: Session) -> None:
        user = session.scalar(select(User).where(User.name == "counter").with_for_update())
        assert user is not None
        user.made_at += 1

    desk.database.write(lambda session: _add(session, "counter"))
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda _: desk.database.write(bump), range(60)))
    with desk.database.read() as session:
        assert session.scalar(select(User.made_at)) == 61


def test_only_new_rows_are_inserted_and_counted(desk: Desk) -> None:
    def rows(*names: str) -> list[dict[str, object]]:
        return [{"hash": name, "width": 1, "height": 2} for name in names]

    def insert(*names: str) -> int:
        return desk.database.write(lambda session: insert_new(session, Picture, rows(*names)))

    assert [insert("a", "b", "a"), insert("b", "c"), insert("a"), insert()] == [2, 1, 0, 0]
    with desk.database.read() as session:
        assert sorted(session.scalars(select(Picture.hash))) == ["a", "b", "c"]


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "nonsense", "sqlite:///:memory:"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(UsageError, match="database"):
        Database(url)


def test_a_server_that_is_not_there_says_so_without_the_password() -> None:
    database = Database("postgresql://someone:hunter2@127.0.0.1:9/none")
    with pytest.raises(StorageUnavailable) as raised, database.read() as session:
        session.scalar(select(func.count()).select_from(User))
    assert "hunter2" not in str(raised.value)
    assert "Nothing was saved" in str(raised.value)


def test_a_full_disk_saves_nothing_and_says_so(tmp_path: Path) -> None:
    from commonsight.collect.tables import Base

    database = Database(sqlite_url(tmp_path / "small.sqlite"))
    Base.metadata.create_all(database.writer)

    def much(session: Session) -> None:
        connection = session.connection()
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 1}")
        for number in range(2000):
            _add(session, f"user {number}")
        session.flush()

    with pytest.raises(StorageUnavailable, match="disk is full"):
        database.write(much)
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 0
    database.close()


def test_a_clock_that_is_set_back_stands_still() -> None:
    times = iter((5_000, 9_000, 2_000, 12_000))
    clock = SteadyClock(lambda: next(times))
    assert [clock() for _ in range(4)] == [5, 9, 9, 12]
