"""Connections that are kept: as many lanes as requests may be under way, each with one connection.

httpx's own pool looks at every connection for every request, twice, and asks the system about each idle one:
with 64 connections this took five times as long as all the rest. So each lane has a pool of one, and the lane
used last is used next, which keeps few connections open while few are needed.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import urllib.request
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from commonsight.errors import AnswererBusy

if TYPE_CHECKING:
    import ssl

    import httpx


class Response(NamedTuple):
    """What came back, whole."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class Lanes:
    """At most so many connections, to any address, with these headers on every request."""

    def __init__(self, headers: Mapping[str, str], most: int, connect: float, total: float) -> None:
        self._headers = dict(headers)
        self._extensions = {"timeout": {"connect": connect, "read": total, "write": total, "pool": total}}
        self._prepared = False
        self._proxy: str | None = None
        self._free: list[httpx.AsyncHTTPTransport] = []
        self._vacant = asyncio.Semaphore(most)
        self._secure: ssl.SSLContext | None = None
        self._urls: dict[str, httpx.URL] = {}

    async def send(self, method: str, address: str, content: bytes | None) -> Response:
        """The whole response, whatever its status; `AnswererBusy` where the connection failed."""
        import httpx

        async with self._vacant:
            lane = self._free.pop() if self._free else self._lane(address)
            url = self._urls.get(address) or self._urls.setdefault(address, httpx.URL(address))
            request = httpx.Request(
                method, url, headers=self._headers, content=content, extensions=self._extensions
            )
            try:
                response = await lane.handle_async_request(request)
                try:
                    return Response(response.status_code, response.headers, await response.aread())
                finally:
                    await response.aclose()
            except httpx.ConnectTimeout:
                raise AnswererBusy("no connection within the time allowed") from None
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
                raise AnswererBusy(f"{type(error).__name__}: {error}".rstrip(": ")) from None
            finally:
                self._free.append(lane)

    async def close(self) -> None:
        """Close every connection."""
        while self._free:
            await self._free.pop().aclose()

    def _lane(self, address: str) -> httpx.AsyncHTTPTransport:
        import httpx

        self.prepare(address)
        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
        verify = False if self._secure is None else self._secure  # without it nothing is encrypted anyway
        return httpx.AsyncHTTPTransport(verify=verify, limits=limits, proxy=self._proxy)

    def prepare(self, address: str) -> None:
        """Do what takes long and is done once, before any clock runs: load httpx, read the certificates."""
        import httpx

        if self._prepared:
            return
        self._prepared = True
        _spare_the_search()
        self._proxy = _proxy(address)
        if self._proxy is not None or address.startswith("https:"):
            self._secure = httpx.create_ssl_context()


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
