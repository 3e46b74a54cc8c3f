"""Programs as layouts: what takes what, and errors that say why."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.graph.shapes.functions import FUNCTIONS, WORDS, Type
from commonsight.graph.shapes.layouts import PLAIN, Call, called, falls_back, layout_of, written
from commonsight.graph.shapes.programs import Form, Part, parse


def forms(wanted: Type, depth: int) -> st.SearchStrategy[Form]:
    """Programs that give this."""
    plain = FUNCTIONS[wanted].takes == () if wanted in FUNCTIONS else False
    names = [name for name, signature in FUNCTIONS.items() if signature.gives == wanted]
    if plain and not depth:
        return st.just((wanted,))
    return st.sampled_from(names).flatmap(
        lambda name: st.tuples(
            st.just(name), *(_parts(takes, max(depth - 1, 0)) for takes in FUNCTIONS[name].takes)
        )
    )


def _parts(wanted: Type, depth: int) -> st.SearchStrategy[Part]:
    if wanted == "number":
        return st.integers(0, 12)
    return st.sampled_from(WORDS[wanted]) if wanted in WORDS else forms(wanted, depth)


def put_together(calls: tuple[Call, ...], at: int) -> Form:
    """The program that ends with a call, its words and what it takes in the order of its signature."""
    words, inputs = iter(calls[at].words), iter(calls[at].inputs)
    parts: list[Part] = []
    for takes in FUNCTIONS[calls[at].function].takes:
        if takes == "number":
            parts.append(int(next(words)))
        else:
            parts.append(next(words) if takes in WORDS else put_together(calls, next(inputs)))
    return (calls[at].function, *parts)


@given(forms("truth", 3))
def test_a_program_comes_back_from_its_layout(program: Form) -> None:
    calls = called(written(program))
    assert put_together(calls, len(calls) - 1) == program
    for place, call in enumerate(calls):
        assert all(before < place for before in call.inputs)
        assert call.depth == 1 + max((calls[before].depth for before in call.inputs), default=-1)


def test_a_layout_is_in_the_order_in_which_it_is_done() -> None:
    program = parse("(and (count >= 2 (colour yellow (objects))) (not (together (kind circle (objects)))))")
    layout = written(program)
    assert layout == (
        "objects", "colour yellow", "count >= 2", "objects", "kind circle", "together", "not", "and"
    )  # fmt: skip
    assert [call.depth for call in called(layout)] == [0, 1, 2, 0, 1, 2, 3, 4]
    assert called(layout)[-1] == Call("and", (), (2, 6), 4)


def test_a_sentence_is_read_and_one_that_cannot_be_gets_the_plain_layout() -> None:
    said = ["there", "are", "at", "least", "two", "yellow", "circles"]
    assert layout_of(said)[-1] == "count >= 2"
    assert not falls_back(said)
    assert layout_of(["quickly"]) == layout_of([]) == PLAIN
    assert falls_back(["quickly"])
    assert called(PLAIN)


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        (("colour yellow",), "colour takes 1 values, and there are 0. Write what a call takes before it"),
        (("objects", "objects"), "leaves 2 values. Leave one"),
        ((), "leaves 0 values"),
        (("nothing",), "there is no function 'nothing'"),
        (("",), "there is no function"),
        (("objects", "count >= much"), "stands where a number belongs"),
        (("objects",), "stands where a truth belongs"),
    ],
)
def test_what_is_no_program_says_why(layout: tuple[str, ...], told: str) -> None:
    with pytest.raises(InputError) as found:
        called(layout)
    assert told in str(found.value)


TOLD = st.text() | st.sampled_from([*FUNCTIONS, "count >= 1", "colour yellow", "has == 2"])


@given(st.lists(TOLD, max_size=6))
def test_any_texts_are_a_program_or_an_error(layout: list[str]) -> None:
    with suppress(InputError):
        assert len(called(tuple(layout))) == len(layout)
