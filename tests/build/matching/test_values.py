"""Queries and responses, and when two responses are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.values import Annotation, answer_pair, normalised, rationale_pair
from commonsight.core.text import TaggedText

ANNOTATION = Annotation(
    id="a1",
    group="movie",
    objects=("person", "cup"),
    question=TaggedText(("What", "is", (0,), "doing", "?")),
    answer=TaggedText(((0,), "drinks", ".")),
    rationale=TaggedText(((0,), "holds", (1,), ".")),
    image="frame",
)


def test_an_answer_belongs_to_its_question() -> None:
    pair = answer_pair(ANNOTATION)
    assert (pair.id, pair.image, pair.objects) == ("a1", "frame", ("person", "cup"))
    assert (pair.query, pair.response) == (ANNOTATION.question, ANNOTATION.answer)


def test_a_rationale_belongs_to_question_and_answer() -> None:
    pair = rationale_pair(ANNOTATION)
    assert pair.query.tokens == (*ANNOTATION.question.tokens, *ANNOTATION.answer.tokens)
    assert pair.response == ANNOTATION.rationale


def test_without_an_image_an_annotation_is_its_own() -> None:
    bare = Annotation("a2", "movie", (), TaggedText.plain("Why?"), TaggedText.plain("Because."))
    assert answer_pair(bare).image == "a2"
    with pytest.raises(ValueError, match="annotation a2 has no rationale"):
        rationale_pair(bare)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (((0,), "is", "Happy", "."), ((3,), "is", "happy", "!")),
        (("Yes", ",", "he", "is", "."), ("yes he is",)),
        (("Yes, he is.",), ("Yes", "he", "is")),
        (("isn't",), ("isn", "'", "t")),
        (((0, 1), "leave"), ((2,), "leave")),
        (("  spaced   out ",), ("spaced", "out")),
        (("Straße",), ("straße", "…")),
    ],
)
def test_responses_that_read_the_same_are_the_same(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert normalised(TaggedText(one)) == normalised(TaggedText(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (((0,), "is", "happy"), ("is", "happy")),
        (("he", "is"), ("she", "is")),
        (("2", "cups"), ("3", "cups")),
        (("#", "cups"), ((0,), "cups")),
    ],
)
def test_others_are_not(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert normalised(TaggedText(one)) != normalised(TaggedText(other))


@given(st.lists(st.one_of(st.text(max_size=8), st.tuples(st.integers(0, 3))), max_size=8))
def test_normalising_a_normalised_text_changes_nothing(tokens: list[str | tuple[int]]) -> None:
    once = normalised(TaggedText(tuple(tokens)))
    again = TaggedText(tuple((0,) if word == "#" else word for word in once.split()))
    # Lower case of a few letters, such as the dotted I, is more than one letter, so it is taken twice.
    assert normalised(again) == normalised(TaggedText(again.tokens))
    if once.isascii():
        assert normalised(again) == once
