"""Fixtures: collections on SQLite and on PostgreSQL. A conftest that wants them imports them from here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import postgres_server
import pytest
from people import HandClock
from sqlalchemy import Engine, create_engine, text
from toy_protocol import TOY

from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.desk import Desk
from commonsight.collect.migrations import upgrade
from commonsight.collect.tables import Base

TESTED, EMPTY = "tested", "empty"
"""Databases of the server: one with all tables, emptied before each test, and one without any."""
QUICK = "-c fsync=off -c full_page_writes=off"
"""What the server was told survives the end of any process; only the machine must not go down."""

LET_GO = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
SEQUENCES = """SELECT format('ALTER SEQUENCE %I RESTART;', sequencename) FROM pg_sequences
WHERE last_value IS NOT NULL"""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server with the databases `TESTED` and `EMPTY`."""
    if postgres_server.programs() is None:
        pytest.skip("no PostgreSQL here: install Debian's package postgresql")
    with postgres_server.running(QUICK) as address:
        for name in (TESTED, EMPTY):
            _run_sql(address, f"CREATE DATABASE {name}")
        _make_tables(_named(address, TESTED))
        yield address


@pytest.fixture(scope="session")
def prepared_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of SQLite with all tables, to copy."""
    path = tmp_path_factory.mktemp("prepared") / "prepared.sqlite"
    _make_tables(sqlite_url(path))
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with all tables and no rows, of each kind in turn."""
    if request.param == "sqlite":
        shutil.copyfile(request.getfixturevalue("prepared_file"), tmp_path / "collect.sqlite")
        return sqlite_url(tmp_path / "collect.sqlite")
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without a table, of each kind in turn."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "empty.sqlite")
    url = _named(request.getfixturevalue("postgres"), EMPTY)
    _run_sql(url, LET_GO, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return url


@pytest.fixture
def clock() -> HandClock:
    """A clock that moves only when told."""
    return HandClock()


@pytest.fixture
def desk(database_url: str, tmp_path: Path, clock: HandClock) -> Iterator[Desk]:
    """An open collection with the toy protocol, once on each database."""
    (tmp_path / "pictures").mkdir()
    database = Database(database_url)
    yield Desk(database, {"toy": TOY}, tmp_path / "pictures", b"secret for tests", clock)
    database.close()


def emptied(address: str) -> str:
    """The server's database with all tables, as new."""
    url = _named(address, TESTED)
    _empty(url)
    return url


def _named(address: str, name: str) -> str:
    return address.rpartition("/")[0] + f"/{name}"


def _make_tables(url: str) -> None:
    database = Database(url)
    upgrade(database)
    database.close()


def _engine(url: str) -> Engine:
    return create_engine(url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT")


def _run_sql(url: str, *statements: str) -> None:
    engine = _engine(url)
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def _empty(url: str) -> None:
    """As new: deleting the few rows of a test is quicker than a new database, or than truncating."""
    engine = _engine(url)
    with engine.connect() as connection:
        connection.execute(text(LET_GO))
        tables = "; ".join(f'DELETE FROM "{table.name}"' for table in reversed(Base.metadata.sorted_tables))
        connection.execute(text(f"UPDATE tasks SET source_id = NULL WHERE source_id IS NOT NULL; {tables}"))
        restarts = "".join(connection.scalars(text(SEQUENCES)))
        if restarts:
            connection.execute(text(restarts))
    engine.dispose()
