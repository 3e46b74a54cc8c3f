"""Groups among few pictures, of which all are compared with all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.sets.vectors import Floats, Places

PASSES = 40
"""Of changing places, at most; most need far fewer."""
_GAIN = 1e-4
"""Cosines that a change must bring, so that rounding alone never moves anything."""


def begun(similarity: Floats, sizes: Sequence[int]) -> Places:
    """The group of each picture. A group begins with the picture that is least like those left, for it has
    the fewest to choose from, and takes what is most like the group.
    """
    group_of = np.full(len(similarity), -1)
    left = similarity.sum(axis=1)  # how like each is to those left
    for group, size in enumerate(sizes):
        one = int(np.argmin(np.where(group_of < 0, left, np.inf)))
        liking = np.zeros(len(similarity), np.float32)
        for _ in range(size):
            group_of[one] = group
            left -= similarity[one]
            liking += similarity[one]
            one = int(np.argmax(np.where(group_of < 0, liking, -np.inf)))
    return group_of


def exchanged(similarity: Floats, group_of: Places) -> Places:
    """Members change places as long as the pairs within groups become more alike by it."""
    group_of = group_of.copy()
    everyone = np.arange(len(group_of))
    member = (group_of == np.arange(int(group_of.max()) + 1)[:, None]).astype(np.float32)
    within = member @ similarity  # (group, picture)
    for _ in range(PASSES):
        own = within[group_of, everyone] - similarity[everyone, everyone]
        there = within[group_of]  # how like a picture (column) is to the group of another (row)
        gain = there + there.T - 2 * similarity - own[:, None] - own[None, :]
        gain[group_of[:, None] == group_of[None, :]] = 0
        swaps = _apart(gain, group_of)
        if not swaps:
            break
        for one, other in swaps:
            step = similarity[other] - similarity[one]
            within[group_of[one]] += step
            within[group_of[other]] -= step
            group_of[one], group_of[other] = group_of[other], group_of[one]
    return group_of


def _apart(gain: Floats, group_of: Places) -> list[tuple[int, int]]:
    """The best changes of which no two touch the same group, for only then do their gains add up."""
    best: NDArray[np.intp] = gain.argmax(axis=1)
    worth = gain[np.arange(len(gain)), best]
    touched: set[int] = set()
    chosen = []
    for one in np.argsort(-worth, kind="stable"):
        if worth[one] <= _GAIN:
            break
        pair = {int(group_of[one]), int(group_of[best[one]])}
        if not pair & touched:
            touched |= pair
            chosen.append((int(one), int(best[one])))
    return chosen


def typical_first(similarity: Floats, members: Places) -> Places:
    """The members of a group, those most like the others first."""
    typical = similarity[np.ix_(members, members)].sum(axis=1)
    return members[np.argsort(-typical, kind="stable")]
