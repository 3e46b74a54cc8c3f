"""A real HTTP server on this machine that speaks the OpenAI protocol and misbehaves by plan.

Nothing but the standard library. In a test: `with serving(FaultyServer(plan)) as server: … server.base_url`.
As a process of its own (`python faulty_server.py --latency 0.1 --slots 64`) it prints its port, and `GET
/stats` tells what it has seen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One way to misbehave."""

    kind: str
    """status, hang, cut, cut_headers, malformed, html, empty, drip, drop."""
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    seconds: float = 0.05


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it."""

    number: int
    """Of all requests, from 0."""
    text: str
    """The last text of the last message: what tells questions apart."""
    attempt: int
    """How often this text was asked before."""
    body: dict[str, Any]
    headers: dict[str, str]


Plan = Callable[[Asked], Fault | None]
Says = Callable[[Asked], dict[str, Any] | str]


def always_well(_: Asked) -> Fault | None:
    return None


def echo(asked: Asked) -> str:
    return f"reply to {asked.text}"


FAULTS: dict[str, Fault] = {
    "429": Fault("status", 429, {"Retry-After": "0.01"}, {"error": {"message": "slow down"}}),
    "429 bare": Fault("status", 429, {}, {"error": {"message": "slow down"}}),
    "500": Fault("status", 500, {}, {"error": {"message": "oops"}}),
    "502 html": Fault("status", 502, {"Content-Type": "text/html"}, "<html><h1>Bad gateway</h1></html>"),
    "503": Fault("status", 503, {"Retry-After": "0.01"}, {"error": "overloaded"}),
    "hang": Fault("hang"),
    "cut": Fault("cut"),
    "cut headers": Fault("cut_headers"),
    "malformed": Fault("malformed"),
    "html": Fault("html"),
    "empty": Fault("empty"),
    "drip": Fault("drip", seconds=0.02),
    "drop": Fault("drop"),
}
"""Every fault that passes; a question that meets them is answered if it is asked again."""


def by_chance(seed: int, rate: float) -> Plan:
    """A fault for this share of the requests, by seed."""
    rng = Random(seed)
    faults = list(FAULTS.values())
    return lambda _: rng.choice(faults) if rng.random() < rate else None


class FaultyServer:
    """Counts what it is asked, and answers as planned."""

    def __init__(
        self,
        plan: Plan = always_well,
        says: Says = echo,
        *,
        latency: float = 0.0,
        slots: int = 1000,
        models: tuple[str, ...] | None = ("tiny",),
        key: str | None = None,
        remember: bool = True,
        texts: bool = False,
    ) -> None:
        """`texts`: it has the older interface too, which goes on with a text."""
        self.texts = texts
        self.plan, self.says, self.latency, self.slots = plan, says, latency, slots
        self.models, self.key, self.remember = models, key, remember
        self.seen: list[Asked] = []
        self.paths: list[str] = []
        self.requests = 0
        self.connections = 0
        self.at_once = 0
        self.most_at_once = 0
        self._attempts: Counter[str] = Counter()
        self._queue: deque[tuple[_Connection, dict[str, str], bytes]] = deque()
        self._active = 0
        self._open: set[_Connection] = set()
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0) -> int:
        self._loop = loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", port, backlog=1000)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{self.port}/v1"
        return self.port

    def close(self) -> None:
        assert self._server is not None
        self._server.close()

    def hang_up(self) -> None:
        """Close every connection, from any thread, as servers do with idle ones."""
        for connection in list(self._open):
            self._loop.call_soon_threadsafe(connection.hang_up)

    def joined(self, connection: _Connection) -> None:
        self.connections += 1
        self._open.add(connection)

    def left(self, connection: _Connection) -> None:
        self._open.discard(connection)

    def take(self, connection: _Connection, path: str, headers: dict[str, str], body: bytes) -> None:
        """A whole request has arrived."""
        if self.remember:
            self.paths.append(path)
        path = path.partition("?")[0]
        if path.endswith("/stats"):
            stats = {"requests": self.requests, "most_at_once": self.most_at_once, "seen": self._attempts}
            connection.respond(200, stats)
        elif self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            # as real servers do: the key that was sent is in the message
            message = f"Incorrect API key provided: {headers.get('authorization')}"
            connection.respond(401, {"error": {"message": message}})
        elif path.endswith("/models"):
            known = [{"id": name, "object": "model"} for name in self.models or ()]
            connection.respond(200 if self.models else 404, {"object": "list", "data": known})
        elif not path.endswith("/v1/chat/completions") and not (
            self.texts and path.endswith("/v1/completions")
        ):
            connection.respond(404, {"detail": "Not Found"})
        else:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            self._queue.append((connection, headers, body))
            self._begin()

    def _begin(self) -> None:
        while self._queue and self._active < self.slots:
            self._active += 1
            connection, headers, body = self._queue.popleft()
            if self.latency:
                asyncio.get_running_loop().call_later(self.latency, self._answer, connection, headers, body)
            else:
                self._answer(connection, headers, body)

    def _answer(self, connection: _Connection, headers: dict[str, str], body: bytes) -> None:
        self._active -= 1
        self.at_once -= 1
        if self.remember:
            sent = json.loads(body)
            content = sent["prompt"] if "prompt" in sent else sent["messages"][-1]["content"]
            text = content if isinstance(content, str) else _texts(content)[-1]
            asked = Asked(self.requests, text, self._attempts[text], sent, headers)
            self._attempts[text] += 1
            self.seen.append(asked)
        else:
            asked = Asked(self.requests, "", 0, {}, {})
        self.requests += 1
        fault = self.plan(asked)
        if fault is None:
            said = self.says(asked)
            whole = text_completion if "prompt" in asked.body else completion
            connection.respond(200, whole(said) if isinstance(said, str) else said)
        else:
            connection.misbehave(fault)
        self._begin()


def _texts(parts: list[dict[str, Any]]) -> list[str]:
    return [part["text"] for part in parts if part["type"] == "text"]


def completion(text: str, **choice: Any) -> dict[str, Any]:
    """A whole answer of the protocol."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "c", "object": "chat.completion", "model": "tiny-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }  # fmt: skip


