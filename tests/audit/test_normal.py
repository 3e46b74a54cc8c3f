"""Texts as they are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.audit.normal import normal


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("A  Dog.", "a dog"),
        ("“Yes!”", "yes"),
        ("person1 waves.", "person1 waves"),
        ("$5", "$ 5"),
        ("5", "5"),
        ("-5", "- 5"),
        ("well-known", "well known"),
        ("9:30", "9:30"),
        ("1.5", "1.5"),
        ("?", "?"),  # a mark that is all there is to read
        ("...", "..."),
        ("  ", ""),
        ("Ｆｕｌｌ", "full"),
    ],
)
def test_a_text_as_it_is_compared(text: str, compared: str) -> None:
    assert normal(text) == compared


@given(st.text())
def test_what_is_compared_is_never_lost_and_does_not_depend_on_case(text: str) -> None:
    assert bool(normal(text)) == bool(text.strip())
    assert normal(f" {text} ") == normal(text)
