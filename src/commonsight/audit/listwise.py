"""Choices of all items as rows, one item after the other, and what a score of the rows would earn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.audit.chance import folds_by_group
from commonsight.audit.probe import Setting
from commonsight.score.intervals import Floats

Ints = NDArray[np.int64]


class Rows(NamedTuple):
    """The choices of a task's items, in order; only items with at least two choices and a right one."""

    cases: Cases
    item_of: Ints
    """(row,): the item of each choice."""
    place_of: Ints
    """(row,): its position in the item."""
    starts: Ints
    """(item,): the row of the item's first choice."""
    sizes: Ints
    right: NDArray[np.bool_]
    """(row,)"""

    @property
    def gold(self) -> Ints:
        """(item,): the row of the right choice."""
        return self.starts + self.cases.gold

    @property
    def chances(self) -> Floats:
        """(item,): what guessing earns."""
        return 1.0 / self.sizes

    @property
    def chance(self) -> float:
        """What guessing earns on average."""
        return float(self.chances.mean()) if len(self.sizes) else 0.0


def rows_of(cases: Cases) -> Rows:
    """The labelled items that leave something to choose."""
    kept = [case for case in cases if case.gold is not None and 0 <= case.gold < len(case.choices) > 1]
    chosen = cases if len(kept) == len(cases) else Cases(cases.task, cases.title, cases.kind, kept)
    sizes = chosen.sizes
    starts = np.cumsum(sizes) - sizes
    item_of = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    right = np.zeros(len(item_of), bool)
    right[starts + chosen.gold] = True
    return Rows(chosen, item_of, np.arange(len(item_of)) - starts[item_of], starts, sizes, right)


def folds_of(cases: Cases, setting: Setting) -> Ints:
    """The fold of each item in cross-validation: groups stay whole."""
    return folds_by_group([case.group for case in cases], setting.folds, setting.seed)


class Earned(NamedTuple):
    """By item: what picking the highest score earns, ties shared."""

    credit: Floats
    decided: NDArray[np.bool_]
    """Whether the scores differ at all."""
    ties: Floats
    """How many choices have the highest score."""
    margin: Floats
    """How far the right choice is above the best of the others; negative where it is below."""


def earned(scores: Floats, rows: Rows) -> Earned:
    """What these scores, one a row, earn on each item."""
    best = np.maximum.reduceat(scores, rows.starts)
    worst = np.minimum.reduceat(scores, rows.starts)
    top = scores >= best[rows.item_of] - 1e-12
    ties = np.add.reduceat(top.astype(np.float64), rows.starts)
    rivals = np.maximum.reduceat(np.where(rows.right, -np.inf, scores), rows.starts)
    return Earned(
        np.where(top[rows.gold], 1.0 / ties, 0.0), best > worst + 1e-12, ties, scores[rows.gold] - rivals
    )


def centred(values: Floats, rows: Rows) -> Floats:
    """Each value less the mean of its item."""
    means: Floats = np.add.reduceat(values, rows.starts) / rows.sizes
    return values - means[rows.item_of]
