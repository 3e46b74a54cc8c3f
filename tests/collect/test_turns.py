"""Writes of one process are served in order, and go to the disk together when they wait together."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import event, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.tables import Base, User
from commonsight.collect.turns import TOGETHER
from commonsight.errors import StorageUnavailable, WorkRefused


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(sqlite_url(tmp_path / "turns.sqlite"))
    Base.metadata.create_all(made.writer)
    yield made
    made.close()


def _add(session: Session, name: str) -> str:
    session.add(User(name=name, password="x", made_at=1))
    session.flush()
    return name


def _names(database: Database) -> list[str]:
    with database.read() as session:
        return list(session.scalars(select(User.name).order_by(User.id)))


class Held:
    """A database whose connection is held by a first write until it is let go, while others queue up."""

    def __init__(self, database: Database, pool: ThreadPoolExecutor) -> None:
        self.database, self.pool = database, pool
        self.begun, self.let_go = Event(), Event()
        self.first = pool.submit(database.write, self._hold)
        assert self.begun.wait(30)

    def _hold(self, session: Session) -> str:
        self.begun.set()
        assert self.let_go.wait(30)
        return _add(session, "first")

    def queue(self, work: object) -> Future[str]:
        """Another write, which is surely in the queue when this returns."""
        turns = self.database._turns
        before = len(turns._waiting)
        made = self.pool.submit(self.database.write, work)  # type: ignore[arg-type]
        while len(turns._waiting) == before:
            continue
        return made


def test_those_who_wait_together_are_served_in_order_by_one_commit(database: Database) -> None:
    commits = []
    event.listen(database.writer, "commit", lambda _: commits.append(1))
    names = [f"w{number}" for number in range(TOGETHER + 3)]
    with ThreadPoolExecutor(40) as pool:
        held = Held(database, pool)
        waiting = [held.queue(lambda session, name=name: _add(session, name)) for name in names]
        held.let_go.set()
        assert [one.result(30) for one in (held.first, *waiting)] == ["first", *names]
    assert _names(database) == ["first", *names]
    assert len(commits) == 3


def test_one_that_fails_is_taken_back_alone(database: Database) -> None:
    def refused(session: Session) -> str:
        _add(session, "never")
        raise WorkRefused("no", "No.")

    with ThreadPoolExecutor(10) as pool:
        held = Held(database, pool)
        good = held.queue(lambda session: _add(session, "good"))
        bad = held.queue(refused)
        twice = held.queue(lambda session: _add(session, "good"))
        last = held.queue(lambda session: _add(session, "last"))
        held.let_go.set()
        assert (good.result(30), last.result(30)) == ("good", "last")
        with pytest.raises(WorkRefused, match="No"):
            bad.result(30)
        with pytest.raises(IntegrityError):
            twice.result(30)
    assert _names(database) == ["first", "good", "last"]


def test_what_spoils_the_whole_commit_spoils_no_other_write(database: Database) -> None:
    def full(session: Session) -> str:
        connection = session.connection()
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count={pages + 1}"))
        try:
            for number in range(2000):
                _add(session, f"much {number}")
        finally:
            connection.execute(text("PRAGMA max_page_count=1000000"))
        return "full"

    with ThreadPoolExecutor(10) as pool:
        held = Held(database, pool)
        good = held.queue(lambda session: _add(session, "good"))
        bad = held.queue(full)
        last = held.queue(lambda session: _add(session, "last"))
        held.let_go.set()
        assert (good.result(60), last.result(60)) == ("good", "last")
        with pytest.raises(StorageUnavailable, match="disk is full"):
            bad.result(60)
    assert _names(database) == ["first", "good", "last"]


def test_nobody_is_told_before_it_is_on_the_disk(database: Database) -> None:
    seen: list[tuple[str, list[str]]] = []

    def write(name: str) -> None:
        database.write(lambda session: _add(session, name))
        seen.append((name, _names(database)))

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(write, [f"w{number}" for number in range(60)]))
    assert len(seen) == 60
    assert all(name in names for name, names in seen)
