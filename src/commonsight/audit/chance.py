"""Is this more than chance? Tests that know which choices stand together and which items do.

Under the null hypothesis the right choice of an item is any of its choices, whatever they say. So an item's
result has a known mean and a known variance, and only its deviation from that mean counts. How much groups
differ is measured, and the larger of the variance this gives and the one that independent items would have is
taken. Nor may the statistic of G groups exceed the square root of G, what G equal results would give: one
movie, however many items it has, makes no artifact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonsight.score.intervals import Floats, as_scores, clustered_error, normal_quantile

ALARM = 0.001
"""A warning may be false in one audit of a thousand: what is only unlikely (one in twenty) is a note."""
SURE = 1 - ALARM
"""The confidence of the intervals that warnings go by."""
MATTERS = 0.02
"""A shortcut matters from two points above chance on: less than the error bars of most published tables."""


class Deviation(NamedTuple):
    """Sums over groups, for one test or for many: r is how far a group's results are from their mean, and v
    is the variance they would have if its items were independent."""

    off: Floats
    """The sum of r."""
    variance: Floats
    """The sum of v."""
    off_squared: Floats
    off_variance: Floats
    """The sum of r times v."""
    variance_squared: Floats
    groups: Floats
    """How many groups bear on the test."""


def z_of(sums: Deviation, *, step: float = 0.5) -> Floats:
    """Standard deviations from chance; `step` is half of what one item adds (the continuity correction).

    Without it few items would seem more telling than they are: 13 of 20 where 5 are expected is five times
    as likely as the normal curve says.
    """
    slope = _over(sums.off, sums.variance)  # the effect, if it were the same in all groups
    between = sums.off_squared - 2 * slope * sums.off_variance + slope**2 * sums.variance_squared
    between = between * _over(sums.groups, sums.groups - 1)
    spread = np.sqrt(np.maximum(sums.variance, between))
    beyond = np.maximum(0.0, np.abs(sums.off) - step)
    return np.sign(sums.off) * np.minimum(_over(beyond, spread), np.sqrt(sums.groups))


def _over(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 1e-12)


def two_sided(z: ArrayLike) -> Floats:
    """The chance of so far a deviation or a farther, on either side."""
    from scipy.special import ndtr  # slow to import, and most commands test nothing

    p: Floats = np.minimum(1.0, 2 * ndtr(-np.abs(np.asarray(z, np.float64))))
    return p


def deviation_of(
    results: ArrayLike, means: ArrayLike, variances: ArrayLike, groups: NDArray[np.int64]
) -> Deviation:
    """The sums for one column of results, one an item."""
    r = np.bincount(groups, weights=np.asarray(results, np.float64) - np.asarray(means, np.float64))
    v = np.bincount(groups, weights=np.asarray(variances, np.float64))
    found = (r.sum(), v.sum(), r @ r, r @ v, v @ v, np.count_nonzero(v > 1e-12))
    return Deviation(*(np.array([value], np.float64) for value in found))


def q_values(p_values: ArrayLike, *, any_dependence: bool = False) -> Floats:
    """The least false-discovery rate at which each test is still called a find, in the given order.

    Benjamini and Hochberg (1995), which holds for independent tests and for those that lean the same way;
    with `any_dependence` Benjamini and Yekutieli (2001), which holds always and costs a factor of about ln m.
    """
    p = np.asarray(p_values, np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p-values must be a list of numbers in [0, 1]")
    if not p.size:
        return p
    ranks = np.arange(1, p.size + 1)
    price = float((1 / ranks).sum()) if any_dependence else 1.0
    order = np.argsort(p, kind="stable")
    adjusted = np.minimum.accumulate((p[order] * price * p.size / ranks)[::-1])[::-1]
    found = np.empty_like(p)
    found[order] = np.minimum(1.0, adjusted)
    return found


def folds_by_group(names: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each item, given its group: groups stay whole, folds have about as many items each.

    It goes by the groups' names, so that the order of the items does not show in the result.
    """
    if not names:
        return np.zeros(0, np.int64)
    groups = np.unique(np.array(names), return_inverse=True)[1]
    count = int(groups.max()) + 1
    sizes = np.bincount(groups, minlength=count)
    order = np.random.default_rng(seed).permutation(count)
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled = np.zeros(max(2, folds))
    of_group = np.zeros(count, np.int64)
    for group in order.tolist():
        fold = int(filled.argmin())
        of_group[group] = fold
        filled[fold] += sizes[group]
    return of_group[groups]


def surely_above(values: ArrayLike, groups: NDArray[np.int64], confidence: float = SURE) -> float:
    """A bound that the true mean exceeds with this confidence: what warnings go by.

    By groups, the widest that items share, and never tighter than independent items allow; with fewer than
    two groups nothing shows the spread, and the bound is minus infinity.
    """
    scores = as_scores(values)
    if scores.size < 2:
        return -math.inf
    error = clustered_error(scores, groups)
    if math.isnan(error):
        return -math.inf
    alone = float(scores.std(ddof=1)) / math.sqrt(scores.size)
    return float(scores.mean()) - normal_quantile(confidence) * max(error, alone)
