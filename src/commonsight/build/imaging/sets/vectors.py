"""Many vectors, by rows: in memory or mapped from a file, of which only some are taken at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

AT_ONCE = 8192
"""Rows that are taken into memory together, at most."""


class Vectors(Protocol):
    """What an array has, mapped or not: (picture, dim)."""

    def __len__(self) -> int: ...

    def __getitem__(self, places: Places, /) -> NDArray[Any]: ...


class Some:
    """Some rows of others, by their places; nothing is copied."""

    def __init__(self, vectors: Vectors, places: Places) -> None:
        self._vectors, self._places = vectors, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, places: Places, /) -> NDArray[Any]:
        return self._vectors[self._places[places]]


def unit(vectors: NDArray[Any]) -> Floats:
    """Each of length 1; what has none stays zero, and is like nothing."""
    exact = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return (exact / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def unit_rows(vectors: Vectors, places: Places) -> Floats:
    """These rows, in memory, each of length 1."""
    return unit(vectors[places])


def cosines(vectors: Vectors, places: Places) -> Floats:
    """How alike these are: (picture, picture), -1 to 1."""
    taken = unit_rows(vectors, places)
    found: Floats = taken @ taken.T
    return found


def mean_cosine(similarity: Floats) -> float:
    """How alike the members of one group are: the mean over all pairs of different ones."""
    n = len(similarity)
    if n < 2:
        return 1.0
    pairs = similarity.sum(dtype=np.float64) - np.trace(similarity, dtype=np.float64)
    return float(pairs / (n * (n - 1)))


def blocks(count: int) -> Iterator[Places]:
    """The places of so many rows, some at once."""
    for start in range(0, count, AT_ONCE):
        yield np.arange(start, min(start + AT_ONCE, count))
