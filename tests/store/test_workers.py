"""Work in several processes."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from commonsight.errors import CommonsightError
from commonsight.store.workers import worked

_base = 0


def _set_base(value: int) -> None:
    global _base
    _base = value


def _added(number: int) -> int:
    return _base + number


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
    assert list(worked(_added, range(7), workers, prepare=_set_base, given=(10,))) == list(range(10, 17))
    _set_base(0)


def test_no_jobs_no_results() -> None:
    assert list(worked(_added, [], 4)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_job_is_that_error(workers: int) -> None:
    with pytest.raises(ValueError, match="two"):
        list(worked(_failing, range(4), workers))


def _consumed(work: Callable[[int], int]) -> None:
    list(worked(work, range(6), 2))


def test_a_worker_that_is_ended_gives_a_message() -> None:
    with pytest.raises(CommonsightError, match="ended from outside"):
        _consumed(_dying)
