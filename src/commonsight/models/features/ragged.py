"""Rows of different length as one padded array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
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
    counts = np.zeros((len(rows), choices), np.int64)
    for number, several in enumerate(rows):
        counts[number, : len(several)] = [len(row) for row in several]
    longest = max(1, int(counts.max(initial=0)))
    filled = np.zeros((len(rows), choices, longest), np.int64)
    there = np.arange(longest) < counts[..., None]  # (batch, choice, place), in the order of the rows
    flat = chain.from_iterable(chain.from_iterable(rows))
    filled[there] = np.fromiter(flat, np.int64, int(counts.sum()))
    return Padded(from_numpy(filled), from_numpy(counts.clip(1)))
