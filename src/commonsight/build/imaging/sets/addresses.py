"""Which addresses of a list may be asked: of the open web, by http or https, and not of stock photographs.

A list comes from elsewhere, and whoever wrote it must not reach what only this machine can: routers, other
services, a cloud's own addresses. So a name is looked up first, all that it stands for is checked, and the
connection goes to what was checked, not to what another look would give.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

STOCK = (
    "123rf.com", "alamy.com", "canstockphoto.com", "colourbox.com", "dreamstime.com", "fotolia.com",
    "gettyimages.com", "istockphoto.com", "shutterstock.com", "stocksy.com",
)  # fmt: skip
"""Sellers of photographs, whose pictures carry large watermarks (NLVR2, appendix B). The paper's own list is
not published; none of these is among the 27,898 addresses of its dev and test1 files."""
SCHEMES = ("http", "https")


class Refused(Exception):  # noqa: N818 - it says what happened
    """An address that is not asked, and why."""


class Private(Refused):
    """An address of this machine or its network."""


class Server(NamedTuple):
    """Whom to ask: what the address says, and where that is."""

    scheme: str
    host: str
    port: int
    number: str
    """The internet address that the name stood for when it was checked."""


def is_of(url: str, domains: Collection[str]) -> bool:
    """Whether an address lies in one of these domains."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


async def server(url: str, *, private: bool = False) -> Server:
    """Whom an address means, or why nobody is asked; `private` lets addresses of this network pass."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise Refused(f"this is no address ({error})") from error
    if parts.scheme not in SCHEMES or not host:
        raise Refused("only http and https addresses are asked")
    if parts.username is not None or parts.password is not None:
        raise Refused("the address holds a name or a password")
    port = port or (443 if parts.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise LookupError(f"nobody knows {host}") from error
    numbers = [str(entry[4][0]) for entry in found]
    if not private and not all(is_open(number) for number in numbers):
        raise Private(f"{host} is an address of this machine or its network; see --allow-private")
    return Server(parts.scheme, host, port, numbers[0])


def is_open(number: str) -> bool:
    """Whether an internet address is one that everybody can reach."""
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None and not is_open(str(inner)):
            return False
    return address.is_global and not address.is_multicast
