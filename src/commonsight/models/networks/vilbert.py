"""ViLBERT (Lu et al., 2019) as it answers questions: the product of what [CLS] and the whole picture have
become names an answer (its section 3.2).
"""

from __future__ import annotations

from typing import Any, Unpack

from torch import Generator, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.network import Scores, scored
from commonsight.models.networks.rare import begun_rare
from commonsight.models.networks.single_stream import eyes
from commonsight.models.networks.two_stream import VILBERT, Numbers, TwoStream, small
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder


class Vilbert(TwoStream):
    """Two streams, and an MLP on what both have become."""

    def __init__(
        self, text: Any, regions: RegionEncoder, *, answers: int, **numbers: Unpack[Numbers]
    ) -> None:
        """So many answers to name; the rest is `TwoStream`'s."""
        super().__init__(text, regions, **numbers)
        del self.head  # it scores choices, of which there are none
        width = self.pooled_dim
        self.answer, self.named = nn.Linear(width, 2 * width), nn.Linear(2 * width, answers)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        states = self.states(batch, generator=generator)
        both = dropout(states.pooled[:, 0], self.drop, generator, self.training)  # (batch, width)
        glimpses = states.looks[:, :, :1]  # (batch, 1, 1, object): of [CLS], in the last connection
        meant = dropout(self.answer(both).relu(), self.drop, generator, self.training)
        return scored(self.named(meant), batch, attention={"glimpses": glimpses})


def vilbert_small(parts: Parts) -> Vilbert:
    """Two connections; objects as wide as the text."""
    text, regions = eyes(parts, "ViLBERT")
    network = Vilbert(text, regions, answers=parts.answers, **small(text))
    begun_rare(network.named)
    return network


def vilbert_paper(parts: Parts) -> Vilbert:
    """Its own numbers; an MLP of two layers, as wide inside as twice what comes in (section 3.2)."""
    text, regions = eyes(parts, "ViLBERT")
    return Vilbert(text, regions, answers=parts.answers, **VILBERT)
