"""How far people agree beyond chance, when several of them voted on each item.

Nominal votes only: two votes are the same or they are not. Items need not have the same number of votes, and
those with fewer than two say nothing about agreement and are left out, and counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.score.intervals import (
    Clusters,
    Floats,
    Interval,
    cluster_codes,
    percentile_interval,
    resampled_means,
)

MOST_VALUES = 64
"""Different votes up to which intervals are made: resampling holds a column for each of them."""


class Ballots(NamedTuple):
    """All votes in two columns, and how many items they are about."""

    items: NDArray[np.int64]
    """Of each vote, the position of its item."""
    values: NDArray[np.int64]
    """Of each vote, what was said, by number."""
    length: int
    """Items, including those without votes."""
    kinds: int
    """How many different things were said."""


class Measure(Struct, frozen=True):
    """A coefficient with its interval; `value` is None where it is not defined (all votes alike)."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Agreement(Struct, frozen=True):
    """What the votes say together."""

    alpha: Measure
    """Krippendorff's, nominal, with missing votes."""
    kappa: Measure
    """Fleiss', see `agreement`."""
    percent: Measure
    """The mean over items of the share of pairs of votes that are the same."""
    items: int
    """With at least two votes."""
    votes: int
    left_out: int
    """Items with fewer than two votes."""


def ballots(votes: Iterable[Sequence[Hashable]]) -> Ballots:
    """The votes of item after item, as columns."""
    numbers: dict[Hashable, int] = {}
    items: list[int] = []
    values: list[int] = []
    count = 0
    for item, cast in enumerate(votes):
        count += 1
        items.extend([item] * len(cast))
        values.extend([numbers.setdefault(vote, len(numbers)) for vote in cast])
    return Ballots(np.array(items, np.int64), np.array(values, np.int64), count, len(numbers))


class _Cells(NamedTuple):
    """The votes as counts: how often each item got each value that it got."""

    item: NDArray[np.int64]
    value: NDArray[np.int64]
    times: Floats


def _cells(cast: Ballots) -> _Cells:
    keys, times = np.unique(cast.items * max(cast.kinds, 1) + cast.values, return_counts=True)
    return _Cells(keys // max(cast.kinds, 1), keys % max(cast.kinds, 1), times.astype(np.float64))


def pairwise_agreement(cast: Ballots) -> Floats:
    """Of each item, the share of pairs of its votes that are the same; NaN with fewer than two votes."""
    cells = _cells(cast)
    votes = np.bincount(cast.items, minlength=cast.length).astype(np.float64)
    same = np.bincount(cells.item, weights=cells.times * (cells.times - 1), minlength=cast.length)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(votes >= 2, same / (votes * (votes - 1)), np.nan)


def most_votes(cast: Ballots) -> NDArray[np.int64]:
    """Of each item, how many votes its most frequent value has."""
    cells = _cells(cast)
    most = np.zeros(cast.length, np.int64)
    np.maximum.at(most, cells.item, cells.times.astype(np.int64))
    return most


def agreement(
    cast: Ballots,
    clusters: Clusters | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
    resamples: int = 1000,
) -> Agreement:
    """Alpha, kappa and plain agreement, with intervals by resampling items, or clusters of items.

    Fleiss defined kappa for the same number of votes on every item. Here an item's agreement is taken over
    its own pairs of votes and every item weighs the same, while what chance would give comes from all votes
    together; with equal numbers this is his formula. Alpha weighs an item by its votes instead, and corrects
    for a finite number of them. With n votes of equal numbers on every item, 1 - alpha is (1 - kappa) times
    (1 - 1/n), so that the two can only differ visibly where votes are few or their numbers vary.
    """
    shares = pairwise_agreement(cast)
    kept = ~np.isnan(shares)
    items = int(kept.sum())
    votes = np.bincount(cast.items, minlength=cast.length).astype(np.float64)
    if not items:
        nothing = Measure(None)
        return Agreement(nothing, nothing, nothing, 0, 0, cast.length)
    counted = kept[cast.items]
    totals = np.bincount(cast.values[counted], minlength=cast.kinds).astype(np.float64)
    apart = (votes * (1 - np.where(kept, shares, 0.0)))[kept]  # what each item adds to alpha's disagreement
    point = _Parts(
        np.array([apart.sum()]), np.array([shares[kept].sum()]), np.array([float(items)]), totals[None, :]
    )
    spread = _resampled(cast, kept, apart, shares[kept], clusters, seed, resamples)
    return Agreement(
        _measured(_alpha, point, spread, confidence),
        _measured(_kappa, point, spread, confidence),
        _measured(_percent, point, spread, confidence),
        items,
        int(totals.sum()),
        cast.length - items,
    )


class _Parts(NamedTuple):
    """Sums over items that the coefficients are made of, one row a resample."""

    apart: Floats
    """Votes times the share of pairs that differ."""
    same: Floats
    """Shares of pairs that are the same."""
    items: Floats
    totals: Floats
    """(resample, value): how often each value was said."""


Coefficient = Callable[[_Parts], Floats]


def _alpha(parts: _Parts) -> Floats:
    votes = parts.totals.sum(axis=1)
    expected = (parts.totals * (votes[:, None] - parts.totals)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - parts.apart * (votes - 1) / expected, np.nan)


def _kappa(parts: _Parts) -> Floats:
    by_chance = np.square(parts.totals / parts.totals.sum(axis=1, keepdims=True)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(by_chance < 1, (_percent(parts) - by_chance) / (1 - by_chance), np.nan)


def _percent(parts: _Parts) -> Floats:
    return parts.same / parts.items


def _measured(of: Coefficient, point: _Parts, spread: _Parts | None, confidence: float) -> Measure:
    value = float(of(point)[0])
    if math.isnan(value):
        return Measure(None)
    if spread is None:
        return Measure(value)
    drawn = of(spread)
    drawn = drawn[~np.isnan(drawn)]  # a resample may happen to hold one value only
    bounds = percentile_interval(drawn, confidence) if drawn.size else Interval(value, value)
    return Measure(value, min(bounds.low, value), max(bounds.high, value))


def _resampled(
    cast: Ballots,
    kept: NDArray[np.bool_],
    apart: Floats,
    shares: Floats,
    clusters: Clusters | None,
    seed: int,
    resamples: int,
) -> _Parts | None:
    """The sums over resampled clusters; None where too many values were said, or clusters are too few."""
    codes = cluster_codes(clusters, cast.length)[kept]
    codes = np.unique(codes, return_inverse=True)[1]
    if cast.kinds > MOST_VALUES or codes.max() < 1:
        return None
    table = np.zeros((cast.length, cast.kinds))
    np.add.at(table, (cast.items, cast.values), 1.0)
    columns = np.column_stack([apart, shares, table[kept]])
    means = resampled_means(columns, codes, seed=seed, resamples=resamples)
    # Means of items turn back into sums: only alpha's "votes - 1" can tell, and hardly.
    sums = means * len(shares)
    return _Parts(sums[:, 0], sums[:, 1], np.full(len(sums), float(len(shares))), sums[:, 2:])
