"""Consistency (NLVR2, section 7): the share of sentences for which every one of their examples is right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def all_right(values: NDArray[np.float64], groups: NDArray[np.int64]) -> NDArray[np.float64]:
    """One value a group, in order of the groups' numbers: 1 if all of its items are right, else 0."""
    if not len(groups):
        return np.zeros(0)
    size = np.bincount(groups)
    right = np.bincount(groups, weights=values >= 1.0)
    whole: NDArray[np.float64] = (right == size)[size > 0].astype(np.float64)
    return whole
