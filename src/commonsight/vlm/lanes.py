"""Connections that are kept: as many lanes as requests may be under way, each with one connection.

httpx's own pool looks at every connection for every request, twice, and asks the system about each idle one:
with 64 connections this took five times as long as all the rest. So each lane has a pool of one, and the lane
used last is used next, which keeps few connections open while few are needed. An address nearby, without
encryption or a proxy, is where hundreds of answers a second come from: see `plain_lane`.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import urllib.request
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit

from commonsight.errors import AnswererBusy

if TYPE_CHECKING:
    import ssl


class Response(NamedTuple):
    """What came back, whole. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Lane(Protocol):
    """One connection, made when it is needed and kept while it lasts."""

    async def send(self, method: str, path: str, content: bytes | None) -> Response:
        """The whole response, whatever its status; `AnswererBusy` where the connection failed."""
        ...

    async def close(self) -> None:
        """Close the connection."""
        ...


class Lanes:
    """At most so many connections to one base address, with these headers on every request."""

    def __init__(
        self,
        base: str,
        headers: Mapping[str, str],
        most: int,
        connect: float,
        total: float,
        *,
        plain: bool | None = None,
    ) -> None:
        """`plain` says whether to do without httpx's transport; None leaves it to the address."""
        self._base, self._headers = base, dict(headers)
        self._connect, self._total = connect, total
        self._proxy = _proxy(base)
        self._encrypted = base.startswith("https:")
        self._plain = not self._encrypted and self._proxy is None if plain is None else plain
        self._free: list[Lane] = []
        self._vacant = asyncio.Semaphore(most)
        self._secure: ssl.SSLContext | None = None

    async def send(self, method: str, path: str, content: bytes | None) -> Response:
        """The response over the first lane that is free."""
        async with self._vacant:
            lane = self._free.pop() if self._free else self._lane()
            try:
                return await lane.send(method, path, content)
            finally:
                self._free.append(lane)

    async def close(self) -> None:
        """Close every connection."""
        while self._free:
            await self._free.pop().close()

    def prepare(self) -> None:
        """Do what takes long and is done once, before any clock runs: load httpx, read the certificates."""
        if self._plain or self._secure is not None:
            return
        import httpx

        _spare_the_search()
        if self._proxy is not None or self._encrypted:
            self._secure = httpx.create_ssl_context()

    def _lane(self) -> Lane:
        if self._plain:
            from commonsight.vlm.plain_lane import PlainLane

            return PlainLane(self._base, self._headers, self._connect)
        timeout = {"connect": self._connect, "read": self._total, "write": self._total, "pool": self._total}
        return HttpxLane(self._base, self._headers, timeout, self._secure, self._proxy)


class HttpxLane:
    """A connection of httpx: encrypted, or through a proxy."""

    def __init__(
        self,
        base: str,
        headers: Mapping[str, str],
        timeout: Mapping[str, float],
        secure: ssl.SSLContext | None,
        proxy: str | None,
    ) -> None:
        import httpx

        self._base, self._headers = base, dict(headers)
        self._extensions = {"timeout": dict(timeout)}
        self._transport = httpx.AsyncHTTPTransport(
            verify=False if secure is None else secure,  # None where nothing is encrypted anyway
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
            proxy=proxy,
        )

    async def send(self, method: str, path: str, content: bytes | None) -> Response:
        """The whole response, whatever its status; `AnswererBusy` where the connection failed."""
        import httpx

        url = joined(self._base, path)
        request = httpx.Request(
            method, url, headers=self._headers, content=content, extensions=self._extensions
        )
        try:
            response = await self._transport.handle_async_request(request)
            try:
                content = await response.aread()
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise AnswererBusy(f"{type(error).__name__}: {error}".rstrip(": ")) from None
        return Response(response.status_code, response.headers, content)

    async def close(self) -> None:
        """Close the connection."""
        await self._transport.aclose()


def joined(base: str, path: str) -> str:
    """The address of a path under a base address, whose query, if it has one, stays at the end."""
    parts = urlsplit(base)
    return parts._replace(path=parts.path.rstrip("/") + path).geturl()


def _proxy(address: str) -> str | None:
    """The proxy that the environment names for this address."""
    parts = urlsplit(address)
    if not parts.hostname or urllib.request.proxy_bypass(parts.hostname):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")


def _spare_the_search() -> None:
    """Where sniffio is not installed, let Python know that it need not look for it.

    httpcore tries to import it several times in every request, and a search in vain takes a millisecond.
    """
    if "sniffio" not in sys.modules and importlib.util.find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]
