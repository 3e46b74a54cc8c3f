"""Direct answers (A-OKVQA, as VQA): min(1, matches / 3) over the ten answers that people gave."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonsight.score.gold import Ragged, any_equal

ENOUGH = 3
"""This many people who gave the same answer make it fully right."""


def direct_answer(
    wanted: Ragged, given: Any, left_out: NDArray[np.bool_], *, enough: int = ENOUGH
) -> NDArray[np.float64]:
    """Between 0 and 1 an item; NaN for items that are left out as too hard to answer directly."""
    matches = any_equal(wanted, given)
    return np.where(left_out, np.nan, np.minimum(1.0, matches / enough))
