"""A scene as a payload, and back."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.protocols.scenes import (
    fits,
    key_of,
    number_of,
    pointed_at,
    scene_of,
    scene_payload,
    shown,
)
from commonsight.build.imaging.interest.rules import Rule
from commonsight.collect.protocol import Shown, labels_of
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene

SIDES = st.floats(0, 500, allow_nan=False)
BOXES = st.builds(Box, SIDES, SIDES, SIDES, SIDES)
OUTLINES = st.lists(st.tuples(SIDES, SIDES), min_size=3, max_size=4).map(tuple)
POLYGONS = st.lists(OUTLINES, max_size=2).map(tuple)
REGIONS = st.builds(
    Region,
    st.sampled_from(("person", "dog", "hair drier")),
    st.none() | BOXES,
    st.none() | POLYGONS,
    st.none() | st.floats(0, 1),
    st.lists(st.sampled_from(("red", "old")), max_size=2).map(tuple),
    st.none() | st.integers(0, 9),
)


def keep(name: str) -> Shown:
    return Shown("a" * 64 + ".png", 640, 480, name)


NAMES = st.sampled_from((".", "/", "a/", "..", "a.b/c")) | st.text(min_size=1, max_size=300)


@given(st.lists(REGIONS, max_size=5), NAMES, st.none() | st.just("images/x.png"))
def test_a_scene_comes_back_through_the_database(
    regions: list[Region], name: str, stored: str | None
) -> None:
    scene = Scene(name, tuple(regions), width=640, height=480, stored=stored)
    payload = json.loads(msgspec.json.encode(scene_payload(Item("1", "train", (scene,)), scene, keep)))
    back = scene_of({"picture": payload["picture"], "source": payload["_source"]})
    assert back == msgspec.structs.replace(scene, stored=keep("").picture)
    assert labels_of(payload, "picture") == scene.labels
    assert 0 < len(key_of(payload)) <= 140
    msgspec.convert(payload["picture"], Shown)


def test_the_picture_is_asked_for_where_it_is_stored() -> None:
    asked: list[str] = []

    def ask(name: str) -> Shown:
        asked.append(name)
        return keep(name)

    shown(Scene("a.png"), ask)
    shown(Scene("a.png", stored="images/aa.png"), ask)
    assert asked == ["a.png", "images/aa.png"]


def test_pictures_of_one_name_are_told_apart_by_their_content() -> None:
    payload = scene_payload(Item("1", "train"), Scene("a.png"), keep)
    other = {**payload, "picture": {**payload["picture"], "picture": "b" * 64}}
    assert (key_of(payload), key_of(other)) == ("a.png#aaaaaaaa", "a.png#bbbbbbbb")


@pytest.mark.parametrize(("score", "taken"), [(None, True), (0.7, True), (0.69, False)])
def test_only_boxes_count_of_which_the_detector_is_sure(score: float | None, taken: bool) -> None:
    scene = Scene("a.png", (Region("person"), Region("person", score=score)))
    assert fits(scene, Rule(least_people=2), 0.7) is taken


def test_brightness_counts_where_it_was_measured() -> None:
    rule = Rule(least_brightness=0.15)
    assert fits(Scene("a.png"), rule)
    assert not fits(Scene("a.png", extra={"brightness": 0.1}), rule)


def test_tags_are_found_by_number() -> None:
    assert pointed_at("[person1] and [person1, dog2] see [dog9].", ("person", "dog")) == {0, 1}


@given(st.sets(st.text(max_size=30), max_size=40))
def test_records_get_numbers_of_their_own(keys: set[str]) -> None:
    numbers = {number_of(key) for key in keys}
    assert len(numbers) == len(keys)
    assert all(0 <= number < 2**48 for number in numbers)
