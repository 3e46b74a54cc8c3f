"""Are picks spread as they would be if only chance decided, given what each item offered?

For positions, and for kinds of choices: where a run was wrong it took one of the other choices, and without a
preference each of them equally often. What was on offer differs from item to item, so the test sums up each
item's own expectation instead of comparing with one table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Evenness(NamedTuple):
    """How often each kind was taken, how often it would be without a preference, and a chi-square test."""

    taken: Floats
    expected: Floats
    statistic: float
    freedom: int
    p_value: float

    @property
    def most(self) -> int:
        """The kind that is most over what is expected."""
        return int(np.argmax(self.taken - self.expected))

    @property
    def excess(self) -> float:
        """By how much that kind's share is over what is expected, in [0, 1]."""
        total = float(self.taken.sum())
        return float((self.taken - self.expected)[self.most]) / total if total else 0.0


def evenness(taken: NDArray[np.int64], chances: Floats, clusters: NDArray[np.int64]) -> Evenness:
    """`taken` is the kind that each pick was of, `chances` (pick, kind) what it would be by chance alone.

    Picks of one cluster may go together. So the test is made twice, with picks independent and with only
    clusters independent, and the less sure of both counts.
    """
    kinds = chances.shape[1]
    counts = np.bincount(taken, minlength=kinds).astype(np.float64)
    expected = chances.sum(0)
    if not len(taken):
        return Evenness(counts, expected, 0.0, 0, 1.0)
    apart = np.eye(kinds)[taken] - chances  # (pick, kind)
    independent = np.diag(expected).astype(np.float64) - chances.T @ chances
    codes = np.unique(clusters, return_inverse=True)[1]
    sums: Floats = np.stack([np.bincount(codes, weights=column) * 1.0 for column in apart.T], axis=1)
    tests = [_wald(apart.sum(0), independent)]
    if len(sums) < len(taken) and len(sums) > kinds:
        tests.append(_wald(apart.sum(0), sums.T @ sums))
    statistic, freedom, p_value = max(tests, key=lambda test: test[2])
    return Evenness(counts, expected, statistic, freedom, p_value)


def _wald(difference: Floats, covariance: Floats) -> tuple[float, int, float]:
    from scipy.stats import chi2

    values, vectors = np.linalg.eigh(covariance)
    used = values > 1e-9 * max(1.0, float(values.max(initial=0.0)))
    freedom = int(used.sum())
    if not freedom:
        return 0.0, 0, 1.0
    statistic = float((((vectors[:, used].T @ difference) ** 2) / values[used]).sum())
    return statistic, freedom, float(chi2.sf(statistic, freedom))
