"""Several runs on the same gold: each with its error bar, every pair tested, ties shown as ties."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.errors import UsageError
from commonsight.score.intervals import Figure, figure, is_binary
from commonsight.score.paired import (
    McNemar,
    PairedDifference,
    mcnemar,
    minimum_detectable_effect,
    paired_bootstrap,
)
from commonsight.score.scoring import Outcome
from commonsight.score.ties import rank


class ComparedRun(Struct, frozen=True):
    """A run's figure, the bounds of its rank, and the letters of its tie groups."""

    name: str
    figure: Figure
    best_rank: int
    worst_rank: int
    ties: tuple[str, ...]


class ComparedPair(Struct, frozen=True):
    """Two runs on the same units."""

    first: str
    second: str
    difference: PairedDifference
    mcnemar: McNemar | None
    """Exact, and blind to clusters; None where scores are partial."""
    adjusted_p: float
    """Of the test behind the tie groups, Holm-corrected over all pairs."""
    apart: bool
    detectable: float
    """The smallest true difference that a comparison of this size finds four times in five."""


class MetricComparison(Struct, frozen=True):
    """One metric: runs from best to worst, and every pair of them."""

    runs: tuple[ComparedRun, ...]
    pairs: tuple[ComparedPair, ...]


def compare(
    outcomes: Mapping[str, Outcome],
    metric: str,
    *,
    seed: int = 0,
    alpha: float = 0.05,
    confidence: float = 0.95,
    rows: NDArray[np.int64] | None = None,
) -> MetricComparison:
    """Compare runs by one metric, unit by unit, over all items or only some."""
    units = {name: outcome.units(metric, rows) for name, outcome in outcomes.items()}
    clusters = next(iter(units.values()))[1]
    if any(len(values) != len(clusters) for values, _ in units.values()):
        raise UsageError(f"The runs were not scored on the same items by {metric}. Score them on one gold.")
    values = {name: pair[0] for name, pair in units.items()}
    grouped = None if len(np.unique(clusters)) == len(clusters) else clusters
    ranking = rank(list(values), np.stack(list(values.values())), grouped, seed=seed, alpha=alpha)
    order = [run.name for run in ranking.runs]
    tested = {(c.first, c.second): c for c in ranking.comparisons}
    runs = tuple(
        ComparedRun(
            run.name,
            figure(values[run.name], clusters, confidence=confidence, seed=seed),
            run.best,
            run.worst,
            run.letters,
        )
        for run in ranking.runs
    )
    pairs = []
    for first, second in combinations(order, 2):
        left, right = values[first], values[second]
        binary = is_binary(left) and is_binary(right)
        pairs.append(
            ComparedPair(
                first,
                second,
                paired_bootstrap(left, right, grouped, seed=seed, confidence=confidence),
                mcnemar(left, right) if binary else None,
                tested[first, second].adjusted,
                tested[first, second].apart,
                minimum_detectable_effect(left, right, grouped, alpha=alpha),
            )
        )
    return MetricComparison(runs, tuple(pairs))
