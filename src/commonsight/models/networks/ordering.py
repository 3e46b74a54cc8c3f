"""In which order objects are read: a pointer network, learned by policy search (Tan and Bansal, 2018).

An LSTM reads all objects. Another points to them one after another, none of them twice, and before each it
looks at the words of the sentence, so that objects can come in the order in which they are spoken of. Both
looks are Vinyals et al.'s (2015), v · tanh(W k + U q). An order is as likely as all of its steps.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.models.layers.masks import lengths_to_mask, masked_mean, masked_softmax
from commonsight.models.layers.recurrent import ForwardLSTM
from commonsight.models.layers.searching import drawn, entropy_of, log_shares


class Ordered(NamedTuple):
    """An order of each question's objects."""

    places: Tensor
    """(batch, object): which object is first, second and so on; padding stays last."""
    log_chance: Tensor
    """(batch): how likely the whole order was, as a logarithm."""
    entropy: Tensor
    """(batch): how undecided the network was, added up over its steps."""
    read: Tensor
    """(batch, dim): the objects and the sentence, as a whole."""


class _Looks(nn.Module):
    """How much each of several is meant: v · tanh(W k + U q)."""

    def __init__(self, keys: int, query: int, hidden: int) -> None:
        super().__init__()
        self.keys, self.query = nn.Linear(keys, hidden), nn.Linear(query, hidden, bias=False)
        self.weigh = nn.Linear(hidden, 1, bias=False)

    def forward(self, keys: Tensor, query: Tensor) -> Tensor:
        """(batch, key, hidden), which `keys` has made, and (batch, query) -> (batch, key)"""
        scores: Tensor = self.weigh(torch.tanh(keys + self.query(query)[:, None])).squeeze(-1)
        return scores


class ObjectPointer(nn.Module):
    """Objects and words to an order of the objects."""

    def __init__(self, things: int, words: int, hidden: int, *, dropout: float) -> None:
        super().__init__()
        self.read = ForwardLSTM(things, hidden, dropout=dropout)
        self.write = nn.LSTMCell(hidden + words, hidden)
        self.to_words, self.to_things = _Looks(words, hidden, hidden), _Looks(hidden, hidden, hidden)
        self.dim = hidden + words

    def forward(
        self,
        things: Tensor,
        there: Tensor,
        words: Tensor,
        mask: Tensor,
        *,
        sampled: bool,
        generator: Generator | None = None,
    ) -> Ordered:
        """(batch, object, things) of which so many are there, (batch), and (batch, word, words) with their
        mask. At each step the likeliest object, unless one is drawn from the generator."""
        read = self.read(things, there, generator=generator)
        seen, said = self.to_things.keys(read.steps), self.to_words.keys(words)
        free, state = lengths_to_mask(there, things.shape[1]), (read.hidden[-1], read.cell[-1])
        before, places = torch.zeros_like(state[0]), []
        log_chance = entropy = things.new_zeros(len(things))
        for step in range(things.shape[1]):
            looked = masked_softmax(self.to_words(said, state[0]), mask)[:, None] @ words  # (batch, 1, words)
            state = self.write(torch.cat((before, looked[:, 0]), dim=-1), state)
            logs, done = log_shares(self.to_things(seen, state[0]), free), ~free.any(dim=1)
            pointed = drawn(logs, free, generator) if sampled else logs.argmax(dim=1)
            pointed = torch.where(done, step, pointed)[:, None]  # padding is where it was
            log_chance = log_chance + logs.gather(1, pointed)[:, 0].masked_fill(done, 0.0)
            entropy = entropy + entropy_of(logs, free).masked_fill(done, 0.0)
            free = free.scatter(1, pointed, value=False)
            before = read.steps.gather(1, pointed[..., None].expand(-1, -1, read.steps.shape[2]))[:, 0]
            places.append(pointed)
        whole = torch.cat((read.hidden[-1], masked_mean(words, mask)), dim=-1)
        return Ordered(torch.cat(places, dim=1), log_chance, entropy, whole)
