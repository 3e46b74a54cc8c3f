"""How sure a score is: intervals that respect what items share.

Items of one sentence, image or movie succeed and fail together, so counting each as independent makes
error bars too short. Everything here takes `clusters`, one label per item, and treats the clusters, not
the items, as the independent draws (Miller 2024, "Adding Error Bars to Evals").
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Clusters = Sequence[Hashable] | NDArray[Any]
"""One label per item: equal labels, same cluster. None, where allowed, makes each item its own cluster."""

_CELLS_AT_ONCE = 2**22
"""Random draws held in memory at a time: arrays of 32 MB, however many the items."""


class Interval(NamedTuple):
    """Both ends, included."""

    low: float
    high: float


class Figure(Struct, frozen=True):
    """A score in [0, 1] with its error bar; `value`, `low` and `high` are None when nothing was scored."""

    value: float | None
    low: float | None
    high: float | None
    k: int | float
    """What was scored in all: the number of right ones, or the sum of partial scores."""
    n: int
    se: float | None
    """Clustered standard error; None where fewer than two clusters leave it unknown."""
    clusters: int
    interval: str
    """How `low` and `high` came about: "wilson", "wilson, clustered", "bootstrap" or "none"."""


def figure(
    values: ArrayLike, clusters: Clusters | None = None, *, confidence: float = 0.95, seed: int = 0
) -> Figure:
    """The mean of scores in [0, 1] with the interval that fits them; `seed` is for the bootstrap."""
    scores = as_scores(values)
    if scores.size == 0:
        return Figure(None, None, None, 0, 0, None, 0, "none")
    if scores.min() < 0 or scores.max() > 1:
        raise ValueError(f"scores must lie in [0, 1], not in [{scores.min():g}, {scores.max():g}]")
    codes = cluster_codes(clusters, scores.size)
    groups = int(codes.max()) + 1
    k = _total(scores)
    value = k / scores.size
    se = _error(scores, codes)
    bounds, method = _fitting_interval(scores, codes, se, confidence, seed)
    return Figure(
        value=value,
        low=max(0.0, min(bounds.low, value)),  # a bound may miss the value, or [0, 1], by a rounding error
        high=min(1.0, max(bounds.high, value)),
        k=int(k) if k.is_integer() else k,
        n=scores.size,
        se=None if math.isnan(se) else se,
        clusters=groups,
        interval=method,
    )


def _total(scores: Floats) -> float:
    """The sum, correctly rounded, so that the order of items never shows."""
    if is_binary(scores):
        return float(np.count_nonzero(scores))  # the same, without a Python number for every item
    return math.fsum(scores.tolist())


def _fitting_interval(
    scores: Floats, codes: Codes, se: float, confidence: float, seed: int
) -> tuple[Interval, str]:
    """Wilson's interval for scores of 0 and 1, the cluster bootstrap for partial ones, and its name.

    Wilson's is taken on the effective sample size, n over the design effect, as for proportions in surveys
    (Dean and Pagano 2015). It also stands in for the bootstrap where clusters have equal means, or there is
    only one: resampling those shows no spread and would claim certainty. Partial scores vary less than 0s
    and 1s of the same mean, so there it errs on the wide side.
    """
    if not is_binary(scores) and se > 1e-12:  # more than rounding errors; nan, for one cluster, is not
        return bootstrap(scores, codes, seed=seed, confidence=confidence), "bootstrap"
    effect = max(1.0, _effect(scores, codes, se))
    n = scores.size / effect
    bounds = wilson(min(n, float(scores.sum()) / effect), n, confidence)
    return bounds, "wilson, clustered" if effect > 1 else "wilson"


def wilson(k: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for k right out of n.

    Written out, not taken from scipy, because an effective sample size is seldom a whole number; for whole
    ones it equals `scipy.stats.binomtest(k, n).proportion_ci(confidence, "wilson")`.
    """
    if not 0 <= k <= n:
        raise ValueError(f"k must lie between 0 and n, but k = {k} and n = {n}")
    if n == 0:
        return Interval(0.0, 1.0)
    z = normal_quantile(0.5 + confidence / 2)
    share = k / n
    center = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if k == 0 else max(0.0, center - half)
    high = 1.0 if k == n else min(1.0, center + half)
    return Interval(low, high)


def clustered_error(values: ArrayLike, clusters: Clusters | None = None) -> float:
    """Standard error of the mean when items of one cluster may vary together.

    Residuals are added up within clusters and squared between them (CR0), times G / (G - 1) for G clusters.
    With one item per cluster this is the ordinary standard error; a single cluster gives nan, since
    nothing shows how clusters differ.
    """
    scores = as_scores(values)
    return _error(scores, cluster_codes(clusters, scores.size))


def _error(scores: Floats, codes: Codes) -> float:
    groups = int(codes.max(initial=-1)) + 1
    if groups < 2:
        return math.nan
    residuals = np.bincount(codes, weights=scores - scores.mean())  # (cluster,)
    squares = float(np.square(residuals).sum())  # not by BLAS, whose last digit depends on the processor
    return math.sqrt(groups / (groups - 1) * squares) / scores.size


