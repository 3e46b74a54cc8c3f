"""Collections for tests: the same ones on SQLite and on PostgreSQL."""

from __future__ import annotations

from desks import clock, database_url, desk, empty_database_url, postgres, prepared_file

__all__ = ["clock", "database_url", "desk", "empty_database_url", "postgres", "prepared_file"]
