"""Answers by their vectors: what is nearest to question and picture, in one space (A-OKVQA, section 5.2).

Zero-shot, vectors of question and picture are added, and nothing is learned (Table 3, f, k, n). Contrastive,
they are joined, and a layer that is learned makes a vector of them in the space of CLIP's texts (g, l, o;
appendix B.2). Either is compared by cosine with the answers of the vocabulary, or with the given choices.
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import normalize

from commonsight.errors import UsageError
from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.vector_inputs import VectorInputs, inputs
from commonsight.models.parts import Parts

SCALE = 1 / 0.07
"""What cosines are multiplied by where CLIP begins to learn; at 1 a softmax hardly tells them apart."""


class ZeroShot(nn.Module):
    """The sum of the vectors."""

    def __init__(self, reads: VectorInputs, *, dim: int, scale: float) -> None:
        super().__init__()
        if set(reads.dims) != {dim} or next(reads.parameters(), None) is not None:
            raise UsageError(
                "Nothing is learned here, so texts and pictures must be in one space already. Give the same "
                "CLIP twice: --text clip:PLACE --regions clip:PLACE."
            )
        self.reads, self.scale = reads, scale

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:  # noqa: ARG002
        summed = torch.stack(self.reads(batch)).sum(dim=0)  # (batch, dim)
        return scored(self.scale * cosines(summed, batch), batch)


class Contrastive(nn.Module):
    """One layer from the joined vectors to the space of answers."""

    def __init__(self, reads: VectorInputs, *, dim: int, scale: float, dropout: float) -> None:
        super().__init__()
        self.reads, self.scale, self.dropout = reads, scale, dropout
        self.project = nn.Linear(sum(reads.dims), dim)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        joined = torch.cat(self.reads(batch), dim=1)  # (batch, dim of all)
        embedded = self.project(dropout(joined, self.dropout, generator, self.training))  # (batch, dim)
        return scored(self.scale * cosines(embedded, batch), batch)


def cosines(embedded: Tensor, batch: Batch) -> Tensor:
    """(batch, dim) -> (batch, choice): with choices where they are given, else with all answers."""
    wholes = needed(batch.wholes, "whole texts")
    own = normalize(embedded, dim=-1)
    if wholes.choices is not None:
        return torch.einsum("bd,bcd->bc", own, normalize(wholes.choices, dim=-1))
    return own @ normalize(needed(wholes.answers, "vectors of answers"), dim=-1).T


def zero_shot(parts: Parts, *, question: bool = True, picture: bool = True) -> ZeroShot:
    """It has no size."""
    reads = inputs(parts, question=question, picture=picture, unit=True)
    return ZeroShot(reads, dim=parts.wholes, scale=SCALE)


def contrastive_small(parts: Parts, *, question: bool = True, picture: bool = True) -> Contrastive:
    """For the drawn world."""
    reads = inputs(parts, question=question, picture=picture, unit=False)
    return Contrastive(reads, dim=parts.wholes, scale=SCALE, dropout=0.2)


def contrastive_paper(parts: Parts, *, question: bool = True, picture: bool = True) -> Contrastive:
    """As many numbers as CLIP's texts have, 512; the paper tells of no scale, and so it is 1."""
    reads = inputs(parts, question=question, picture=picture, unit=True)
    return Contrastive(reads, dim=parts.wholes, scale=1.0, dropout=0.0)
