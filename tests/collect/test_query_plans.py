"""No step of work reads a whole table: both databases are asked how they would go about each query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from at_work import QUESTION, YES, begun, crew, do, taken, vote_task, write_task
from sqlalchemy import event, text

from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import hand_in, undo
from commonsight.collect.queue import give_back, look, renew, save_draft, take, tidy, waiting

LARGE = ("tasks", "assignments", "barred", "verdicts", "ledger", "records", "events", "purses")
"""Tables that grow with the work."""
WHOLE = re.compile(rf"(SCAN|Seq Scan on) ({'|'.join(LARGE)})\b(?! USING)")
Seen = list[tuple[str, Any]]


@contextmanager
def _watched(desk: Desk) -> Iterator[Seen]:
    """All statements that reach the database meanwhile."""
    seen: Seen = []

    def note(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: Any) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE")):
            seen.append((statement, parameters))

    engines = {desk.database.reader, desk.database.writer}
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield seen
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


def _scans(desk: Desk, seen: Seen) -> list[str]:
    """Statements that would read a large table from end to end."""
    found = []
    with desk.database.writer.connect() as connection:
        if not desk.database.is_sqlite:
            connection.execute(text("SET enable_seqscan = off"))  # tables are small here: only if it must
        for statement, parameters in seen:
            asked = "EXPLAIN QUERY PLAN " if desk.database.is_sqlite else "EXPLAIN "
            rows = connection.exec_driver_sql(asked + statement, parameters).fetchall()
            plan = "\n".join(str(row[-1]) for row in rows)
            if WHOLE.search(plan):
                found.append(f"{statement}\n{plan}")
        connection.rollback()
    return found


def _cycle(desk: Desk, first: int, ann: int, bob: int) -> None:
    work = taken(desk, first, ann)
    look(desk, work.assignment_id, ann)
    renew(desk, work.assignment_id, ann)
    save_draft(desk, work.assignment_id, ann, {"good": "y"})
    give_back(desk, work.assignment_id, ann)
    number = do(desk, first, ann, YES, "vote").assignment_id
    undo(desk, number, ann)
    hand_in(desk, number, ann, YES, key="again")
    number = do(desk, first, ann, QUESTION, "write").assignment_id
    undo(desk, number, ann)
    hand_in(desk, number, ann, QUESTION, key="and again")
    do(desk, first, bob, YES, "vote")
    take(desk, first, bob, "vote")


@pytest.mark.parametrize("verb", [_cycle, lambda desk, first, ann, _: waiting(desk, first, ann),
                                  lambda desk, first, _, __: tidy(desk, first)],
                         ids=["work", "waiting", "tidy"])  # fmt: skip
def test_no_step_reads_a_whole_table(desk: Desk, verb: Callable[..., Any]) -> None:
    many = (*(write_task(f"w{n}") for n in range(30)), *(vote_task(f"v{n}", overlap=2) for n in range(30)))
    first = begun(desk, *many, budget=10**9, gold_rate=0.5)
    ann, bob = crew(desk, first, 2)
    with _watched(desk) as seen:
        verb(desk, first, ann, bob)
    assert len(seen) >= 2
    assert _scans(desk, seen) == []
