"""Word-region alignment: how cheaply the words of a text can be carried over to the objects (UNITER)."""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.pretraining.image_text import pairs
from commonsight.models.pretraining.masking import Marks
from commonsight.models.pretraining.transport import cosine_cost, distance
from commonsight.models.states import CrossModal, shown

WEIGHT = 0.1
"""Beside the other losses, as in the released settings."""


class WordRegions(nn.Module):
    """It should be cheap where a text is the picture's own, and dear where it is another's.

    The paper writes the first half alone; the released code has both, and without the second all states could
    become alike.
    """

    name = "alignment"

    def __init__(self, marks: Marks, *, weight: float = WEIGHT) -> None:
        super().__init__()
        self.marks, self.weight = marks, weight

    def forward(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The mean over pairs of what the cheapest plan costs, with a minus where they do not match."""
        if network.text_dim != network.region_dim:
            raise ValueError(
                f"words have {network.text_dim} numbers and regions {network.region_dim}; "
                "aligning them wants a network of one stream"
            )
        mixed, match = pairs(batch, generator)
        pieces, seen = shown(mixed)
        states = network.states(mixed, generator=generator)
        words = self.marks.plain(pieces.ids, pieces.mask)[:, 0]
        # In full precision: fifty products of small numbers would vanish in half of it.
        with torch.autocast(words.device.type, enabled=False):
            cost = cosine_cost(states.text[:, 0].float(), states.regions[:, 0].float())
            costs = distance(cost, words, seen.mask)
        return self.weight * (costs * (2 * match.to(costs.dtype) - 1)).mean()
