"""How a database gets its tables, and how an older one gets those of today: Alembic, run from code.

A version is a file in `versions/`, written out by hand and never changed once it was released. A test holds
that all of them together make just what `tables.py` says, on both databases.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from commonsight.collect.database import Database
from commonsight.collect.tables import Base
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from alembic.config import Config

HERE = Path(__file__).parent
_TURN = 0x636F6C6C
"""The number of the lock that two who migrate the same PostgreSQL database queue for."""


def newest() -> str:
    """The version of today's tables."""
    from alembic.script import ScriptDirectory

    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def current(database: Database) -> str | None:
    """The version that a database has; None for one without our tables."""
    from alembic.migration import MigrationContext

    with database.read() as session:
        return MigrationContext.configure(session.connection()).get_current_revision()


def upgrade(database: Database) -> None:
    """Give a database today's tables, whatever version of them it has; all of it, or nothing."""
    database.write(lambda session: _upgrade(session.connection(), database.shown))


def check_version(database: Database, remedy: str) -> None:
    """Refuse to work on other tables than today's. `remedy` says how an older database is brought here."""
    found = current(database)
    if found == newest():
        return
    if found is not None and not _is_known(found):
        raise _from_the_future(database.shown, found)
    what = "has no tables of ours yet" if found is None else f"has the tables of an older version ({found})"
    raise UsageError(f"The database {database.shown} {what}. {remedy}")


def _upgrade(connection: Connection, shown: str) -> None:
    from alembic import command
    from alembic.migration import MigrationContext

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _TURN})
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        _check_empty(connection, shown)
    elif not _is_known(found):
        raise _from_the_future(shown, found)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_empty(connection: Connection, shown: str) -> None:
    """Tables of these names that we did not make are someone else's."""
    theirs = sorted(set(Base.metadata.tables) & set(inspect(connection).get_table_names()))
    if theirs:
        raise UsageError(
            f"The database {shown} holds tables that are not ours ({', '.join(theirs)}). Give an empty one."
        )


def _is_known(revision: str) -> bool:
    from alembic.script import ScriptDirectory

    return any(one.revision == revision for one in ScriptDirectory.from_config(_config()).walk_revisions())


def _from_the_future(shown: str, found: str) -> UsageError:
    return UsageError(
        f"The database {shown} was made by a newer version of commonsight ({found}). Install that one."
    )


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    return config
