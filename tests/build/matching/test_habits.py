"""Of what people speak."""

from __future__ import annotations

import math

import pytest

from commonsight.build.matching.habits import MOST, NUMBERS, Habits
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText


def spoken(tags: tuple[int, ...], objects: tuple[str, ...]) -> Pair:
    return Pair("q", "image", objects, TaggedText(()), TaggedText((tags,)))


def test_shares_are_of_the_objects_that_there_are() -> None:
    crowd = [spoken((0, 0), ("person", "person", "cup"))] * 300
    pairs = [*crowd, *[spoken((1, 2), ("person", "person", "cup"))] * 100]
    habits = Habits.of(pairs)
    assert habits.share("person", 0) == pytest.approx(0.75, abs=0.01)
    assert habits.share("person", 1) == pytest.approx(0.25, abs=0.01)
    assert habits.share("cup", 2) == habits.share("dog", 2) == pytest.approx(0.25, abs=0.01)
    assert habits.classes == {"person": 1.0, "cup": 0.25}
    assert habits.apart("person", 0, 1) == pytest.approx(math.log(3), abs=0.05)
    assert habits.apart("person", 0, 1) == habits.apart("person", 1, 0)


def test_nothing_is_impossible() -> None:
    for habits in (Habits.of([]), Habits.of([spoken((), ("cup",))]), Habits.of([spoken((0,), ("cup",))])):
        assert min(*habits.persons, *habits.things) > 0
        assert habits.share("cup", NUMBERS + 50) == habits.share("cup", NUMBERS)
        assert habits.weights(("cup", "dog"), [0, 1], by_class=False)[0] > 0


def test_what_stands_in_is_weighed_by_its_class_too() -> None:
    habits = Habits.of([spoken((1,), ("tree", "cup"))] * 4)
    shares = habits.weights(("cup", "tree"), [0, 1], by_class=True)
    assert shares[0] > 0
    assert shares[1] == 0
    unknown = habits.weights(("boat", "tree"), [0, 1], by_class=True)
    assert all(unknown)  # nobody speaks of either: all are alike


def test_of_very_many_pairs_some_are_counted() -> None:
    first, second = spoken((0,), ("cup",)), spoken((), ("cup",))
    habits = Habits.of([first, second] * MOST)  # every second one
    assert habits.classes in ({"cup": 1.0}, {"cup": 0.0})
