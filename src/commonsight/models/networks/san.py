"""Stacked attention (Yang et al., 2016): a question looks twice, the second time with what it saw at first.

The original looks at the places of a grid. Here it looks at objects, so that its last look points to one, as
CRIC asks for (section 4.1).
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.joined import JoinedLinear
from commonsight.models.layers.looking import Gaze, gazed
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class Stack(nn.Module):
    """One look: softmax(w·tanh(W [object; question])), and what it saw is added to the question."""

    def __init__(self, dim: int, inner: int) -> None:
        super().__init__()
        self.meet = JoinedLinear((dim, dim), inner)
        self.look = nn.Linear(inner, 1, bias=False)

    def forward(self, objects: Tensor, asked: Tensor, mask: Tensor) -> Gaze:
        """(batch, object, dim), (batch, dim), (batch, object)"""
        scores: Tensor = self.look(torch.tanh(self.meet(objects, asked[:, None])))
        return gazed(objects, scores.squeeze(-1), mask)


class StackedAttention(nn.Module):
    """An LSTM over the question, several looks one after another, and a layer that names the answer."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        *,
        answers: int,
        hidden: int,
        inner: int,
        looks: int,
        dropout: float,
    ) -> None:
        """`hidden` numbers of both question and object, even; `inner` where they meet."""
        super().__init__()
        self.words, self.regions, self.dropout = words, regions, dropout
        self.ask = BidirectionalLSTM(words.dim, hidden // 2, dropout=dropout)
        self.see = nn.Linear(regions.dim, hidden)
        self.stacks = nn.ModuleList(Stack(hidden, inner) for _ in range(looks))
        self.answer = nn.Linear(hidden, answers)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        objects = torch.tanh(self.see(self.regions(seen)))  # (batch, object, hidden)
        read = self.ask(self.words(query), query.lengths, generator=generator)
        known = read.last[:, 0]  # (batch, hidden)
        glimpses = []
        for stack in self.stacks:
            gaze: Gaze = stack(objects, known, seen.mask)
            known = known + gaze.values
            glimpses.append(gaze.weights)
        logits: Tensor = self.answer(dropout(known, self.dropout, generator, self.training))
        looked = torch.stack(glimpses, dim=1)[:, None]  # (batch, 1, look, object)
        return scored(logits, batch, attention={"glimpses": looked})


def san_small(parts: Parts) -> StackedAttention:
    """For the drawn world."""
    return _built(parts, hidden=96, inner=96, dropout=0.2)


def san_paper(parts: Parts) -> StackedAttention:
    """Two looks (CRIC, section 4.1), dropout of a half as in the original; 1,024 and 512 are our choice."""
    return _built(parts, hidden=1024, inner=512, dropout=0.5)


def _built(parts: Parts, *, hidden: int, inner: int, dropout: float) -> StackedAttention:
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return StackedAttention(
        words, regions, answers=parts.answers, hidden=hidden, inner=inner, looks=2, dropout=dropout
    )
