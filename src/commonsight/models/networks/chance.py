"""Chance: every choice is as good as any other. What is not better than this has learned nothing."""

from __future__ import annotations

from torch import Generator, get_default_dtype, nn

from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores, scored
from commonsight.models.parts import Parts


class Chance(nn.Module):
    """Reads nothing and has nothing to learn."""

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:  # noqa: ARG002
        return scored(batch.choices.new_zeros(batch.choices.shape, dtype=get_default_dtype()), batch)


def chance(parts: Parts) -> Chance:  # noqa: ARG001
    """It has no size."""
    return Chance()
