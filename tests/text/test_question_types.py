"""VCR's Table 4, and our reading of what it is for a word to count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.text.question_types import QUESTION_TYPES, question_types


def test_the_words_are_those_of_the_table() -> None:
    assert QUESTION_TYPES == {
        "Explanation": ("why", "how come", "how does"),
        "Activity": ("doing", "looking", "event", "playing", "preparing"),
        "Temporal": ("happened", "before", "after", "earlier", "later", "next"),
        "Mental": ("feeling", "thinking", "saying", "love", "upset", "angry"),
        "Role": ("relation*", "occupation", "strangers", "married"),
        "Scene": ("where", "time", "near"),
        "Hypothetical": ("if", "would", "could", "chance", "might", "may"),
    }


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("Why is [person4] pointing at [person1]?", ("Explanation",)),
        ("WHY?", ("Explanation",)),
        ("How  come they left?", ("Explanation",)),
        ("How does [person1] know?", ("Explanation",)),
        ("How do they know?", ()),
        ("Come how?", ()),
        ("What is the relationship between them?", ("Role",)),
        ("What relation is he to her?", ("Role",)),
        ("Is this a correlation?", ()),
        ("What will happen next if he falls?", ("Temporal", "Hypothetical")),
        ("Where are they, and why?", ("Explanation", "Scene")),
        ("Is he sometimes nearby, in the afternoon?", ()),
        ("What is 2's occupation?", ("Role",)),
        ("", ()),
    ],
)
def test_a_type_is_told_by_whole_words(text: str, types: tuple[str, ...]) -> None:
    assert question_types(text) == types


def test_rules_can_be_given() -> None:
    assert question_types("a+b?", {"Sum": ("a+b",), "None": ()}) == ("Sum",)


@given(st.text())
def test_types_come_in_the_order_of_the_rules_and_ignore_case(text: str) -> None:
    found = question_types(text)
    assert list(found) == [name for name in QUESTION_TYPES if name in found]
    if text.isascii():
        assert question_types(text.upper()) == found
