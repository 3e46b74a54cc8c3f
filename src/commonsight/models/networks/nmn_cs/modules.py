"""One network for each function (CRIC, Table 4 and Figure 9 (b)), all calls of it at once.

`objects` are the objects' vectors v, (call, object, dim); `given` what other calls attend to, (call, object)
each; `text` the words of each call. Those that find objects give a number for each of them, and those that
end a program one for each answer, both before the sigmoid or softmax of the paper's equations, which
`attended` and whoever scores the answers apply. The paper's pictures have a fixed number of objects; here
there may be any number, so a layer FC over attention is applied to each object on its own (And), or to the
largest few (Verify), and their order does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.recurrent import GRU

LARGEST = 8
"""Numbers of an attention that Verify reads."""


class Text(NamedTuple):
    """The words of several calls of one function."""

    whole: Tensor
    """(call, dim)"""
    parts: Tensor | None = None
    """(call, 3, word, dim): words of head, relation and tail, where the function looks something up."""
    lengths: Tensor | None = None
    """(call, 3): how many words these have, at least 1."""


class Function(Protocol):
    """A module of the network."""

    def __call__(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor: ...


def attended(scores: Tensor, there: Tensor) -> Tensor:
    """What a call attends to: a share of 1 for each object by itself, 0 for padding."""
    return scores.sigmoid().masked_fill(~there, 0.0)


def summed(weights: Tensor, objects: Tensor) -> Tensor:
    """sum(a * v): (call, object), (call, object, dim) -> (call, dim)."""
    return (weights[:, None] @ objects)[:, 0]


class Find(nn.Module):
    """sigmoid(FC(FC(a * v) * FC(t))); Find_Hypernym has the same form."""

    def __init__(self, seen: int, words: int, hidden: int) -> None:
        super().__init__()
        self.see, self.read = nn.Linear(seen, hidden), nn.Linear(words, hidden)
        self.tell = nn.Linear(hidden, 1)

    def forward(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor:
        seen = self.see(given[0][:, :, None] * objects)  # (call, object, hidden)
        scores: Tensor = self.tell(seen * self.read(text.whole)[:, None])
        return scores[:, :, 0]


class Relate(nn.Module):
    """sigmoid(FC(FC(v) * FC(sum(a * v)) * FC(t))); Relate_Reverse has the same form and its own weights."""

    def __init__(self, seen: int, words: int, hidden: int) -> None:
        super().__init__()
        self.see, self.start = nn.Linear(seen, hidden), nn.Linear(seen, hidden)
        self.read, self.tell = nn.Linear(words, hidden), nn.Linear(hidden, 1)

    def forward(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor:
        start = self.start(summed(given[0], objects)) * self.read(text.whole)  # (call, hidden)
        scores: Tensor = self.tell(self.see(objects) * start[:, None])
        return scores[:, :, 0]


class And(nn.Module):
    """sigmoid(FC(FC(a1) * FC(a2)))"""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(1, hidden), nn.Linear(1, hidden)
        self.tell = nn.Linear(hidden, 1)

    def forward(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor:
        del objects, text
        scores: Tensor = self.tell(self.first(given[0][:, :, None]) * self.second(given[1][:, :, None]))
        return scores[:, :, 0]


class Recognition(nn.Module):
    """sigmoid(FC(FC(sum(a * v)) * FC(t)))"""

    def __init__(self, seen: int, words: int, hidden: int, answers: int) -> None:
        super().__init__()
        self.see, self.read = nn.Linear(seen, hidden), nn.Linear(words, hidden)
        self.tell = nn.Linear(hidden, answers)

    def forward(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor:
        scores: Tensor = self.tell(self.see(summed(given[0], objects)) * self.read(text.whole))
        return scores  # (call, answer)


class Verify(nn.Module):
    """softmax(FC(a)), a from the largest number down."""

    def __init__(self, answers: int) -> None:
        super().__init__()
        self.tell = nn.Linear(LARGEST, answers)

    def forward(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor:
        del objects, text
        scores: Tensor = self.tell(largest(given[0]))
        return scores  # (call, answer)


def largest(weights: Tensor) -> Tensor:
    """(call, object) -> (call, `LARGEST`): from the largest number down, zeros where there are no more."""
    found = weights.topk(min(LARGEST, weights.shape[1]), dim=1).values
    return torch.nn.functional.pad(found, (0, LARGEST - found.shape[1]))


class FindKG(nn.Module):
    """How well an object fits what is known: an MLP f_m(h_head + h_relation, h_tail) (Figure 9 (b)).

    The head is f_h(t_h, v_i), words read by a GRU beside an object; the tail f_t(t_t, x) likewise, beside
    what another call has seen; the relation is its words' vectors. Reversed, x stands beside the head and v_i
    beside the tail. As in Find, an object is seen as far as the call is given it; where nothing is to be
    seen, x is 0.
    """

    def __init__(self, seen: int, words: int, hidden: int, *, reverse: bool, dropout: float) -> None:
        super().__init__()
        self.reverse = reverse
        self.read_head, self.read_tail = (GRU(words, hidden, dropout=dropout) for _ in range(2))
        self.head, self.tail = (Perceptron(hidden + seen, hidden, hidden) for _ in range(2))
        self.relation = Perceptron(words, hidden, hidden)
        self.match = Perceptron(2 * hidden, hidden, 1)

    def forward(self, objects: Tensor, given: Sequence[Tensor], text: Text) -> Tensor:
        assert text.parts is not None
        assert text.lengths is not None
        head = self.read_head(text.parts[:, 0], text.lengths[:, 0])  # (call, hidden)
        tail = self.read_tail(text.parts[:, 2], text.lengths[:, 2])
        relation = text.parts[:, 1].sum(dim=1)  # (call, word dim); padding is 0
        candidates = given[0][:, :, None] * objects  # (call, object, dim)
        seen = objects.new_zeros(len(objects), 1, objects.shape[2])
        if len(given) > 1:
            seen = summed(given[1], objects)[:, None]
        by_head, by_tail = (seen, candidates) if self.reverse else (candidates, seen)
        # (call, object or 1, hidden) each
        known = self.head(_beside(head, by_head)) + self.relation(relation)[:, None]
        sought = self.tail(_beside(tail, by_tail))
        places = objects.shape[1]
        both = torch.cat((known.expand(-1, places, -1), sought.expand(-1, places, -1)), dim=2)
        scores: Tensor = self.match(both)
        return scores[:, :, 0]


def _beside(words: Tensor, seen: Tensor) -> Tensor:
    """(call, hidden) and (call, object, dim) -> (call, object, hidden + dim)"""
    return torch.cat((words[:, None].expand(-1, seen.shape[1], -1), seen), dim=2)


def functions(*, seen: int, words: int, hidden: int, answers: int, dropout: float) -> nn.ModuleDict:
    """One module for each function but Initial, which is e_N: every object, wholly."""
    return nn.ModuleDict({
        "Find": Find(seen, words, hidden),
        "Relate": Relate(seen, words, hidden),
        "Relate_Reverse": Relate(seen, words, hidden),
        "Recognition": Recognition(seen, words, hidden, answers),
        "And": And(hidden),
        "Verify": Verify(answers),
        "Find_KG": FindKG(seen, words, hidden, reverse=False, dropout=dropout),
        "Find_KG_Reverse": FindKG(seen, words, hidden, reverse=True, dropout=dropout),
        "Find_Hypernym": Find(seen, words, hidden),
    })
