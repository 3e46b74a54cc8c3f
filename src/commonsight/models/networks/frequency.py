"""Answers by how often they are right in training, whatever is asked: A-OKVQA's heuristics (Table 3, a to c).

Of choices each counts as often as it is right in training; where none of them ever is, all are alike. Random
draws any, Random (weighted) draws by these counts, and Most Common takes the most frequent, the first of
equals.
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor, get_default_dtype, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores, scored
from commonsight.models.parts import Parts

NEVER = -100.0
"""The score of what is never right: as good as never drawn."""


class Frequency(nn.Module):
    """Reads nothing; all that there is to know was counted before."""

    def __init__(self, counts: tuple[int, ...]) -> None:
        super().__init__()
        self.counts = counts

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:  # noqa: ARG002
        counts = torch.tensor(self.counts, dtype=get_default_dtype(), device=batch.choices.device)  # (answer)
        if batch.places is None:
            return scored(_scores(counts).expand(batch.choices.shape), batch)
        known = counts[batch.places.clamp(min=0)]  # (batch, choice)
        return scored(_scores(known.masked_fill(batch.places < 0, 0.0)), batch)


def _scores(counts: Tensor) -> Tensor:
    """Logarithms of counts, so that shares of them are chances; all alike where all are 0."""
    none = (counts == 0).all(dim=-1, keepdim=True)
    return counts.log().clamp(min=NEVER).masked_fill(none, 0.0)


def frequency(parts: Parts) -> Frequency:
    """It has no size."""
    if parts.counts and not any(parts.counts):
        raise InputError(
            f"None of the {len(parts.counts):,} answers that can be named is right in training, and nothing "
            "else is known here. Was the vocabulary made from another dataset?"
        )
    return Frequency(parts.counts or (1,) * parts.answers)
