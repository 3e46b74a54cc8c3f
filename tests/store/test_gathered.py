"""Many calls, few trips."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from commonsight.store.gathered import Gathered


def test_what_comes_while_the_thread_is_busy_goes_together() -> None:
    trips: list[int] = []

    def work(numbers: list[int]) -> list[int]:
        trips.append(len(numbers))
        time.sleep(0.02)
        return [number * 2 for number in numbers]

    async def run() -> list[int]:
        with ThreadPoolExecutor(1) as thread:
            doubled = Gathered(work, thread)
            return list(await asyncio.gather(*(doubled(number) for number in range(100))))

    assert asyncio.run(run()) == [number * 2 for number in range(100)]
    assert trips == [1, 99]


def test_an_error_reaches_all_of_its_trip_and_nobody_else() -> None:
    def work(numbers: list[int]) -> list[int]:
        time.sleep(0.01)
        if 3 in numbers:
            raise OSError("full")
        return numbers

    async def run() -> None:
        with ThreadPoolExecutor(1) as thread:
            gathered = Gathered(work, thread)
            results = await asyncio.gather(*(gathered(n) for n in range(5)), return_exceptions=True)
            assert results[0] == 0
            assert [type(result) for result in results[1:]] == [OSError] * 4
            assert await gathered(7) == 7

    asyncio.run(run())


def test_a_cancelled_caller_takes_nothing_back() -> None:
    done: list[int] = []

    def work(numbers: list[int]) -> list[None]:
        time.sleep(0.02)
        done.extend(numbers)
        return [None] * len(numbers)

    async def run() -> None:
        with ThreadPoolExecutor(1) as thread:
            gathered = Gathered(work, thread)
            calls = [asyncio.create_task(gathered(number)) for number in range(4)]
            await asyncio.sleep(0.005)
            for call in calls[:3]:
                call.cancel()
            await calls[3]
            with pytest.raises(asyncio.CancelledError):
                await calls[0]
            late = asyncio.create_task(gathered(4))
            await asyncio.sleep(0)
            late.cancel()
            await gathered.drained()

    asyncio.run(run())
    assert done == [0, 1, 2, 3, 4]
