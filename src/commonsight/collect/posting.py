"""A message to someone else's server: to the address that was checked, by nobody's proxy, and no further."""

from __future__ import annotations

import asyncio

import httpx

from commonsight.build.imaging.sets.addresses import server
from commonsight.build.imaging.sets.fetch import request_to
from commonsight.collect.delivering import Message

TIMEOUT = 10.0
"""Seconds for all of it."""


def post_message(message: Message) -> int:
    """The status that the server answers with; its words are not read, and it cannot send us elsewhere."""
    return asyncio.run(_posted(message))


async def _posted(message: Message) -> int:
    async with asyncio.timeout(TIMEOUT), httpx.AsyncClient(trust_env=False, timeout=TIMEOUT) as client:
        to = await server(message.url, private=message.private)
        request = request_to(client, "POST", message.url, to, message.headers, message.body)
        response = await client.send(request, stream=True)
        await response.aclose()
        return response.status_code
