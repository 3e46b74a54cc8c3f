"""A plain function as a model."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from commonsight.errors import AnswererUnusable, RequestRefused
from commonsight.vlm.client import Picture, Reply, Request, Turn
from commonsight.vlm.function import FunctionClient, load_function

MODULE = """
import asyncio
from commonsight.vlm.client import Reply

def sizes(question, images):
    return f"{question}: {[image.size for image in images]}"

async def waits(request, candidates=()):
    await asyncio.sleep(0)
    return Reply(f"{len(request.pictures)} {candidates}", "length", seconds=9.0)

def fails(question):
    raise ValueError("too hard")

def counts(question):
    return 5

def odd(prompt):
    return "x"

def none():
    return "x"
"""


def request() -> Request:
    stream = io.BytesIO()
    Image.new("RGB", (3, 2)).save(stream, "PNG")
    picture = Picture(stream.getvalue(), "image/png")
    return Request((Turn("system", ("Look.",)), Turn("user", (picture, "How large?"))), candidates=("A",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("functions")
    (folder / "my_answerers.py").write_text(MODULE)
    (folder / "my_broken.py").write_text("1 / 0\n")
    (folder / "my_needy.py").write_text("import nowhere_to_be_found\n")
    return folder


def ask(folder: Path, name: str) -> Reply:
    async def run() -> Reply:
        client = load_function(f"python:my_answerers:{name}", folder=folder)
        assert client.name == f"python:my_answerers:{name}"
        try:
            return await client.ask(request())
        finally:
            await client.close()

    return asyncio.run(run())


def test_a_function_gets_what_it_names(folder: Path) -> None:
    reply = ask(folder, "sizes")
    assert reply.text == "Look.\nHow large?: [(3, 2)]"
    assert reply.seconds is not None


def test_a_coroutine_and_a_whole_reply_are_fine(folder: Path) -> None:
    assert ask(folder, "waits") == Reply("1 ('A',)", "length", seconds=9.0)


def test_what_it_raises_fails_one_question(folder: Path) -> None:
    with pytest.raises(RequestRefused, match="python:my_answerers:fails raised ValueError: too hard"):
        ask(folder, "fails")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("my_answerers:counts", "gave int; let it give a str or a Reply"),
        ("my_answerers:odd", "wants prompt, which nobody gives it. Name its parameters from: question, "),
        ("my_answerers:none", "wants no question"),
        ("my_answerers:missing", "has no function missing. It has: sizes, waits, fails, counts, odd, none"),
        ("my_absent:f", "my_absent cannot be imported: no module named my_absent"),
        ("my_needy:f", "my_needy cannot be imported: no module named nowhere_to_be_found"),
        ("my_broken:f", "my_broken cannot be imported: ZeroDivisionError"),
        ("my_answerers", "names no function. Write it as python:package.module:function"),
    ],
)
def test_what_cannot_be_asked_is_said_clearly(folder: Path, spec: str, message: str) -> None:
    with pytest.raises(AnswererUnusable) as caught:
        asyncio.run(load_function(f"python:{spec}", folder=folder).ask(request()))
    assert message in str(caught.value)


def test_several_calls_run_at_once() -> None:
    together = threading.Barrier(3, timeout=10)

    def meets(question: str) -> str:
        together.wait()
        return question

    async def run() -> Any:
        client = FunctionClient(meets, name="python:here:meets", most_at_once=3)
        replies = await asyncio.gather(*(client.ask(request()) for _ in range(3)))
        await client.close()
        return replies

    assert len(asyncio.run(run())) == 3
