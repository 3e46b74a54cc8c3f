"""Image-text matching: whether a text belongs to the picture or to another one of the batch."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from commonsight.models.features.batch import Batch
from commonsight.models.pretraining.described import told_of_others
from commonsight.models.states import CrossModal

SWAPPED = 0.5


class Pairs(NamedTuple):
    """Pictures, some of them with another's text."""

    batch: Batch
    match: Tensor
    """(batch): True where the text is the picture's own."""


def pairs(batch: Batch, generator: Generator, *, swapped: float = SWAPPED) -> Pairs:
    """About half of the pictures get the text of another; a batch of one keeps its own."""
    count = len(batch)
    if count < 2:
        return Pairs(batch, batch.gold.new_ones(count, dtype=torch.bool))
    device = batch.gold.device
    draws = torch.rand(count, generator=generator, device=generator.device).to(device)
    away = torch.randint(1, count, (count,), generator=generator, device=generator.device).to(device)
    own = torch.arange(count, device=device)
    other = draws < swapped
    return Pairs(told_of_others(batch, torch.where(other, (own + away) % count, own)), ~other)


class ImageText(nn.Module):
    """One number from text and picture together."""

    name = "matching"

    def __init__(self, pooled_dim: int) -> None:
        super().__init__()
        self.head = nn.Linear(pooled_dim, 1)

    def forward(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The mean over pairs."""
        mixed, match = pairs(batch, generator)
        states = network.states(mixed, generator=generator)
        said = self.head(states.pooled[:, 0]).squeeze(-1)  # (batch)
        return binary_cross_entropy_with_logits(said, match.to(said.dtype))
