"""Which pairs are considered, and that blocks do not show in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.assign import MatrixWeights
from commonsight.build.matching.candidates import COPIES, Candidates, Thinned, best_candidates


def pairs_of(found: Candidates) -> set[tuple[int, int]]:
    return set(zip(found.queries.tolist(), found.responses.tolist(), strict=True))


def coarse(n: int, seed: int) -> np.ndarray:
    """Many weights are equal, many not allowed."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 3, (n, n)).astype(np.float32)
    matrix[rng.random((n, n)) < 0.2] = -np.inf
    return matrix


def best_of_columns(matrix: np.ndarray, count: int) -> set[tuple[int, int]]:
    """By their definition; of equals the earlier query."""
    return {
        (int(query), response)
        for response, column in enumerate(matrix.T)
        for query in np.argsort(-column, kind="stable")[:count]
        if np.isfinite(column[query])
    }


@given(st.integers(1, 30), st.integers(0, 999), st.integers(1, 40), st.integers(1, 12))
def test_the_best_of_rows_and_columns_in_blocks_of_any_size(n: int, seed: int, count: int, rows: int) -> None:
    matrix = coarse(n, seed)
    found = best_candidates(MatrixWeights(matrix), count, memory=4 * n * 8 * rows)
    pairs = pairs_of(found)
    assert len(pairs) == len(found.queries)
    np.testing.assert_array_equal(found.weights, matrix[found.queries, found.responses])
    assert np.isfinite(found.weights).all()
    assert (np.diff(found.queries * n + found.responses) > 0).all()
    assert pairs >= best_of_columns(matrix, count)
    for query, row in enumerate(matrix):  # which of equals a row takes is left open
        own = np.sort(row[[r for q, r in pairs if q == query]])[::-1]
        wanted = np.sort(row[np.isfinite(row)])[::-1][:count]
        np.testing.assert_array_equal(own[: len(wanted)], wanted)
    assert pairs == pairs_of(best_candidates(MatrixWeights(matrix), count))


def test_columns_keep_their_best_while_much_passes_by() -> None:
    matrix = np.random.default_rng(2).standard_normal((500, 500)).astype(np.float32)
    found = best_candidates(MatrixWeights(matrix), 4, memory=1)  # row by row
    assert pairs_of(found) >= best_of_columns(matrix, 4)
    assert len(found.queries) <= 500 * 8


def test_of_many_copies_each_query_considers_a_few_others() -> None:
    texts = np.concatenate((np.zeros(400, np.int64), np.arange(1, 101)))
    weights = np.zeros((500, 500), np.float32)
    Thinned(texts)(0, weights)
    considered = np.isfinite(weights)
    assert considered[:, 400:].all()
    assert considered[:, :400].sum(axis=1).mean() == pytest.approx(COPIES, rel=0.1)
    assert considered[:, :400].any(axis=0).all()
    assert len({row.tobytes() for row in considered[:, :400]}) > 490
    parts = np.zeros((500, 500), np.float32)
    thin = Thinned(texts)
    for start in (0, 7, 300):
        thin(start, parts[start : {0: 7, 7: 300, 300: 500}[start]])
    np.testing.assert_array_equal(parts, weights)


def test_a_few_copies_are_all_considered() -> None:
    weights = np.zeros((COPIES * 3, COPIES * 3), np.float32)
    Thinned(np.repeat(np.arange(3), COPIES))(0, weights)
    assert (weights == 0).all()
