"""Is one run better than another on the same items?

Two runs share the items' difficulty, so their difference is far surer than two error bars side by side
suggest. Compare item by item (Miller 2024, "Adding Error Bars to Evals").
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from commonsight.score.intervals import (
    Clusters,
    Codes,
    Floats,
    as_scores,
    cluster_codes,
    clustered_error,
    is_binary,
    normal_quantile,
    percentile_interval,
    resampled_means,
)


class McNemar(Struct, frozen=True):
    """Items that only one of two runs got right, and how likely so uneven a split is by chance."""

    only_first: int
    only_second: int
    p_value: float


class PairedDifference(Struct, frozen=True):
    """Mean of first minus second. With fewer than two clusters nothing shows its spread: None, and p is 1."""

    difference: float
    low: float | None
    high: float | None
    p_value: float
    se: float | None


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """Exact two-sided McNemar test for scores of 0 and 1 on independent items.

    Items that both runs get right, or both wrong, say nothing about which is better. Among the others each
    run wins half under the null hypothesis: a binomial test.
    """
    left, right = _pairs(first, second)
    if not (is_binary(left) and is_binary(right)):
        raise ValueError("McNemar's test compares scores of 0 and 1; use paired_bootstrap for partial scores")
    only_first = int((left > right).sum())
    only_second = int((left < right).sum())
    if only_first + only_second == 0:
        return McNemar(0, 0, 1.0)

    from scipy.stats import binomtest  # slow to import, and most commands compare nothing

    p_value = binomtest(only_first, only_first + only_second, 0.5).pvalue
    return McNemar(only_first, only_second, float(p_value))


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Clusters | None = None,
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> PairedDifference:
    """The mean difference with a percentile interval over resampled clusters."""
    left, right = _pairs(first, second)
    differences = left - right
    codes = cluster_codes(clusters, differences.size)
    means = resampled_means(differences[:, np.newaxis], codes, seed=seed, resamples=resamples)[:, 0]
    difference = math.fsum(differences.tolist()) / differences.size
    if codes.max() == 0:
        return PairedDifference(difference, low=None, high=None, p_value=1.0, se=None)
    low, high = percentile_interval(means, confidence)
    return PairedDifference(
        difference=difference,
        low=min(low, difference),
        high=max(high, difference),
        p_value=resampling_p_value(differences, codes, means),
        se=clustered_error(differences, codes),
    )


def resampling_p_value(differences: Floats, codes: Codes, means: Floats) -> float:
    """Two-sided p of paired differences, given the means of their resamples.

    It is the share of resamples on the other side of zero, doubled. One is added to both counts, as the data
    themselves are one resample; so p is never 0, and never below 2 / (resamples + 1). Nor is it ever below
    the least that a sign-flip test of the clusters could give: three clusters that all favour the first run
    do so by chance one time in four, though every resample of them favours it too.
    """
    other_side = min(int((means <= 0).sum()), int((means >= 0).sum()))
    totals = np.bincount(codes, weights=differences)
    differing = int((np.abs(totals) > 1e-9).sum())  # partial scores may miss zero by a rounding error
    return min(1.0, max(0.5 ** (differing - 1), 2 * (other_side + 1) / (means.size + 1)))


def minimum_detectable_effect(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Clusters | None = None,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """The smallest true difference of means that a comparison like this one finds with that power.

    From the clustered standard error of the differences; a smaller difference, if found, was luck. Runs
    that never differ, or a single cluster, give nan: they show no spread to reckon with.
    """
    left, right = _pairs(first, second)
    error = clustered_error(left - right, clusters)
    return _detectable(error, alpha, power) if error > 0 else math.nan


def minimum_detectable_effect_for(
    n: float, *, accuracy: float = 0.5, correlation: float = 0.0, alpha: float = 0.05, power: float = 0.8
) -> float:
    """The same for a benchmark yet to be made, of n independent items.

    Both runs are taken to be right with probability `accuracy`; `correlation` is that of their scores on an
    item. The defaults are the worst case: runs at 50% with nothing in common. For clustered items, n is the
    number of items over the design effect.
    """
    if n <= 0:
        raise ValueError(f"n must be positive, not {n}")
    if not 0 <= accuracy <= 1:
        raise ValueError(f"accuracy must lie in [0, 1], not {accuracy}")
    if not -1 <= correlation <= 1:
        raise ValueError(f"correlation must lie in [-1, 1], not {correlation}")
    variance = 2 * accuracy * (1 - accuracy) * (1 - correlation)
    return _detectable(math.sqrt(variance / n), alpha, power)


def holm(p_values: ArrayLike) -> Floats:
    """Holm's adjusted p-values, in the given order: reject those at or below alpha.

    They hold the chance of even one false rejection under alpha whatever the tests share (Holm 1979), which
    matters here, as comparisons of runs on the same items share a great deal.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p-values must be a list of numbers in [0, 1]")
    order = np.argsort(p, kind="stable")
    factors = np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return adjusted


def _detectable(error: float, alpha: float, power: float) -> float:
    """A true effect this large lies beyond the two-sided threshold in a `power` share of repetitions."""
    return (normal_quantile(1 - alpha / 2) + normal_quantile(power)) * error


def _pairs(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    left, right = as_scores(first), as_scores(second)
    if left.size != right.size:
        raise ValueError(f"paired runs score the same items, but these have {left.size} and {right.size}")
    return left, right
