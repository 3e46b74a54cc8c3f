"""Captions say what a scene graph says, and nothing else."""

from __future__ import annotations

from commonsight.core.scene import Region, Relation, Scene
from commonsight.graph.captions import STATEMENTS, captions, statements

SCENE = Scene(
    "1.jpg",
    (Region("man", None), Region("cup", None, attributes=("red", "old")), Region("umbrella", None)),
    (Relation(0, "holding", 1), Relation(0, "holding", 1)),
)
TOLD = ("a man", "a red old cup", "an umbrella", "a man holding a red old cup")


def test_every_object_and_every_relation_is_told_once() -> None:
    assert statements(SCENE) == TOLD


def test_captions_are_a_few_statements_and_the_same_for_a_seed() -> None:
    found = captions(SCENE, 6, seed=1)
    assert found == captions(SCENE, 6, seed=1)
    assert found != captions(SCENE, 6, seed=2)
    assert 1 < len(found) == len(set(found)) <= 6
    for caption in found:
        parts = caption.split(", ")
        assert len(parts) == len(set(parts)) == STATEMENTS
        assert set(parts) <= set(TOLD)


def test_of_an_empty_graph_nothing_is_said() -> None:
    assert captions(Scene("2.jpg"), 4, seed=0) == ()
