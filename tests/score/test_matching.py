"""Matching ids: exactly what a dictionary would say, or nothing at all."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonsight.score.matching as matching
from commonsight.score.matching import IdIndex

IDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


def rows_in(ids: list[str], others: list[str]) -> list[int] | None:
    rows = IdIndex(pa.array(ids, pa.string())).rows_in(pa.array(others, pa.string()))
    return None if rows is None else rows.tolist()


@given(st.lists(IDS, min_size=1, max_size=60, unique=True), st.randoms())
def test_the_same_ids_in_another_order_are_found(ids: list[str], rng: object) -> None:
    others = list(ids)
    rng.shuffle(others)  # type: ignore[attr-defined]
    rows = rows_in(ids, others)
    if max(len(text.encode()) for text in ids) > 0:
        assert rows == [others.index(text) for text in ids]


@given(st.lists(IDS, max_size=8), st.lists(IDS, max_size=8))
def test_an_answer_is_given_only_for_the_same_ids_each_once(ids: list[str], others: list[str]) -> None:
    rows = rows_in(ids, others)
    if rows is not None:
        assert sorted(ids) == sorted(others)
        assert len(set(ids)) == len(ids)
        assert [others[row] for row in rows] == ids


def test_many_ids_that_share_places_in_the_tables() -> None:
    ids = pa.array([f"dev-{number}-{number % 4}-1" for number in range(20_000)])
    order = np.random.default_rng(0).permutation(len(ids))
    rows = IdIndex(ids).rows_in(ids.take(pa.array(order)))
    assert rows is not None
    assert (order[rows] == np.arange(len(ids))).all()


def test_slices_of_longer_arrays() -> None:
    ids = pa.array(["x", "val-1", "val-2", "a much longer identifier", "y"])
    rows = IdIndex(ids[1:4]).rows_in(pa.array(["no", "val-2", "a much longer identifier", "val-1"])[1:])
    assert rows is not None
    assert rows.tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("ids", "others"),
    [
        (["a", "b"], ["a", "c"]),  # one unknown, one missing
        (["a", "b"], ["a"]),
        (["a", "b"], ["a", "b", "c"]),
        (["a", "b"], ["a", "a"]),  # doubled
        (["a", "a"], ["a", "a"]),
        (["a", "a", "b"], ["a", "b", "b"]),
        (["a", "b"], ["a", "a longer one"]),
        ([], []),
        (["", "a\0"], ["a\0", ""]),  # left to others, though they are the same
        (["a", "b" * 65], ["b" * 65, "a"]),
    ],
)
def test_anything_else_is_left_to_others(ids: list[str], others: list[str]) -> None:
    assert rows_in(ids, others) is None


def test_nulls_and_other_types_are_left_to_others() -> None:
    assert IdIndex(pa.array(["a", None])).rows_in(pa.array([None, "a"])) is None
    assert IdIndex(pa.array([1, 2])).rows_in(pa.array([2, 1])) is None
    assert IdIndex(pa.array(["a", "b"])).rows_in(pa.array([2, 1])) is None


def test_ids_that_all_share_one_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_hashes", lambda words: np.zeros(len(words), dtype=np.uint64))
    few = [f"val-{number}" for number in range(30)]
    assert rows_in(few, few[::-1]) == list(range(30))[::-1]
    many = [f"val-{number}" for number in range(50)]
    assert rows_in(many, many[::-1]) is None
    assert rows_in([*few, "val-0"], [*few, "val-0"]) is None
