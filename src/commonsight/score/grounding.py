"""Answer, grounding, and both (CRIC, section 3, evaluation protocol).

Grounding is right when the object pointed to is one of the targets; where there is no target (the answer is
"no"), it is right to point to none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.score.gold import Ragged, any_equal

NO_OBJECT = -1


class GroundedScore(NamedTuple):
    """1 or 0 an item, for each of the three figures."""

    answer: NDArray[np.float64]
    grounding: NDArray[np.float64]
    final: NDArray[np.float64]


def grounded(answer_right: NDArray[np.bool_], targets: Ragged, pointed: NDArray[np.int64]) -> GroundedScore:
    """Score answers together with the objects they point to; `NO_OBJECT` points to none."""
    none_wanted = targets.counts == 0
    hit = np.where(none_wanted, pointed == NO_OBJECT, any_equal(targets, pointed) > 0)
    return GroundedScore(
        answer_right.astype(np.float64),
        hit.astype(np.float64),
        (answer_right & hit).astype(np.float64),
    )
