"""Pictures from a server of our own: what is kept, what is refused, what is asked again."""

from __future__ import annotations

import io
import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import msgspec
import pytest
from PIL import Image

from commonsight.build.imaging.sets.addresses import STOCK, is_of, is_open
from commonsight.build.imaging.sets.download import LOG, STOCK_FAULT, Outcome, download, with_paths
from commonsight.build.imaging.sets.fetch import Manners
from commonsight.build.imaging.sets.lists import Listed
from commonsight.errors import InputError
from commonsight.store.images import ImageStore

QUICK = Manners(pause=0.0, wait=0.01, timeout=5.0, most_bytes=50_000, redirects=2, private=True)


def _png(colour: str) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (20, 10), colour).save(content, "PNG")
    return content.getvalue()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        self.busy = 0
        self.callers: set[object] = set()
        self.headers: list[dict[str, str]] = []

    def handle_error(self, *_: object) -> None:
        """Who asked may have left before all was said."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # which keeps connections, if it may
    server: _Server

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        self.server.callers.add(self.client_address)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.path == "/slow":
            threading.Event().wait(1.0)
        if self.path == "/busy" and self.server.asked[self.path] <= self.server.busy:
            self._say(503, b"later", {"Retry-After": "0"})
        elif self.path in ("/gone", "/never"):
            self._say(404, b"no")
        elif self.path == "/moved":
            self._say(302, b"", {"Location": "/red"})
        elif self.path == "/round":
            self._say(302, b"", {"Location": "/round"})
        elif self.path == "/elsewhere":
            self._say(302, b"", {"Location": "file:///etc/hostname"})
        elif self.path == "/text":
            self._say(200, b"<html>not a picture</html>", {"Content-Type": "image/png"})
        elif self.path == "/half":
            self._say(200, _png("red")[:-20])
        elif self.path == "/packed":
            self._say(200, b"x", {"Content-Encoding": "gzip"})
        elif self.path == "/large":
            self._say(200, b"\0" * 60_000)
        elif self.path == "/endless":
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"\0" * 60_000)  # without a word of how much there is
        else:
            self._say(200, _png("blue" if self.path == "/blue" else "red"), {"Set-Cookie": "seen=1"})

    def _say(self, code: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def web() -> Iterator[_Server]:
    with _Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _got(web: _Server, folder: Path, *paths: str, manners: Manners = QUICK) -> dict[str, Outcome]:
    lines = [Listed(url=web.address + path) for path in paths]
    found = download(lines, folder, manners, skipped=STOCK)
    return {url.removeprefix(web.address): outcome for url, outcome in found.items()}


def test_pictures_are_kept_by_their_content(web: _Server, tmp_path: Path) -> None:
    got = _got(web, tmp_path, "/red", "/blue", "/moved", "/red")
    assert web.asked["/red"] == 2  # once, and once for the redirection, however many lines there are
    red, blue, moved = (got[path].path for path in ("/red", "/blue", "/moved"))
    assert red is not None
    assert red == moved != blue
    assert (tmp_path / red).read_bytes() == _png("red")
    assert not list(tmp_path.glob(".*.part"))
    assert {head["user-agent"] for head in web.headers} == {"commonsight"}
    assert {head["host"] for head in web.headers} == {web.address.removeprefix("http://")}


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("/gone", "the server says 404"),
        ("/round", "redirected more than 2 times"),
        ("/elsewhere", "only http and https addresses are asked"),
        ("/text", "this is not a whole image"),
        ("/half", "this is not a whole image"),
        ("/packed", "the server packs what it sends"),
    ],
)
def test_what_is_no_picture_is_told_and_not_asked_again(
    web: _Server, tmp_path: Path, path: str, fault: str
) -> None:
    outcome = _got(web, tmp_path, path)[path]
    assert outcome.path is None
    assert fault in (outcome.fault or "")
    assert not outcome.again
    before = web.asked[path]
    assert _got(web, tmp_path, path)[path].fault == outcome.fault
    assert web.asked[path] == before
    assert [entry.name for entry in tmp_path.rglob("*") if entry.is_file()] == [LOG]


def test_a_busy_server_is_tried_again_now_and_another_time(web: _Server, tmp_path: Path) -> None:
    web.busy = 3
    first = _got(web, tmp_path, "/busy")["/busy"]
    assert (first.fault, first.again, web.asked["/busy"]) == ("the server says 503", True, 2)
    assert _got(web, tmp_path, "/busy")["/busy"].path is not None
    assert web.asked["/busy"] == 4


@pytest.mark.parametrize("path", ["/large", "/endless"])
def test_what_is_too_large_is_left_and_may_be_allowed_later(web: _Server, tmp_path: Path, path: str) -> None:
    outcome = _got(web, tmp_path, path)[path]
    assert (outcome.fault, outcome.again) == ("larger than 50,000 bytes", True)
    assert web.asked[path] == 1
    generous = msgspec.structs.replace(QUICK, most_bytes=100_000)
    assert "not a whole image" in (_got(web, tmp_path, path, manners=generous)[path].fault or "")


def test_a_slow_server_is_left(web: _Server, tmp_path: Path) -> None:
    hasty = Manners(pause=0.0, timeout=0.1, tries=1, private=True)
    outcome = _got(web, tmp_path, "/slow", manners=hasty)["/slow"]
    assert (outcome.fault, outcome.again) == ("not there within 0.1 s", True)


def test_a_stopped_download_goes_on(web: _Server, tmp_path: Path) -> None:
    _got(web, tmp_path, "/red")
    with (tmp_path / LOG).open("ab") as log:
        log.write(b'{"url":"' + web.address.encode())  # killed in the middle of a line
    got = _got(web, tmp_path, "/red", "/blue")
    assert web.asked == {"/red": 1, "/blue": 1}
    assert all(outcome.path for outcome in got.values())
    assert got["/red"].path is not None
    (tmp_path / got["/red"].path).unlink()
    _got(web, tmp_path, "/red", "/blue")
    assert web.asked == {"/red": 2, "/blue": 1}


def test_a_full_disk_ends_it_with_a_clear_message(
    web: _Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ImageStore, "add", full)
    with pytest.raises(InputError, match="cannot be written \\(no space left on device\\)"):
        _got(web, tmp_path, "/red", "/blue")
    monkeypatch.undo()
    assert all(outcome.path for outcome in _got(web, tmp_path, "/red", "/blue").values())


def test_nothing_of_one_server_is_taken_to_the_next(web: _Server, tmp_path: Path) -> None:
    _got(web, tmp_path, "/biscuit", "/blue", "/red")
    assert all("cookie" not in head for head in web.headers)
    assert len(web.callers) == 3  # a connection each


def test_this_network_is_not_asked_unless_allowed(web: _Server, tmp_path: Path) -> None:
    careful = Manners(pause=0.0)
    outcome = _got(web, tmp_path, "/red", manners=careful)["/red"]
    assert outcome.fault == "127.0.0.1 is an address of this machine or its network; see --allow-private"
    assert not web.asked
    assert _got(web, tmp_path, "/red")["/red"].path is not None  # once it is allowed


@pytest.mark.parametrize(
    "number",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1%eth0", "fd00::1",
     "::ffff:127.0.0.1", "2002:7f00:1::", "224.0.0.1", "100.64.0.1"],
)  # fmt: skip
def test_numbers_of_this_network_are_known(number: str) -> None:
    assert not is_open(number)


def test_numbers_of_the_web_are_open() -> None:
    assert is_open("93.184.216.34")
    assert is_open("2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("ftp://example.org/a.png", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("//example.org/a.png", "only http and https"),
        ("http://", "only http and https"),
        ("http://user:secret@127.0.0.1/a.png", "holds a name or a password"),
        ("http://127.0.0.1:notaport/", "this is no address"),
        ("http://[::1/", "this is no address"),
        ("https://media.gettyimages.com/a.jpg", STOCK_FAULT),
    ],
)
def test_addresses_that_are_not_asked(tmp_path: Path, url: str, fault: str) -> None:
    def never(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    found = download(
        [Listed(url=url)], tmp_path, QUICK, skipped=STOCK, transport=httpx.MockTransport(never)
    )
    assert fault in (found[url].fault or "")


def test_domains_are_whole_names() -> None:
    assert is_of("https://c8.alamy.com/x.jpg", STOCK)
    assert is_of("https://alamy.com./x.jpg", STOCK)
    assert not is_of("https://notalamy.com/x.jpg", STOCK)
    assert not is_of("https://alamy.com.example.org/x.jpg", STOCK)


def test_the_list_gets_its_paths(web: _Server, tmp_path: Path) -> None:
    lines = [
        Listed("two cups", web.address + "/red", result=0, rank=0),
        Listed("two cups", web.address + "/gone", result=0, rank=1),
        Listed(path="mine.png"),
    ]
    told: list[tuple[int, int]] = []
    found = download(lines, tmp_path, QUICK, skipped=(), telling=lambda *counts: told.append(counts))
    done = with_paths(lines, found)
    assert [line.path is None for line in done] == [False, True, False]
    assert done[0].query == "two cups"
    assert told[-1] == (2, 2)
    assert all(json.loads(line)["url"] for line in (tmp_path / LOG).read_text().splitlines())
