"""What each call of a program should find, and what is lost by finding something else.

Objects that a call should give are few among those it should not, so that they count more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from commonsight.models.networks.nmn_cs.execution import Executed, Plan, Seen
from commonsight.models.programs.layouts import CALLS, INITIAL, Laid

WEIGHT = 3.0
"""Of an object that should be found, beside one that should not."""


class Wanted(NamedTuple):
    """What all calls that give objects should give, as in the table of attention."""

    objects: Tensor
    """(row of the table, object): 1 for those that should be found."""
    known: Tensor
    """(row of the table): False where nobody says."""


def wanted(laid: Sequence[Sequence[Laid] | None], plan: Plan, seen: Seen) -> Wanted:
    """As the steps of programs say; those of questions without one are not known."""
    rows = max(plan.kept.values()) + 1
    objects = seen.objects.new_zeros(rows, seen.there.shape[1])
    known = torch.zeros(rows, dtype=torch.bool, device=objects.device)
    for (row, place), number in plan.kept.items():
        calls = laid[row]
        if calls is None:
            continue
        call, step = calls[place]
        if call == INITIAL:
            objects[number], known[number] = seen.there[row].to(objects.dtype), True
        elif step.output is not None:
            places = [one - 1 for one in step.output if isinstance(one, int) and one > 0]
            objects[number, places], known[number] = 1.0, True
    return Wanted(objects, known)


def finding_loss(
    executed: Executed, plan: Plan, seen: Seen, true: Wanted, *, weight: float = WEIGHT
) -> Tensor:
    """(batch): the mean over a question's objects, summed over its calls."""
    count = len(seen.there)
    giving = (group for group in plan.groups if not CALLS[group.call].ends)
    rows = torch.tensor([row for group in giving for row in group.rows]).to(seen.there.device, torch.long)
    objects, counted = true.objects[count:], seen.there[rows] & true.known[count:, None]
    losses = binary_cross_entropy_with_logits(
        executed.scores.float(), objects.float(), 1 + (weight - 1) * objects.float(), reduction="none"
    )
    each = losses.masked_fill(~counted, 0.0).sum(dim=1) / seen.there[rows].sum(dim=1).clamp(min=1)
    return each.new_zeros(count).index_add(0, rows, each)
