"""One network for each function (CRIC, Table 4 and Figure 9 (b)), all calls of it at once.

`objects` are the objects' vectors v, (call, object, dim); `given` what other calls attend to, (call, object)
each; `heard` what the module made of each call's words. Those that find objects give a number for each of
them, and those that end a program one for each answer, both before the sigmoid or softmax of the paper's
equations, which `attended` and whoever scores the answers apply. The paper's pictures have a fixed number of
objects; here there may be any number, so a layer FC over attention is applied to each object on its own
(And), or to the largest few (Verify), and their order does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import torch
from torch import Generator, Tensor, nn

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


@runtime_checkable
class Hearing(Protocol):
    """A module that takes words: these are read for all calls at once, whenever each of them is executed."""

    def hear(self, text: Text, generator: Generator | None = None) -> Tensor:
        """(call, numbers); in training the generator draws what is dropped."""
        ...


@runtime_checkable
class Looking(Protocol):
    """A module that makes something of each object which is the same for all calls: made once a picture."""

    def look(self, objects: Tensor) -> Tensor:
        """(..., object, dim) -> (..., object, hidden)"""
        ...


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

    def hear(self, text: Text, generator: Generator | None = None) -> Tensor:
        """FC(t)"""
        del generator  # nothing is dropped
        heard: Tensor = self.read(text.whole)
        return heard

    def look(self, objects: Tensor) -> Tensor:
        """FC(v) without its bias: FC(a * v) is a * W v + b."""
        return nn.functional.linear(objects, self.see.weight)

    def forward(
        self, objects: Tensor, given: Sequence[Tensor], heard: Tensor, looks: Tensor | None = None
    ) -> Tensor:
        looks = self.look(objects) if looks is None else looks
        seen = given[0][:, :, None] * looks + self.see.bias  # (call, object, hidden)
        scores: Tensor = self.tell(seen * heard[:, None])
        return scores[:, :, 0]


class Relate(nn.Module):
    """sigmoid(FC(FC(v) * FC(sum(a * v)) * FC(t))); Relate_Reverse has the same form and its own weights."""

    def __init__(self, seen: int, words: int, hidden: int) -> None:
        super().__init__()
        self.see, self.start = nn.Linear(seen, hidden), nn.Linear(seen, hidden)
        self.read, self.tell = nn.Linear(words, hidden), nn.Linear(hidden, 1)

    def hear(self, text: Text, generator: Generator | None = None) -> Tensor:
        """FC(t)"""
        del generator  # nothing is dropped
        heard: Tensor = self.read(text.whole)
        return heard

    def look(self, objects: Tensor) -> Tensor:
        """FC(v)"""
        looks: Tensor = self.see(objects)
        return looks

    def forward(
        self, objects: Tensor, given: Sequence[Tensor], heard: Tensor, looks: Tensor | None = None
    ) -> Tensor:
        looks = self.look(objects) if looks is None else looks
        start = self.start(summed(given[0], objects)) * heard  # (call, hidden)
        scores: Tensor = self.tell(looks * start[:, None])
        return scores[:, :, 0]


class And(nn.Module):
    """sigmoid(FC(FC(a1) * FC(a2)))"""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(1, hidden), nn.Linear(1, hidden)
        self.tell = nn.Linear(hidden, 1)

    def forward(self, objects: Tensor, given: Sequence[Tensor]) -> Tensor:
        del objects
        scores: Tensor = self.tell(self.first(given[0][:, :, None]) * self.second(given[1][:, :, None]))
        return scores[:, :, 0]


class Recognition(nn.Module):
    """sigmoid(FC(FC(sum(a * v)) * FC(t)))"""

    def __init__(self, seen: int, words: int, hidden: int, answers: int) -> None:
        super().__init__()
        self.see, self.read = nn.Linear(seen, hidden), nn.Linear(words, hidden)
        self.tell = nn.Linear(hidden, answers)

    def hear(self, text: Text, generator: Generator | None = None) -> Tensor:
        """FC(t)"""
        del generator  # nothing is dropped
        heard: Tensor = self.read(text.whole)
        return heard

    def forward(self, objects: Tensor, given: Sequence[Tensor], heard: Tensor) -> Tensor:
        scores: Tensor = self.tell(self.see(summed(given[0], objects)) * heard)
        return scores  # (call, answer)


class Verify(nn.Module):
    """softmax(FC(a)), a from the largest number down."""

    def __init__(self, answers: int) -> None:
        super().__init__()
        self.tell = nn.Linear(LARGEST, answers)

    def forward(self, objects: Tensor, given: Sequence[Tensor]) -> Tensor:
        del objects
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
        self.head_words, self.tail_words = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.head_seen, self.tail_seen = (nn.Linear(seen, hidden, bias=False) for _ in range(2))
        self.head, self.tail = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.relation = Perceptron(words, hidden, hidden)
        self.match = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def hear(self, text: Text, generator: Generator | None = None) -> Tensor:
        """Head, relation and tail, side by side: (call, 3 x hidden)."""
        assert text.parts is not None
        assert text.lengths is not None
        head = self.head_words(self.read_head(text.parts[:, 0], text.lengths[:, 0], generator=generator))
        tail = self.tail_words(self.read_tail(text.parts[:, 2], text.lengths[:, 2], generator=generator))
        relation = self.relation(text.parts[:, 1].sum(dim=1), generator)  # padding is 0
        return torch.cat((head, relation, tail), dim=1)

    def look(self, objects: Tensor) -> Tensor:
        """What an MLP's first layer makes of objects, those of the head or, reversed, of the tail."""
        looks: Tensor = (self.tail_seen if self.reverse else self.head_seen)(objects)
        return looks

    def forward(
        self, objects: Tensor, given: Sequence[Tensor], heard: Tensor, looks: Tensor | None = None
    ) -> Tensor:
        head, relation, tail = heard[:, None].chunk(3, dim=2)  # (call, 1, hidden) each
        looks = self.look(objects) if looks is None else looks
        candidates = given[0][:, :, None] * looks  # (call, object, hidden): the same layer of a * v
        if len(given) > 1:
            seen = (self.head_seen if self.reverse else self.tail_seen)(summed(given[1], objects))[:, None]
            head, tail = (head + seen, tail) if self.reverse else (head, tail + seen)
        head, tail = (head, tail + candidates) if self.reverse else (head + candidates, tail)
        known = self.head(head.relu()) + relation  # (call, object or 1, hidden)
        sought = self.tail(tail.relu())
        places = objects.shape[1]
        both = torch.cat((known.expand(-1, places, -1), sought.expand(-1, places, -1)), dim=2)
        scores: Tensor = self.match(both)
        return scores[:, :, 0]


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
