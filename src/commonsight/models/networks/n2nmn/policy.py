"""Reads a question and writes its layout, module by module, looking at words as it writes.

An LSTM reads, another writes; at each step it looks at the question's words, and what it looked at is also
what the module it writes is told (Hu et al., 2017, section 3.2). Of all modules only those are possible from
which an end can be reached, so that every layout it can write is well-formed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import pad

from commonsight.core.layout import MODULES, may_follow
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.masks import lengths_to_mask, masked_softmax
from commonsight.models.layers.recurrent import ForwardLSTM, ReadForward
from commonsight.models.layers.searching import drawn, entropy_of, log_shares


class Written(NamedTuple):
    """A layout for each question."""

    layouts: tuple[tuple[int, ...], ...]
    """Modules by number."""
    text: Tensor
    """(batch, place of the layout, text dim): what of the question each module is told."""
    log_chance: Tensor
    """(batch): how likely the whole layout was, as a logarithm."""
    entropy: Tensor
    """(batch): how undecided the policy was, added up over the modules that it wrote."""
    read: Tensor
    """(batch, hidden): the whole question."""


class _Step(NamedTuple):
    """What the policy makes of one step."""

    state: tuple[Tensor, Tensor]
    logs: Tensor
    """(batch, module): how likely each is, as a logarithm; the lowest finite number where it may not be."""
    text: Tensor
    """(batch, text dim)"""


class LayoutPolicy(nn.Module):
    """Word vectors to layouts of at most `longest` modules."""

    allowed: Tensor
    """(modules left, maps on the stack, module): which may follow."""
    pushed: Tensor
    """(module): how many maps more there are after it."""
    answers: Tensor
    """(module): True for those that give the answer."""

    def __init__(
        self, text: int, *, hidden: int, layers: int, embedded: int, longest: int, dropout: float
    ) -> None:
        super().__init__()
        self.longest, self.dropout = longest, dropout
        self.read = ForwardLSTM(text, hidden, layers=layers, dropout=dropout)
        self.begin = len(MODULES)
        self.embed = nn.Embedding(len(MODULES) + 1, embedded)
        self.write = nn.LSTM(embedded, hidden, num_layers=layers, batch_first=True)
        self.words = nn.Linear(hidden, hidden)
        # No bias in these two: there is one in `words`, and a softmax takes away what is added to all.
        self.asks = nn.Linear(hidden, hidden, bias=False)
        self.weigh = nn.Linear(hidden, 1, bias=False)
        self.choose = nn.Linear(2 * hidden, len(MODULES))
        table = [[may_follow(stack, left) for stack in range(longest + 1)] for left in range(longest + 1)]
        self.register_buffer("allowed", torch.tensor(table), persistent=False)
        pushed = [0 if module.answers else 1 - module.takes for module in MODULES]
        self.register_buffer("pushed", torch.tensor(pushed), persistent=False)
        answers = [module.answers for module in MODULES]
        self.register_buffer("answers", torch.tensor(answers), persistent=False)

    def forward(
        self,
        vectors: Tensor,
        lengths: Tensor,
        *,
        given: Sequence[Sequence[int]] | None = None,
        sampled: bool = False,
        generator: Generator | None = None,
    ) -> Written:
        """(batch, word, text dim) and (batch). The likeliest module at each step, unless layouts are given
        or modules are drawn from the generator."""
        read = self.read(vectors, lengths, generator=generator)
        mask, asked = lengths_to_mask(lengths, vectors.shape[1]), self.words(read.steps)
        batch = len(vectors)
        wanted = None if given is None else _padded(given, self.longest, vectors)
        chosen = torch.full((batch,), self.begin, device=vectors.device)
        stack, done = torch.zeros_like(chosen), torch.zeros_like(chosen, dtype=torch.bool)
        state, log_chance = (read.hidden, read.cell), vectors.new_zeros(batch)
        entropy, told, texts = vectors.new_zeros(batch), [], []
        for number in range(self.longest):
            allowed = self.allowed[self.longest - number][stack]  # (batch, module)
            step = self._step(chosen, state, asked, read, vectors, mask, allowed, generator)
            chosen = _chosen(step.logs, allowed, wanted, number, sampled, generator)
            one = step.logs.gather(1, chosen[:, None]).squeeze(1)
            log_chance = log_chance + one.masked_fill(done, 0.0)
            entropy = entropy + entropy_of(step.logs, allowed).masked_fill(done, 0.0)
            state = step.state
            told.append(chosen.masked_fill(done, -1))
            texts.append(step.text)
            done = done | self.answers[chosen]
            stack = (stack + self.pushed[chosen]).masked_fill(done, 0)
            if bool(done.all()):
                break
        rows = torch.stack(told, dim=1).tolist()
        layouts = tuple(tuple(one for one in row if one >= 0) for row in rows)
        return Written(layouts, torch.stack(texts, dim=1), log_chance, entropy, read.hidden[-1])

    def _step(
        self,
        before: Tensor,
        state: tuple[Tensor, Tensor],
        asked: Tensor,
        read: ReadForward,
        vectors: Tensor,
        mask: Tensor,
        allowed: Tensor,
        generator: Generator | None,
    ) -> _Step:
        embedded = dropout(self.embed(before), self.dropout, generator, self.training)
        said, state = self.write(embedded[:, None], state)  # (batch, 1, hidden)
        scores = self.weigh(torch.tanh(asked + self.asks(said))).squeeze(-1)  # (batch, word)
        looked = masked_softmax(scores, mask)[:, None]  # (batch, 1, word)
        logits = self.choose(torch.cat((said, looked @ read.steps), dim=-1)).squeeze(1)
        vectors = vectors.masked_fill(~mask[..., None], 0.0)
        return _Step(state, log_shares(logits, allowed), (looked @ vectors).squeeze(1))


def _padded(given: Sequence[Sequence[int]], longest: int, like: Tensor) -> Tensor:
    """(batch, longest); what stands behind a layout's end is of no matter."""
    rows = [pad(torch.tensor(list(layout)), (0, longest - len(layout))) for layout in given]
    return torch.stack(rows).to(like.device)


def _chosen(
    logs: Tensor,
    allowed: Tensor,
    wanted: Tensor | None,
    number: int,
    sampled: bool,
    generator: Generator | None,
) -> Tensor:
    """(batch): the module that is given, or drawn, or likeliest."""
    if wanted is not None:
        return wanted[:, number]
    if not sampled:
        return logs.argmax(dim=1)
    return drawn(logs, allowed, generator)
