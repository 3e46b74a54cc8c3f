"""What Alembic runs: the versions, on the connection and in the transaction of whoever asked."""

from __future__ import annotations

from alembic import context

from commonsight.collect.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,  # SQLite can take back a table, too, where we begin the transaction ourselves
)
context.run_migrations()
