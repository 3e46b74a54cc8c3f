"""A real server on loopback for tests: the app behind uvicorn, in a thread, on a port that is free."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing elsewhere can be asked for
]  # fmt: skip

needs_chromium = pytest.mark.skipif(
    not Path(CHROMIUM).exists(), reason="no Chromium here: install Debian's package chromium"
)


@contextmanager
def served(app: Any, **options: Any) -> Iterator[str]:
    """The address of the running app, `http://127.0.0.1:<port>`, until the block ends."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="on", **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        _wait_for(server, thread)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()


def _wait_for(server: uvicorn.Server, thread: threading.Thread) -> None:
    ends = time.monotonic() + 20
    while not server.started:
        if not thread.is_alive() or time.monotonic() > ends:
            raise RuntimeError("the server did not start")
        time.sleep(0.01)


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
        try:
            yield chromium
        finally:
            chromium.close()


def violations(page: Any, *rules: str) -> list[str]:
    """What axe finds wrong with the page as it is now, one line for each rule; nothing is the aim. With
    `rules`, it looks for these only, which is quicker where another test looks for all."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"runOnly": list(rules)} if rules else None
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: "
        + "; ".join(" ".join(map(str, node["target"])) for node in each["nodes"])
        for each in found
    ]
