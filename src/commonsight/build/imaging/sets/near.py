"""Pictures that are nearly the same, told by perceptual hashes of 64 bits that differ in few of them.

Of two hashes that differ in at most d bits, at least one of d + 1 parts is the same. So only those that share
a part are compared, instead of all with all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.hashes import Hashes, apart

BITS = 64
AT_ONCE = 2048
"""Hashes of one part that are compared with all of that part together."""


def near_doubles(hashes: Sequence[int], distance: int) -> dict[int, int]:
    """For each place that shows nearly what an earlier one shows, the earliest that stays and shows it.

    What goes does not make others go: a chain of small changes is not one picture.
    """
    if not 0 <= distance < BITS:
        raise ValueError(f"two hashes of {BITS} bits cannot differ in {distance}")
    later: dict[int, list[int]] = {}
    for one, other in _pairs(np.array(hashes, np.uint64), distance):
        later.setdefault(other, []).append(one)
    doubles: dict[int, int] = {}
    for place in sorted(later):
        kept = [one for one in later[place] if one not in doubles]
        if kept:
            doubles[place] = min(kept)
    return doubles


def _pairs(hashes: Hashes, distance: int) -> set[tuple[int, int]]:
    """All pairs that differ in at most so many bits, the earlier place first."""
    found: set[tuple[int, int]] = set()
    for shift, width in _parts(distance + 1):
        part = (hashes >> np.uint64(shift)) & np.uint64((1 << width) - 1)
        order = np.argsort(part, kind="stable")
        bounds = np.flatnonzero(np.diff(part[order])) + 1
        for group in np.split(order, bounds):
            if len(group) > 1:
                found.update(_within(hashes, group, distance))
    return found


def _within(hashes: Hashes, group: NDArray[np.intp], distance: int) -> Iterator[tuple[int, int]]:
    own = hashes[group]
    for start in range(0, len(group), AT_ONCE):
        differing = apart(own[start : start + AT_ONCE, None], own[None, :])
        for row, column in np.argwhere(differing <= distance):
            if start + row < column:  # groups are in the order of places
                yield int(group[start + row]), int(group[column])


def _parts(count: int) -> Iterator[tuple[int, int]]:
    """Where each of so many parts of a hash begins, and its width."""
    bounds = [BITS * number // count for number in range(count + 1)]
    for start, end in pairwise(bounds):
        yield start, end - start
