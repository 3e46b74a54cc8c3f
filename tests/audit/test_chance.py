"""Tests that know which items stand together, by hand-computed examples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from commonsight.audit.chance import (
    deviation_of,
    folds_by_group,
    q_values,
    surely_above,
    two_sided,
    z_of,
)


def test_z_of_independent_items_is_the_usual_one() -> None:
    # 60 of 100 where a quarter is expected: (60 - 25 - 0.5) / sqrt(100 * 0.1875).
    hits = np.array([1.0] * 60 + [0.0] * 40)
    sums = deviation_of(hits, np.full(100, 0.25), np.full(100, 0.1875), np.arange(100))
    spread = max(100 * 0.1875, float(((hits - 0.6) ** 2).sum()) * 100 / 99)
    assert z_of(sums)[0] == pytest.approx(34.5 / math.sqrt(spread))


def test_one_movie_makes_no_artifact_however_many_items_it_has() -> None:
    hits = np.ones(400)
    alone = deviation_of(hits, np.full(400, 0.25), np.full(400, 0.1875), np.zeros(400, np.int64))
    assert abs(z_of(alone)[0]) <= 1.0
    few = deviation_of(hits, np.full(400, 0.25), np.full(400, 0.1875), np.arange(400) % 4)
    assert abs(z_of(few)[0]) <= 2.0


def test_groups_that_go_different_ways_widen_the_spread() -> None:
    # Twenty groups of ten, each all right or all wrong: far less sure than two hundred single items.
    hits = np.repeat([1.0] * 10 + [0.0] * 10, 10)
    means, variances = np.full(200, 0.25), np.full(200, 0.1875)
    single = z_of(deviation_of(hits, means, variances, np.arange(200)))[0]
    grouped = z_of(deviation_of(hits, means, variances, np.repeat(np.arange(20), 10)))[0]
    assert single > 6
    assert grouped < single / 2


def test_two_sided_chances() -> None:
    assert two_sided([0.0, 1.959964, -1.959964]).tolist() == pytest.approx([1.0, 0.05, 0.05], abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_q_values_are_those_of_scipy(p: list[float]) -> None:
    assert q_values(p) == pytest.approx(false_discovery_control(p))
    assert q_values(p, any_dependence=True) == pytest.approx(false_discovery_control(p, method="by"))


def test_q_values_of_nothing_and_of_nonsense() -> None:
    assert q_values([]).size == 0
    with pytest.raises(ValueError, match="p-values"):
        q_values([0.5, 1.5])


def test_folds_keep_groups_whole_and_are_about_even() -> None:
    groups = np.repeat(np.arange(30), np.arange(1, 31))
    names = [f"movie{group}" for group in groups.tolist()]
    folds = folds_by_group(names, 5, seed=3)
    assert all(len(set(folds[groups == group].tolist())) == 1 for group in range(30))
    sizes = np.bincount(folds)
    assert sizes.max() - sizes.min() <= 5
    assert (folds[::-1] == folds_by_group(names[::-1], 5, seed=3)).all()  # whatever the order
    assert folds_by_group([], 5, seed=3).size == 0


def test_what_is_sure_needs_more_than_one_group() -> None:
    assert surely_above([1.0] * 50, np.zeros(50, np.int64)) == -math.inf
    assert surely_above([1.0] * 50, np.arange(50)) == 1.0
    values = [1.0, 0.0] * 50
    error = math.sqrt(0.25 * 100 / 99 / 100)
    assert surely_above(values, np.arange(100), 0.975) == pytest.approx(0.5 - 1.959964 * error, abs=1e-6)
