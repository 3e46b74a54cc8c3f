"""Requests, their keys, and the scripted model."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import structs

from commonsight.errors import AnswererBusy
from commonsight.vlm.client import Picture, Reply, Request, Turn
from commonsight.vlm.fake import ScriptedClient, always

PICTURE = Picture(b"pixels", "image/png", "a.png")
REQUEST = Request((Turn("system", ("Be brief.",)), Turn("user", ("What is this?", PICTURE))))


def test_equal_requests_have_one_key_whatever_the_picture_is_called() -> None:
    same = Picture(b"pixels", "image/png", "b.png")
    renamed = Request((*REQUEST.turns[:1], Turn("user", ("What is this?", same))))
    assert renamed.key("m") == REQUEST.key("m")


@pytest.mark.parametrize(
    "other",
    [
        structs.replace(REQUEST, temperature=0.5),
        structs.replace(REQUEST, most_tokens=10),
        structs.replace(REQUEST, seed=1),
        structs.replace(REQUEST, stop=("\n",)),
        structs.replace(REQUEST, candidates=("A", "B")),
        Request((*REQUEST.turns[:1], Turn("user", ("What is that?", PICTURE)))),
        Request((*REQUEST.turns[:1], Turn("user", (PICTURE, "What is this?")))),
        Request((*REQUEST.turns[:1], Turn("user", ("What is this?", Picture(b"others", "image/png"))))),
    ],
)
def test_whatever_may_change_a_reply_changes_the_key(other: Request) -> None:
    assert other.key("m") != REQUEST.key("m")
    assert REQUEST.key("n") != REQUEST.key("m")


def test_a_scripted_model_says_what_it_is_told_to() -> None:
    said = asyncio.run(ScriptedClient(always("B")).ask(REQUEST))
    assert said == Reply("B")
    with pytest.raises(AnswererBusy, match="later"):
        asyncio.run(ScriptedClient(lambda _: AnswererBusy("later")).ask(REQUEST))


def test_pictures_come_in_order() -> None:
    assert REQUEST.pictures == (PICTURE,)
