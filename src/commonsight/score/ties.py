"""Which runs are really apart, and which only differ by luck.

A sorted table claims more than its data show. Here each run carries letters: runs that share one were
not told apart. Being tied is not transitive: with A~B and B~C, yet A above C, B is in both groups, A "a",
B "ab", C "b". Groups that are led by the best run left would have to hide one of the two ties.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from commonsight.score.intervals import Clusters, Floats, as_scores, cluster_codes, is_binary, resampled_means
from commonsight.score.paired import holm, mcnemar, resampling_p_value


class TieGroup(Struct, frozen=True):
    """Runs, best first, no two of which a test told apart, and to which no other run could be added."""

    letter: str
    names: tuple[str, ...]


class RankedRun(Struct, frozen=True):
    """A run's place: `best` and `worst` bound its rank, counted from 1."""

    name: str
    mean: float
    best: int
    worst: int
    letters: tuple[str, ...]


class Comparison(Struct, frozen=True):
    """One pair, better mean first, with its p-value before and after Holm's correction."""

    first: str
    second: str
    p_value: float
    adjusted: float
    apart: bool


class Ranking(Struct, frozen=True):
    """Runs in the order of their means, their tie groups, and the tests behind them."""

    runs: tuple[RankedRun, ...]
    groups: tuple[TieGroup, ...]
    comparisons: tuple[Comparison, ...]


def rank(
    names: Sequence[str],
    values_by_run: ArrayLike,
    clusters: Clusters | None = None,
    *,
    seed: int,
    alpha: float = 0.05,
) -> Ranking:
    """Order runs (rows of `values_by_run`, one column per item) by mean and say which are tied.

    Every pair is tested on the same items, Holm-corrected over all pairs. A run's rank interval leaves room
    for each run that it was not told apart from: better runs that are apart push its best rank down, worse
    ones that are apart push its worst rank up. Equal means are ordered by name.
    """
    names, scores = _by_mean(names, values_by_run)
    pairs = list(combinations(range(len(names)), 2))
    p_values = _p_values(scores, pairs, clusters, seed, alpha)
    adjusted = holm(p_values).tolist()
    apart = {pair for pair, p in zip(pairs, adjusted, strict=True) if p <= alpha}
    groups = [
        TieGroup(letter(index), tuple(names[run] for run in members))
        for index, members in enumerate(maximal_ties(len(names), sorted(apart)))
    ]
    runs = []
    for run, name in enumerate(names):
        better = sum((other, run) in apart for other in range(run))
        worse = sum((run, other) in apart for other in range(run + 1, len(names)))
        letters = tuple(group.letter for group in groups if name in group.names)
        runs.append(RankedRun(name, float(scores[run].mean()), 1 + better, len(names) - worse, letters))
    comparisons = [
        Comparison(names[i], names[j], p, corrected, (i, j) in apart)
        for (i, j), p, corrected in zip(pairs, p_values, adjusted, strict=True)
    ]
    return Ranking(tuple(runs), tuple(groups), tuple(comparisons))


def maximal_ties(count: int, apart: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The largest sets of 0 … count - 1 that hold no pair of `apart`, by insert-absorb (Piepho 2004).

    Begin with one set of all. For each pair, split every set that holds both into one without either, and
    absorb sets that lie within another. Sorted, so the best run's sets come first.
    """
    columns = {frozenset(range(count))} if count else set()
    for i, j in apart:
        split = {column for column in columns if i in column and j in column}
        columns -= split
        columns |= {column - {member} for column in split for member in (i, j)}
        columns = {column for column in columns if not any(column < other for other in columns)}
    return sorted(tuple(sorted(column)) for column in columns)


def letter(index: int) -> str:
    """a, b, …, z, aa, ab, …: the name of the group at this position, counted from zero."""
    name = ""
    index += 1
    while index:
        index, place = divmod(index - 1, 26)
        name = chr(ord("a") + place) + name
    return name


def _by_mean(names: Sequence[str], values_by_run: ArrayLike) -> tuple[list[str], Floats]:
    """Names and rows, best mean first. Checked here, where the fault would be the caller's."""
    scores = np.asarray(values_by_run, dtype=np.float64)
    if scores.ndim != 2 or len(scores) != len(names) or scores.shape[1] == 0:
        raise ValueError(f"values must be of shape ({len(names)} runs, items), not {scores.shape}")
    if len(set(names)) < len(names):
        raise ValueError(f"run names must differ, but got {sorted(names)}")
    for row in scores:
        as_scores(row)
    order = sorted(range(len(names)), key=lambda run: (-float(scores[run].mean()), names[run]))
    return [names[run] for run in order], scores[order]


def _p_values(
    scores: Floats, pairs: Sequence[tuple[int, int]], clusters: Clusters | None, seed: int, alpha: float
) -> list[float]:
    """McNemar's exact test for scores of 0 and 1 on independent items, else the paired cluster bootstrap.

    The bootstrap is that of `paired_bootstrap`, with each resample drawn once for all runs. There are enough
    of them that the smallest p-value they can give, times the pairs, is a tenth of alpha.
    """
    if clusters is None and is_binary(scores):
        return [mcnemar(scores[i], scores[j]).p_value for i, j in pairs]
    codes = cluster_codes(clusters, scores.shape[1])
    resamples = max(2000, math.ceil(20 * len(pairs) / alpha))
    means = resampled_means(scores.T, codes, seed=seed, resamples=resamples)  # (resample, run)
    return [resampling_p_value(scores[i] - scores[j], codes, means[:, i] - means[:, j]) for i, j in pairs]
