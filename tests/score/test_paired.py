"""Paired tests against enumeration, simulation and closed forms."""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from commonsight.score.paired import (
    holm,
    mcnemar,
    minimum_detectable_effect,
    minimum_detectable_effect_for,
    paired_bootstrap,
)


def discordant(only_first: int, only_second: int, both: int = 3) -> tuple[list[int], list[int]]:
    first = [1] * only_first + [0] * only_second + [1] * both
    second = [0] * only_first + [1] * only_second + [1] * both
    return first, second


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_is_the_enumeration(only_first: int, only_second: int) -> None:
    n = only_first + only_second
    worse = sum(comb(n, k) for k in range(n + 1) if comb(n, k) <= comb(n, only_first))
    result = mcnemar(*discordant(only_first, only_second))
    assert (result.only_first, result.only_second) == (only_first, only_second)
    assert result.p_value == pytest.approx(worse / 2**n)


def test_mcnemar_sees_nothing_where_runs_agree() -> None:
    assert mcnemar([1, 0], [1, 0]).p_value == 1
    assert mcnemar([], []).p_value == 1


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([0.5, 1], [0, 1], "use paired_bootstrap for partial scores"),
        ([0, 1], [0], "these have 2 and 1"),
        ([math.nan], [0], "values must be finite"),
    ],
)
def test_mcnemar_refuses(first: list[float], second: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mcnemar(first, second)


def test_paired_bootstrap_agrees_with_the_t_test() -> None:
    rng = np.random.default_rng(1)
    first = rng.random(800)
    second = np.clip(first - 0.008 + rng.normal(0, 0.1, 800), 0, 1)
    expected = ttest_rel(first, second)
    low, high = expected.confidence_interval()
    result = paired_bootstrap(first, second, seed=0, resamples=20_000)
    assert result.difference == pytest.approx((first - second).mean())
    assert (result.low, result.high) == pytest.approx((low, high), abs=3e-4)
    assert result.p_value == pytest.approx(expected.pvalue, rel=0.2)
    assert result.se == pytest.approx((first - second).std(ddof=1) / math.sqrt(800))


def test_clusters_make_a_difference_less_sure() -> None:
    rng = np.random.default_rng(2)
    favour = np.repeat(rng.normal(0.05, 0.3, 40), 10)
    second = np.zeros(400)
    plain = paired_bootstrap(favour, second, seed=0)
    clustered = paired_bootstrap(favour, second, np.repeat(np.arange(40), 10), seed=0)
    assert plain.p_value < 0.05 < clustered.p_value
    assert clustered.se > 2 * plain.se  # type: ignore[operator]


def test_paired_bootstrap_keeps_its_level() -> None:
    """Under the null hypothesis, one test in twenty comes out below 0.05."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(150), 3)
    favours = np.repeat(rng.normal(0, 1, (1000, 150)), 3, axis=1) + rng.normal(0, 1, (1000, 450))
    p_values = [paired_bootstrap(f, np.zeros(450), labels, seed=0, resamples=500).p_value for f in favours]
    assert 0.03 <= np.mean(np.array(p_values) < 0.05) <= 0.07


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30), st.integers(0, 99))
def test_swapping_runs_turns_the_difference_round(pairs: list[tuple[int, int]], seed: int) -> None:
    first, second = zip(*pairs, strict=True)
    there = paired_bootstrap(first, second, seed=seed, resamples=200)
    back = paired_bootstrap(second, first, seed=seed, resamples=200)
    assert there.difference == -back.difference
    assert 0 < there.p_value <= 1
    assert there == paired_bootstrap(first, second, seed=seed, resamples=200)
    if there.low is not None and there.high is not None:
        assert there.low <= there.difference <= there.high


def test_equal_runs_are_never_told_apart() -> None:
    result = paired_bootstrap([0.1, 0.7, 1], [0.1, 0.7, 1], seed=0)
    assert (result.difference, result.low, result.high, result.p_value) == (0, 0, 0, 1)


@pytest.mark.parametrize(("clusters", "least"), [(2, 0.5), (3, 0.25), (5, 0.0625)])
def test_a_few_clusters_prove_little(clusters: int, least: float) -> None:
    result = paired_bootstrap(np.ones(20), np.zeros(20), np.arange(20) % clusters, seed=0)
    assert result.p_value == least == mcnemar(np.ones(clusters), np.zeros(clusters)).p_value


def test_many_clusters_reach_the_least_p_of_the_resamples() -> None:
    assert paired_bootstrap(np.ones(50), np.zeros(50), seed=0, resamples=999).p_value == 2 / 1000


def test_one_cluster_proves_nothing() -> None:
    result = paired_bootstrap([1, 1], [0, 0], ["a", "a"], seed=0)
    assert (result.difference, result.low, result.high, result.p_value, result.se) == (1, None, None, 1, None)


def test_an_effect_of_the_minimum_size_is_found_with_the_power_asked_for() -> None:
    rng = np.random.default_rng(4)
    sample = rng.normal(0, 0.4, 500)
    effect = minimum_detectable_effect(sample, np.zeros(500))
    repeated = rng.normal(effect, 0.4, (4000, 500))
    z = repeated.mean(axis=1) / (repeated.std(axis=1, ddof=1) / math.sqrt(500))
    assert np.mean(np.abs(z) > 1.959964) == pytest.approx(0.8, abs=0.04)


def test_planning_agrees_with_a_comparison_of_that_kind() -> None:
    rng = np.random.default_rng(5)
    first, second = (rng.random((2, 100_000)) < 0.7).astype(float)
    measured = minimum_detectable_effect(first, second)
    assert minimum_detectable_effect_for(100_000, accuracy=0.7) == pytest.approx(measured, rel=0.02)


def test_planning_numbers() -> None:
    """(1.95996 + 0.84162) * sqrt(2 * 0.25 / 1000)"""
    assert minimum_detectable_effect_for(1000) == pytest.approx(0.062645, abs=1e-6)
    assert minimum_detectable_effect_for(1000, correlation=0.75) == pytest.approx(0.062645 / 2, abs=1e-6)
    assert minimum_detectable_effect_for(4000) == pytest.approx(0.062645 / 2, abs=1e-6)
    assert minimum_detectable_effect_for(10, correlation=1.0) == 0


def test_copies_do_not_make_effects_easier_to_find() -> None:
    rng = np.random.default_rng(6)
    first, second = rng.random((2, 100))
    once = minimum_detectable_effect(first, second)
    copied = minimum_detectable_effect(
        np.repeat(first, 5), np.repeat(second, 5), np.repeat(np.arange(100), 5)
    )
    assert copied == pytest.approx(once)


def test_no_spread_no_minimum() -> None:
    assert math.isnan(minimum_detectable_effect([1, 0], [1, 0]))
    assert math.isnan(minimum_detectable_effect([1, 0], [0, 0], ["a", "a"]))


@pytest.mark.parametrize("options", [{"n": 0}, {"n": 9, "accuracy": 1.2}, {"n": 9, "correlation": -2}])
def test_planning_refuses_the_impossible(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        minimum_detectable_effect_for(**options)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_its_definition(p_values: list[float]) -> None:
    """Step down: the smallest against alpha / m, the next against alpha / (m - 1), until one fails."""
    adjusted = holm(p_values)
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for step, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
            if p_values[index] * (len(p_values) - step) > alpha:
                break
            rejected.add(index)
        assert set(np.flatnonzero(adjusted <= alpha).tolist()) == rejected
    assert ((adjusted >= p_values) & (adjusted <= 1)).all()


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    with pytest.raises(ValueError, match="p-values must be"):
        holm([0.5, 1.5])
    with pytest.raises(ValueError, match="p-values must be"):
        holm([math.nan])
