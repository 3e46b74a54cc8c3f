"""Requests over plain sockets, many lanes at once: the client has next to no work of its own."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Iterable
from typing import Any, NamedTuple


class Answered(NamedTuple):
    """What came back, and how long that took."""

    status: int
    body: Any
    seconds: float


class Lane:
    """One connection that is kept open, for one person."""

    def __init__(self, port: int, headers: str = "") -> None:
        self._port, self._headers = port, headers
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: object = None) -> Answered:
        """Send one request and read its answer."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        sent = b"" if body is None else json.dumps(body).encode()
        first = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        head = f"{first}Content-Length: {len(sent)}\r\n{self._headers}"
        kind = "Content-Type: application/json\r\n" if sent else ""
        began = time.perf_counter()
        self._writer.write(f"{head}{kind}\r\n".encode() + sent)
        told = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        content = await self._reader.readexactly(_length(told))
        seconds = time.perf_counter() - began
        read = json.loads(content) if b"application/json" in told else content
        return Answered(int(told.split(b" ", 2)[1]), read, seconds)

    async def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
            await self._writer.wait_closed()


def _length(head: bytes) -> int:
    _, found, rest = head.partition(b"content-length: ")
    return int(rest.split(b"\r")[0]) if found else 0


async def together(works: Iterable[Awaitable[None]]) -> float:
    """All of them at once; how many seconds they take."""
    began = time.perf_counter()
    await asyncio.gather(*works)
    return time.perf_counter() - began


def at(share: float, seconds: list[float]) -> float:
    """The least time that this share of requests does not exceed, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]
