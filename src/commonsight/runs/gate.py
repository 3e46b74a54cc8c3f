"""The one gate that every request of a run passes: how many at once, how many a minute, pauses for all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from commonsight.vlm.limits import AdaptiveLimit, PerMinute


class Gate:
    """Lets requests through in the order in which they came, as the limits allow."""

    def __init__(
        self,
        limit: AdaptiveLimit,
        requests: PerMinute | None,
        tokens: PerMinute | None,
        clock: Callable[[], float],
    ) -> None:
        self.limit, self.requests, self.tokens, self.clock = limit, requests, tokens, clock
        self._waiting: deque[asyncio.Future[float]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self) -> float:
        """Wait until a request may begin; gives the time when it did."""
        came: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append(came)
        self.let_in()
        try:
            return await came
        except asyncio.CancelledError:
            if came.done() and not came.cancelled():  # let in at the moment of being cancelled
                self.limit.drop()
                self.let_in()
            raise

    def let_in(self) -> None:
        """Let in whoever may; to be called whenever a request has ended."""
        while self._waiting:
            if self._waiting[0].done():  # cancelled
                self._waiting.popleft()
                continue
            now = self.clock()
            wait = self._wait(now)
            if wait is None:
                return
            if wait > 0:
                self._again_in(wait)
                return
            self.limit.begin(now)
            if self.requests is not None:
                self.requests.take(now, 1)
            self._waiting.popleft().set_result(now)

    def used(self, tokens: int) -> None:
        """So many tokens were used."""
        if self.tokens is not None:
            self.tokens.take(self.clock(), tokens)

    def _wait(self, now: float) -> float | None:
        wait = self.limit.wait(now)
        if wait is None:
            return None
        rates = [rate.wait(now) for rate in (self.requests, self.tokens) if rate is not None]
        return max([wait, *rates])

    def _again_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.let_in)
