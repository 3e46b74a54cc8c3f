"""What was planted in the records is learned from them, and nothing from records that have no lean."""

from __future__ import annotations

import random

import numpy as np
import pytest
from choosing_protocol import item_of, phrase, record_data

from commonsight.audit.blind.lists import Listing, softmax
from commonsight.collect.protocol import Record
from commonsight.core.item import Item
from commonsight.runs.watching.learning import blind_features, cases_of, learn
from commonsight.text.encoders import HashedEncoder

ENCODER = HashedEncoder(64)


def _items(seed: int, count: int, **writers: object) -> list[Item]:
    data = record_data(seed, count, **writers)  # type: ignore[arg-type]
    return [item for key, one in data.items() for item in item_of(Record(key, one))]


def _with_always(draw: random.Random) -> str:
    return f"{phrase(draw, 4)} {'always' if draw.random() < 0.5 else 'river'}"


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_learned_where_nothing_leans(seed: int) -> None:
    found = learn(_items(seed, 120), {}, ENCODER)
    assert (found.telling, found.standouts, found.blind) == ({}, (), None)


def test_a_word_that_marks_wrong_choices() -> None:
    found = learn(_items(1, 120, wrong=_with_always), {}, ENCODER)
    always = found.telling["always"]
    assert always.wrong
    assert always.share == 1.0
    assert always.usual == pytest.approx(0.75)
    assert found.blind is not None
    assert found.blind.reached > 0.5


def test_a_word_that_marks_right_choices() -> None:
    found = learn(_items(1, 120, right=_with_always), {}, ENCODER)
    assert not found.telling["always"].wrong
    assert found.telling["always"].usual == pytest.approx(0.25)


def test_right_choices_that_are_longer() -> None:
    found = learn(_items(1, 120, right=lambda draw: phrase(draw, 8)), {}, ENCODER)
    length = next(one for one in found.standouts if one.kind == "length")
    assert (length.sign, length.reached, length.chance) == (1.0, 1.0, 0.25)


def test_a_model_is_no_surer_than_it_is_right_on_what_it_has_not_seen() -> None:
    """Words that lean a little: learned by heart the model is nearly certain, on new items it is not."""

    def mostly(draw: random.Random) -> str:
        return f"{phrase(draw, 4)} {'always' if draw.random() < 0.6 else 'river'}"

    def seldom(draw: random.Random) -> str:
        return f"{phrase(draw, 4)} {'always' if draw.random() < 0.1 else 'river'}"

    found = learn(_items(1, 250, right=mostly, wrong=seldom), {}, ENCODER).blind
    assert found is not None
    cases = cases_of(_items(99, 250, right=mostly, wrong=seldom))
    listing = Listing(cases)
    chances = softmax(blind_features(listing, ENCODER) @ found.weights, listing.starts)
    surest = np.maximum.reduceat(chances, listing.starts)
    right = chances[listing.right] == surest
    assert 0.4 < surest.mean() < right.mean() + 0.05


def test_too_few_items_tell_nothing() -> None:
    found = learn(_items(1, 30, wrong=_with_always, right=lambda draw: phrase(draw, 8)), {}, ENCODER)
    assert (found.telling, found.standouts, found.blind) == ({}, (), None)


def test_items_without_choices_tell_nothing() -> None:
    items = [Item(str(number), "train") for number in range(100)]
    assert learn(items, {}, ENCODER).telling == {}


def test_what_is_usual_needs_twenty_texts() -> None:
    place, other = ("write", ("question",)), ("write", ("answer",))
    found = learn([], {place: [5, 6, 7, 8] * 5, other: [5] * 19}, ENCODER, records=7)
    assert found.records == 7
    assert set(found.usual) == {place}
    assert (found.usual[place].low, found.usual[place].middle, found.usual[place].high) == (5, 6.5, 8)


def test_the_same_records_teach_the_same() -> None:
    one, other = (learn(_items(1, 60, wrong=_with_always), {}, ENCODER, seed=3) for _ in range(2))
    assert one.blind is not None
    assert other.blind is not None
    assert (one.blind.weights == other.blind.weights).all()
    assert one.telling == other.telling
