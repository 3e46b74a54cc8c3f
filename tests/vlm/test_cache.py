"""Replies that are kept: what may be reused, by whom, and what is not in the file."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from commonsight.errors import InputError
from commonsight.vlm.cache import Cache, reusable, served_by
from commonsight.vlm.client import Picture, Reply, Request, Turn

REQUEST = Request((Turn("user", ("a very telling question", Picture(b"telling pixels", "image/png"))),))
REPLY = Reply("B", "length", 5, 6, 0.5, (0.25, 0.75), "tiny-1")


def test_a_reply_is_found_again_and_says_that_it_was(tmp_path: Path) -> None:
    async def run() -> None:
        cache = Cache(tmp_path / "new" / "replies.db")
        key = REQUEST.key("m")
        assert await cache.get(key) is None
        await cache.put(key, REPLY)
        assert await cache.get(key) == structs.replace(REPLY, cached=True)
        assert await cache.get(REQUEST.key("n")) is None
        await cache.put(key, Reply("another"))
        found = await cache.get(key)
        assert found is not None
        assert found.text == "B"
        cache.close()

    asyncio.run(run())


def test_it_survives_closing_and_holds_no_question(tmp_path: Path) -> None:
    path = tmp_path / "replies.db"

    async def put() -> None:
        cache = Cache(path)
        model = served_by("openai:m", "http://telling-address:8000/v1")
        await cache.put(REQUEST.key(model), REPLY)
        cache.close()

    async def get() -> Reply | None:
        cache = Cache(path)
        try:
            return await cache.get(REQUEST.key(served_by("openai:m", "http://telling-address:8000/v1")))
        finally:
            cache.close()

    asyncio.run(put())
    assert asyncio.run(get()) == structs.replace(REPLY, cached=True)
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"tiny-1" in content
    assert b"telling" not in content


def test_two_servers_with_one_name_are_two() -> None:
    assert served_by("m", "http://a/v1") != served_by("m", "http://b/v1")


@pytest.mark.parametrize(
    ("request_", "may"),
    [
        (REQUEST, True),
        (structs.replace(REQUEST, temperature=0.7), False),
        (structs.replace(REQUEST, temperature=0.7, seed=3), True),
    ],
)
def test_only_what_would_come_out_the_same_is_reused(request_: Request, may: bool) -> None:
    assert reusable(request_) is may


def test_many_at_once(tmp_path: Path) -> None:
    async def run() -> list[Reply | None]:
        cache = Cache(tmp_path / "replies.db")
        keys = [structs.replace(REQUEST, seed=seed).key("m") for seed in range(1500)]
        await asyncio.gather(*(cache.put(key, Reply(key)) for key in keys[:1200]))
        found = await asyncio.gather(*(cache.get(key) for key in keys))
        assert [reply.text for reply in found if reply is not None] == keys[:1200]
        cache.close()
        return found

    assert asyncio.run(run())[1200:] == [None] * 300


WRITER = """
import asyncio, sys
from pathlib import Path
from commonsight.vlm.cache import Cache
from commonsight.vlm.client import Reply

async def run(path, name):
    cache = Cache(Path(path))
    for number in range(150):
        await cache.put(f"{int(name) * 1000 + number:064x}", Reply(name))
    cache.close()

asyncio.run(run(*sys.argv[1:]))
"""


def test_several_processes_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "replies.db"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(name)]) for name in (1, 2, 3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]

    async def count() -> int:
        cache = Cache(path)
        keys = [f"{name * 1000 + number:064x}" for name in (1, 2, 3) for number in range(150)]
        found = await asyncio.gather(*(cache.get(key) for key in keys))
        cache.close()
        return sum(reply is not None for reply in found)

    assert asyncio.run(count()) == 450


def test_what_is_no_cache_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "replies.db"
    path.write_bytes(b"this is not a database, " * 100)
    with pytest.raises(InputError, match=r"The cache .* cannot be opened .*Remove it, name another"):
        Cache(path)
