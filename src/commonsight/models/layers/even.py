"""Rows of different length through layers that cost by the place: in groups of like length, without padding.

Choices of one question differ in length, and pictures in how many objects they show, so that batches of like
questions still have many empty places where query, response and objects are laid in one sequence. Here rows
are taken apart: those of like length go through the layers together, and their empty places are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from commonsight.models.layers.bert import Looked

EVEN = 0.13
"""The share of a group's places that may be empty before another group is begun; so no batch has more."""


class Group(NamedTuple):
    """Some rows."""

    rows: Tensor
    """(row): their numbers."""
    longest: tuple[int, ...]
    """Of each part of a row, how many places the longest has."""


def groups(lengths: Tensor, most: float = EVEN) -> list[Group]:
    """Rows of like length, (row, part): several parts where a row has more than one sequence.

    Rows are taken longest first, into one group as long as so little of it is empty.
    """
    told: list[list[int]] = lengths.tolist()
    order = sorted(range(len(told)), key=lambda row: _key(told[row]), reverse=True)
    made: list[list[int]] = []
    filled, longest = 0, [0] * lengths.shape[1]
    for row in order:
        wider = [max(pair) for pair in zip(longest, told[row], strict=True)]
        filled += sum(told[row])
        if not made or 1 - filled / ((len(made[-1]) + 1) * max(1, sum(wider))) > most:
            made.append([])
            filled, wider = sum(told[row]), told[row]
        made[-1].append(row)
        longest = wider
    return [
        Group(
            torch.tensor(rows, device=lengths.device),
            tuple(max(told[row][part] for row in rows) for part in range(lengths.shape[1])),
        )
        for rows in made
    ]


def _key(lengths: Sequence[int]) -> tuple[int, ...]:
    """Rows of one part by length. Of two, the second first, and of that only how large about."""
    *first, last = lengths
    return (last,) if not first else (round(4 * math.log(max(1, last))), *first)


def in_order(parts: Sequence[Tensor], taken: Sequence[Group]) -> Tensor:
    """What was made of each group, (row, ...), as rows in their own order."""
    return torch.cat(tuple(parts))[torch.cat([group.rows for group in taken]).argsort()]


def evenly(values: Tensor, there: Tensor, layers: Callable[[Tensor, Tensor], Looked]) -> Looked:
    """`layers` over (row, place, dim) and a mask, (row, place), without the places that are not there.

    Where a place stands in a row must not matter to the layers. Places that are not there become anything.
    """
    order = there.int().argsort(dim=1, descending=True, stable=True)  # (row, place): what is there first
    taken, read, looked = groups(there.sum(dim=1, keepdim=True)), [], []
    for rows, (longest,) in taken:
        own = order[rows, :longest]  # (row, place)
        wide = own[..., None].expand(-1, -1, values.shape[2])
        found = layers(values[rows].gather(1, wide), there[rows].gather(1, own))
        shape = (len(rows), *values.shape[1:])
        read.append(found.values.new_zeros(shape).scatter(1, wide, found.values))
        looked.append(_spread(found.weights, own, values.shape[1]))
    return Looked(in_order(read, taken), in_order(looked, taken))


def _spread(weights: Tensor, own: Tensor, places: int) -> Tensor:
    """(row, place, place) among those that are there -> among all."""
    rows, count = own.shape
    across = own[:, None].expand(-1, count, -1)
    wide = weights.new_zeros(rows, count, places).scatter(2, across, weights)
    down = own[..., None].expand(-1, -1, places)
    return wide.new_zeros(rows, places, places).scatter(1, down, wide)
