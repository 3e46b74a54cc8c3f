"""VCR's three figures from 4 + 16 numbers: answer, rationale given the right answer, both.

The rationale is scored in the setting where the gold answer is given (QA→R), whichever answer was chosen.
Both right (Q→AR) needs the right answer and the right rationale; a model that chose the right answer was
given the gold answer, so its own choice and the gold condition agree exactly where it matters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Staged(NamedTuple):
    """1 or 0 an item, for each of the three figures."""

    answer: NDArray[np.float64]
    rationale: NDArray[np.float64]
    both: NDArray[np.float64]


def staged(
    gold_answer: NDArray[np.int64],
    gold_rationale: NDArray[np.int64],
    answer: NDArray[np.int64],  # (items,)
    rationale: NDArray[np.int64],  # (items, answers): the rationale chosen on the condition of each answer
) -> Staged:
    """Score both stages and their conjunction."""
    answer_right = gold_answer == answer
    rationale_right = gold_rationale == rationale[np.arange(len(gold_answer)), gold_answer]
    return Staged(
        answer_right.astype(np.float64),
        rationale_right.astype(np.float64),
        (answer_right & rationale_right).astype(np.float64),
    )