def design_effect(values: ArrayLike, clusters: Clusters | None = None) -> float:
    """How many times larger the variance of the mean is than independent items would make it.

    Where the scores cannot tell (all equal, or one cluster) this is the worst case, items of a cluster being
    copies of each other: the sum of squared cluster sizes over n (Kish 1965). Thus ten perfect scores
    from two images never pass for ten independent ones.
    """
    scores = as_scores(values)
    if scores.size == 0:
        return math.nan
    codes = cluster_codes(clusters, scores.size)
    return _effect(scores, codes, _error(scores, codes))


def _effect(scores: Floats, codes: Codes, error: float) -> float:
    if codes.max() + 1 == scores.size:
        return 1.0  # exactly, where the quotient below may be off by a rounding error
    if math.isnan(error) or scores.min() == scores.max():
        sizes = np.bincount(codes)
        return float(sizes @ sizes) / scores.size
    return error**2 / (float(scores.var(ddof=1)) / scores.size)


def bootstrap(
    values: ArrayLike,
    clusters: Clusters | None = None,
    *,
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval:
    """Percentile interval of the mean over resampled clusters. The same seed gives the same interval.

    Like every percentile interval it comes out short when clusters are few, say under thirty.
    """
    scores = as_scores(values)
    codes = cluster_codes(clusters, scores.size)
    means = resampled_means(scores[:, np.newaxis], codes, seed=seed, resamples=resamples)
    return percentile_interval(means[:, 0], confidence)


def percentile_interval(means: Floats, confidence: float) -> Interval:
    """The middle `confidence` share of resampled means."""
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def resampled_means(columns: Floats, codes: Codes, *, seed: int, resamples: int) -> Floats:
    """Means of each column, (resample, column), over as many clusters as there are, drawn with replacement.

    Only a cluster's sums and size matter to the means, and many clusters of a benchmark have the same (a
    sentence of four examples has five possible sums), so draws count kinds of clusters, in sorted order:
    neither the order of items nor that of clusters changes the result.
    """
    if len(columns) == 0:
        raise ValueError("nothing to resample: there are no values")
    sums = [np.bincount(codes, weights=column) for column in columns.T]
    clustered: Floats = np.stack([*sums, np.bincount(codes) * 1.0], axis=1)  # (cluster, column and size)
    kinds, copies = np.unique(clustered, axis=0, return_counts=True)
    chunk = max(1, _CELLS_AT_ONCE // len(clustered))
    rng = np.random.default_rng(seed)
    totals = np.concatenate([
        _drawn_kinds(copies, rng, min(chunk, resamples - start)) @ kinds
        for start in range(0, resamples, chunk)
    ])  # fmt: skip
    means: Floats = totals[:, :-1] / totals[:, -1:]
    return means


def _drawn_kinds(copies: NDArray[np.intp], rng: np.random.Generator, rows: int) -> Floats:
    """How often each kind of cluster is drawn, (row, kind), given how many clusters there are of each.

    Both ways draw from the same distribution. A multinomial count costs about eight times as much as drawing
    one cluster, so it pays when kinds are few.
    """
    clusters, kinds = int(copies.sum()), len(copies)
    if 8 * kinds <= clusters:
        return rng.multinomial(clusters, copies / clusters, size=rows).astype(np.float64)
    kind_of = np.repeat(np.arange(kinds), copies)  # (cluster,)
    drawn = kind_of[rng.integers(clusters, size=(rows, clusters))] + kinds * np.arange(rows)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=rows * kinds).reshape(rows, kinds).astype(np.float64)


def as_scores(values: ArrayLike) -> Floats:
    """One score per item. A missing score must be decided on before statistics, so nan is an error here."""
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1:
        raise ValueError(f"values must be one score per item, not an array of shape {scores.shape}")
    if not np.isfinite(scores).all():
        at = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise ValueError(f"values must be finite, but item {at} is {scores[at]}; score missing answers 0")
    return scores


def is_binary(scores: Floats) -> bool:
    """Whether each score is 0 or 1."""
    return bool(((scores == 0) | (scores == 1)).all())


def cluster_codes(clusters: Clusters | None, n: int) -> Codes:
    """Labels as numbers 0, 1, … without gaps; None gives each of the n items its own."""
    if clusters is None:
        return np.arange(n)
    if len(clusters) != n:
        raise ValueError(f"there are {n} values but {len(clusters)} cluster labels; give one label per value")
    if isinstance(clusters, np.ndarray):
        return np.unique(clusters, return_inverse=True)[1]
    seen: dict[Hashable, int] = {}
    return np.fromiter((seen.setdefault(label, len(seen)) for label in clusters), dtype=np.intp, count=n)


def normal_quantile(share: float) -> float:
    """The standard normal quantile: from the standard library, which is exact enough and imports at once."""
    return NormalDist().inv_cdf(share)
