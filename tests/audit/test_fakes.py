"""The synthetic benchmarks are what they say: clean, or with the one plant."""

from __future__ import annotations

from collections import Counter

import numpy as np

from commonsight.audit import fakes
from commonsight.core.answer import Pick
from commonsight.core.checks import faults
from commonsight.core.item import Item


def right(item: Item) -> int:
    assert isinstance(item.gold, Pick)
    return item.gold.index


def test_clean_items_are_sound_and_their_labels_even() -> None:
    items = fakes.clean_items(800, seed=1)
    assert not [fault for item in items for fault in faults(item)]
    assert min(Counter(map(right, items)).values()) > 150
    assert {item.split for item in items} == {"train", "val"}


def test_no_movie_is_in_two_splits() -> None:
    splits: dict[str, set[str]] = {}
    for item in fakes.clean_items(400, seed=2):
        splits.setdefault(item.groups["movie"], set()).add(item.split)
    assert all(len(found) == 1 for found in splits.values())


def test_plants_change_what_they_say() -> None:
    items = fakes.clean_items(200, seed=3)
    longer = fakes.planted(items, fakes.longer_answer, 1.0, seed=0)
    assert all(len(b.choices[right(b)].tokens) == len(a.choices[right(a)].tokens) + 4
               for a, b in zip(items, longer, strict=True))  # fmt: skip
    first = fakes.planted(items, fakes.first_position, 1.0, seed=0)
    assert {right(item) for item in first} == {0}
    tagged = fakes.planted(items, fakes.repeated_tag, 1.0, seed=0)
    assert all(set(item.choices[right(item)].references()) == set(item.texts["question"].references())
               for item in tagged)  # fmt: skip
    marked = fakes.planted(items, fakes.watermark, 0.5, seed=0)
    share = np.mean(["indeed" in item.choices[right(item)].tokens for item in marked])
    assert 0.35 < share < 0.65


def test_verdicts_are_true_of_two_in_four() -> None:
    cases = fakes.subject_of(fakes.clean_verdicts(400, seed=1), fakes.VERIFY).cases["verify"]
    assert cases.kind == "label"
    truths: dict[str, list[str | None]] = {}
    for case in cases:
        truths.setdefault(case.group, []).append(case.answer)
    assert all(sorted(map(str, found)) == ["False", "False", "True", "True"] for found in truths.values())


def test_leaked_items_are_in_both_splits() -> None:
    items = fakes.leaked(fakes.clean_items(200, seed=1), 0.1, seed=0)
    train, val = ({i.texts["question"] for i in items if i.split == split} for split in ("train", "val"))
    assert len(train & val) == 10
