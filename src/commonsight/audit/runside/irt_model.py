"""Item response theory for few runs and many items: how able each run is, how hard each item.

The chance that run r solves item j is logistic(a_j (theta_r - b_j)): `b` is the item's difficulty, `a` how
well it tells able runs from others (two-parameter model), or 1 for every item (Rasch).

Exams have many people and few questions, so that people are integrated out. Here it is the other way round:
abilities are parameters, and items are drawn from a population: b is normal around 0, a log-normal around 1,
and their spreads are estimated too. In the two-parameter model a share of the items, estimated as well, is
reversed, with a = -1: able runs fail where others pass, as they do where the label is wrong. The likelihood
sums over a grid of items, so that an item that few runs answered stays near the population instead of running
off. Nothing is drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIFFICULTIES = 29
DISCRIMINATIONS = 9
"""Points of the grid, in each direction."""
REACH = 4.0
"""How many standard deviations of difficulty the grid reaches; of discrimination, three quarters of that."""
ABILITY_SPREAD = 3.0
"""A weak prior on abilities, in logits: a run that is always right must end somewhere."""
_SIGMA, _TAU, _REVERSED = (0.05, 6.0), (0.02, 1.0), (1e-4, 0.2)
"""What the spreads and the share of reversed items may be."""
_AT_ONCE = 4096
"""Patterns of answers whose grid is held in memory at a time."""


class Fitted(NamedTuple):
    """What the answers say about runs and items. Abilities and difficulties are on one scale, in logits."""

    ability: Floats
    ability_se: Floats
    difficulty: Floats
    difficulty_sd: Floats
    discrimination: Floats
    turned: Floats
    """The probability that an item is reversed; 0 in the Rasch model."""
    spread: float
    """Of the difficulties."""
    spread_discrimination: float
    """Of the logarithms of the discriminations."""
    share_reversed: float
    converged: bool


class _Grid(NamedTuple):
    z: Floats
    """Difficulty in standard deviations, (point,)."""
    w: Floats
    """The logarithm of discrimination, likewise."""
    sign: Floats
    """-1 for reversed items, else 1."""
    log_weight: Floats
    """Of the sound and of the reversed points, each adding up to one."""


class _Patterns(NamedTuple):
    """Different rows of answers, how often each occurs, and which one each item has."""

    right: Floats
    wrong: Floats
    times: Floats
    of_item: NDArray[np.intp]


class _Totals(NamedTuple):
    log_likelihood: float
    by_ability: Floats
    by_sigma: float
    by_tau: float
    turned: float
    """How many items are expected to be reversed."""


class _Population(NamedTuple):
    """How difficulties and discriminations spread, and the share of reversed items."""

    sigma: float
    tau: float
    share: float


def fit(right: Floats, clusters: NDArray[np.int64], *, two_parameters: bool) -> Fitted:
    """Fit (run, item) answers of 1, 0 or NaN for not asked. Errors of abilities keep clusters together."""
    from scipy.optimize import minimize

    patterns = _patterns(right)
    grid = _grid(two_parameters)
    runs = len(right)
    asked = np.maximum((~np.isnan(right)).sum(1), 1)
    share = np.nansum(right, axis=1) / asked
    start = np.log((share + 0.02) / (1.02 - share)) * 1.2
    x0 = np.concatenate([start, [0.0, np.log(0.3), np.log(0.01)]])
    bounds = [(-12.0, 12.0)] * runs + [_logs(_SIGMA), _logs(_TAU), _logs(_REVERSED)]
    items = patterns.times.sum()

    def loss(x: Floats) -> tuple[float, Floats]:
        theta, population = x[:-3], _population(x, two_parameters)
        found = _totals(patterns, grid, theta, population)
        penalty = float(theta @ theta) / (2 * ABILITY_SPREAD**2)
        share = population.share
        slope = np.concatenate([
            found.by_ability - theta / ABILITY_SPREAD**2,
            [population.sigma * found.by_sigma, population.tau * found.by_tau,
             (found.turned - items * share) / (1 - share)],
        ])  # fmt: skip
        return (penalty - found.log_likelihood) / items, -slope / items

    limits = import_module("threadpoolctl").threadpool_limits  # comes with scikit-learn
    with limits(limits=1):  # the products are small: more threads would mostly wait for each other
        done = minimize(loss, x0, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300})
        population = _population(done.x, two_parameters)
        return _described(patterns, grid, done.x[:-3], population, clusters, bool(done.success))


def _logs(ends: tuple[float, float]) -> tuple[float, float]:
    return float(np.log(ends[0])), float(np.log(ends[1]))


def _population(x: Floats, two_parameters: bool) -> _Population:
    sigma, tau, share = np.exp(x[-3:])
    if not two_parameters:
        return _Population(float(sigma), 0.0, 0.0)
    return _Population(float(sigma), float(tau), float(share))


def _grid(two_parameters: bool) -> _Grid:
    z = np.linspace(-REACH, REACH, DIFFICULTIES)
    if not two_parameters:
        return _Grid(z, np.zeros_like(z), np.ones_like(z), _normal(z))
    w = np.linspace(-0.75 * REACH, 0.75 * REACH, DISCRIMINATIONS)
    zs, ws = (part.ravel() for part in np.meshgrid(z, w, indexing="ij"))
    sound = _normal(np.hypot(zs, ws))
    return _Grid(
        np.concatenate([zs, z]),
        np.concatenate([ws, np.zeros_like(z)]),
        np.concatenate([np.ones_like(zs), -np.ones_like(z)]),
        np.concatenate([sound, _normal(z)]),
    )


def _normal(distance: Floats) -> Floats:
    """Logarithms of normal weights that add up to one."""
    weight: Floats = -(distance**2) / 2
    return weight - float(np.logaddexp.reduce(weight))


def _patterns(right: Floats) -> _Patterns:
    code = np.where(np.isnan(right), 2, right).astype(np.int8).T  # (item, run)
    rows, of_item, count = np.unique(code, axis=0, return_inverse=True, return_counts=True)
    ones, zeros = (rows == 1).astype(np.float64), (rows == 0).astype(np.float64)
    return _Patterns(ones, zeros, count.astype(np.float64), of_item.ravel())


class _Curves(NamedTuple):
    """What each run does on each point of the grid, (run, point)."""

    a: Floats
    b: Floats
    p: Floats
    log_p: Floats
    log_q: Floats
    log_weight: Floats


def _curves(grid: _Grid, theta: Floats, population: _Population) -> _Curves:
    sigma, tau, share = population
    a, b = grid.sign * np.exp(np.where(grid.sign > 0, tau * grid.w - tau**2 / 2, 0.0)), sigma * grid.z
    eta = a * (theta[:, None] - b)
    log_p, log_q = -np.logaddexp(0, -eta), -np.logaddexp(0, eta)
    weight = grid.log_weight + np.where(grid.sign > 0, np.log1p(-share), np.log(max(share, 1e-300)))
    return _Curves(a, b, np.exp(log_p), log_p, log_q, weight)


def _posteriors(patterns: _Patterns, curves: _Curves) -> Iterator[tuple[slice, Floats, Floats]]:
    """Chunk by chunk: which patterns, the posterior over the grid (pattern, point), log-likelihoods."""
    for start in range(0, len(patterns.times), _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        joint = patterns.right[rows] @ curves.log_p + patterns.wrong[rows] @ curves.log_q + curves.log_weight
        top = joint.max(1, keepdims=True)
        joint -= top
        np.exp(joint, out=joint)
        total = joint.sum(1, keepdims=True)
        joint /= total
        yield rows, joint, (np.log(total) + top)[:, 0]


def _totals(patterns: _Patterns, grid: _Grid, theta: Floats, population: _Population) -> _Totals:
    curves = _curves(grid, theta, population)
    likelihood = turned = 0.0
    ones, zeros = np.zeros_like(curves.p), np.zeros_like(curves.p)  # expected counts, (run, point)
    for rows, posterior, logs in _posteriors(patterns, curves):
        count = patterns.times[rows]
        likelihood += float(count @ logs)
        posterior *= count[:, None]
        turned += float(posterior[:, grid.sign < 0].sum())
        ones += patterns.right[rows].T @ posterior
        zeros += patterns.wrong[rows].T @ posterior
    slope = ones * (1 - curves.p) - zeros * curves.p  # by eta
    bent = np.where(grid.sign > 0, grid.w - population.tau, 0.0)  # of log a, by tau
    return _Totals(
        likelihood,
        slope @ curves.a,
        float(-(slope @ (curves.a * grid.z)).sum()),
        float((slope * (curves.a * bent) * (theta[:, None] - curves.b)).sum()),
        turned,
    )


def _described(
    patterns: _Patterns,
    grid: _Grid,
    theta: Floats,
    population: _Population,
    clusters: NDArray[np.int64],
    converged: bool,
) -> Fitted:
    curves = _curves(grid, theta, population)
    columns = np.stack([curves.b, curves.b**2, curves.a, (grid.sign < 0).astype(np.float64)], axis=1)
    moments = np.empty((len(patterns.times), columns.shape[1]))
    slopes = np.empty((len(patterns.times), len(theta) + 3))  # of the log-likelihood, by every parameter
    for rows, posterior, _ in _posteriors(patterns, curves):
        moments[rows] = posterior @ columns
        slopes[rows, :-1] = _slopes(patterns, rows, posterior, grid, curves, theta, population)
        slopes[rows, -1] = moments[rows, -1] - population.share
    b, b_squared, a, turned = moments[patterns.of_item].T
    return Fitted(
        theta,
        _errors(slopes[patterns.of_item], clusters)[: len(theta)],
        b,
        np.sqrt(np.maximum(b_squared - b**2, 0.0)),
        a,
        turned,
        *population,
        converged,
    )


def _slopes(
    patterns: _Patterns,
    rows: slice,
    posterior: Floats,
    grid: _Grid,
    curves: _Curves,
    theta: Floats,
    population: _Population,
) -> Floats:
    """(pattern, parameter): how each pattern's log-likelihood rises with abilities, log sigma and tau."""
    hit, miss = patterns.right[rows], patterns.wrong[rows]

    def by_run(factor: Floats) -> Floats:  # (run, point) -> (pattern, run)
        return hit * (posterior @ (factor * (1 - curves.p)).T) - miss * (posterior @ (factor * curves.p).T)

    every = np.ones((len(theta), 1))
    bent = np.where(grid.sign > 0, grid.w - population.tau, 0.0) * (population.tau > 0)
    return np.column_stack([
        by_run(every * curves.a),
        by_run(every * (-curves.a * curves.b)).sum(1),
        by_run(curves.a * bent * (theta[:, None] - curves.b)).sum(1),
    ])  # fmt: skip


def _errors(slopes: Floats, clusters: NDArray[np.int64]) -> Floats:
    """Sandwich errors: how the likelihood bends, and how far its slopes vary from cluster to cluster."""
    count = slopes.shape[1]
    bend = slopes.T @ slopes + np.eye(count) / ABILITY_SPREAD**2
    codes = np.unique(clusters, return_inverse=True)[1]
    sums = np.stack([np.bincount(codes, weights=column) for column in slopes.T], axis=1)
    groups = len(sums)
    spread = sums.T @ sums * (groups / max(1, groups - 1))
    inverse = np.linalg.inv(bend)
    robust = np.diag(inverse @ spread @ inverse)
    # Few clusters can make slopes look steadier than they are: never below what independent items would give.
    return np.sqrt(np.maximum(robust, np.diag(inverse)))
