"""Splits and numbers of pictures: stable, in the right shares, and one each."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.questions.split import LARGEST, number_of, split_of


def test_seventy_ten_and_twenty_in_a_hundred() -> None:
    counts = Counter(split_of(f"{number}.jpg", 0) for number in range(20_000))
    shares = {split: count / 20_000 for split, count in counts.items()}
    assert shares == pytest.approx({"train": 0.7, "val": 0.1, "test": 0.2}, abs=0.01)


def test_a_split_is_the_same_forever_and_another_with_another_seed() -> None:
    names = [f"{number}.jpg" for number in range(40)]
    assert [split_of(name, 0) for name in names[:8]] == [
        "val", "train", "train", "train", "test", "test", "train", "test",
    ]  # fmt: skip
    assert [split_of(name, 0) for name in names] != [split_of(name, 1) for name in names]


@pytest.mark.parametrize(("image", "number"), [("2319840.jpg", 2319840), ("7", 7), ("0.png", 0)])
def test_a_name_that_is_a_number_stays_one(image: str, number: int) -> None:
    assert number_of(image) == number


def test_names_that_only_look_like_numbers_are_told_apart() -> None:
    names = ["1.jpg", "01.jpg", "a/1.jpg", "b/1.jpg", "١.jpg", "²", "1" * 30, "", "cup", "-1.jpg"]
    numbers = [number_of(name) for name in names]
    assert len(set(numbers)) == len(names)
    assert all(0 <= number < LARGEST for number in numbers)


@given(st.text())
def test_any_name_has_a_number_and_a_split(image: str) -> None:
    assert 0 <= number_of(image) < LARGEST
    assert split_of(image, 3) in ("train", "val", "test")
