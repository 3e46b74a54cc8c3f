"""A small server on loopback that notes what is posted to it, and answers as it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import msgspec


class Listener:
    """What a server has heard."""

    def __init__(self) -> None:
        self.url = ""
        self.answers: list[int] = []
        """The next ones; 200 when there are none left."""
        self.heard: list[tuple[dict[str, str], bytes]] = []

    def events(self) -> list[dict[str, Any]]:
        """All events that came, message by message."""
        return [event for _, body in self.heard for event in msgspec.json.decode(body)["events"]]


@contextmanager
def listening() -> Iterator[Listener]:
    """A server for as long as the block lasts."""
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            listener.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status = listener.answers.pop(0) if listener.answers else 200
            self.send_response(status)
            if status in (301, 302, 307):
                self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    listener.url = f"http://127.0.0.1:{server.server_port}/hook?token=hush"
    try:
        yield listener
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
