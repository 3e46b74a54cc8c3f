"""What anyone may send: so many writes and failed sign-ins in a while, texts that can be kept, not too much.

Kept in memory: a server that starts again forgets, and nobody is locked out for good.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from fastapi import HTTPException

from commonsight.collect.desk import SECOND, Clock

MOST_KEYS = 20_000
"""Names and addresses that are remembered; the least recent ones are forgotten first."""
MOST_BODY = 1_000_000
"""Bytes: far more than the longest form, far less than what would fill the memory."""


class Rate:
    """`times` in `seconds` for each key: all at once if one likes, then only as fast as they come back."""

    def __init__(self, times: int, seconds: float, clock: Clock, most_keys: int = MOST_KEYS) -> None:
        self._step = int(seconds * SECOND / times)
        self._room = self._step * (times - 1)
        self._clock, self._most_keys, self._lock = clock, most_keys, Lock()
        self._ends: OrderedDict[str, int] = OrderedDict()
        """For each key, when all that it used has come back."""

    def take(self, key: str) -> int:
        """Use one; 0, or the seconds until there is one again."""
        with self._lock:
            now = self._clock()
            ends = max(now, self._ends.pop(key, now))
            wait = ends - now - self._room
            self._ends[key] = ends if wait > 0 else ends + self._step
            while len(self._ends) > self._most_keys:
                self._ends.popitem(last=False)
        return -(-wait // SECOND) if wait > 0 else 0

    def give_back(self, key: str) -> None:
        """It did not count after all: a sign-in with the right password."""
        with self._lock:
            if key in self._ends:
                self._ends[key] -= self._step


class Limits:
    """What the annotation app allows. A person never notices them; a script that guesses does."""

    def __init__(
        self,
        clock: Clock,
        *,
        writes_a_minute: int = 600,
        exports_a_minute: int = 6,
        failures_by_address: int = 30,
        failures_by_name: int = 10,
        failure_seconds: float = 900.0,
    ) -> None:
        self.writes = Rate(writes_a_minute, 60, clock)
        self.exports = Rate(exports_a_minute, 60, clock)
        self.addresses = Rate(failures_by_address, failure_seconds, clock)
        self.names = Rate(failures_by_name, failure_seconds, clock)


def too_many(wait: int) -> None:
    """Refuse if there is something to wait for."""
    if wait:
        many = "a second" if wait == 1 else f"{wait} seconds" if wait < 120 else f"{wait // 60} minutes"
        raise HTTPException(
            429, f"That was too much at once. Please wait {many} and try again.", {"retry-after": str(wait)}
        )


def network_of(host: str) -> str:
    """What counts as one address: an IPv6 customer has a whole /64 of them."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return str(getattr(address, "ipv4_mapped", None) or address)


def is_storable(value: Any) -> bool:
    """Whether every database can keep it: no null bytes, and no half of a character, at any depth."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if "\0" in one or any("\ud800" <= letter <= "\udfff" for letter in one):
                return False
        elif isinstance(one, Mapping):
            left.extend(one.keys())
            left.extend(one.values())
        elif isinstance(one, list | tuple):
            left.extend(one)
    return True


class BodyLimit:
    """Refuses a body that is too large, whether or not its sender says so beforehand."""

    def __init__(self, app: Any, most: int = MOST_BODY) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = dict(scope["headers"]).get(b"content-length", b"0")
        # Raised when the body is read, so that the answer is a page of ours with all its headers.
        await self.app(scope, self._counted(receive, int(said) if said.isdigit() else 0), send)

    def _counted(self, receive: Any, said: int) -> Callable[[], Any]:
        seen = 0

        async def counted() -> Any:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if max(seen, said) > self.most:
                raise HTTPException(413, f"That is more than {self.most:,} bytes. Send less at once.")
            return message

        return counted
