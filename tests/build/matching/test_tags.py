"""What it costs to move a response's tags to a query's image."""

from __future__ import annotations

import random

import numpy as np
import pytest

from commonsight.build.matching.fakes import MatrixBlocks
from commonsight.build.matching.habits import Habits
from commonsight.build.matching.tags import ABSENT, MOVED, UNMENTIONED, TaggedBlocks, with_tags
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText


def made(objects: tuple[str, ...], asked: tuple[int, ...], said: tuple[int, ...]) -> Pair:
    return Pair("q", "image", objects, TaggedText(((asked),)), TaggedText(((said),)))


BUCKET = (
    made(("person", "cup", "dog"), (0,), (1,)),
    made(("person", "person", "cup"), (1,), (0, 2, 2)),
    made(("cup", "kite"), (), (1,)),
    made((), (), ()),
)
HABITS = Habits.of(BUCKET)
NOTHING = MatrixBlocks(np.zeros((4, 4), np.float32))


def cost(query: int, response: int, weight: float = 1.0) -> float:
    blocks = TaggedBlocks(NOTHING, BUCKET, HABITS, weight)
    return float(-blocks.rows(np.array([query]))[0, response])


def test_tags_that_are_mentioned_where_they_go_cost_nothing() -> None:
    assert [cost(place, place) for place in range(4)] == [0, 0, 0, 0]
    assert [cost(place, 3) for place in range(4)] == [0, 0, 0, 0]  # no tags, no costs


def test_costs_add_up_over_the_tags_each_once() -> None:
    cup = MOVED + HABITS.given_up("cup", 2, 1)
    assert cost(0, 1) == pytest.approx(cup, abs=1e-3)  # the person is mentioned, the cup must move
    assert cost(2, 1) == pytest.approx(ABSENT + MOVED + HABITS.given_up("cup", 2, 0), abs=2e-3)
    assert cost(0, 2) == cost(1, 2) == cost(3, 2) == ABSENT
    assert cost(3, 1) == 2 * ABSENT
    assert cost(3, 1, 0.25) == ABSENT / 2


def test_what_stays_unmentioned_costs_little() -> None:
    bucket = (made(("person", "person"), (0,), (0,)), made(("person", "person"), (1,), (1,)))
    found = TaggedBlocks(MatrixBlocks(np.zeros((2, 2), np.float32)), bucket, HABITS, 1.0).rows(np.arange(2))
    assert found == pytest.approx(np.array([[0, -UNMENTIONED], [-UNMENTIONED, 0]]), abs=1e-3)


def test_any_rows_in_any_order_are_the_same_bytes() -> None:
    rng = random.Random(1)
    labels = ("person", "cup", "dog", "kite")
    bucket = []
    for _ in range(60):
        objects = tuple(rng.choice(labels) for _ in range(rng.randint(1, 9)))
        tags = [tuple(rng.sample(range(len(objects)), min(n, len(objects)))) for n in (1, 3)]
        bucket.append(made(objects, tags[0], tags[1]))
    relevance = np.log(np.random.default_rng(2).random((60, 60), np.float32))
    blocks = TaggedBlocks(MatrixBlocks(relevance), bucket, Habits.of(bucket), 0.7)
    whole = blocks.rows(np.arange(60))
    assert len(blocks) == 60
    assert (whole <= relevance).all()
    for part in (np.arange(60)[::-1], np.array([5]), np.array([7, 7, 2])):
        assert blocks.rows(part).tobytes() == whole[part].tobytes()


def test_without_tags_or_weight_relevance_stays_as_it_is() -> None:
    assert with_tags(NOTHING, BUCKET, HABITS, 0.0) is NOTHING
    assert with_tags(NOTHING, [BUCKET[3]] * 4, HABITS, 1.0) is NOTHING
    assert isinstance(with_tags(NOTHING, BUCKET, HABITS, 1.0), TaggedBlocks)
