"""Sentences become programs: what lexicon and grammar make of words, misspelled ones and none at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InputError
from commonsight.graph.shapes.chart import readings
from commonsight.graph.shapes.grammar import LIFTS, RULES
from commonsight.graph.shapes.lexicon import lexicon
from commonsight.graph.shapes.programs import is_sentence, text
from commonsight.graph.shapes.values import regions_of, tableau_of
from commonsight.graph.shapes.words import words_of


@pytest.mark.parametrize(
    ("sentence", "program"),
    [
        ("There are at least 3 blue blocks", "(count >= 3 (colour blue (objects)))"),
        ("There is no yellow circle.", "(count == 0 (colour yellow (kind circle (objects))))"),
        (
            "There is a tower with exactly four blocks",
            "(count-boxes >= 1 (has == 4 (objects)))",
        ),
        (
            "there are exactly two towers with a blue block at the base",
            "(count-boxes == 2 (has >= 1 (base (colour blue (objects)))))",
        ),
        (
            "each box contains at least one black item",
            "(every (boxes) (has >= 1 (colour black (objects))))",
        ),
        (
            "there are exactly two black squares not touching any edge",
            "(count == 2 (colour black (except (kind square (objects)) (wall any (kind square (objects))))))",
        ),
        (
            "There is a yellow triangle touching the right wall",
            "(count >= 1 (colour yellow (kind triangle (wall right (objects)))))",
        ),
        (
            "There is a tower with a yellow block over a black block",
            "(count-boxes >= 1 (has >= 1 (colour yellow (relate on (objects) (colour black (objects))))))",
        ),
        ("All blue items are in the same box.", "(together (colour blue (objects)))"),
        ("There are two towers with the same height.", "(share >= 2 height (boxes))"),
        ("A box without circles", "(count-boxes >= 1 (has == 0 (kind circle (objects))))"),
        (
            "The second block from the top is black",
            "(count >= 1 (colour black (from-top 2 (objects))))",
        ),
        (
            "There is a box with two circles touching each other",
            "(count-boxes >= 1 (has >= 2 (relate touching (kind circle (objects)) (kind circle (objects)))))",
        ),
    ],
)
def test_a_sentence_may_mean_this(sentence: str, program: str) -> None:
    assert program in [text(one.program) for one in readings(sentence, {})[:6]]


def test_readings_come_with_their_reasons_the_likeliest_first() -> None:
    found = readings("There are 2 blue blocks", {})
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert {"rule:count", "rule:objects", "number:all:digit:n:>="} <= set(found[0].features)


def test_weights_decide_between_readings() -> None:
    exact = {"number:all:digit:n:==": 5.0}
    likeliest = readings("There are 2 blue blocks", exact)[0]
    assert text(likeliest.program) == "(count == 2 (colour blue (objects)))"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("There is a blue squere.", ["a", "blue", "square"]),
        ("blccks and a cirlce", ["blocks", "and", "a", "circle"]),
        ("ll boxes have atleast 1 item", ["all", "boxes", "have", "atleast", "1", "item"]),
        ("t least two towers", ["least", "two", "towers"]),
        ("one of the grey square has it", ["one", "box", "has"]),
        ("a block on top of a blue block", ["a", "block", "ontopof", "a", "blue", "block"]),
        ("a block on the top of a tower", ["a", "block", "on", "top", "a", "tower"]),
        ("this isn't zyx", ["not", "zyx"]),
    ],
)
def test_words_are_corrected_and_small_ones_left_out(written: str, words: list[str]) -> None:
    assert words_of(written, lexicon()) == words


@pytest.mark.parametrize("sentence", ["", "   ", "?!", "the of is", "colourless ideas sleep", "ünï→💥"])
def test_what_says_nothing_of_shapes_has_no_reading(sentence: str) -> None:
    assert readings(sentence, {}) == []


_vocabulary = st.sampled_from([*sorted(lexicon().words), "7", "99", "qwerty", ",", ".", "grey square"])


@given(st.lists(_vocabulary, max_size=9).map(" ".join))
def test_any_words_in_any_order_are_read_and_every_reading_is_a_program(sentence: str) -> None:
    for one in readings(sentence, {}):
        assert is_sentence(one.program), text(one.program)


@given(st.text(max_size=60))
def test_any_text_is_read_without_a_fault(sentence: str) -> None:
    assert all(is_sentence(one.program) for one in readings(sentence, {}))


def test_a_very_long_sentence_is_cut() -> None:
    assert len(words_of("block " * 5000, lexicon())) == 30


def test_the_lexicon_and_the_grammar_speak_of_the_same_categories() -> None:
    taken = {rule.left for rule in RULES} | {rule.right for rule in RULES} | {lift.of for lift in LIFTS}
    listed = {entry.category for entries in lexicon().by_first.values() for entry in entries}
    assert listed <= taken


def _scene(*regions: Region) -> Scene:
    return Scene("a.png", regions, width=400, height=100)


def test_a_scene_becomes_boxes_and_boxes_a_scene() -> None:
    scene = _scene(
        Region("square", Box(40, 80, 60, 100), attributes=("Black",)),
        Region("circle", Box(390, 0, 400, 10), attributes=("#0099ff",)),
    )
    boxes = tableau_of(scene)
    assert [len(panel.shapes) for panel in boxes.panels] == [1, 0, 1]
    assert str(boxes.panels[2].shapes[0]) == "blue circle 10 at (90, 0)"
    assert regions_of(boxes) == scene.regions


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        (_scene(), "lists no shapes"),
        (_scene(Region("square", None)), "lies in none of three boxes"),
        (_scene(Region("square", Box(900, 0, 910, 10), attributes=("Black",))), "in none of three boxes"),
        (_scene(Region("cat", Box(0, 0, 10, 10), attributes=("Black",))), "'Black cat' is no such shape"),
        (_scene(Region("square", Box(0, 0, 10, 10), attributes=("red",))), "'red square' is no such shape"),
    ],
)
def test_a_scene_of_other_things_is_refused(scene: Scene, why: str) -> None:
    with pytest.raises(InputError, match=why):
        tableau_of(scene)
