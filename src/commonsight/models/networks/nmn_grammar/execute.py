"""The layouts of a whole batch at once: all calls of one function that wait for nothing else are one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from commonsight.core.layout import Layout
from commonsight.graph.shapes.functions import FUNCTIONS
from commonsight.graph.shapes.layouts import Call, called
from commonsight.models.networks.nmn_grammar.counting import Compare, Group, Hold, Rank
from commonsight.models.networks.nmn_grammar.modules import Everything, Join, Pick, Relate, Together
from commonsight.models.networks.nmn_grammar.scene import Sight

KINDS = (Everything, Pick, Relate, Join, Compare, Hold, Group, Rank)
KIND_OF = {function: kind.__name__.lower() for kind in KINDS for function in kind.functions}
"""Of each function the name of its module's kind."""


def modules(hidden: int, related: int) -> nn.ModuleDict:
    """One of each kind."""
    compare = Compare()
    several = (
        Everything(), Pick(hidden), Relate(related), Join(), compare, Hold(), Group(hidden, compare), Rank()
    )  # fmt: skip
    return nn.ModuleDict({type(one).__name__.lower(): one for one in several})


class Executed(NamedTuple):
    """What came of it."""

    truths: Tensor
    """(batch): how likely each sentence is true."""
    meant: Tensor
    """(batch, object): how likely each object is among those that a layout came to last."""


class _Placed(NamedTuple):
    """A call, and where it is."""

    row: int
    place: int
    call: Call


class _Kept(NamedTuple):
    """Where what a call gave is: in which tensor, and in which row of it."""

    made: int
    row: int


def execute(kinds: nn.ModuleDict, layouts: Sequence[Layout], sight: Sight) -> Executed:
    """All layouts from their first call to their last."""
    kept: dict[tuple[int, int], _Kept] = {}
    made: list[Tensor] = []
    for function, several in _planned(layouts):
        wanted = zip(*([kept[row, one] for one in call.inputs] for row, _, call in several), strict=True)
        inputs = tuple(_gathered(made, places) for places in wanted)
        rows = torch.tensor([one.row for one in several], device=sight.there.device)
        words = tuple(one.call.words for one in several)
        kept |= {(one.row, one.place): _Kept(len(made), n) for n, one in enumerate(several)}
        made.append(kinds[KIND_OF[function]](Together(function, words, rows, sight, inputs)))
    truths = _gathered(made, [kept[row, len(layout) - 1] for row, layout in enumerate(layouts)])
    return Executed(truths, _meant(layouts, kept, made, sight))


def _planned(layouts: Sequence[Layout]) -> list[tuple[str, list[_Placed]]]:
    """Calls of one function and one depth together, the deepest last."""
    sets: dict[tuple[int, str], list[_Placed]] = {}
    for row, layout in enumerate(layouts):
        for place, call in enumerate(called(layout)):
            sets.setdefault((call.depth, call.function), []).append(_Placed(row, place, call))
    return [(function, several) for (_, function), several in sorted(sets.items())]


def _gathered(made: list[Tensor], places: Sequence[_Kept]) -> Tensor:
    """(call, ...): what is kept at these places, which is all of one type."""
    starts: dict[int, int] = {}
    total = 0
    for which in dict.fromkeys(place.made for place in places):
        starts[which], total = total, total + len(made[which])
    table = torch.cat([made[which] for which in starts])
    rows = torch.tensor([starts[place.made] + place.row for place in places], device=table.device)
    return table.index_select(0, rows)


def _meant(
    layouts: Sequence[Layout], kept: dict[tuple[int, int], _Kept], made: list[Tensor], sight: Sight
) -> Tensor:
    """(batch, object); all objects where a layout speaks of none."""
    rows = []
    for row, layout in enumerate(layouts):
        gives = [FUNCTIONS[call.function].gives for call in called(layout)]
        objects = [kept[row, place] for place, what in enumerate(gives) if what == "objects"]
        rows.append(made[objects[-1].made][objects[-1].row] if objects else sight.there[row])
    return torch.stack(rows)
