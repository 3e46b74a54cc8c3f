"""Many small calls served by few trips to a thread: what comes while it is busy goes with the next trip.

The disk is slow for one line and hardly slower for a hundred. So nobody waits for a timer, and a busy disk
makes larger batches by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

Given = TypeVar("Given")
Gives = TypeVar("Gives")


class Gathered(Generic[Given, Gives]):
    """`await gathered(one)` gives what `work([..., one, ...])` gives for it, done in the executor's thread.

    A caller that is cancelled while it waits takes nothing back: what it handed over is still done.
    """

    def __init__(self, work: Callable[[list[Given]], Sequence[Gives]], thread: Executor) -> None:
        self._work, self._thread = work, thread
        self._waiting: list[tuple[Given, asyncio.Future[Gives]]] = []
        self._trip: asyncio.Future[Sequence[Gives]] | None = None

    async def __call__(self, one: Given) -> Gives:
        """What the work gives for this one, or the error that its trip ended in."""
        answer: asyncio.Future[Gives] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, answer))
        if self._trip is None:
            self._set_out()
        return await answer

    async def drained(self) -> None:
        """Return once nothing is waiting or under way, whether it went well or not."""
        while self._trip is not None:
            await asyncio.wait([self._trip])
            await asyncio.sleep(0)  # its callback sets out again where more is waiting

    def _set_out(self) -> None:
        batch, self._waiting = self._waiting, []
        loop = asyncio.get_running_loop()
        self._trip = loop.run_in_executor(self._thread, self._work, [one for one, _ in batch])
        self._trip.add_done_callback(lambda trip: self._come_back(trip, [answer for _, answer in batch]))

    def _come_back(self, trip: asyncio.Future[Sequence[Gives]], answers: list[asyncio.Future[Gives]]) -> None:
        self._trip = None
        error = trip.exception()
        given = trip.result() if error is None else ()
        for place, answer in enumerate(answers):
            if answer.done():  # its caller was cancelled
                continue
            if error is None:
                answer.set_result(given[place])
            else:
                answer.set_exception(error)
        if self._waiting:
            self._set_out()
