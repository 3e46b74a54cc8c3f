"""Accuracy: the share of items whose one answer is the gold one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def accuracy(gold: NDArray[Any], given: NDArray[Any]) -> NDArray[np.float64]:
    """1 where the given label is the gold label. An unread answer is -1, which no label is."""
    right: NDArray[np.float64] = (gold == given).astype(np.float64)
    return right
