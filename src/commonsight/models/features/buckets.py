"""Which examples go into a batch together: those of like length, so that little of it is padding.

Examples are shuffled, cut into pools of several batches, and sorted by length within a pool: batches stay
random, and each is even. The order depends on the seed and the epoch alone, so training can go on in the
middle of an epoch after it was killed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

POOL = 24
"""Batches that are sorted together: enough to keep padding under 15 %."""


def batches(
    lengths: NDArray[np.int64], size: int, *, seed: int | None, epoch: int = 0, pool: int = POOL
) -> list[NDArray[np.int64]]:
    """Numbers of the examples of each batch; without a seed by length alone, as for prediction."""
    if seed is None:
        return _cut(np.argsort(lengths, kind="stable"), size)
    rng = np.random.default_rng((seed, epoch))
    order = rng.permutation(len(lengths))
    made: list[NDArray[np.int64]] = []
    for start in range(0, len(order), size * pool):
        part = order[start : start + size * pool]
        made += _cut(part[np.argsort(lengths[part], kind="stable")], size)
    return [made[number] for number in rng.permutation(len(made))]


def _cut(order: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [order[start : start + size] for start in range(0, len(order), size)]


def padding(lengths: NDArray[np.int64], chosen: Sequence[NDArray[np.int64]]) -> float:
    """The share of all places that is padding, where every row of a batch is as long as the longest."""
    places = sum(int(lengths[batch].max()) * len(batch) for batch in chosen)
    return 1 - int(lengths.sum()) / places if places else 0.0
