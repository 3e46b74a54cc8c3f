"""The protocols in open collections, on SQLite and on PostgreSQL."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desks import clock, database_url, desk, postgres, prepared_file

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.collect.desk import Desk

__all__ = ["clock", "database_url", "desk", "postgres", "prepared_file", "protocol_desk"]


@pytest.fixture
def protocol_desk(desk: Desk) -> Desk:
    """An open collection that knows every protocol, once on each database."""
    return replace(desk, protocols=BY_NAME)
