"""A model that sees nothing but shortcuts, fitted on some groups and tried on the others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.listwise import Earned, Rows, centred, earned
from commonsight.audit.shortcuts.picks import POSITIONS
from commonsight.build.matching.threads import one_thread
from commonsight.score.intervals import Floats

_RIDGE = 10.0
"""Draws weights to 0, in the units of one item's loss: with two hundred items, noise is not learnt."""


def alone(rows: Rows, columns: Mapping[str, Floats], fold_of: NDArray[np.int64]) -> Earned:
    """What the model's highest choice earns on each item, in cross-validation by group."""
    inputs = inputs_of(rows, columns)
    scores = np.zeros(len(rows.item_of))
    for fold in np.unique(fold_of).tolist():
        here = fold_of[rows.item_of] == fold
        if here.all():  # one group holds everything: nothing is left to learn from
            continue
        scores[here] = inputs[here] @ fit(inputs[~here], rows.sizes[fold_of != fold], rows.right[~here])
    return earned(scores, rows)


def inputs_of(rows: Rows, columns: Mapping[str, Floats]) -> Floats:
    """(row, input): each feature against its item's mean, and whether the choice alone is most or least."""
    parts: list[Floats] = []
    for values in columns.values():
        off = centred(values, rows)
        spread = float(off.std())
        if spread < 1e-12:
            continue
        parts.extend((off / spread, _alone(values, rows), _alone(-values, rows)))
    places = range(min(POSITIONS, int(rows.sizes.max(initial=0))))
    parts.extend((rows.place_of == place).astype(np.float64) for place in places)
    return np.stack(parts, axis=1)


def _alone(values: Floats, rows: Rows) -> Floats:
    best = np.maximum.reduceat(values, rows.starts)
    top = values >= best[rows.item_of] - 1e-12
    ties = np.add.reduceat(top.astype(np.int64), rows.starts)
    found: Floats = (top & (ties[rows.item_of] == 1)).astype(np.float64)
    return found


def fit(inputs: Floats, sizes: NDArray[np.int64], right: NDArray[np.bool_]) -> Floats:
    """Weights of a conditional logit: the right one of an item's choices, by softmax over these choices."""
    from scipy.optimize import minimize  # slow to import

    starts = np.cumsum(sizes) - sizes
    item_of = np.repeat(np.arange(len(sizes)), sizes)
    truth = right.astype(np.float64)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = inputs @ weights
        scores = scores - np.maximum.reduceat(scores, starts)[item_of]
        likely = np.exp(scores)
        total = np.add.reduceat(likely, starts)
        value = float(np.log(total).sum() - scores @ truth) + _RIDGE / 2 * float(weights @ weights)
        slope = inputs.T @ (likely / total[item_of] - truth) + _RIDGE * weights
        return value, slope

    start = np.zeros(inputs.shape[1])
    with one_thread():  # the steps are small: threads would wait for one another most of the time
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200, "ftol": 1e-7})
    return np.asarray(found.x, np.float64)
