"""When to ask again: exponential backoff with full jitter, and never longer than a person would wait.

Pure: the caller brings the time that has passed and the randomness, and does the waiting.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from commonsight.errors import AnswererBusy


class Backoff(Struct, frozen=True):
    """How often, and how long in all, one question is tried."""

    tries: int = 10
    """At most so many requests for one question."""
    first: float = 0.5
    """The longest wait before the second try, in seconds; doubled for each further one."""
    longest: float = 60.0
    total: float = 1800.0
    """No try begins later than this after the first one, in seconds."""

    def wait(self, tried: int, passed: float, busy: AnswererBusy, rng: Random) -> float | None:
        """Seconds until the next try after so many, or None to give up.

        Full jitter, so that those who failed together do not come back together. What the server asks for is
        kept to, with jitter on top of it.
        """
        if tried >= self.tries:
            return None
        # past 2^63 a float is still a float, but nobody waits that long
        jitter = rng.uniform(0, min(self.longest, self.first * 2.0 ** min(tried - 1, 62)))
        seconds = jitter if busy.retry_after is None else busy.retry_after + min(jitter, self.first)
        return seconds if passed + seconds <= self.total else None
