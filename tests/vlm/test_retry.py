"""When to ask again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import AnswererBusy
from commonsight.vlm.retry import Backoff

BUSY = AnswererBusy("busy")


def test_waits_grow_and_are_spread_over_the_whole_range() -> None:
    rng = Random(1)
    backoff = Backoff(tries=100, first=1.0, longest=8.0)
    for tried, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (9, 8.0), (90, 8.0)):
        waits = [backoff.wait(tried, 0.0, BUSY, rng) for _ in range(300)]
        seconds = [wait for wait in waits if wait is not None]
        assert len(seconds) == 300
        assert 0.9 * longest < max(seconds) <= longest
        assert min(seconds) < 0.1 * longest


def test_the_number_of_tries_is_capped() -> None:
    assert Backoff(tries=3).wait(2, 0.0, BUSY, Random(1)) is not None
    assert Backoff(tries=3).wait(3, 0.0, BUSY, Random(1)) is None


def test_the_time_is_capped() -> None:
    assert Backoff(total=10).wait(1, 10.0, BUSY, Random(1)) is None
    assert Backoff(total=10).wait(1, 1.0, AnswererBusy("busy", retry_after=9.5), Random(1)) is None


@given(st.integers(1, 9), st.floats(0, 100), st.integers(0, 99))
def test_what_the_server_asks_for_is_kept_to(tried: int, retry_after: float, seed: int) -> None:
    wait = Backoff().wait(tried, 0.0, AnswererBusy("busy", retry_after=retry_after), Random(seed))
    assert wait is not None
    assert retry_after <= wait <= retry_after + 0.5


def test_the_same_seed_waits_the_same() -> None:
    assert Backoff().wait(5, 0.0, BUSY, Random(4)) == Backoff().wait(5, 0.0, BUSY, Random(4))
    assert Backoff().wait(5, 0.0, BUSY, Random(4)) != pytest.approx(Backoff().wait(5, 0.0, BUSY, Random(5)))
