"""Attributes by type: each has one, the world's all have one, and what excludes what."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from typing import get_args

import pytest

from commonsight.graph.attributes import (
    SEVERAL,
    attribute_type,
    attribute_types,
    exclusive,
    only_value,
    values,
)
from commonsight.world.model import COLOURS, HAIRS, Age, Expression, Hat, Outfit, Pose
from commonsight.world.things import THINGS


def test_the_table_tells_every_attribute_once() -> None:
    text = resources.files("commonsight.graph").joinpath("attributes.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    assert all(len(row) in (2, 3) and all(cell == cell.strip().lower() for cell in row) for row in rows)
    assert [word for word, times in Counter(row[0] for row in rows).items() if times > 1] == []
    assert set(attribute_types()) >= set(SEVERAL)


def test_values_are_those_of_the_type() -> None:
    for kind in attribute_types():
        assert all(attribute_type(word) == kind for word in values(kind))
    assert {"red", "gray", "light blue"} <= set(values("color"))
    assert values("no such type") == ()


@pytest.mark.parametrize(
    ("attribute", "kind"),
    [
        ("red", "color"), ("wooden", "material"), ("large", "size"), ("round", "shape"),
        ("striped", "pattern"), ("open", "openness"), ("sitting", "pose"), ("young", "age"), ("12", "number"),
        ("wii", None), ("light", None), ("", None), ("Red", None), ("²", None),
    ],
)  # fmt: skip
def test_the_type_of_an_attribute(attribute: str, kind: str | None) -> None:
    assert attribute_type(attribute) == kind


def test_everything_that_the_world_tells_has_a_type() -> None:
    things = THINGS.values()
    colours = [colour for thing in things for colour in thing.colours]
    assert {attribute_type(word) for word in (*COLOURS, *colours)} == {"color"}
    assert {attribute_type(word) for thing in things for word in thing.materials} == {"material"}
    told = [word for thing in things for word in thing.states] + ["small", "large", "glasses"]
    told += [*get_args(Pose), *get_args(Age), *get_args(Outfit), *get_args(Hat)]
    told += [word for word in get_args(Expression) if word != "neutral"]
    told += [f"{hair} hair" for hair in HAIRS] + [f"{colour} top" for colour in COLOURS]
    assert [word for word in told if attribute_type(word) is None] == []


@pytest.mark.parametrize(
    ("one", "other", "excludes"),
    [
        ("red", "blue", True), ("red", "maroon", False), ("gray", "grey", False), ("tan", "brown", False),
        ("teal", "green", False), ("teal", "red", True), ("open", "closed", True), ("open", "full", False),
        ("empty", "full", True), ("wooden", "metal", False), ("small", "tiny", False), ("small", "big", True),
        ("sitting", "standing", True), ("2", "3", True), ("2", "02", False), ("red", "wii", False),
        ("brown hair", "red hair", True), ("curly", "red hair", False), ("red", "red", False),
    ],
)  # fmt: skip
def test_what_excludes_what(one: str, other: str, excludes: bool) -> None:
    assert exclusive(one, other) is excludes
    assert exclusive(other, one) is excludes


def test_an_object_of_two_colours_has_no_one_colour() -> None:
    assert only_value("color", ["red", "large"]) == "red"
    assert only_value("color", ["red", "white", "large"]) is None
    assert only_value("color", ["brown", "tan"]) is None
    assert only_value("color", ["large"]) is None
    assert only_value("color", ["red", "red"]) == "red"
