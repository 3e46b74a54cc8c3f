"""Whether a text speaks of her, of him, or of neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.text.pronouns import FEMALE, MALE, pronoun_gender


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("She is tired.", "female"),
        ("[person1] takes HER coat.", "female"),
        ("It is hers.", "female"),
        ("He's late.", "male"),
        ("[person2] hurt himself.", "male"),
        ("They are friends.", "neutral"),
        ("The other one is there; this history is here.", "neutral"),
        ("", "neutral"),
        ("He thinks that she left.", "male"),
        ("She thinks that he left.", "female"),
    ],
)
def test_the_first_pronoun_decides(text: str, gender: str) -> None:
    assert pronoun_gender(text) == gender


@given(st.text(max_size=40), st.sampled_from(sorted(FEMALE)), st.sampled_from(sorted(MALE)))
def test_what_follows_the_first_pronoun_does_not_matter(rest: str, female: str, male: str) -> None:
    assert pronoun_gender(f"{female.title()}, {male} {rest}") == "female"
    assert pronoun_gender(f"{male.upper()}. {female} {rest}") == "male"
