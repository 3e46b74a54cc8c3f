"""Answers that point to an object."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.answer import Grounded, Refused, Truncated, Unparsed
from commonsight.score.parse import parse_grounded

IDS = {1: 1071, 2: 1082, 3: 1093}


@pytest.mark.parametrize(
    ("reply", "text", "object_id"),
    [
        ("Answer: red\nObject: 3", "red", 1093),
        ("Answer: no\nObject: none", "no", None),
        ("red\nObject: 1", "red", 1071),
        ("Object: 2\nAnswer: a cup.", "a cup", 1082),
        ("**Answer:** cup\n**Object:** 2", "cup", 1082),
        ("Answer: cup\nObject: cup2", "cup", 1082),
        ("Answer: cup\nObject: [cup 2]", "cup", 1082),
        ("Answer: cup\nObject: 2 (the cup on the table)", "cup", 1082),
        ("Answer: cup\nObject number: 2", "cup", 1082),
        ("Answer: yes\nObject: 2\nObject: 2", "yes", 1082),
    ],
)
def test_an_answer_and_its_object_are_read(reply: str, text: str, object_id: int | None) -> None:
    assert parse_grounded(reply, IDS) == Grounded(text, object_id)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Answer: red", "no object is named"),
        ("Answer: red\nObject: 1\nObject: 2", "two objects are named"),
        ("Answer: red\nObject: 1\nObject: none", "two objects are named"),
        ("Answer: red\nObject: 7", "there is no object 7"),
        ("Object: 1", "the reply is empty"),
        ("", "the reply is empty"),
    ],
)
def test_nothing_is_guessed(reply: str, why: str) -> None:
    assert parse_grounded(reply, IDS) == Unparsed(reply, why)


def test_refusals_and_cut_replies_are_what_they_are() -> None:
    refusal = "I'm sorry, but I cannot see the image."
    assert parse_grounded(refusal, IDS) == Refused(refusal)
    cut = "Let me think about the"
    assert parse_grounded(cut, IDS, truncated=True) == Truncated(cut)


def test_an_object_in_running_text_is_no_object_line() -> None:
    said = parse_grounded("The object 2 is a cup, next to object 3.\nAnswer: cup", IDS)
    assert isinstance(said, Unparsed)


@given(st.text(max_size=200))
def test_any_reply_is_an_answer_or_a_failure_that_keeps_it(reply: str) -> None:
    said = parse_grounded(reply, IDS)
    if isinstance(said, Grounded):
        assert said.object_id in {None, *IDS.values()}
    else:
        assert said.reply == reply
