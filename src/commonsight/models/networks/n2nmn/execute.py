"""Run the layouts of a whole batch: all calls of one module that can run at the same time are one call.

A module can run once what it takes is there, so calls are sorted by how many modules must run before them.
Nothing depends on which questions are in a batch but how many calls there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import torch
from torch import Tensor, nn

from commonsight.core.layout import MODULES, arranged
from commonsight.models.networks.n2nmn.modules import Call


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

    height: int
    module: int
    row: int
    place: int
    inputs: tuple[int, ...]


def execute(
    modules: nn.ModuleDict, layouts: Sequence[Sequence[int]], text: Tensor, seen: Tensor
) -> Executed:
    """Layouts by module number; (batch, place of the layout, text) and (batch, dim, height, width)."""
    places = seen.flatten(2).transpose(1, 2)  # (batch, place, dim)
    maps = seen.new_zeros(0, places.shape[1])
    where: dict[tuple[int, int], int] = {}
    scores: list[Tensor] = []
    answered: dict[int, tuple[int, ...]] = {}
    for _, level in groupby(_steps(layouts), key=lambda step: step.height):
        made: list[Tensor] = []
        for number, together in groupby(level, key=lambda step: step.module):
            steps = list(together)
            taken = [tuple(where[step.row, one] for one in step.inputs) for step in steps]
            found = modules[MODULES[number].name](_call(steps, taken, maps, text, places, seen))
            if MODULES[number].answers:
                scores.append(found)
                answered |= {step.row: inputs for step, inputs in zip(steps, taken, strict=True)}
                continue
            first = len(maps) + sum(map(len, made))
            where |= {(step.row, step.place): first + at for at, step in enumerate(steps)}
            made.append(found)
        maps = torch.cat((maps, *made)) if made else maps
    order = {row: at for at, row in enumerate(answered)}
    rows = range(len(layouts))
    answers = torch.cat(scores)[torch.tensor([order[row] for row in rows], device=seen.device)]
    return Executed(answers, maps, tuple(answered[row] for row in rows))


def _steps(layouts: Sequence[Sequence[int]]) -> list[_Step]:
    return sorted(
        _Step(place.height, place.module, row, at, place.inputs)
        for row, layout in enumerate(layouts)
        for at, place in enumerate(arranged(layout))
    )


def _call(
    steps: Sequence[_Step],
    taken: Sequence[tuple[int, ...]],
    maps: Tensor,
    text: Tensor,
    places: Tensor,
    seen: Tensor,
) -> Call:
    rows, at = (torch.tensor([step[part] for step in steps], device=seen.device) for part in (2, 3))
    inputs = (maps[torch.tensor(several, device=seen.device)] for several in zip(*taken, strict=True))
    return Call(places, (seen.shape[2], seen.shape[3]), rows, text[rows, at], tuple(inputs))
