"""What kind of choice gets picked (PMR, Table 3): the share of picks of each answer type."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from commonsight.score.gold import Ragged


def share_of_picks(
    types: Ragged, picks: NDArray[np.int64], names: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """For each type, 1 where the pick is of it, 0 where not, NaN where the item states no types."""
    starts = (
        np.concatenate(([0], np.cumsum(types.counts)[:-1])) if len(types.counts) else np.zeros(0, np.int64)
    )
    read = (picks >= 0) & (picks < types.counts)
    rows = np.flatnonzero(read)
    picked = types.flat.take(starts[rows] + picks[rows])
    shares = {}
    for name in names:
        values = np.where(types.counts > 0, 0.0, np.nan)
        values[rows[np.asarray(pc.equal(picked, name))]] = 1.0
        shares[name] = values
    return shares
