"""From features to chances: logistic regression, and the curve that calibrates what comes out of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.relevance_expects import Floats
from commonsight.build.matching.scorers import Scores

STEEPEST = 30.0
"""Log-odds are never taken for more: beyond it a chance cannot be told from certainty."""
GENTLEST = 0.1
"""The calibrating curve keeps at least this share of its slope, so that it never makes scores equal."""
BENDS = (-2.0, -1.0, 0.0, 1.0)
"""Where the curve may bend."""


class Logistic(NamedTuple):
    """The weight of each feature, the constant, and the mean loss in training."""

    weights: Floats
    constant: float
    loss: float


def logistic(features: Floats, actual: NDArray[np.bool_], *, decay: float = 1.0) -> Logistic:
    """Logistic regression by Newton's method on features of mean 0 and deviation 1."""
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    deviation = np.where(deviation > 1e-9, deviation, np.inf)  # what is always the same weighs nothing
    design = np.column_stack(((features - mean) / deviation, np.ones(len(features))))
    penalty = np.append(np.full(features.shape[1], decay), 1e-6)
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ beta, -STEEPEST, STEEPEST)))
        gradient = design.T @ (chance - actual) + penalty * beta
        hessian = (design * (chance * (1.0 - chance))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        beta -= np.clip(step, -2.0, 2.0)
        if float(np.abs(step).max()) < 1e-9:
            break
    beta = np.round(beta, 7)
    loss = float(np.logaddexp(0.0, np.where(actual, -1.0, 1.0) * (design @ beta)).mean())
    return Logistic(beta[:-1] / deviation, float(beta[-1] - (beta[:-1] * mean / deviation).sum()), loss)


class Bend(NamedTuple):
    """Calibration: log-odds = constant + slope x logit - less x softplus(logit - place): it rises, and bends.

    Sums of many marks have long tails: beyond some place the odds rise more slowly.
    """

    constant: float
    slope: float
    less: float
    place: float

    def log_chance(self, logit: Scores) -> Scores:
        """The logarithm of the chance, in place: never positive, never infinite."""
        np.clip(logit, -STEEPEST, STEEPEST, out=logit)
        bent = _softplus(logit - np.float32(self.place))
        bent *= np.float32(-self.less)
        logit *= np.float32(self.slope)
        logit += bent
        logit += np.float32(self.constant)
        np.negative(logit, out=logit)
        bent = _softplus(logit)
        return np.negative(bent, out=bent)


def _softplus(values: Scores) -> Scores:
    """log(1 + exp(x)) without overflow: (like values)."""
    small = np.abs(values)
    np.negative(small, out=small)
    np.exp(small, out=small)
    small += 1.0
    np.log(small, out=small)  # several times as fast as log1p, and as exact as is needed here
    small += np.maximum(values, 0.0)
    return small


def fit_bend(logits: Floats, actual: NDArray[np.bool_]) -> Bend:
    """The curve that fits best of those that rise everywhere."""
    logits = np.clip(logits, -STEEPEST, STEEPEST)
    straight = logistic(logits[:, None], actual)
    best = Bend(straight.constant, max(float(straight.weights[0]), GENTLEST), 0.0, 0.0)
    loss = straight.loss
    for place in BENDS:
        found = logistic(np.column_stack((logits, np.logaddexp(0.0, logits - place))), actual)
        slope, less = float(found.weights[0]), -float(found.weights[1])
        if found.loss < loss and slope > 0 and slope - less > GENTLEST * slope:
            best, loss = Bend(found.constant, slope, less, place), found.loss
    return best
