"""One picture from the web: few redirections, no more bytes than allowed, no longer than allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urljoin

import httpx
from msgspec import Struct

from commonsight.build.imaging.sets.addresses import Private, Refused, Server, server

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""What a server says when it may answer later."""
_MOVED = frozenset({301, 302, 303, 307, 308})


class Manners(Struct, frozen=True):
    """How servers are asked; none of it is told by the paper."""

    at_once: int = 8
    """Requests under way."""
    pause: float = 1.0
    """Seconds between two requests to one server, of which one is under way at most."""
    timeout: float = 30.0
    """Seconds for all of a picture."""
    most_bytes: int = 20_000_000
    redirects: int = 5
    tries: int = 2
    wait: float = 5.0
    """Seconds before a busy server is tried again, or ten times that at most where it names a time."""
    private: bool = False
    """Whether addresses of this machine and its network may be asked."""
    agent: str = "commonsight"


class Failed(NamedTuple):
    """Why there is no picture, and whether another try may help."""

    why: str
    again: bool
    """Soon, of the same server."""
    after: float | None = None
    """Seconds, where the server said."""
    ours: bool = False
    """Whether it was our own manners that forbade it, which may be others another time."""


async def fetched(client: httpx.AsyncClient, url: str, manners: Manners) -> bytes | Failed:
    """The bytes behind an address."""
    try:
        async with asyncio.timeout(manners.timeout):
            return await _followed(client, url, manners)
    except Refused as error:
        return Failed(str(error), again=False, ours=isinstance(error, Private))
    except LookupError as error:
        return Failed(str(error), again=True)
    except TimeoutError:
        return Failed(f"not there within {manners.timeout:g} s", again=True)
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        return Failed(f"this is no address ({error})", again=False)
    except httpx.HTTPError as error:
        return Failed(f"the connection failed ({type(error).__name__})", again=True)


async def _followed(client: httpx.AsyncClient, url: str, manners: Manners) -> bytes | Failed:
    for _ in range(manners.redirects + 1):
        request = _request(client, url, await server(url, private=manners.private), manners)
        response = await client.send(request, stream=True)
        try:
            if response.status_code not in _MOVED or "location" not in response.headers:
                return await _read(response, manners)
        finally:
            await response.aclose()
        url = urljoin(url, response.headers["location"])
    return Failed(f"redirected more than {manners.redirects} times", again=False)


def _request(client: httpx.AsyncClient, url: str, to: Server, manners: Manners) -> httpx.Request:
    headers = {
        "user-agent": manners.agent,
        "accept": "image/*",
        "accept-encoding": "identity",  # what is small here must not be large when it is unpacked
    }
    return request_to(client, "GET", url, to, headers)


def request_to(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    to: Server,
    headers: Mapping[str, str],
    content: bytes | None = None,
) -> httpx.Request:
    """To the very internet address that was checked, in the name of the one that was asked for."""
    asked = httpx.URL(url)
    named = {"host": asked.netloc.decode("ascii"), **headers}
    place = asked.copy_with(host=to.number)
    extensions = {"sni_hostname": to.host}
    return client.build_request(method, place, headers=named, content=content, extensions=extensions)


async def _read(response: httpx.Response, manners: Manners) -> bytes | Failed:
    status = response.status_code
    if status != httpx.codes.OK:
        again = status in _BUSY
        return Failed(f"the server says {status}", again, _seconds(response) if again else None)
    if response.headers.get("content-encoding", "identity") != "identity":
        return Failed("the server packs what it sends, though it was asked not to", again=False)
    too_large = Failed(f"larger than {manners.most_bytes:,} bytes", again=False, ours=True)
    told = response.headers.get("content-length", "")
    if told.isdecimal() and int(told) > manners.most_bytes:
        return too_large
    content = bytearray()
    async for part in response.aiter_raw():
        content += part
        if len(content) > manners.most_bytes:
            return too_large
    return bytes(content)


def _seconds(response: httpx.Response) -> float | None:
    told = response.headers.get("retry-after", "")
    return float(told) if told.isdecimal() else None
