"""How many at once, found out on simulated servers: no test here sleeps."""

from __future__ import annotations

import heapq
import statistics
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.vlm.limits import AdaptiveLimit, PerMinute


class Simulated:
    """A server by its latency at so many under way, and a client that always has more to ask."""

    def __init__(self, limit: AdaptiveLimit, latency: Callable[[int], float]) -> None:
        self.limit, self.latency = limit, latency
        self.now = 0.0
        self.ended = 0
        self._under_way: list[tuple[float, float]] = []

    def run(self, requests: int, refuse_above: int | None = None) -> None:
        for _ in range(requests):
            while self.limit.wait(self.now) == 0:
                self.limit.begin(self.now)
                took = self.latency(self.limit.at_once)
                heapq.heappush(self._under_way, (self.now + took, self.now))
            if not self._under_way:
                self.now = self.limit.paused_until
                continue
            over = refuse_above is not None and len(self._under_way) > refuse_above
            end, began = heapq.heappop(self._under_way)
            self.now = max(self.now, end)
            if over:
                self.limit.limited(began, self.now, None)
            else:
                self.limit.end(began, self.now)
                self.ended += 1


def with_slots(slots: int, seconds: float = 0.1) -> Callable[[int], float]:
    return lambda under_way: seconds * max(1.0, under_way / slots)


def test_it_begins_low_and_grows_to_the_server_s_slots() -> None:
    limit = AdaptiveLimit(64)
    server = Simulated(limit, with_slots(64))
    assert limit.level == 4
    server.run(2000)
    assert limit.level == 64
    assert limit.highest == 64


def test_it_reaches_the_level_within_a_few_rounds() -> None:
    limit = AdaptiveLimit(64)
    server = Simulated(limit, with_slots(64))
    while limit.level < 64:
        server.run(1)
    assert server.now < 1.5


@pytest.mark.parametrize("slots", [1, 8, 24, 50, 100])
def test_it_does_not_pile_up_requests_that_only_wait(slots: int) -> None:
    limit = AdaptiveLimit(1000)
    server = Simulated(limit, with_slots(slots))
    server.run(20_000)
    assert limit.highest <= max(8, 4 * slots)
    assert slots * 0.5 <= limit.level <= max(4, 2.3 * slots)


@pytest.mark.parametrize("seed", range(4))
def test_noise_does_not_carry_it_away(seed: int) -> None:
    rng = Random(seed)
    steady = with_slots(40)
    limit = AdaptiveLimit(1000)
    server = Simulated(limit, lambda under_way: steady(under_way) * rng.uniform(0.4, 1.6))
    levels = []
    for _ in range(300):
        server.run(400)
        levels.append(limit.level)
    assert 28 <= statistics.median(levels) <= 100
    assert max(levels) <= 160


def test_latency_may_grow_as_long_as_more_is_done() -> None:
    limit = AdaptiveLimit(64)
    Simulated(limit, lambda under_way: 0.1 * under_way**0.5).run(5000)  # as batches on one card
    assert limit.level == 64


def test_it_shrinks_when_told_that_there_are_too_many() -> None:
    limit = AdaptiveLimit(64)
    server = Simulated(limit, with_slots(1000))
    server.run(3000)
    assert limit.level == 64
    server.run(3000, refuse_above=20)
    assert limit.level <= 24
    assert server.ended > 4500  # a few were refused, most were not


def test_a_storm_of_refusals_is_one_sign_not_many() -> None:
    limit = AdaptiveLimit(64, start=64)
    for _ in range(64):
        limit.begin(0.0)
    for _ in range(64):
        limit.limited(0.0, 1.0, 5.0)
    assert limit.level == 38
    assert limit.wait(2.0) == 4.0
    assert limit.wait(6.0) == 0


def test_it_recovers_after_a_storm() -> None:
    limit = AdaptiveLimit(64)
    server = Simulated(limit, with_slots(64))
    server.run(500, refuse_above=1)
    assert limit.level <= 3
    server.run(20_000)
    assert limit.level >= 32


def test_many_faults_shrink_it_too() -> None:
    limit = AdaptiveLimit(64, start=16)
    for _ in range(16):
        limit.begin(0.0)
    for _ in range(9):
        limit.fault(0.0, 1.0)
    assert limit.level == 9


def test_it_does_not_grow_while_there_is_not_enough_to_ask() -> None:
    limit = AdaptiveLimit(64)
    for number in range(200):
        limit.begin(float(number))
        limit.end(float(number), number + 0.1)
    assert limit.level == 4
    assert limit.highest == 1


STEPS = st.sampled_from(["begin", "end", "fault", "limited", "drop"])


@given(st.lists(STEPS, max_size=300), st.integers(1, 9))
def test_the_level_stays_in_its_bounds(steps: list[str], most: int) -> None:
    limit = AdaptiveLimit(most)
    under_way: list[float] = []
    for number, step in enumerate(steps):
        now = number * 0.01
        if step == "begin" and limit.wait(now) == 0:
            limit.begin(now)
            under_way.append(now)
        elif step != "begin" and under_way:
            began = under_way.pop(0)
            if step == "limited":
                limit.limited(began, now, 0.02)
            elif step == "drop":
                limit.drop()
            else:
                getattr(limit, step)(began, now)
        assert 1 <= limit.level <= most
        assert limit.at_once == len(under_way) <= most


def test_nothing_at_once_is_no_limit() -> None:
    with pytest.raises(ValueError, match="at least one"):
        AdaptiveLimit(0)


def test_so_many_a_minute_are_spread() -> None:
    rate = PerMinute(120)
    now, begun = 0.0, 0
    while now < 60:
        now += rate.wait(now)
        rate.take(now, 1)
        begun += 1
    assert 119 <= begun <= 122


def test_tokens_are_paid_afterwards() -> None:
    rate = PerMinute(6000)
    assert rate.wait(0.0) == 0
    rate.take(0.0, 500)
    assert rate.wait(0.0) == pytest.approx(5.0)
    assert rate.wait(4.0) == pytest.approx(1.0)
    assert rate.wait(60.0) == 0
    rate.take(60.0, 100)  # nothing was saved up in the idle minute
    assert rate.wait(60.0) == pytest.approx(1.0)
