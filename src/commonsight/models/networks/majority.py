"""Majority: always the answer that training has most often. What is not better than this has learned nothing.

MAJORITY of NLVR2 (section 6). Answers that can be named are in the order of how often they occur, so the
first of them it is, unless there is a vocabulary, which is in an order of its own.
"""

from __future__ import annotations

from torch import Generator, get_default_dtype, nn

from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores, scored
from commonsight.models.parts import Parts

OTHERS = -100.0
"""The score of all other answers: as good as never."""


class Majority(nn.Module):
    """Reads nothing; all that there is to know was counted before."""

    def __init__(self, most_common: int = 0) -> None:
        super().__init__()
        self.most_common = most_common

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:  # noqa: ARG002
        logits = batch.choices.new_full(batch.choices.shape, OTHERS, dtype=get_default_dtype())
        logits[:, self.most_common] = 0.0
        return scored(logits, batch)


def majority(parts: Parts) -> Majority:
    """It has no size."""
    return Majority(parts.counts.index(max(parts.counts)) if parts.counts else 0)
