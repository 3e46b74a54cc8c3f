"""Batches are even, random, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from commonsight.models.features.buckets import batches, padding


def realistic(count: int, seed: int = 0) -> NDArray[np.int64]:
    """Lengths of the longest of four responses of about 7.5 words each, as VCR's answers have (VCR, table 3).

    Logarithms of the lengths of real ones spread by 0.36 (answers) to 0.44 (rationales); here by more.
    """
    rng = np.random.default_rng(seed)
    each = np.clip(np.round(rng.lognormal(np.log(6.8), 0.45, (count, 4))), 1, 60)
    assert 7 < each.mean() < 8
    return each.max(axis=1).astype(np.int64)


@given(
    lengths=st.lists(st.integers(1, 60), max_size=80),
    size=st.integers(1, 9),
    pool=st.integers(1, 4),
    seed=st.none() | st.integers(0, 9),
)
def test_every_example_is_in_one_batch(lengths: list[int], size: int, pool: int, seed: int | None) -> None:
    made = batches(np.array(lengths, np.int64), size, seed=seed, pool=pool)
    assert sorted(number for batch in made for number in batch.tolist()) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= size for batch in made)
    # Only the last of each pool may be smaller, and only the last pool may have a smaller one.
    assert sum(len(batch) < size for batch in made) <= 1


def test_the_seed_and_the_epoch_give_the_order() -> None:
    lengths = realistic(500)

    def order(**more: int) -> list[list[int]]:
        return [batch.tolist() for batch in batches(lengths, 16, **{"seed": 3, **more})]

    assert order() == order()
    assert order(epoch=1) == order(epoch=1)
    assert len({str(order(epoch=epoch)) for epoch in range(4)}) == 4
    assert order(seed=4) != order()


def test_without_a_seed_batches_are_by_length() -> None:
    lengths = realistic(100)
    ordered = np.concatenate([lengths[batch] for batch in batches(lengths, 7, seed=None)])
    assert (np.diff(ordered) >= 0).all()


@pytest.mark.parametrize("size", [16, 32, 96])
def test_little_of_a_batch_is_padding(size: int) -> None:
    lengths = realistic(20_000)
    shuffled = np.random.default_rng(0).permutation(len(lengths))
    apart = [shuffled[start : start + size] for start in range(0, len(shuffled), size)]
    assert padding(lengths, batches(lengths, size, seed=1)) < 0.15
    assert padding(lengths, batches(lengths, size, seed=None)) < 0.01
    assert padding(lengths, apart) > 0.3  # what it would be otherwise


def test_batches_stay_random() -> None:
    """The first batches of an epoch are not the short ones, and who is together changes."""
    lengths = realistic(5000)
    made = batches(lengths, 32, seed=1)
    means = np.array([lengths[batch].mean() for batch in made])
    assert abs(np.corrcoef(means, np.arange(len(made)))[0, 1]) < 0.25
    one, other = (set(batches(lengths, 32, seed=1, epoch=epoch)[0].tolist()) for epoch in (0, 1))
    assert len(one & other) < 16


def test_padding_is_a_share_of_all_places() -> None:
    lengths = np.array([4, 2, 3, 3])
    assert padding(lengths, [np.array([0, 1]), np.array([2, 3])]) == pytest.approx(2 / 14)
    assert padding(lengths, [np.array([number]) for number in range(4)]) == 0
    assert padding(np.array([], np.int64), []) == 0
