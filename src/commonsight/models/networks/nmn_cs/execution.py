"""Programs of a whole batch executed together: all calls of one function that are ready run as one.

A call is ready when those it takes objects from are done. Its depth is one more than the deepest of these,
and all calls of a depth are done before those of the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.models.networks.nmn_cs.modules import Hearing, Looking, Text, attended
from commonsight.models.programs.layouts import CALLS, INITIAL


class Together(NamedTuple):
    """Calls of one function, of any questions, that are executed as one."""

    call: int
    rows: tuple[int, ...]
    """Whose calls these are, by the question's place in the batch."""
    places: tuple[int, ...]
    """Where each is in its layout."""
    inputs: tuple[tuple[int, ...], ...]
    """For each set of objects that the function takes: where in the table of attention each call finds it."""


class Plan(NamedTuple):
    """What is executed in which order."""

    groups: tuple[Together, ...]
    kept: dict[tuple[int, int], int]
    """Row and place of each call that gives objects: where it is in the table of attention, whose first rows
    are those of Initial, one for each question."""


class _Call(NamedTuple):
    row: int
    place: int
    call: int
    depth: int
    inputs: tuple[tuple[int, int], ...]


def planned(layouts: Sequence[Sequence[int]], *, at_once: bool = False) -> Plan:
    """Which calls run together. With `at_once` none waits for another, for their inputs are known anyway."""
    kept: dict[tuple[int, int], int] = {}
    sets: dict[tuple[int, int], list[_Call]] = {}
    for row, layout in enumerate(layouts):
        for one in _calls(row, layout):
            if one.call == INITIAL:
                kept[row, one.place] = row
            else:
                sets.setdefault((0 if at_once else one.depth, one.call), []).append(one)
    ordered = [several for _, several in sorted(sets.items())]
    giving = (one for several in ordered for one in several if not CALLS[one.call].ends)
    kept |= {(one.row, one.place): number for number, one in enumerate(giving, start=len(layouts))}
    return Plan(tuple(_together(several, kept) for several in ordered), kept)


def _calls(row: int, layout: Sequence[int]) -> list[_Call]:
    there: list[_Call] = []
    found: list[_Call] = []
    for place, number in enumerate(layout):
        takes = CALLS[number].takes
        taken = there[len(there) - takes :]
        del there[len(there) - takes :]
        depth = 1 + max((one.depth for one in taken), default=-1)
        call = _Call(row, place, number, depth, tuple((row, one.place) for one in taken))
        there.append(call)
        found.append(call)
    return found


def _together(several: list[_Call], kept: dict[tuple[int, int], int]) -> Together:
    takes = range(CALLS[several[0].call].takes)
    return Together(
        several[0].call,
        tuple(one.row for one in several),
        tuple(one.place for one in several),
        tuple(tuple(kept[one.inputs[which]] for one in several) for which in takes),
    )


class Seen(NamedTuple):
    """What programs are executed on."""

    objects: Tensor
    """(batch, object, dim)"""
    there: Tensor
    """(batch, object): True for objects."""


class Executed(NamedTuple):
    """What came of all programs."""

    answers: Tensor
    """(batch, answer): before sigmoid or softmax."""
    scores: Tensor
    """(call that gives objects, object): as in the table of attention, without Initial's; before the sigmoid.
    """
    attention: Tensor
    """(row of the table, object): Initial of each question, then the others."""
    asked: Tensor
    """(batch): the row of the table that the last call of each question took its objects from."""


Texts = Callable[[Together], Text]
"""The words of calls."""


def execute(
    plan: Plan,
    functions: nn.ModuleDict,
    seen: Seen,
    texts: Texts,
    *,
    given: Tensor | None = None,
    generator: Generator | None = None,
) -> Executed:
    """All programs from their first call to their last.

    Where attention is `given`, (row of the table, object), calls take their objects from it and not from
    what other calls have found.
    """
    table = seen.there.to(seen.objects.dtype)  # Initial: e_N
    scores: list[Tensor] = []
    ends: list[tuple[Tensor, Tensor, Tensor]] = []
    heard, looks = _heard(plan, functions, texts, generator), dict[str, Tensor]()
    for number, group in enumerate(plan.groups):
        call, device = CALLS[group.call], table.device
        module = functions[call.function]
        if isinstance(module, Looking) and call.function not in looks:
            looks[call.function] = module.look(seen.objects)
        rows = torch.tensor(group.rows, device=device)
        inputs = [torch.tensor(places, device=device) for places in group.inputs]
        source = table if given is None else given
        more = {"looks": looks[call.function].index_select(0, rows)} if call.function in looks else {}
        more |= {"heard": heard[number]} if number in heard else {}
        taken = [source.index_select(0, places) for places in inputs]
        made = module(seen.objects.index_select(0, rows), taken, **more)
        if call.ends:
            ends.append((rows, made, inputs[0]))
        else:
            scores.append(made)
            table = torch.cat((table, attended(made, seen.there[rows])))
    rows, answers, asked = (torch.cat(part) for part in zip(*ends, strict=True))
    order = rows.argsort()
    found = torch.cat(scores) if scores else table[:0]
    return Executed(answers[order], found, table, asked[order])


def _heard(
    plan: Plan, functions: nn.ModuleDict, texts: Texts, generator: Generator | None
) -> dict[int, Tensor]:
    """By the number of a group what its module made of its words; these wait for no other call."""
    several: dict[int, list[int]] = {}
    for number, group in enumerate(plan.groups):
        if isinstance(functions[CALLS[group.call].function], Hearing):
            several.setdefault(group.call, []).append(number)
    found: dict[int, Tensor] = {}
    for call, numbers in several.items():
        groups = [plan.groups[number] for number in numbers]
        rows = tuple(row for group in groups for row in group.rows)
        places = tuple(place for group in groups for place in group.places)
        module = functions[CALLS[call].function]
        assert isinstance(module, Hearing)
        heard = module.hear(texts(Together(call, rows, places, ())), generator)
        parts = heard.split_with_sizes([len(group.rows) for group in groups])
        found |= dict(zip(numbers, parts, strict=True))
    return found