def text_completion(text: str, **choice: Any) -> dict[str, Any]:
    """A whole answer of the older interface."""
    return {
        "id": "t", "object": "text_completion", "model": "tiny-1",
        "choices": [{"index": 0, "text": text, "finish_reason": "length", **choice}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }  # fmt: skip


class _Connection(asyncio.Protocol):
    """One client's connection: one request at a time."""

    def __init__(self, server: FaultyServer) -> None:
        self._server = server
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.joined(self)

    def connection_lost(self, _: Exception | None) -> None:
        self._server.left(self)

    def hang_up(self) -> None:
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, found, rest = self._got.partition(b"\r\n\r\n")
        if not found:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if len(rest) < int(headers.get("content-length", 0)):
            return
        self._got = b""
        self._server.take(self, first.split(" ")[1], headers, rest)

    def respond(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self._transport.write(_response(status, body, headers or {}))

    def misbehave(self, fault: Fault) -> None:
        whole = _response(200, completion("cut off before it ends " * 20), {})
        loop = asyncio.get_running_loop()
        if fault.kind == "status":
            self.respond(fault.status, fault.body, fault.headers)
        elif fault.kind == "hang":
            return
        elif fault.kind in ("cut", "cut_headers"):
            self._transport.write(whole[: 200 if fault.kind == "cut" else 30])
            self._transport.close()
        elif fault.kind == "drop":
            self._transport.abort()
        elif fault.kind == "malformed":
            self.respond(200, '{"choices": [{"message": {"content": "half', {})
        elif fault.kind == "html":
            self.respond(200, "<html>Welcome to the wrong door</html>", {"Content-Type": "text/html"})
        elif fault.kind == "empty":
            self.respond(200, {"choices": []})
        else:
            assert fault.kind == "drip"
            for at in range(len(whole)):  # a byte now and then, without end as far as a client can wait
                loop.call_later(at * fault.seconds, self._transport.write, whole[at : at + 1])


def _response(status: int, body: Any, headers: dict[str, str]) -> bytes:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    told = {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}
    lines = [f"HTTP/1.1 {status} Something", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


@contextmanager
def serving(server: FaultyServer) -> Iterator[FaultyServer]:
    """The server, running in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--slots", type=int, default=1000)
    parser.add_argument("--fault-rate", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--remember", action="store_true")
    options = parser.parse_args()
    plan = by_chance(options.seed, options.fault_rate) if options.fault_rate else always_well

    async def serve() -> None:
        server = FaultyServer(plan, latency=options.latency, slots=options.slots, remember=options.remember)
        print(await server.start(), flush=True)
        await asyncio.Event().wait()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
