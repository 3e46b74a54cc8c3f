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
    best_candidates,
    match,
    match_dense,
    match_sparse,
)
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


@given(matrices())
def test_the_dense_matching_is_the_best_there_is(matrix: np.ndarray) -> None:
    own = without_diagonal(matrix)
    found = match_dense(MatrixWeights(own))
    assert sorted(found.response) == list(range(len(own)))
    assert all(row != column for row, column in enumerate(found.response))
    assert found.weight == pytest.approx(brute_force(own), abs=1e-3)


@given(matrices())
def test_the_sparse_matching_with_all_candidates_is_the_dense_one(matrix: np.ndarray) -> None:
    own = without_diagonal(matrix)
    dense, sparse = match_dense(MatrixWeights(own)), match_sparse(MatrixWeights(own), candidates=len(own))
    assert sparse.weight == pytest.approx(dense.weight, abs=1e-3)
    assert sorted(sparse.response) == list(range(len(own)))


def scores(n: int, seed: int) -> np.ndarray:
    """Weights as matching meets them: what a query and a response share, and a little chance."""
    rng = np.random.default_rng(seed)
    queries, responses = rng.standard_normal((2, n, 16)).astype(np.float32)
    return without_diagonal(queries @ responses.T / 4 + 0.1 * rng.standard_normal((n, n)).astype(np.float32))


def test_few_candidates_come_close_to_the_best() -> None:
    weights = MatrixWeights(scores(1500, 1))
    dense, sparse = match_dense(weights), match_sparse(weights, candidates=60)
    assert dense.exact
    assert not sparse.exact
    assert sparse.weight <= dense.weight + 1e-2
    assert sparse.weight >= 0.999 * dense.weight


def test_the_weight_is_that_of_the_pairs() -> None:
    matrix = scores(300, 2)
    for found in (match_dense(MatrixWeights(matrix)), match_sparse(MatrixWeights(matrix), candidates=30)):
        assert found.weight == pytest.approx(float(matrix[np.arange(300), found.response].sum()), rel=1e-4)


def test_a_small_memory_budget_changes_nothing() -> None:
    weights = MatrixWeights(scores(400, 3))
    whole, pieces = best_candidates(weights, 20), best_candidates(weights, 20, memory=400 * 4 * 6 * 7)
    one, other = (set(zip(p.queries.tolist(), p.responses.tolist(), strict=True)) for p in (whole, pieces))
    assert one == other
    assert match_sparse(weights, candidates=20).response.tolist() == match_sparse(
        weights, candidates=20, memory=400 * 4 * 6 * 7
    ).response.tolist()


def test_responses_that_nobody_likes_are_used_all_the_same() -> None:
    matrix = scores(200, 4)
    matrix[:, :50] -= 100
    found = match_sparse(MatrixWeights(matrix), candidates=5)
    assert sorted(found.response) == list(range(200))


@pytest.mark.parametrize("size", [3, 5])
def test_what_is_not_allowed_never_happens(size: int) -> None:
    matrix = scores(60, 5)
    for start in range(0, 60, size):
        matrix[start : start + size, start : start + size] = -np.inf  # one image's items
    for found in (match_dense(MatrixWeights(matrix)), match_sparse(MatrixWeights(matrix), candidates=4)):
        assert np.isfinite(matrix[np.arange(60), found.response]).all()


def test_where_no_matching_is_allowed_it_is_said() -> None:
    matrix = np.full((4, 4), -np.inf, dtype=np.float32)
    matrix[0] = 0.0
    for way in (match_dense, match_sparse):
        with pytest.raises(InputError, match="no way to give every query a response"):
            way(MatrixWeights(matrix))


def test_small_numbers_are_matched_exactly() -> None:
    assert match(MatrixWeights(scores(50, 6))).exact
    assert not match(MatrixWeights(scores(50, 6)), dense_most=10).exact
