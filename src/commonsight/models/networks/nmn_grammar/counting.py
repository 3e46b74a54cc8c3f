"""Modules that count. How many there are is a chance for each number, so that half of two is not one.

What is learned of a comparison is how likely it makes each difference of two amounts; that a number
stands for so many is given.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from commonsight.graph.shapes.functions import WORDS
from commonsight.models.networks.nmn_grammar.modules import (
    SURE,
    TABLE,
    Together,
    any_of,
    begin_with,
    looked_up,
    numbered,
)  # fmt: skip

MOST = 10
"""So many and more are not told apart."""
FAR = 4
"""Differences as large and larger are not told apart."""


def numbers_of(chances: Tensor) -> Tensor:
    """(..., thing) -> (..., number): how likely so many are; the last stands for all above, too."""
    found = torch.cat((torch.ones_like(chances[..., :1]), chances.new_zeros(*chances.shape[:-1], MOST)), -1)
    for place in range(chances.shape[-1]):
        chance = chances[..., place, None]
        last = found[..., -2:].sum(dim=-1, keepdim=True)
        more = torch.cat((torch.zeros_like(chance), found[..., :-2], last), dim=-1)
        found = found + chance * (more - found)
    return found


def counted(chances: Tensor, call: Together) -> Tensor:
    """How many there are: (call, panel, number) where it gives panels, or else (call, number)."""
    if call.gives == "boxes":
        chances = chances[:, None] * call.sight.inside[call.rows]
    return numbers_of(chances)


class Compare(nn.Module):
    """How likely what is said of an amount is, in the light of a number or of another amount."""

    functions = ("has", "count", "count-boxes", "more", "equal", "outnumber")

    def __init__(self) -> None:
        super().__init__()
        self.keys = [*WORDS["compare"], "more", "equal", "outnumber", "together"]
        self.steps = nn.Embedding(len(self.keys), 2 * FAR + 1)
        number = torch.arange(2 * FAR + 1)
        # Before anything is learned each begins as likely once the number is reached.
        begin_with(self.steps, SURE * (2.0 * (number == FAR) - 1.0 * (number == 0)))

    def forward(self, call: Together) -> Tensor:
        """(call, panel) or (call)"""
        amounts = [counted(one, call) for one in call.inputs]
        return self.compared(call, *amounts)

    def compared(self, call: Together, first: Tensor, second: Tensor | None = None) -> Tensor:
        """(call, [panel], number) -> (call, [panel])"""
        keys = numbered(self.keys, [words[0] if words else call.function for words in call.words], call.rows)
        likely = self.steps(keys).cumsum(dim=-1).sigmoid()  # (call, difference)
        amounts = torch.arange(MOST + 1, device=first.device)
        if second is None:
            others = torch.tensor([int((*words, "1", "1")[1]) for words in call.words], device=first.device)
            likely = likely.gather(1, _apart(amounts, others[:, None]))  # (call, number)
            return (first * _for_panels(likely, first.ndim - 2)).sum(dim=-1)
        likely = likely[:, _apart(amounts[:, None], amounts)]  # (call, number, number)
        both = first[..., None] * second[..., None, :]
        return (both * _for_panels(likely, first.ndim - 2)).sum(dim=(-2, -1))


def _apart(first: Tensor, second: Tensor) -> Tensor:
    """Places in a table of differences."""
    return (first - second).clamp(-FAR, FAR) + FAR


def _for_panels(values: Tensor, panels: int) -> Tensor:
    """(call, ...) -> (call, 1, ...) where there are panels."""
    return values[:, None] if panels else values


class Hold(nn.Module):
    """From whether any of the first are of the second, and whether all are: a table of both."""

    functions = ("only", "all", "every")

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.Embedding(len(self.functions), 4)
        begin_with(self.tables, TABLE)

    def forward(self, call: Together) -> Tensor:
        """(call, panel) or (call)"""
        if call.function == "only":  # of all that is there
            whole, part = call.sight.inside[call.rows], call.inputs[0][:, None]
        else:
            whole, part = call.inputs
        some, rest = any_of(whole * part, dim=-1), any_of(whole * (1 - part), dim=-1)
        return looked_up(self.tables.weight[self.functions.index(call.function)], some, 1 - rest)


class Group(nn.Module):
    """Objects, or panels, in groups by what is seen of them: how many groups there are, or how large the
    largest is, is compared with a number. Which of the two it is, is learned, too."""

    functions = ("hues", "forms", "same", "run", "all-hues", "all-forms", "together", "share", "differ")

    def __init__(self, hidden: int, compare: Compare, *, groups: int = 4) -> None:
        super().__init__()
        self._compare = (compare,)  # it is another module's, and has no weights of its own here
        self.groups = groups
        self.keys = [*self.functions, *WORDS["trait"]]
        self.belongs = nn.Embedding(len(self.keys), hidden * groups)
        nn.init.normal_(self.belongs.weight, std=hidden**-0.5)
        self.shows = nn.Embedding(len(WORDS["trait"]), hidden)
        nn.init.normal_(self.shows.weight, std=hidden**-0.5)
        self.largest = nn.Embedding(len(self.functions), 1)
        nn.init.zeros_(self.largest.weight)

    def forward(self, call: Together) -> Tensor:
        """(call, panel) or (call)"""
        traits = [words[2] if len(words) > 2 else call.function for words in call.words]
        things = call.sight.things[call.rows]  # (call, thing, hidden)
        if call.function in ("share", "differ"):
            things = self._panels(things, traits, call)
        belongs = self.belongs(numbered(self.keys, traits, call.rows)).unflatten(-1, (-1, self.groups))
        members = (things @ belongs).softmax(dim=-1) * call.inputs[0][..., None]
        members = members.transpose(1, 2)  # (call, group, thing)
        if call.gives == "boxes":
            # (call, panel, group, thing)
            members = members[:, None] * call.sight.inside[call.rows][:, :, None]
        share = self.largest.weight[self.functions.index(call.function), 0].sigmoid()
        amount = (1 - share) * numbers_of(any_of(members, dim=-1)) + share * largest_of(numbers_of(members))
        return self._compare[0].compared(call, amount)

    def _panels(self, things: Tensor, traits: list[str], call: Together) -> Tensor:
        """(call, panel, hidden): what shows a trait in each panel, added up."""
        shows = self.shows(numbered(WORDS["trait"], traits, call.rows))[..., None]
        shown: Tensor = call.sight.inside[call.rows] @ ((things @ shows).sigmoid() * things)
        return shown


def largest_of(numbers: Tensor) -> Tensor:
    """(..., group, number) -> (..., number): how many are in the largest group, if groups are independent."""
    none_above = numbers.cumsum(dim=-1).prod(dim=-2)
    return torch.cat((none_above[..., :1], none_above.diff(dim=-1)), dim=-1)


class Rank(nn.Module):
    """Of panels those that hold their own against each of the others, by how many objects are in them."""

    functions = ("tallest", "shortest")

    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.Embedding(len(self.functions), 2 * FAR + 1)
        nn.init.normal_(self.steps.weight)

    def forward(self, call: Together) -> Tensor:
        """(call, panel)"""
        amounts = call.sight.inside[call.rows].sum(dim=-1).long()  # (call, panel)
        likely = self.steps.weight[self.functions.index(call.function)].cumsum(dim=0).sigmoid()
        holds = likely[_apart(amounts[:, :, None], amounts[:, None])]  # (call, panel, panel)
        others = 1 - torch.eye(amounts.shape[1], device=amounts.device)
        return call.inputs[0] * (1 - call.inputs[0][:, None] * others * (1 - holds)).prod(dim=-1)
