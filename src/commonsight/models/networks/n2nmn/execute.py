"""Run the layouts of a whole batch: all calls of one module that can run at the same time are one call.

A module can run once what it takes is there, so calls are sorted by how many modules must run before them;
answers, for which nothing waits, come after all, and what `filter` finds, which waits for nothing, is found
with all the rest. Nothing depends on which questions are in a batch but how many calls there are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from commonsight.core.layout import MODULES, NUMBERS, Place, arranged
from commonsight.models.networks.n2nmn.modules import Call, Sight

AFTER_ALL = sys.maxsize
FILTER = NUMBERS["filter"]
Numbers = NDArray[np.int64]


class Executed(NamedTuple):
    """What came of it."""

    answers: Tensor
    """(batch, answer): of each question the score of every answer."""
    maps: Tensor
    """(map, place): all maps, in the order in which they were made."""
    last: tuple[tuple[int, ...], ...]
    """Which of them each question's answer was made of."""


class _Step(NamedTuple):
    """One place of one layout; steps are sorted in this order."""

    when: int
    module: int
    row: int
    place: int
    """Of the layout: what it is told is this place's."""
    made: int
    """Where what it gives is looked for by others: at its place, or beside all places."""
    inputs: tuple[int, ...]


def execute(
    modules: nn.ModuleDict, layouts: Sequence[Sequence[int]], text: Tensor, seen: Tensor
) -> Executed:
    """Layouts by module number; (batch, place of the layout, text) and (batch, dim, height, width)."""
    sight = Sight(seen.flatten(2), (seen.shape[2], seen.shape[3]))
    maps = seen.new_zeros(0, sight.places.shape[2])
    beside = max(map(len, layouts))
    where = np.zeros((len(layouts), 2 * beside), np.int64)  # of each map, which of all maps it is
    scores: list[Tensor] = []
    answered: dict[int, tuple[int, ...]] = {}
    for _, level in groupby(_steps(layouts, beside), key=lambda step: step.when):
        made: list[Tensor] = []
        for number, together in groupby(level, key=lambda step: step.module):
            steps = list(together)
            rows, places, kept = (np.array([step[part] for step in steps]) for part in (2, 3, 4))
            taken = where[rows[:, None], np.array([step.inputs for step in steps], np.int64)]  # (call, input)
            found = modules[MODULES[number].name](_call(rows, places, taken, maps, text, sight))
            if MODULES[number].answers:
                scores.append(found)
                answered |= zip(rows.tolist(), map(tuple, taken.tolist()), strict=True)
                continue
            first = len(maps) + sum(map(len, made))
            where[rows, kept] = np.arange(first, first + len(steps))
            made.append(found)
        maps = torch.cat((maps, *made)) if made else maps
    order = torch.tensor(list(answered), device=seen.device).argsort()
    return Executed(torch.cat(scores)[order], maps, tuple(answered[row] for row in range(len(layouts))))


def _steps(layouts: Sequence[Sequence[int]], beside: int) -> list[_Step]:
    return sorted(
        step
        for row, layout in enumerate(layouts)
        for at, place in enumerate(_arranged(tuple(layout)))
        for step in _of_place(place, row, at, beside + at)
    )


def _of_place(place: Place, row: int, at: int, beside: int) -> Iterator[_Step]:
    if place.module == FILTER:
        yield _Step(0, NUMBERS["find"], row, at, beside, ())
        yield _Step(place.height, NUMBERS["and"], row, at, at, (*place.inputs, beside))
        return
    when = AFTER_ALL if MODULES[place.module].answers else place.height
    yield _Step(when, place.module, row, at, at, place.inputs)


_arranged = lru_cache(maxsize=10_000)(arranged)
"""Many questions have the same layout."""


def _call(
    rows: Numbers, places: Numbers, taken: Numbers, maps: Tensor, text: Tensor, sight: Sight
) -> Call:
    firsts = np.searchsorted(rows, rows)  # rows are sorted
    slots = np.arange(len(rows)) - firsts
    row, place, slot, *inputs = (
        torch.from_numpy(one).to(text.device) for one in (rows, places, slots, *np.ascontiguousarray(taken.T))
    )
    found = tuple(maps.index_select(0, one) for one in inputs)
    return Call(sight, row, slot, text[row, place], found, int(slots.max()) + 1)
