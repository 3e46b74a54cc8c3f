"""The kinds of modules that functions are: picking, relating, joining. Those that count are in `counting`.

All that flows between modules are chances: of each object and of each panel that it is meant, of a truth
that it holds. Types say what flows; what a function or a word does to it is learned. Weights begin the same
for all words of a kind, or at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from commonsight.graph.shapes.functions import FUNCTIONS, WORDS
from commonsight.models.networks.nmn_grammar.scene import Sight

LARGEST = 9
"""Larger numbers have no weights of their own."""
SURE = 3.0
"""Log odds of what a table holds before anything is learned. With unsure tables all would be nearly as likely
wherever objects lie, and sentences are true or false by where they lie."""
PASSES = 2.0
"""Log odds of an object to be picked before anything is learned, but for chance."""


class Together(NamedTuple):
    """Calls of one function that are made as one."""

    function: str
    words: tuple[tuple[str, ...], ...]
    """Of each call."""
    rows: Tensor
    """(call): of which question."""
    sight: Sight
    inputs: tuple[Tensor, ...]
    """What other calls gave, in the order in which the function takes it: (call, object), (call, panel) or
    (call)."""

    @property
    def gives(self) -> str:
        """The type of what it gives."""
        return FUNCTIONS[self.function].gives


def numbered(keys: Sequence[str], wanted: Sequence[str], like: Tensor) -> Tensor:
    """(call): the places of what is wanted among all keys."""
    return torch.tensor([keys.index(one) for one in wanted], device=like.device)


def begin_with(table: nn.Embedding, row: Tensor) -> None:
    """The same for all that it holds."""
    with torch.no_grad():
        table.weight.copy_(row.expand_as(table.weight))


def any_of(chances: Tensor, dim: int) -> Tensor:
    """The chance of at least one."""
    return 1 - (1 - chances).prod(dim=dim)


class Everything(nn.Module):
    """All objects, or all panels."""

    functions = ("objects", "boxes")

    def forward(self, call: Together) -> Tensor:
        """(call, object) or (call, panel)"""
        sight = call.sight
        everything = sight.there if call.gives == "objects" else torch.ones_like(sight.inside[..., 0])
        return everything[call.rows]


class Pick(nn.Module):
    """Of objects those that are as a word says: each word of each function weighs what is seen of one."""

    functions = (
        "colour", "kind", "size", "wall", "near-wall", "top", "base", "middle", "level", "from-top",
    )  # fmt: skip

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.keys = [key for function in self.functions for key in _spoken(function)]
        self.said = nn.Embedding(len(self.keys), hidden)
        nn.init.normal_(self.said.weight, std=hidden**-0.5)
        self.bias = nn.Embedding(len(self.keys), 1)
        nn.init.constant_(self.bias.weight, PASSES)

    def forward(self, call: Together) -> Tensor:
        """(call, object)"""
        spoken = [" ".join((call.function, *map(_smaller, words))) for words in call.words]
        keys = numbered(self.keys, spoken, call.rows)
        scores = (call.sight.things[call.rows] @ self.said(keys)[..., None]).squeeze(-1)
        picked: Tensor = call.inputs[0] * (scores + self.bias(keys)).sigmoid()
        return picked


def _spoken(function: str) -> list[str]:
    """A function with each word that it may take, as one text."""
    kind = FUNCTIONS[function].takes[0]
    if kind == "number":
        return [f"{function} {number}" for number in range(LARGEST + 1)]
    return [f"{function} {word}" for word in WORDS[kind]] if kind in WORDS else [function]


def _smaller(word: str) -> str:
    return str(min(int(word), LARGEST)) if word.isdecimal() else word


class Relate(nn.Module):
    """Of objects those that are to any of others, in the same panel, as a word says."""

    functions = ("relate", "unlike", "alike")

    def __init__(self, related: int) -> None:
        super().__init__()
        self.keys = [*self.functions, *WORDS["relation"]]
        self.said = nn.Embedding(len(self.keys), related)
        nn.init.normal_(self.said.weight, std=related**-0.5)
        self.bias = nn.Embedding(len(self.keys), 1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, call: Together) -> Tensor:
        """(call, object)"""
        relations = numbered(self.keys, [words[0] for words in call.words], call.rows)
        function = numbered(self.keys, [call.function], call.rows)
        said = self.said(relations) + self.said(function)  # (call, related)
        bias = self.bias(relations) + self.bias(function)  # (call, 1)
        scores = (call.sight.pairs[call.rows] @ said[:, None, :, None]).squeeze(-1)
        linked = (scores + bias[..., None]).sigmoid() * call.sight.beside[call.rows]  # (call, object, object)
        fitting: Tensor = call.inputs[0] * any_of(linked * call.inputs[1][:, None], dim=-1)
        return fitting


class Join(nn.Module):
    """What comes of two chances, at every place alike: a table of both, the first, the second, neither."""

    functions = ("except", "union", "inside", "both", "either", "other", "and", "or", "not")

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.Embedding(len(self.functions), 4)
        begin_with(self.tables, TABLE)

    def forward(self, call: Together) -> Tensor:
        """As what it takes last."""
        first, second = call.inputs[0], call.inputs[-1]  # what takes a single one looks at it twice
        if call.function == "inside":  # of each object the chance of its panel
            first = (first[..., None] * call.sight.inside[call.rows]).sum(dim=1)
        joined = looked_up(self.tables.weight[self.functions.index(call.function)], first, second)
        return joined * call.sight.there[call.rows] if call.gives == "objects" else joined


TABLE = torch.tensor([2 / 3, 0.0, 0.0, -2 / 3]) * SURE
"""Before anything is learned: the more is so, the likelier."""


def looked_up(table: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """What a table of four log odds makes of two chances."""
    both, one, other, neither = table.sigmoid()
    with_first = second * both + (1 - second) * one
    without = second * other + (1 - second) * neither
    mixed: Tensor = first * with_first + (1 - first) * without
    return mixed
