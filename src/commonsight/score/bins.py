"""Counts in bins: how often an answer occurs, how many words a question has, how much it rests on."""

from __future__ import annotations

from collections.abc import Sequence

Bin = tuple[int, int | None]
"""Both ends, included; None for no end."""

FREQUENCY_BINS: tuple[Bin, ...] = ((1, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, 200), (201, None))
"""How often an answer occurs in training (A-OKVQA, Table 6)."""
LENGTH_BINS: tuple[Bin, ...] = ((1, 7), (8, 10), (11, 13), (14, 16), (17, None))
"""Words in a question (CRIC's Figure 11 plots by length without naming its bins; these are ours)."""

SIZE_BINS: tuple[Bin, ...] = ((1, 2), (3, 4), (5, 6), (7, 9), (10, 14), (15, None))
"""Attributes, relations and items of knowledge that a question rests on, or objects in a picture; ours."""


def bin_of(count: int, bins: Sequence[Bin]) -> str:
    """The bin of a count, such as `6-10` or `201+`; `0` for a count below all of them."""
    for low, high in bins:
        if low <= count and (high is None or count <= high):
            return f"{low}+" if high is None else f"{low}-{high}"
    return "0"
