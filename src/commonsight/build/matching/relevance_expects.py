"""What queries expect of their responses, learned in closed form.

Regularised canonical correlation: what of a query's view goes with what of its response's, once what goes
together within each side is taken out. For views that are jointly normal this is the part of the logarithm
of how much likelier a pair is than chance that depends on both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.relevance_views import Matrix

_CHUNK = 4096

Floats = NDArray[np.float64]


class Expectation(NamedTuple):
    """What queries expect: (query - its mean) x weights is what the response should correlate with."""

    query_mean: Floats
    response_mean: Floats
    weights: Floats  # (columns of a query's view, columns of a response's view)


class Moments(NamedTuple):
    """Sums over actual pairs, from which expectations are learned; sums of parts can be added."""

    pairs: int
    query_sum: Floats
    response_sum: Floats
    query_square: Floats
    response_square: Floats
    product: Floats

    def solve(self, ridge: float) -> Expectation:
        """Both sides made uncorrelated within themselves, as far as the ridge trusts what was counted."""
        n = max(self.pairs, 1)
        query, response = self.query_sum / n, self.response_sum / n
        left = _Side.of(self.query_square / n - np.outer(query, query))
        right = _Side.of(self.response_square / n - np.outer(response, response))
        across = (self.product / n - np.outer(query, response)) * left.scale[:, None] * right.scale
        weights = left.whitened(right.whitened(across.T, ridge).T, ridge)
        weights = weights * left.scale[:, None] * right.scale
        # Rounded, so that the last bits, which depend on how many threads computed them, are gone.
        unit = float(np.abs(weights).max(initial=0.0)) * 1e-7 or 1.0
        return Expectation(query, response, np.round(weights / unit) * unit)


class _Side(NamedTuple):
    """A side's covariance after scaling, so that rare marks count for more than their variance alone."""

    scale: Floats
    covariance: Floats

    @classmethod
    def of(cls, covariance: Floats) -> _Side:
        deviation = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        scale = 1.0 / np.sqrt(deviation + 0.01)
        return cls(scale, covariance * scale[:, None] * scale)

    def whitened(self, columns: Floats, ridge: float) -> Floats:
        mean = float(np.trace(self.covariance)) / max(len(self.covariance), 1)
        from scipy.linalg import solve

        trusted = self.covariance + np.eye(len(self.covariance)) * (ridge * mean + 1e-6)
        return np.asarray(solve(trusted, columns, assume_a="pos"), np.float64)


def together(parts: Sequence[Moments]) -> Moments:
    """The sums over all pairs of several parts."""
    return Moments(*(sum(values[1:], start=values[0]) for values in zip(*parts, strict=True)))


def moments(queries: Matrix, responses: Matrix) -> Moments:
    """Summed in chunks: in double precision the views would take twice their memory."""
    left, right = queries.shape[1], responses.shape[1]
    shapes = (left, right, (left, left), (right, right), (left, right))
    total = [np.zeros(shape) for shape in shapes]
    for start in range(0, len(queries), _CHUNK):
        q = queries[start : start + _CHUNK].astype(np.float64)
        r = responses[start : start + _CHUNK].astype(np.float64)
        for sums, more in zip(total, (q.sum(0), r.sum(0), q.T @ q, r.T @ r, q.T @ r), strict=True):
            sums += more
    return Moments(len(queries), *total)
