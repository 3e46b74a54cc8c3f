"""Words in curly brackets: found, taken away, and refused where nobody can read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.protocols.marks import fault, marked, rest, unmarked

WORDS = st.lists(st.sampled_from(["a", "red", "[person1]", "coat,", "waits."]), min_size=1, max_size=4)
PARTS = st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=5)


@given(PARTS)
def test_what_is_marked_is_found_and_the_rest_stays(parts: list[tuple[list[str], bool]]) -> None:
    joined = [(" ".join(words), is_marked) for words, is_marked in parts]
    text = " ".join("{" + words + "}" if is_marked else words for words, is_marked in joined)
    assert fault(text) == ""
    assert marked(text) == [" ".join(words) for words, is_marked in parts if is_marked]
    assert unmarked(text) == " ".join(" ".join(words) for words, _ in parts)
    assert rest(text).count("{}") == len(marked(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a {coat", "never closed"),
        ("a coat}", "Close every {"),
        ("a {red {coat}}", "Close every {"),
        ("a }red{ coat", "Close every {"),
        ("a {} coat", "no word in them"),
        ("a { . } coat", "no word in them"),
        ("a {red} {…} coat", "no word in them"),
    ],
)
def test_brackets_that_cannot_be_read_are_told(text: str, told: str) -> None:
    assert told in fault(text)


@given(st.text(st.sampled_from("{} a.[]1"), max_size=12))
def test_any_text_is_read_or_told(text: str) -> None:
    if not fault(text):
        assert all(marked(text))
        assert not set("{}") & set(unmarked(text))


def test_spaces_and_signs_come_out_as_one_writes() -> None:
    assert unmarked("[person1] { in a  coat } , waits .") == "[person1] in a coat, waits."
    assert rest("A {red} Coat") == rest("a {blue green} coat") != rest("a {red} dress")
