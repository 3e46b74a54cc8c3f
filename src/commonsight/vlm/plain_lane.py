"""A connection without encryption, made of asyncio's streams and h11, the parser that httpx itself uses.

It does what httpx's transport does for such an address, in a third of the processor time: that is what lets
one process keep a server of 64 slots busy. Encrypted addresses and proxies are httpx's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

import h11

from commonsight.errors import AnswererBusy
from commonsight.vlm.lanes import Response

_CHUNK = 1 << 16


class _Open:
    """A connection that is open, and the state of its conversation."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.talk = h11.Connection(h11.CLIENT)

    @property
    def usable(self) -> bool:
        """Whether another request can be sent; a server may have closed it while it was idle."""
        return not self.reader.at_eof() and not self.writer.is_closing()


class PlainLane:
    """One connection to one base address, with these headers on every request."""

    def __init__(self, base: str, headers: Mapping[str, str], connect: float) -> None:
        parts = urlsplit(base)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._path = parts.path
        self._query = f"?{parts.query}" if parts.query else ""
        named = {"Host": parts.netloc.rpartition("@")[2], **headers}
        self._headers = [(name.encode(), value.encode()) for name, value in named.items()]
        self._connect = connect
        self._open: _Open | None = None

    async def send(self, method: str, path: str, content: bytes | None) -> Response:
        """The whole response, whatever its status; `AnswererBusy` where the connection failed."""
        kept, self._open = self._open, None
        if kept is not None and not kept.usable:
            kept.writer.close()
            kept = None
        try:
            kept = kept or await self._opened()
        except (OSError, TimeoutError) as error:
            raise AnswererBusy(f"no connection: {_reason(error)}") from None
        try:
            response = await self._exchange(kept, method, path, content or b"")
        except (OSError, h11.ProtocolError, EOFError) as error:
            raise AnswererBusy(f"the connection broke: {_reason(error)}") from None
        finally:  # also when cancelled: what is half read can never be used again
            if kept.talk.states == {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE}:
                kept.talk.start_next_cycle()
                self._open = kept
            else:
                kept.writer.close()
        return response

    async def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.writer.close()
            self._open = None

    async def _opened(self) -> _Open:
        async with asyncio.timeout(self._connect):
            return _Open(*await asyncio.open_connection(self._host, self._port, limit=_CHUNK))

    async def _exchange(self, kept: _Open, method: str, path: str, content: bytes) -> Response:
        size = [(b"Content-Length", str(len(content)).encode())] if content else []
        target = f"{self._path}{path}{self._query}"
        talk = kept.talk
        head = talk.send(h11.Request(method=method, target=target, headers=[*self._headers, *size]))
        body = talk.send(h11.Data(content)) if content else b""
        end = talk.send(h11.EndOfMessage())
        kept.writer.write(b"".join((head or b"", body or b"", end or b"")))
        await kept.writer.drain()
        status, headers, pieces = 0, {}, []
        while True:
            event = talk.next_event()
            if event is h11.NEED_DATA:
                talk.receive_data(await kept.reader.read(_CHUNK))
            elif isinstance(event, h11.Response):
                status = event.status_code
                headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in event.headers}
            elif isinstance(event, h11.Data):
                pieces.append(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                return Response(status, headers, b"".join(pieces))
            elif not isinstance(event, h11.InformationalResponse):
                raise EOFError("the server hung up")


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error)
    return said or type(error).__name__
