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
    habits = Habits.of([*crowd, *[spoken((1, 2), ("person", "person", "cup"))] * 100])
    assert habits.share("person", 0) == pytest.approx(0.75, abs=0.01)
    assert habits.share("person", 1) == pytest.approx(0.25, abs=0.01)
    assert habits.share("cup", 2) == pytest.approx(0.25, abs=0.01)
    assert habits.given_up("person", 0, 1) == pytest.approx(math.log(3), abs=0.05)
    assert habits.given_up("person", 1, 0) == pytest.approx(math.log(3), abs=0.05)


def test_a_class_that_nobody_speaks_of_is_rare_at_any_number() -> None:
    habits = Habits.of([spoken((1,), ("tree", "cup")), spoken((0,), ("cup", "tree"))] * 50)
    assert habits.share("tree", 9) < 0.1 * habits.share("cup", 9)
    assert habits.share("tree", 1) < 0.1 * habits.share("boat", 1)  # a class that was never there
    cup, tree = habits.shares(("cup", "tree"), [0, 1])
    assert cup > 10 * tree > 0


def test_a_class_may_have_numbers_of_its_own() -> None:
    pairs = [spoken((0,), ("cup", "dog")), spoken((1,), ("cup", "dog")), spoken((0,), ("dog", "cup"))] * 40
    habits = Habits.of(pairs)
    assert habits.share("dog", 0) > 0.9
    assert habits.share("dog", 1) == pytest.approx(0.5, abs=0.05)
    assert habits.share("cup", 1) < 0.1
    assert habits.given_up("dog", 0, 1) == pytest.approx(math.log(2), abs=0.1)
    assert habits.given_up("dog", 1, 0) == 0  # people speak of it more often, nothing is lost


def test_nothing_is_impossible() -> None:
    for habits in (Habits.of([]), Habits.of([spoken((), ("cup",))]), Habits.of([spoken((0,), ("cup",))])):
        assert min(*habits.persons, *habits.things, habits.share("cup", 0)) > 0
        assert habits.share("cup", NUMBERS + 50) == habits.share("cup", NUMBERS)


def test_of_very_many_pairs_some_are_counted() -> None:
    first, second = spoken((0,), ("cup",)), spoken((), ("cup",))
    habits = Habits.of([first, second] * MOST)  # every second one
    assert not 0.05 < habits.share("cup", 0) < 0.95
