"""Rows of different length as one padded array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from torch import Tensor, from_numpy


class Padded(NamedTuple):
    """Rows, filled up with 0."""

    places: Tensor
    """(batch, choice, place)"""
    lengths: Tensor
    """(batch, choice): at least 1."""


def padded(rows: Sequence[Sequence[Sequence[int]]], choices: int) -> Padded:
    """For each question the rows of its choices, of which there may be fewer than `choices`."""
    longest = max((len(row) for several in rows for row in several), default=1) or 1
    filled = np.zeros((len(rows), choices, longest), np.int64)
    lengths = np.ones((len(rows), choices), np.int64)
    for number, several in enumerate(rows):
        for choice, row in enumerate(several):
            filled[number, choice, : len(row)] = row
            lengths[number, choice] = max(1, len(row))
    return Padded(from_numpy(filled), from_numpy(lengths))
