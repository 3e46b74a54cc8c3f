"""How often is the choice right that stands out by one thing? Each thing tested, all tests held together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonsight.audit.chance import deviation_of, two_sided, z_of
from commonsight.audit.listwise import Earned, Rows, earned
from commonsight.audit.shortcuts.features import FEATURES
from commonsight.score.intervals import Floats
from commonsight.score.paired import holm

POSITIONS = 10
"""Positions that are looked at one by one."""


class Tried(NamedTuple):
    """One way to pick without understanding, and what it earns."""

    family: str
    feature: str
    says: str
    earned: Earned


class Rule(NamedTuple):
    """The same, tested."""

    family: str
    feature: str
    says: str
    """Which choice it picks, in words."""
    earned: Earned
    z: float
    p: float
    """Held against all rules of the task (Holm)."""

    @property
    def coverage(self) -> float:
        """The share of items in which it can tell choices apart."""
        return float(self.earned.decided.mean())


def rules_of(rows: Rows, columns: Mapping[str, Floats]) -> list[Rule]:
    """Every rule that tells choices apart in at least one item."""
    tried = [
        Tried(feature.family, feature.name, says, earned(sign * columns[feature.name], rows))
        for feature in FEATURES
        for says, sign in ((feature.most, 1.0), (feature.least, -1.0))
    ]
    for place in range(min(POSITIONS, int(rows.sizes.max(initial=0)))):
        here = (rows.place_of == place).astype(np.float64)
        tried.append(Tried("position", f"position {place + 1}", f"choice {place + 1}", earned(here, rows)))
    told = [one for one in tried if one.earned.decided.any()]
    z = [_z(one.earned, rows) for one in told]
    p = holm(two_sided(z)).tolist()
    return [Rule(*one, one_z, one_p) for one, one_z, one_p in zip(told, z, p, strict=True)]


def _z(result: Earned, rows: Rows) -> float:
    """Where k choices tie, 1 / k is earned with probability k / s: the mean is 1 / s whatever k."""
    chances = rows.chances
    variance = chances / result.ties - chances**2
    sums = deviation_of(result.credit, chances, np.maximum(0.0, variance), rows.cases.groups)
    return float(z_of(sums)[0])


class Balance(NamedTuple):
    """How evenly right choices are spread over positions."""

    counts: tuple[int, ...]
    expected: tuple[float, ...]
    statistic: float
    p: float


def balance_of(counts: Sequence[int], expected: Sequence[float]) -> Balance:
    """Pearson's chi-square against what is expected."""
    from scipy.special import chdtrc  # slow to import, and most commands test nothing

    statistic = sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True) if mean)
    freedom = max(1, len(counts) - 1)
    return Balance(tuple(counts), tuple(expected), statistic, float(chdtrc(freedom, statistic)))


def position_balance(rows: Rows) -> Balance:
    """Positions of right choices against a deal in which each of an item's positions is as likely."""
    places = int(rows.sizes.max())
    counts = np.bincount(rows.cases.gold, minlength=places)
    expected = np.bincount(rows.place_of, weights=rows.chances[rows.item_of], minlength=places)
    return balance_of(counts.tolist(), expected.tolist())
