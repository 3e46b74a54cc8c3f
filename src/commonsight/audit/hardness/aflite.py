"""AFLite: how predictable each item is for linear models that did not see it, and which items to drop for it.

Le Bras et al. 2020, "Adversarial Filters of Dataset Biases", Algorithm 1: many random partitions; a linear
model is trained on one side of each and tried on the other; an item's predictability is how often it was
solved among the times it was tried. The most predictable are dropped, and it begins again with what is left.
As theirs, the models read embeddings that are computed once.

Two things differ: partitions keep groups whole, so that two items of one movie do not stand on both sides,
and each split gives up items in proportion to its size, so that all splits stay as they relate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from commonsight.audit.blind.lists import LARGEST, Flags, Floats, Ints
from commonsight.audit.blind.solvers import Linear
from commonsight.audit.hardness.views import View
from commonsight.errors import UsageError


@dataclass(frozen=True)
class Partitions:
    """How AFLite goes about it; the paper's letters are named beside."""

    count: int = 32
    """m: partitions. The paper takes 64 or 128 on larger sets; an item's score is then finer."""
    learn: float = 0.6
    """t: the share of the items that a model learns from."""
    slice: float = 0.1
    """k: the share of the items that may be dropped in one round. The paper's are between 2 and 10 %."""
    threshold: float = 0.75
    """tau: an item that is solved less often than this is never dropped."""

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError(f"{self.count} partitions. Give at least 1.")
        for name in ("learn", "slice", "threshold"):
            if not 0 < getattr(self, name) <= 1:
                raise UsageError(f"{name} is {getattr(self, name):g}. Give a share above 0 and up to 1.")


LINEAR = Linear(penalty=1.0, steps=25)
"""The model of a partition: few steps are enough for its order of choices."""


def predictability(
    view: View,
    active: Flags,
    partitions: Partitions,
    seed: int,
    watch: Callable[[int], None] = lambda _: None,
) -> Floats:
    """How often each item was solved by models that did not see it; NaN where it was never tried.

    Items that are not active are neither learned from nor tried.
    """
    solved, tries = np.zeros(len(active)), np.zeros(len(active))
    rng = np.random.default_rng([seed, int(active.sum())])
    groups = _groups(view)
    for number in range(partitions.count):
        watch(number)
        learn = partition(groups, active, partitions.learn, rng)
        tested = active & ~learn
        chances = view.trained(learn, tested, LINEAR)
        if chances is not None:
            solved[tested] += view.solved(chances)[tested]
            tries[tested] += 1
    return np.where(tries > 0, solved / np.maximum(1, tries), np.nan)


def _groups(view: View) -> Ints:
    """What a partition keeps whole: groups, or items where one group is too large."""
    groups = view.cases.groups
    large = np.bincount(groups).max(initial=0) > LARGEST * len(groups)
    return np.arange(len(groups), dtype=np.int64) if large else groups


def partition(groups: Ints, active: Flags, share: float, rng: np.random.Generator) -> Flags:
    """Active items of random groups that make up about this share of all active ones."""
    sizes = np.bincount(groups[active], minlength=int(groups.max()) + 1)
    order = rng.permutation(len(sizes))
    taken = order[np.cumsum(sizes[order]) <= share * sizes.sum()]
    chosen = np.zeros(len(sizes), np.bool_)
    chosen[taken] = True
    found: Flags = chosen[groups] & active
    return found
