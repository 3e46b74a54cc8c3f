"""A maximum entropy classifier over signs: n-grams with a number, crossed with counts of objects.

MAXENT of NLVR2 (section 6, appendix E.2). Every sign has a weight for every answer, and an answer's score is
the sum of those of the signs that are there.
"""

from __future__ import annotations

import torch
from torch import Generator, nn

from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts


class MaxEnt(nn.Module):
    """A table, and what is likely without any sign."""

    def __init__(self, signs: int, answers: int) -> None:
        super().__init__()
        self.weights = nn.EmbeddingBag(signs, answers, mode="sum")
        self.bias = nn.Parameter(torch.zeros(answers))
        nn.init.zeros_(self.weights.weight)  # all answers are as likely until something is known

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:  # noqa: ARG002
        signs = needed(batch.signs, "signs")
        return scored(self.weights(signs.ids, signs.starts) + self.bias, batch)


def maxent(parts: Parts) -> MaxEnt:
    """Its size is that of the training split."""
    return MaxEnt(parts.signs, parts.answers)
