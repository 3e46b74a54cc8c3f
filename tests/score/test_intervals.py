"""Intervals against scipy, closed forms, brute force and simulation."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, sem

from commonsight.score.intervals import (
    Interval,
    bootstrap,
    clustered_error,
    design_effect,
    figure,
    resampled_means,
    wilson,
)

unit_scores = st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0])
binary_scores = st.sampled_from([0.0, 1.0])


@st.composite
def clustered_scores(draw: st.DrawFn) -> tuple[list[float], list[str]]:
    scores = draw(st.lists(draw(st.sampled_from([unit_scores, binary_scores])), min_size=1, max_size=40))
    labels = draw(st.lists(st.sampled_from("abcdef"), min_size=len(scores), max_size=len(scores)))
    return scores, labels


@given(st.integers(1, 5000), st.floats(0, 1), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_is_scipys_for_whole_numbers(n: int, share: float, confidence: float) -> None:
    k = round(share * n)
    expected = binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert wilson(k, n, confidence) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.floats(0.5, 1e6), st.floats(0.001, 0.999))
def test_wilson_solves_the_score_equation_for_fractional_samples(n: float, share: float) -> None:
    """Its ends are the proportions from which the estimate is just 1.96 standard errors away."""
    for end in wilson(share * n, n):
        assert abs(share - end) == pytest.approx(1.959964 * math.sqrt(end * (1 - end) / n), rel=1e-5)


def test_wilson_reaches_the_ends_exactly() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert (wilson(0, 7).low, wilson(7, 7).high) == (0.0, 1.0)


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (math.nan, 2)])
def test_wilson_refuses_impossible_counts(k: float, n: float) -> None:
    with pytest.raises(ValueError, match="k must lie between 0 and n"):
        wilson(k, n)


def test_wilson_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(20190601)
    for truth in (0.3, 0.5, 0.9):
        right = rng.binomial(200, truth, size=4000)
        bounds = [wilson(int(k), 200) for k in right]
        covered = np.mean([low <= truth <= high for low, high in bounds])
        assert 0.93 <= covered <= 0.97


def test_clustered_intervals_cover_where_plain_ones_do_not() -> None:
    """1,000 runs on 150 clusters of four items; each cluster has a chance of success of its own."""
    rng = np.random.default_rng(7)
    truth = 0.6  # the mean of Beta(1.5, 1)
    chances = np.repeat(rng.beta(1.5, 1, (1000, 150)), 4, axis=1)
    runs = (rng.random(chances.shape) < chances).astype(float)
    labels = np.repeat(np.arange(150), 4)

    def coverage(intervals: list[Interval]) -> float:
        return float(np.mean([low <= truth <= high for low, high in intervals]))

    figures = [figure(run, labels) for run in runs]
    assert {f.interval for f in figures} == {"wilson, clustered"}
    assert 0.93 <= coverage([Interval(f.low or 0, f.high or 0) for f in figures]) <= 0.97
    assert 0.93 <= coverage([bootstrap(run, labels, seed=1, resamples=500) for run in runs]) <= 0.97
    assert coverage([wilson(run.sum(), run.size) for run in runs]) < 0.90


def test_clustered_error_is_the_double_loop() -> None:
    rng = np.random.default_rng(3)
    values, labels = rng.random(60), rng.integers(0, 13, 60)
    residuals = values - values.mean()
    total = sum(residuals[i] * residuals[j] for i in range(60) for j in range(60) if labels[i] == labels[j])
    groups = len(set(labels.tolist()))
    assert clustered_error(values, labels) == pytest.approx(math.sqrt(groups / (groups - 1) * total) / 60)


def test_clustered_error_without_clusters_is_the_ordinary_one() -> None:
    values = np.random.default_rng(4).random(50)
    assert clustered_error(values) == pytest.approx(sem(values))
    assert clustered_error(values, np.arange(50)) == pytest.approx(sem(values))


def test_one_cluster_has_no_error() -> None:
    assert math.isnan(clustered_error([0, 1, 1], ["a", "a", "a"]))
    assert math.isnan(clustered_error([]))


def test_copies_add_nothing_to_what_is_known() -> None:
    values = np.random.default_rng(5).integers(0, 2, 400).astype(float)
    labels = np.repeat(np.arange(400), 4)
    copied = np.repeat(values, 4)
    assert clustered_error(copied, labels) == pytest.approx(sem(values))
    assert design_effect(copied, labels) == pytest.approx(4, rel=0.01)
    plain, clustered = figure(values), figure(copied, labels)
    assert (clustered.low, clustered.high) == pytest.approx((plain.low, plain.high), abs=1e-3)


def test_design_effect_takes_the_worst_where_scores_cannot_tell() -> None:
    assert design_effect([1, 1, 1, 1], ["a", "a", "b", "b"]) == 2
    assert design_effect([0, 1, 1], ["a", "a", "a"]) == 3
    assert design_effect([1, 1, 1]) == 1
    assert math.isnan(design_effect([]))


@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(500), 2)])
def test_bootstrap_agrees_with_normal_theory(clusters: np.ndarray | None) -> None:
    values = np.random.default_rng(6).beta(2, 3, size=1000)
    low, high = bootstrap(values, clusters, seed=0, resamples=20_000)
    error = clustered_error(values, clusters)
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.1 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.1 * error)


def test_both_ways_of_drawing_give_the_same_spread() -> None:
    """Few kinds of clusters are counted, many are drawn one by one: the same bootstrap."""
    few = np.tile([0.0, 1.0, 1.0], 100)
    many = few + np.linspace(0, 1e-9, 300)  # as many kinds as clusters, but the same scores in effect
    codes = np.arange(300)
    counted, drawn = (
        resampled_means(scores[:, None], codes, seed=2, resamples=20_000) for scores in (few, many)
    )
    assert counted.mean() == pytest.approx(drawn.mean(), abs=1e-3)
    assert counted.std() == pytest.approx(drawn.std(), rel=0.03)


def test_bootstrap_weighs_clusters_by_their_size() -> None:
    """Two clusters: a resample is both (three quarters right), or one of them twice."""
    means = resampled_means(
        np.array([[0.0], [1.0], [1.0], [1.0]]), np.array([0, 1, 1, 1]), seed=0, resamples=4000
    )
    values, counts = np.unique(means, return_counts=True)
    assert values.tolist() == [0.0, 0.75, 1.0]
    assert (counts / 4000).tolist() == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_memory_stays_bounded_by_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    values, labels = np.random.default_rng(8).random(90), np.repeat(np.arange(30), 3)
    whole = bootstrap(values, labels, seed=3, resamples=101)
    monkeypatch.setattr("commonsight.score.intervals._CELLS_AT_ONCE", 70)  # two resamples at a time
    assert bootstrap(values, labels, seed=3, resamples=101) == pytest.approx(whole, abs=1e-12)


@given(clustered_scores())
def test_a_figure_holds_its_value(scored: tuple[list[float], list[str]]) -> None:
    result = figure(*scored)
    assert result.value is not None
    assert result.low is not None
    assert result.high is not None
    assert 0 <= result.low <= result.value <= result.high <= 1
    assert result.low < result.high
    assert result.n == len(scored[0])
    assert result.clusters == len(set(scored[1]))


@given(clustered_scores(), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(scored: tuple[list[float], list[str]], random) -> None:  # type: ignore[no-untyped-def]
    pairs = list(zip(*scored, strict=True))
    random.shuffle(pairs)
    before = figure(*scored)
    after = figure([score for score, _ in pairs], [label for _, label in pairs])
    assert (after.value, after.k, after.interval) == (before.value, before.k, before.interval)
    assert (after.low, after.high) == pytest.approx((before.low, before.high), abs=1e-9)


@given(clustered_scores(), st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_bytes(scored: tuple[list[float], list[str]], seed: int) -> None:
    assert msgspec.json.encode(figure(*scored, seed=seed)) == msgspec.json.encode(figure(*scored, seed=seed))


@given(st.lists(binary_scores, min_size=1, max_size=50))
def test_without_clusters_a_figure_is_plain_wilson(scores: list[float]) -> None:
    for clusters in (None, list(range(len(scores)))):
        result = figure(scores, clusters)
        expected = wilson(sum(scores), len(scores))
        assert result.interval == "wilson"
        assert (result.low, result.high) == expected


def test_balanced_clusters_are_not_rewarded() -> None:
    """A design effect below one would shorten the interval on the strength of a coincidence."""
    result = figure([0, 1] * 20, np.repeat(np.arange(20), 2))
    assert result.interval == "wilson"
    assert (result.low, result.high) == wilson(20, 40)


def test_no_items_no_figure() -> None:
    empty = figure([])
    assert (empty.value, empty.low, empty.high, empty.k, empty.n, empty.se) == (None, None, None, 0, 0, None)
    assert empty.interval == "none"


def test_one_item() -> None:
    one = figure([True])
    assert (one.value, one.k, one.n, one.clusters, one.se) == (1.0, 1, 1, 1, None)
    assert (one.low, one.high) == wilson(1, 1)


def test_one_cluster_counts_as_one_item() -> None:
    assert figure([1, 1, 1, 1], ["a"] * 4).low == wilson(1, 1).low
    partial = figure([0.3, 0.3, 0.6], ["a"] * 3)
    assert partial.interval == "wilson, clustered"
    assert (partial.low, partial.high) == pytest.approx(wilson(0.4, 1))


def test_clusters_that_happen_to_agree_are_no_proof() -> None:
    result = figure([2 / 3, 0, 1, 1], ["a", "b", "b", "b"])
    assert result.interval == "wilson"
    assert (result.low, result.high) == pytest.approx(wilson(8 / 3, 4))


def test_k_is_whole_where_it_can_be() -> None:
    assert msgspec.json.encode(figure([1 / 3] * 3).k) == b"1"
    assert figure([0.5, 1.0]).k == 1.5
    assert figure([0.5, 1.0]).interval == "bootstrap"


@pytest.mark.parametrize("values", [[0.5, math.nan], [math.inf, 0.0]])
def test_a_missing_score_is_a_programming_error(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values must be finite, but item"):
        figure(values)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"scores must lie in \[0, 1\], not in \[0, 2\]"):
        figure([0, 2])
    with pytest.raises(ValueError, match="2 values but 1 cluster labels"):
        figure([0, 1], ["a"])
    with pytest.raises(ValueError, match=r"not an array of shape \(1, 2\)"):
        figure([[0, 1]])
    with pytest.raises(ValueError, match="there are no values"):
        bootstrap([], seed=0)
