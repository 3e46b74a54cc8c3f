"""Work in several processes."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from commonsight.errors import (
    CommonsightError,
    InputError,
    InvalidRecords,
    MissingExtra,
    PredictionError,
    Problem,
    UsageError,
)
from commonsight.store.workers import pool, portable, worked


def _added(base: int, number: int) -> int:
    return base + number


def _failing(number: int) -> int:
    if number == 2:
        raise ValueError("two")
    return number


def _dying(number: int) -> int:
    if number == 2:
        os._exit(9)
    return number


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_order_and_workers_are_made_ready(workers: int) -> None:
    assert list(worked(partial(_added, 10), range(7), workers)) == list(range(10, 17))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_jobs_may_come_one_by_one_and_are_taken_as_they_are_needed(workers: int) -> None:
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(50):
            taken.append(number)
            yield number

    results = worked(partial(_added, 10), jobs(), workers)
    assert next(results) == 10
    assert len(taken) < 40
    assert list(results) == list(range(11, 60))
    assert list(worked(partial(_added, 1), iter(()), workers)) == []


def test_no_jobs_no_results() -> None:
    assert list(worked(partial(_added, 1), [], 4)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_job_is_that_error(workers: int) -> None:
    with pytest.raises(ValueError, match="two"):
        list(worked(_failing, range(4), workers))


def _consumed(work: Callable[[int], int]) -> None:
    list(worked(work, range(6), 2))


def test_a_worker_that_is_ended_gives_a_message() -> None:
    with pytest.raises(CommonsightError, match="ended from outside"):
        _consumed(_dying)


# --- streams -----------------------------------------------------------------------------------------------


def _thrice(number: int) -> Iterator[tuple[int, int]]:
    for turn in range(3):
        yield number, turn


@pytest.mark.parametrize("workers", [1, 2])
def test_a_job_may_give_several_results(workers: int) -> None:
    with pool(workers) as hands:
        given = list(hands.streamed(_thrice, [5, 6, 7]))
    assert sorted(given) == [(job, (5 + job, turn)) for job in range(3) for turn in range(3)]
    assert [value[1] for job, value in given if job == 1] == [0, 1, 2]


def _waiting(folder: Path, number: int) -> Iterator[int]:
    """The first job ends only when whoever asked has had the results of the others."""
    if number == 0:
        while not (folder / "had").exists():
            time.sleep(0.01)
    yield number


def test_results_are_handed_over_as_soon_as_they_are_there(tmp_path: Path) -> None:
    seen = []
    with pool(2) as hands:
        for result in hands.streamed(partial(_waiting, tmp_path), range(4)):
            seen.append(result.value)
            if len(seen) == 3:
                (tmp_path / "had").touch()
    assert seen == [1, 2, 3, 0]


def _half(number: int) -> Iterator[int]:
    yield number
    if number == 1:
        raise InputError("half-way")


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_given_before_an_error_is_not_lost(workers: int) -> None:
    with pool(workers) as hands:
        given = hands.streamed(_half, [1, 1])
        assert next(given).value == 1
        with pytest.raises(InputError, match="half-way"):
            list(given)


def test_one_worker_for_each_core_by_default() -> None:
    with pool() as hands:
        assert hands.size == os.cpu_count()


class _OddError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (UsageError("so"), UsageError, "so"),
        (MissingExtra("A", "b"), CommonsightError, "A is not installed. Install it with: pip install"),
        (PredictionError("so"), PredictionError, "so"),
        (InvalidRecords([Problem(Path("f"), "is bad", "Mend it.")]), InputError, "f: is bad. Mend it."),
        (_OddError("one", "two"), RuntimeError, "_OddError: one and two"),
    ],
)
def test_errors_survive_the_way_from_a_worker(error: Exception, kind: type[Exception], said: str) -> None:
    arrived = pickle.loads(pickle.dumps(portable(error)))
    assert type(arrived) is kind
    assert str(arrived).startswith(said)
    assert "In a worker:" in arrived.__notes__[0]


STOPPED = """
    import sys, time
    from pathlib import Path
    from commonsight.store.workers import worked

    def slow(number):
        Path(sys.argv[1], str(number)).touch()
        time.sleep(60)

    try:
        list(worked(slow, range(4), 2))
    except KeyboardInterrupt:
        sys.exit(7)
"""


def test_ctrl_c_ends_everybody_at_once(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(STOPPED), str(tmp_path)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while len([*tmp_path.iterdir()]) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all of them get it
    assert process.communicate(timeout=30)[1] == b""
    assert process.returncode == 7
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # nobody of them is left
