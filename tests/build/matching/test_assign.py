"""Maximum-weight matching, dense and sparse."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from commonsight.build.matching.assign import (
    MatrixWeights,
    SparseMatching,
    affordable,
    dense_prices,
    match_dense,
    match_sparse,
)
from commonsight.build.matching.candidates import best_candidates
from commonsight.errors import InputError


def matrices(most: int = 6) -> st.SearchStrategy[np.ndarray]:
    return st.integers(2, most).flatmap(
        lambda n: arrays.arrays(np.float32, (n, n), elements=st.floats(-8, 8, width=16))
    )


def without_diagonal(matrix: np.ndarray) -> np.ndarray:
    own = matrix.astype(np.float32).copy()
    np.fill_diagonal(own, -np.inf)
    return own


def brute_force(matrix: np.ndarray) -> float:
    orders = permutations(range(len(matrix)))
    return max(sum(float(matrix[row, column]) for row, column in enumerate(order)) for order in orders)


def sparse(matrix: np.ndarray, count: int, beside: np.ndarray | None = None) -> SparseMatching:
    """With a full matching beside it that hands everyone the next one's response."""
    ring = np.roll(np.arange(len(matrix)), -1) if beside is None else beside
    return match_sparse(best_candidates(MatrixWeights(matrix), count), ring)


@given(matrices(), st.integers(0, 99))
def test_the_dense_matching_is_the_best_there_is(matrix: np.ndarray, seed: int) -> None:
    own = without_diagonal(matrix)
    some = np.random.default_rng(seed).normal(0, 5, len(own)).astype(np.float32)
    for price in (None, some, dense_prices(own)):  # prices are a start only
        found = match_dense(own, price)
        assert sorted(found.response) == list(range(len(own)))
        assert all(row != column for row, column in enumerate(found.response))
        assert found.weight == pytest.approx(brute_force(own), abs=1e-3)


@given(matrices())
def test_the_sparse_matching_with_all_candidates_is_the_dense_one(matrix: np.ndarray) -> None:
    own = without_diagonal(matrix)
    found = sparse(own, len(own))
    assert float(found.weights.sum()) == pytest.approx(match_dense(own).weight, abs=1e-3)
    assert sorted(found.response) == list(range(len(own)))


def scores(n: int, seed: int) -> np.ndarray:
    """Weights as matching meets them: what a query and a response share, and a little chance."""
    rng = np.random.default_rng(seed)
    queries, responses = rng.standard_normal((2, n, 16)).astype(np.float32)
    return without_diagonal(queries @ responses.T / 4 + 0.1 * rng.standard_normal((n, n)).astype(np.float32))


def test_few_candidates_come_close_to_the_best() -> None:
    matrix = scores(1500, 1)
    dense, found = match_dense(matrix), sparse(matrix, 60)
    assert dense.exact
    total = float(found.weights.sum())
    assert 0.999 * dense.weight <= total <= dense.weight + 1e-2


def test_the_weight_is_that_of_the_pairs() -> None:
    matrix = scores(300, 2)
    dense, found = match_dense(matrix), sparse(matrix, 30)
    own = matrix[np.arange(300), dense.response].sum(dtype=np.float64)
    assert dense.weight == pytest.approx(float(own), rel=1e-6)
    np.testing.assert_array_equal(found.weights, matrix[np.arange(300), found.response])


def test_earlier_prices_change_nothing_but_the_time() -> None:
    matrix = scores(300, 3)
    first = sparse(matrix, 40)
    pairs = best_candidates(MatrixWeights(matrix), 40)
    again = match_sparse(pairs, np.roll(np.arange(300), -1), first.prices)
    np.testing.assert_array_equal(again.response, first.response)


def test_responses_that_nobody_likes_are_used_all_the_same() -> None:
    matrix = scores(200, 4)
    matrix[:, :50] -= 100
    assert sorted(sparse(matrix, 5).response) == list(range(200))


def test_where_candidates_do_not_suffice_a_full_matching_helps_out() -> None:
    # All queries want the same few, and all responses the same few queries.
    n = 40
    matrix = without_diagonal(-np.add.outer(np.arange(n), np.arange(n)).astype(np.float32))
    found = sparse(matrix, 3)
    assert sorted(found.response) == list(range(n))
    helped = np.isnan(found.weights)
    assert helped.any()
    assert (found.response[helped] == (np.flatnonzero(helped) + 1) % n).all()


@pytest.mark.parametrize("size", [3, 5])
def test_what_is_not_allowed_never_happens(size: int) -> None:
    matrix = scores(60, 5)
    for start in range(0, 60, size):
        matrix[start : start + size, start : start + size] = -np.inf  # one image's items
    ways = match_dense(matrix), sparse(matrix, 4, np.roll(np.arange(60), -size))
    for found in ways:
        assert np.isfinite(matrix[np.arange(60), found.response]).all()


def test_where_no_matching_is_allowed_it_is_said() -> None:
    one_row = np.full((4, 4), -np.inf, dtype=np.float32)
    one_row[0] = 0.0
    narrow = np.zeros((4, 4), np.float32)
    narrow[:3, 1:] = -np.inf  # three want the same one
    for matrix in (one_row, narrow):
        with pytest.raises(InputError, match="no way to give every query a response"):
            match_dense(matrix)
    with pytest.raises(InputError, match="no way to give every query a response"):
        dense_prices(one_row)


def test_what_does_not_fit_is_refused_with_what_would() -> None:
    affordable(3000, 4 * 1024**3)
    affordable(26_000, 4 * 1024**3)
    with pytest.raises(InputError, match=r"Matching 26,000 at once .* Give --memory (\d+)MB or more") as said:
        affordable(26_000, 100 * 1024**2)
    needed = int(str(said.value).partition("--memory ")[2].partition("MB")[0]) * 1024**2
    affordable(26_000, needed)
    with pytest.raises(InputError, match="smaller --bucket"):
        affordable(3000, 100 * 1024**2)
