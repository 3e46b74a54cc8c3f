"""One way to the database: short reads, and writes that happen whole or not at all.

SQLite and PostgreSQL behave alike behind this. A write is a function of a session, so that it can run again
when another one was in its way; it must do nothing but read and write the database.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import CursorResult, Engine, Select, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import QueuePool

from commonsight.collect.turns import Turns
from commonsight.errors import StorageUnavailable, UsageError

T = TypeVar("T")
S = TypeVar("S", bound=Select[*tuple[Any, ...]])

WAIT = 30.0
"""Seconds that a write waits for its turn."""
TRIES = 8
READERS = 8
CONFLICTS = frozenset({"40001", "40P01"})
"""PostgreSQL's codes for two transactions in each other's way: serialization failure, deadlock."""


def sqlite_url(path: Path) -> str:
    """The address of a file."""
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


class Database:
    """An open database."""

    def __init__(self, url: str) -> None:
        parsed = _parsed(url)
        self.shown = parsed.render_as_string(hide_password=True)
        """The address without its password, for people and logs."""
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self.reader = _sqlite(parsed, "BEGIN", READERS)
            # One connection: writers of this process queue for it, in order, instead of polling for the lock.
            self.writer = _sqlite(parsed, "BEGIN IMMEDIATE", 1)
            self._turns = Turns(self.writer)
        else:
            self.reader = self.writer = create_engine(
                parsed, pool_size=READERS, max_overflow=2 * READERS, pool_timeout=WAIT, pool_pre_ping=True,
                hide_parameters=True,  # what people wrote belongs in no log
            )

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one state of the database and leaves it as it is."""
        try:
            with Session(self.reader, expire_on_commit=False) as session:
                yield session
        except (OperationalError, PoolTimeout) as error:
            raise self._unavailable(error) from error

    def write(self, work: Callable[[Session], T]) -> T:
        """What the work returns, once all it did is on the disk; run again where another was in its way."""
        return self._turns.write(work, self._write) if self.is_sqlite else self._write(work)

    def _write(self, work: Callable[[Session], T]) -> T:
        for attempt in range(TRIES):
            try:
                with Session(self.writer, expire_on_commit=False) as session, session.begin():
                    return work(session)
            except (DBAPIError, PoolTimeout) as error:
                if not _in_the_way(error):
                    if isinstance(error, OperationalError | PoolTimeout):
                        raise self._unavailable(error) from error
                    raise
                if attempt == TRIES - 1:
                    raise self._unavailable(error) from error
                time.sleep(random.uniform(0.2, 1.0) * 0.01 * 2**attempt)
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Let go of every connection."""
        self.reader.dispose()
        self.writer.dispose()

    def _unavailable(self, error: Exception) -> StorageUnavailable:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        return StorageUnavailable(
            f"The database {self.shown} cannot be used ({reason}). Nothing was saved. Check that it is "
            "running, reachable and has space on its disk, then try again."
        )


def insert_new(session: Session, table: type[DeclarativeBase], rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert the rows that are not there yet by any of the table's keys; how many these were."""
    if not rows:
        return 0
    on_sqlite = session.get_bind().dialect.name == "sqlite"
    into = cast(Table, table.__table__)
    statement = (
        sqlite.insert(into).on_conflict_do_nothing()
        if on_sqlite
        else postgresql.insert(into).on_conflict_do_nothing()
    )
    counted = statement.execution_options(preserve_rowcount=True)
    return cast(CursorResult[Any], session.execute(counted, list(rows))).rowcount


def for_change(statement: S, *, skip_locked: bool = False) -> S:
    """The query for rows as they are now, which nobody else changes until this write is over.

    With `skip_locked`, rows that another is changing just now are left out instead of waited for.
    """
    locked = statement.with_for_update(key_share=True, skip_locked=skip_locked)
    return locked.execution_options(populate_existing=True)


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UsageError(  # without the address, which may hold a password
            "This is no address of a database. Write postgresql://user@host/name, or leave it out for SQLite."
        ) from error
    kind = parsed.get_backend_name()
    if kind == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and parsed.database not in (None, "", ":memory:"):
        return parsed.set(drivername="sqlite")
    raise UsageError(f"'{kind}' is no database that we know. Use PostgreSQL, or a file for SQLite.")


def _sqlite(url: URL, begin: str, connections: int) -> Engine:
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=WAIT,
        connect_args={"timeout": WAIT, "check_same_thread": False},
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _in_the_way(error: Exception) -> bool:
    orig = getattr(error, "orig", None)
    if getattr(orig, "sqlstate", None) in CONFLICTS:
        return True
    return getattr(orig, "sqlite_errorname", "") in ("SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_LOCKED")
