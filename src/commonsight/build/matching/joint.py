"""All rounds at once, for the few small buckets in which one round after another comes to no end.

In a bucket full of doubles an early round can use up what a later one needs, though other rounds would have
been possible. Whoever gets what in all rounds together is a flow from queries over the different texts to
responses, so the best there is, is a linear programme whose corners are whole numbers: it finds rounds
wherever there are any. They are then told apart, the best first.
"""

from __future__ import annotations

import numpy as np

from commonsight.build.matching.assign import Matching
from commonsight.build.matching.candidates import Places, Weights
from commonsight.build.matching.feasible import NO_MATCHING
from commonsight.errors import InputError

JOINT_MOST = 200
"""Beyond so many it would take long, and has never been needed."""


def match_jointly(weights: Weights, texts: Places, rounds: int) -> list[Matching]:
    """Rounds that together weigh the most, by the first round's weights; no query gets a text twice."""
    left = _together(weights, texts, rounds)
    found = []
    for _ in range(rounds):
        found.append(_best_of(weights, left))
        left[np.arange(len(left)), found[-1].response] = False
    return found


def _together(weights: Weights, texts: Places, rounds: int) -> np.ndarray:
    """Which pairs are in some round: each query and each response so many times."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, vstack

    n = len(weights)
    queries, responses = np.nonzero(np.isfinite(weights))
    pairs = np.arange(len(queries))
    if not len(pairs):
        raise InputError(NO_MATCHING)

    def sums(groups: Places, count: int) -> coo_array:
        return coo_array((np.ones(len(pairs)), (groups, pairs)), shape=(count, len(pairs)))

    once = np.unique(queries * n + texts[responses], return_inverse=True)[1]
    solved = linprog(
        -weights[queries, responses].astype(np.float64),
        A_ub=sums(once, int(once.max()) + 1), b_ub=np.ones(int(once.max()) + 1),
        A_eq=vstack((sums(queries, n), sums(responses, n))), b_eq=np.full(2 * n, float(rounds)),
        bounds=(0, 1), method="highs-ds",
    )  # fmt: skip
    if solved.x is None:
        raise InputError(NO_MATCHING)
    chosen = np.zeros((n, n), bool)
    chosen[queries, responses] = solved.x > 0.5
    if (chosen.sum(axis=0) != rounds).any() or (chosen.sum(axis=1) != rounds).any():
        raise InputError(NO_MATCHING)
    return chosen


def _best_of(weights: Weights, allowed: np.ndarray) -> Matching:
    """The best matching among these pairs: as all are in equally many of them, there is one."""
    from scipy.optimize import linear_sum_assignment

    costs = np.where(allowed, -weights.astype(np.float64), 0.0)
    costs[~allowed] = (np.abs(costs).max(initial=0.0) + 1.0) * (len(weights) + 1)
    rows, columns = linear_sum_assignment(costs)
    return Matching(columns.astype(np.int64), float(weights[rows, columns].sum(dtype=np.float64)), exact=True)
