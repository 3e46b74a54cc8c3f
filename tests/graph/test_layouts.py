"""Sentences of our own, and the layouts that they should become."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.layout import LONGEST, PLAIN, fault
from commonsight.graph.layouts import Made, layout_of, tree_of

FIND = "find"
MOVED = "find transform filter"


@pytest.mark.parametrize(
    ("said", "layout"),
    [
        ("there is a green lamp", f"{FIND} exist"),
        ("there are three green lamps", f"{FIND} count"),
        ("there is at most one lamp", f"{FIND} count"),
        ("a dog is sleeping under the table", f"{MOVED} exist"),
        ("two dogs sleep under a table near the door", f"{MOVED} transform filter count"),
        ("there is a cup and a spoon", "find find and exist"),
        ("a cup or a bottle stands on the shelf", "find find transform filter or exist"),
        ("there is a box with a ball and at least two rings", "find find and transform filter count"),
        ("there are more dogs than cats", "find find more_num"),
        ("there are fewer dogs than cats on the bed", f"find {MOVED} less_num"),
        ("there are as many dogs as cats", "find find equal_num"),
        ("there is the same number of dogs and cats", "find find equal_num"),
        ("the lamp and the chair have the same color", "find find same_property"),
        ("all lamps are of the same color", "find find_same exist"),
        ("there is a dog in the picture", "scene transform filter exist"),
        ("in the picture there is a dog", "find transform exist"),
        ("what is on the table", "find describe"),
        ("which dog is on the table", f"{MOVED} describe"),
    ],
)
def test_sentences_become_layouts(said: str, layout: str) -> None:
    assert layout_of(said.split()) == Made(tuple(layout.split()))


def test_trees_branch_to_the_right() -> None:
    told = "there is a black dog under the old table , and a cat"
    assert str(tree_of(told.split())) == (
        "(S there is (NP a black dog (PP under (CC and (NP the old table) (NP a cat)))))"
    )


def test_what_is_too_long_loses_its_end() -> None:
    said = "a cat " + " near a cat" * 9
    made = layout_of(said.split())
    assert made.given_up == "end"
    assert fault(made.layout) is None
    assert len(made.layout) == LONGEST


@pytest.mark.parametrize("said", ["", "?", "is there", "quickly , quickly"])
def test_where_there_is_nothing_to_find_the_layout_is_plain(said: str) -> None:
    assert layout_of(said.split()) == Made(PLAIN, "all")


_SOME = "the a two dog cat red and or than more same as many under touching is of , . image who 3 at least"


@given(st.lists(st.sampled_from(_SOME.split()) | st.text(max_size=6), max_size=60))
def test_any_words_give_a_well_formed_layout(said: list[str]) -> None:
    made = layout_of(said)
    assert fault(made.layout) is None
    assert (made.given_up == "all") <= (made.layout == PLAIN)
    assert layout_of(said) == made


def test_a_very_long_text_gives_one_too() -> None:
    assert fault(layout_of(["a", "dog", "near"] * 3000).layout) is None
