"""Prices of responses at which nearly everybody wants another one: a start from which a solver is soon done.

A full matching uses every response once, so a price for each changes what every matching weighs by the same:
the best stays the best. But solvers build up such prices one query at a time, which is most of their work.
These come from Sinkhorn's iteration at falling temperatures, for all queries at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.candidates import Places
from commonsight.build.matching.feasible import NO_MATCHING
from commonsight.errors import InputError

Prices = NDArray[np.float32]
Values = NDArray[np.float32]

TEMPERATURES = (0.3, 0.1, 0.03, 0.01, 0.003)
"""In the weights' own unit, the logarithm of a chance. Where prices are known already, the last three do."""
PASSES = 10
"""At each temperature."""


class Edges(NamedTuple):
    """Pairs ordered by query."""

    queries: Places
    responses: Places
    weights: Values


def prices(edges: Edges, n: int, before: Prices | None = None) -> Prices:
    """What each response should cost, beginning with what it did cost before.

    Every query and every response must have a pair, or there is no full matching.
    """
    by_response = np.argsort(edges.responses, kind="stable")
    asking, asked = edges.queries[by_response], edges.responses[by_response]
    own, lent = _starts(edges.queries, n), _starts(asked, n)
    weights = edges.weights[by_response]
    price = np.zeros(n, np.float32) if before is None else before
    for heat in TEMPERATURES if before is None else TEMPERATURES[2:]:
        for _ in range(PASSES):
            gain = _soft_most(edges.weights - price[edges.responses], own, edges.queries, heat)
            price = _soft_most(weights - gain[asking], lent, asked, heat)
    return price


def _starts(ordered: Places, n: int) -> Places:
    """Where the pairs of each of n begin."""
    starts = np.searchsorted(ordered, np.arange(n + 1))
    if (starts[1:] == starts[:-1]).any():
        raise InputError(NO_MATCHING)
    return starts[:-1]


def _soft_most(values: Values, starts: Places, groups: Places, heat: float) -> Values:
    """heat log sum exp(value / heat) of each group: its greatest value, or a little more."""
    most = np.maximum.reduceat(values, starts)
    values -= most[groups]
    values /= np.float32(heat)
    np.exp(values, out=values)
    return most + np.float32(heat) * np.log(np.add.reduceat(values, starts))
