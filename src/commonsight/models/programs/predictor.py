"""The layout of a question's program, call by call, with what each call attends to among the words.

An attentional sequence-to-sequence network (Hu et al., 2017; CRIC, section 4.1): an LSTM reads the question
both ways, another says the calls one after another, and the attention at each call is the call's text input.
A word BLANK stands at the end of every question, for calls that need none of its words (CRIC, Figure 9). Only
calls that leave a program well typed are ever said, so that any numbers give a layout that can be executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Words
from commonsight.models.layers.attention import BilinearAttention
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.masks import lengths_to_mask
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.programs.layouts import CALLS, LONGEST, allowed
from commonsight.models.words import SPREAD, WordVectors

_PADDING = len(CALLS)
"""Stands before the first call, and after the last."""

_LEAST = 1e-6
"""Attention of which no less is asked for."""

_TAKES = torch.tensor([call.takes for call in CALLS] + [0])
_ENDS = torch.tensor([call.ends for call in CALLS] + [True])


class Read(NamedTuple):
    """Questions as they were read, with BLANK at the end of each."""

    words: Tensor
    """(batch, word, dim): vectors of the words."""
    states: Tensor
    """(batch, word, 2 x hidden): the same in their places."""
    lengths: Tensor
    """(batch): of the questions, BLANK included."""
    last: Tensor
    """(batch, 2 x hidden)"""

    @property
    def mask(self) -> Tensor:
        """(batch, word)"""
        return lengths_to_mask(self.lengths, self.words.shape[1])


class Told(NamedTuple):
    """Layouts, as far as they were said or given."""

    calls: Tensor
    """(batch, call): numbers; `_PADDING` after the last."""
    logits: Tensor
    """(batch, call, kind of call): the lowest finite number for those that may not come next."""
    weights: Tensor
    """(batch, call, word): what each attends to; shares of 1."""
    states: Tensor
    """(batch, call, hidden): of whom says them."""

    @property
    def layouts(self) -> list[list[int]]:
        """The calls of each question."""
        return [[call for call in row if call != _PADDING] for row in self.calls.tolist()]


class _At(NamedTuple):
    """Where the saying of layouts stands."""

    state: tuple[Tensor, Tensor]
    seen: Tensor  # (batch, hidden): what was attended to last
    there: Tensor  # (batch): sets of objects
    over: Tensor  # (batch): True for layouts that are at their end


class LayoutPredictor(nn.Module):
    """Words to layouts."""

    def __init__(self, words: WordVectors, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words, self.hidden, self.dropout = words, hidden, dropout
        self.blank = nn.Parameter(torch.empty(words.dim).normal_(0.0, SPREAD))
        self.read_both = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        self.begin = nn.Linear(2 * hidden, 2 * hidden)
        self.said = nn.Embedding(len(CALLS) + 1, hidden)
        self.say = nn.LSTMCell(2 * hidden, hidden)
        self.attend = BilinearAttention(hidden, 2 * hidden)
        self.join = nn.Linear(3 * hidden, hidden)
        self.call = nn.Linear(hidden, len(CALLS))
        with torch.no_grad():  # before anything is learned layouts are short, and soon executed
            self.call.bias.add_(2.0 * _ENDS[: len(CALLS)])
        self.register_buffer("allowed", torch.tensor(allowed()), persistent=False)

    def read(self, words: Words, *, generator: Generator | None = None) -> Read:
        """Questions, (batch, 1, word); where a text encoder has read them beside each response, the first."""
        vectors = self.words(words)[:, 0]  # (batch, word, dim)
        ends = words.lengths[:, 0]
        longer = torch.cat((vectors, vectors.new_zeros(len(vectors), 1, vectors.shape[2])), dim=1)
        at_end = torch.arange(longer.shape[1], device=ends.device) == ends[:, None]  # (batch, word)
        longer = torch.where(at_end[:, :, None], self.blank.to(longer.dtype), longer)
        encoded = self.read_both(longer, ends + 1, generator=generator)
        there = lengths_to_mask(ends + 1, longer.shape[1])[:, :, None]
        return Read(longer.masked_fill(~there, 0.0), encoded.steps, ends + 1, encoded.last)

    def forward(
        self, read: Read, given: Sequence[Sequence[int]] | None = None, *, generator: Generator | None = None
    ) -> Told:
        """Layouts as the network says them; or, of those that are given, how likely each call was."""
        fixed = None if given is None else padded_calls(given, read.words.device)  # (batch, call)
        at = self._begun(read)
        before = read.lengths.new_full((len(read.lengths),), _PADDING)
        found: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
        for number in range(LONGEST if fixed is None else fixed.shape[1]):
            state, at, weights = self._attended(read, at, before)
            joined = dropout(state, self.dropout, generator, self.training)
            logits = self._fitting(self.call(joined), at, LONGEST - number)
            before = logits.argmax(dim=1) if fixed is None else fixed[:, number]
            before = before.masked_fill(at.over, _PADDING)
            found.append((before, logits, weights, state))
            at = _after(at, before)
            if fixed is None and bool(at.over.all()):
                break
        calls, logits, weights, states = (torch.stack(part, dim=1) for part in zip(*found, strict=True))
        return Told(calls, logits, weights, states)

    def _begun(self, read: Read) -> _At:
        state, cell = self.begin(read.last).tanh().chunk(2, dim=1)
        count = len(read.lengths)
        nothing = read.lengths.new_zeros(count)
        return _At((state, cell), torch.zeros_like(state), nothing, nothing.bool())

    def _attended(self, read: Read, at: _At, before: Tensor) -> tuple[Tensor, _At, Tensor]:
        """What is known when a call is to be said: (batch, hidden), and the attention, (batch, word)."""
        state = self.say(torch.cat((self.said(before), at.seen), dim=1), at.state)
        seen = self.attend(state[0][:, None], read.states, read.mask)
        joined = self.join(torch.cat((state[0], seen.values[:, 0]), dim=1)).tanh()
        return joined, at._replace(state=state, seen=joined), seen.weights[:, 0]

    def _fitting(self, logits: Tensor, at: _At, left: int) -> Tensor:
        table: Tensor = self.allowed  # type: ignore[assignment]
        there = table[at.there, left]  # (batch, kind of call)
        return logits.masked_fill(~there & ~at.over[:, None], torch.finfo(logits.dtype).min)

    def loss(self, told: Told, known: Tensor) -> Tensor:
        """(batch): minus the logarithm of how likely the given layouts were; 0 where none is `known`."""
        chances = told.logits.float().log_softmax(dim=2)
        said = told.calls != _PADDING
        own = chances.gather(2, told.calls.masked_fill(~said, 0)[:, :, None])[:, :, 0]
        return -own.masked_fill(~said | ~known[:, None], 0.0).sum(dim=1)

    def wording_loss(self, told: Told, spoken: Tensor, known: Tensor) -> Tensor:
        """(batch): minus the logarithm of how much of each call's attention is on its own words, (batch,
        call, word); 0 where these are not `known`."""
        own = told.weights.float().masked_fill(~spoken, 0.0).sum(dim=2)
        said = told.calls != _PADDING
        return -own.clamp(min=_LEAST).log().masked_fill(~said | ~known[:, None], 0.0).sum(dim=1)


def _after(at: _At, said: Tensor) -> _At:
    there = at.there - _TAKES.to(said.device)[said] + 1
    return at._replace(there=there.clamp(min=0, max=LONGEST), over=at.over | _ENDS.to(said.device)[said])


def padded_calls(layouts: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    """(batch, call)"""
    longest = max(map(len, layouts))
    rows = [[*layout, *[_PADDING] * (longest - len(layout))] for layout in layouts]
    return torch.tensor(rows, device=device)
