"""What networks looked at, and what programs go along, as pages draw them."""

from __future__ import annotations

import numpy as np
import pytest

from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.runs.exploring.attention import Looked
from commonsight.web.explore.attention_views import looked_view
from commonsight.web.explore.places import grid_of
from commonsight.web.explore.program_views import asks_for, program_view

ITEM = Item("x", "val", (Scene("a.png", width=530, height=416), Scene("b.png", width=530, height=416)))


@pytest.mark.parametrize(
    ("places", "canvas", "shape"),
    [(392, (224, 112), (14, 28)), (196, (224, 224), (14, 14)), (175, (200, 50), (7, 25))],
)
def test_places_are_as_square_as_can_be(
    places: int, canvas: tuple[int, int], shape: tuple[int, int]
) -> None:
    assert grid_of(places, canvas) == shape


def test_a_place_of_a_pair_is_drawn_on_its_picture() -> None:
    shares = np.zeros((1, 2, 8), np.float16)
    shares[0, 0, 2] = 1  # the first row's third place: the left half of the right picture's top
    shares[0, 1, 4] = 1
    view = looked_view("run", Looked("verify", "places", shares, canvas=(80, 40)), ITEM, None)
    first, second = view.looks
    assert [len(squares) for squares in first.pictures] == [0, 1]
    assert first.pictures[1][0] == (0.0, 0.0, 265.0, 208.0, 10)
    assert second.pictures[0][0][:2] == (0.0, 208.0)


def test_tall_pictures_keep_their_shape_on_the_canvas() -> None:
    tall = Item("x", "val", (Scene("a.png", width=100, height=416), ITEM.scenes[1]))
    shares = np.full((1, 1, 392), 1 / 392, np.float16)
    view = looked_view("run", Looked("verify", "places", shares, canvas=(224, 112)), tall, None)
    squares = view.looks[0].pictures[0]
    assert 0 < len(squares) < 196, "what lies beside the picture is not drawn"
    assert {square.step for square in squares} == {3}, "an even look is pale"


def test_places_of_an_unknown_canvas_are_not_guessed() -> None:
    shares = np.full((1, 1, 392), 1 / 392, np.float16)
    assert looked_view("run", Looked("verify", "places", shares), ITEM, None).looks == ()


def test_facts_are_told_by_how_much_they_were_read() -> None:
    shares = np.array([[[0.25, 0.0, 0.75]]], np.float16)
    view = looked_view("run", Looked("answer", "facts", shares, ("a", "b", "c")), ITEM, None)
    assert view.facts == (("c", 0.75), ("a", 0.25))


def _step(function: str, words: tuple[str, ...], output: tuple[int | str, ...], after: int) -> Step:
    return Step(function, words, output, (after,))


def test_a_program_is_traced_on_both_graphs() -> None:
    regions = tuple(Region(label, Box(0, 0, 9, 9), id=100 + n) for n, label in enumerate(("person", "shirt")))
    scene = Scene("a.png", regions, (Relation(0, "wearing", 1), Relation(1, "near", 0)), 10, 10)
    steps = (
        Step("Initial", None, (100, 101), ()),
        _step("Find", ("person",), (100,), 0),
        _step("Relate", ("wearing",), (101,), 1),
        _step("Find_KG", ("BLANK", "HasA", "sleeve"), (101,), 2),
        _step("Recognition", ("clothing",), ("shirt",), 3),
    )
    facts = {"sub_graph": {"knowledge_items": [["shirt", "HasA", "sleeve"], ["shirt", "IsA", "clothing"]]}}
    view = program_view(Item("x", "val", (scene,), program=Program(steps), extra=facts))
    assert view is not None
    assert [step.output for step in view.steps] == ["everything", "person1", "shirt2", "shirt2", "shirt"]
    assert [(each.predicate, each.step) for each in view.relations] == [("wearing", 3)]
    assert [(fact.relation, fact.steps) for fact in view.facts] == [("HasA", (4,)), ("IsA", ())]
    assert not asks_for(steps[1], ("person", "IsA", "person"))
    assert asks_for(_step("Find_KG", ("BLANK", "can", "bark"), (), 0), ("dog", "CapableOf", "bark"))
    assert not asks_for(_step("Find_KG", ("BLANK", "can", "bark"), (), 0), ("dog", "CapableOf", "sleep"))
    assert asks_for(_step("Find_Hypernym", ("animal",), (), 0), ("dog", "IsA", "animal"))
    assert program_view(ITEM) is None
