"""Processes that race for the last task, and one that is killed in the middle of a hundred submissions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from at_work import YES, begun, check_books, crew, earnings, rows, taken, vote_task, write_task
from sqlalchemy import func, select

from commonsight.collect.desk import Desk
from commonsight.collect.handing_in import hand_in
from commonsight.collect.tables import Assignment, Entry, RecordRow, Task

HERE = Path(__file__).parent
TASKS, VOTERS = 34, 3


def _process(url: str, campaign_id: int, verb: str, whom: list[str]) -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, HERE / "submitting.py", url, str(campaign_id), verb, *whom],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(HERE)},
    )
    assert made.stdout is not None
    assert made.stdout.readline() == "ready\n"
    return made


def _go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_processes_race_for_the_last_task(desk: Desk, database_url: str) -> None:
    first = begun(desk, write_task("last"))
    people = crew(desk, first, 8)
    racing = [_process(database_url, first, "take", [*map(str, some)]) for some in (people[:4], people[4:])]
    for process in racing:
        _go(process)
    told = [line for process in racing for line in process.communicate(timeout=60)[0].splitlines()]
    assert [process.returncode for process in racing] == [0, 0]
    assert len(told) == 8
    assert sum(not line.endswith("nothing") for line in told) == 1
    check_books(desk)


def test_killed_among_a_hundred_submissions(desk: Desk, database_url: str) -> None:
    """What was acknowledged is there; the rest is there or not, but whole; sent again, nothing doubles."""
    first = begun(desk, *(vote_task(f"v{number}") for number in range(TASKS)))
    people = crew(desk, first, TASKS * VOTERS)
    held = {taken(desk, first, user_id).assignment_id: user_id for user_id in people}
    whom = [f"{user_id}:{number}" for number, user_id in held.items()]
    process = _process(database_url, first, "give", whom)
    _go(process)
    assert process.stdout is not None
    acknowledged = [int(process.stdout.readline()) for _ in range(35)]
    os.kill(process.pid, signal.SIGKILL)
    acknowledged += [int(line) for line in process.stdout.read().split()]
    assert process.wait(timeout=60) == -signal.SIGKILL
    process.communicate()
    assert 35 <= len(acknowledged) < len(held)

    given = {one.id for one in rows(desk, Assignment, state="given")}
    assert given >= set(acknowledged)
    check_books(desk)

    with ThreadPoolExecutor(8) as pool:  # every page sends again what it has no answer to, and more
        list(pool.map(lambda n: hand_in(desk, n, held[n], YES, key=f"key {n}"), held))
    assert {one.state for one in rows(desk, Assignment)} == {"given"}
    assert {task.state for task in rows(desk, Task)} == {"done"}
    assert len(rows(desk, RecordRow)) == TASKS
    assert earnings(desk, first) == dict.fromkeys(people, 200)
    with desk.database.read() as session:
        doubled = select(Entry.assignment_id).group_by(Entry.assignment_id).having(func.count() > 1)
        assert session.scalars(doubled).all() == []
    check_books(desk)
