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

AFTER_ALL, NOTHING = sys.maxsize, -1
FIND, FILTER, AND = NUMBERS["find"], NUMBERS["filter"], NUMBERS["and"]
Numbers = NDArray[np.int64]


class Executed(NamedTuple):
    """What came of it."""

    answers: Tensor
    """(batch, answer): of each question the score of every answer."""
    maps: Tensor
    """(map, place): all maps, in the order in which they were made."""
    last: Tensor
    """(batch, 2): which of them each question's answer was made of; -1 and then the map, where it is one."""


class _Step(NamedTuple):
    """One call of one question, before questions are put together."""

    when: int
    module: int
    place: int
    """Of the layout: what it is told is this place's."""
    kept: int
    """Where what it gives is looked for by others: there are two such for each place of the layout."""
    other: int = NOTHING
    last: int = NOTHING
    """Where what it takes is kept; one that takes a single map takes the last."""


WHEN, MODULE, PLACE, KEPT, OTHER, _ = range(len(_Step._fields))
"""Columns of steps as an array."""


class _Together(NamedTuple):
    """Calls of one module that are made as one."""

    when: int
    module: int
    calls: slice
    most: int
    """That one question has at most."""


class _Plan(NamedTuple):
    """All calls of a batch, in the order in which they are made; the n-th map is the n-th call's."""

    together: list[_Together]
    rows: Numbers
    """(call): of which question."""
    slots: Numbers
    """(call): the how-manieth it is of this question's, among those that are made as one."""
    places: Numbers
    """(call): of the layout."""
    taken: Numbers
    """(2, call): which maps."""


def execute(
    modules: nn.ModuleDict, layouts: Sequence[Sequence[int]], text: Tensor, seen: Tensor
) -> Executed:
    """Layouts by module number; (batch, place of the layout, text) and (batch, dim, height, width)."""
    sight, plan = Sight(seen.flatten(2), (seen.shape[2], seen.shape[3])), _planned(layouts)
    rows, slots, places, taken = (torch.from_numpy(one).to(seen.device) for one in plan[1:])
    told = text[rows, places]  # (call, text)
    maps, scores = seen.new_zeros(0, sight.places.shape[2]), list[Tensor]()
    for when, level in groupby(plan.together, key=lambda together: together.when):
        made = []
        for _, number, calls, most in level:
            module = MODULES[number]
            inputs = tuple(maps.index_select(0, one) for one in taken[2 - module.takes :, calls])
            call = Call(sight, rows[calls], slots[calls], told[calls], inputs, most)
            made.append(modules[module.name](call))
        if when == AFTER_ALL:
            scores = made
        else:
            maps = torch.cat((maps, *made))
    order = rows[len(maps) :].argsort()
    return Executed(torch.cat(scores)[order], maps, taken[:, len(maps) :].T[order])


def _planned(layouts: Sequence[Sequence[int]]) -> _Plan:
    each = [_steps(tuple(layout)) for layout in layouts]
    steps, rows = np.concatenate(each), np.repeat(np.arange(len(each)), [len(one) for one in each])
    order = np.lexsort((steps[:, MODULE], steps[:, WHEN]))  # stable: rows stay in ascending order
    steps, rows = steps[order], rows[order]
    new = _changes(steps[:, : MODULE + 1])
    begins, number = np.flatnonzero(new), np.arange(len(steps))
    slots = number - np.maximum.accumulate(np.where(new | _changes(rows[:, None]), number, 0))
    where = np.zeros((len(each), 2 * max(map(len, layouts))), np.int64)
    where[rows, steps[:, KEPT]] = number
    inputs = steps[:, OTHER:].T
    return _Plan(
        list(_together(steps[begins], begins, len(steps), np.maximum.reduceat(slots, begins) + 1)),
        rows,
        slots,
        np.ascontiguousarray(steps[:, PLACE]),
        np.where(inputs == NOTHING, NOTHING, where[rows, inputs]),
    )


def _changes(rows: Numbers) -> NDArray[np.bool_]:
    """Which rows are not as the one before."""
    found = np.ones(len(rows), bool)
    found[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return found


def _together(steps: Numbers, begins: Numbers, calls: int, most: Numbers) -> Iterator[_Together]:
    """Of the first step of each."""
    ends = (*begins[1:].tolist(), calls)
    for step, begin, end, count in zip(steps.tolist(), begins.tolist(), ends, most.tolist(), strict=True):
        yield _Together(step[WHEN], step[MODULE], slice(begin, end), count)


@lru_cache(maxsize=10_000)  # many questions have the same layout
def _steps(layout: tuple[int, ...]) -> Numbers:
    """(call, part of a step)"""
    return np.array([step for at, place in enumerate(arranged(layout)) for step in _of_place(place, at)])


def _of_place(place: Place, at: int) -> Iterator[_Step]:
    kept, beside, inputs = 2 * at, 2 * at + 1, tuple(2 * one for one in place.inputs)
    if place.module == FILTER:
        yield _Step(0, FIND, at, beside)
        yield _Step(place.height, AND, at, kept, inputs[0], beside)
        return
    when = AFTER_ALL if MODULES[place.module].answers else place.height
    yield _Step(when, place.module, at, kept, *(NOTHING, NOTHING, *inputs)[-2:])
