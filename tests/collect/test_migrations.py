"""Migrations make just the tables that the code works with, on both databases, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from commonsight.collect import migrations
from commonsight.collect.database import Database
from commonsight.collect.tables import Base
from commonsight.errors import UsageError


@pytest.fixture
def empty(empty_database_url: str) -> Iterator[Database]:
    """A database without a table."""
    database = Database(empty_database_url)
    yield database
    database.close()


def test_migrations_make_the_tables_that_the_code_has(empty: Database) -> None:
    assert migrations.current(empty) is None
    migrations.upgrade(empty)
    assert migrations.current(empty) == migrations.newest()
    with empty.reader.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []
        found = inspect(connection)
        for table in Base.metadata.sorted_tables:  # what Alembic does not compare
            assert found.get_pk_constraint(table.name)["name"] == f"pk_{table.name}"
            wheres = {
                str(index.name): str(index.dialect_options[connection.dialect.name]["where"])
                for index in table.indexes
                if index.dialect_options[connection.dialect.name]["where"] is not None
            }
            made = {str(index["name"]): _where(index) for index in found.get_indexes(table.name)}
            assert {name: _plain(made[name]) for name in wheres} == {n: _plain(w) for n, w in wheres.items()}


def _where(index: object) -> str:
    options = index.get("dialect_options", {})  # type: ignore[attr-defined]
    return str(options.get("sqlite_where", options.get("postgresql_where", "")))


def _plain(where: str) -> str:
    """PostgreSQL writes a condition back with brackets and types."""
    for gone in ("(", ")", " ", "::text", "::charactervarying"):
        where = where.replace(gone, "")
    return where


def test_migrating_again_changes_nothing(empty: Database) -> None:
    migrations.upgrade(empty)
    empty.write(lambda session: session.execute(text("INSERT INTO pictures VALUES ('x', 1, 2)")))
    migrations.upgrade(empty)
    with empty.read() as session:
        assert session.execute(text("SELECT * FROM pictures")).all() == [("x", 1, 2)]


def test_two_who_migrate_at_once_make_the_tables_once(empty: Database, empty_database_url: str) -> None:
    other = Database(empty_database_url)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(migrations.upgrade, (empty, other)))
    other.close()
    assert migrations.current(empty) == migrations.newest()


def test_a_migration_that_fails_leaves_nothing(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Database.write

    def fails(self: Database, work: object) -> object:
        def then_fail(session: object) -> None:
            work(session)  # type: ignore[operator]
            raise ZeroDivisionError

        return real(self, then_fail)  # type: ignore[arg-type]

    monkeypatch.setattr(Database, "write", fails)
    with pytest.raises(ZeroDivisionError):
        migrations.upgrade(empty)
    with empty.reader.connect() as connection:
        assert inspect(connection).get_table_names() == []


def test_tables_of_others_are_left_alone(empty: Database) -> None:
    empty.write(lambda session: session.execute(text("CREATE TABLE users (id INTEGER)")))
    with pytest.raises(UsageError, match=r"not ours \(users\)"):
        migrations.upgrade(empty)
    assert migrations.current(empty) is None


def test_another_version_is_not_worked_on(empty: Database) -> None:
    with pytest.raises(UsageError, match=r"no tables of ours yet\. Do this\."):
        migrations.check_version(empty, "Do this.")
    migrations.upgrade(empty)
    migrations.check_version(empty, "Do this.")
    empty.write(lambda session: session.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(UsageError, match=r"newer version of commonsight \(9999\)"):
        migrations.check_version(empty, "Do this.")
    with pytest.raises(UsageError, match="newer version"):
        migrations.upgrade(empty)


def test_an_older_version_says_how_to_go_on(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    migrations.upgrade(empty)
    found = migrations.newest()
    monkeypatch.setattr(migrations, "newest", lambda: "9999")
    with pytest.raises(UsageError, match=rf"older version \({found}\)\. Do this\."):
        migrations.check_version(empty, "Do this.")


def test_what_is_there_stays_when_tables_change(empty: Database) -> None:
    """From the first version to today's, with a purse in it."""
    from alembic import command

    def first(session: Session) -> None:
        config = migrations._config()
        config.attributes["connection"] = session.connection()
        command.upgrade(config, "0001")
        session.execute(text("INSERT INTO users VALUES (1, 'ann', 'x', 0, false)"))
        session.execute(text("INSERT INTO campaigns VALUES (1, 'c', 'toy', '{}', 'running', 1, NULL, 0, 0)"))
        session.execute(text("INSERT INTO purses VALUES (1, 1, 'write', 900, 300)"))

    empty.write(first)
    migrations.upgrade(empty)
    with empty.read() as session:
        assert session.execute(text("SELECT earned, paid, promised FROM purses")).all() == [(900, 300, 0)]


def test_versions_stand_in_a_row() -> None:
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    revisions = [one.revision for one in script.walk_revisions()]
    assert revisions == [f"{number:04}" for number in range(len(revisions), 0, -1)]
    assert script.get_heads() == [migrations.newest()]


def test_foreign_keys_hold(empty: Database) -> None:
    migrations.upgrade(empty)
    with pytest.raises(DBAPIError, match=r"(?i)foreign key"):
        empty.write(lambda session: session.execute(text("INSERT INTO barred VALUES (1, 1)")))
