"""ViLBERT (Lu et al., 2019) that names its answer and points to an object, as CRIC has it (section 4.1).

Text and objects go through two streams that look at each other (`two_stream`). Memory-VQA's attention is then
put on what the objects have become, and what it saw names the answer.
"""

from __future__ import annotations

from typing import Any, Unpack

from torch import Generator, Tensor

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.looking import Combined, Gaze, TopDown
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.network import Scores, scored
from commonsight.models.networks.pointing import taught
from commonsight.models.networks.single_stream import eyes
from commonsight.models.networks.two_stream import VILBERT, Numbers, TwoStream, small
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.states import shown


class PointingTwoStream(TwoStream):
    """Two streams; the product of [CLS] and the whole picture looks at the objects once more."""

    def __init__(
        self,
        text: Any,
        regions: RegionEncoder,
        *,
        answers: int,
        pointing: float = 0.0,
        **numbers: Unpack[Numbers],
    ) -> None:
        """`pointing` weighs the loss of looking elsewhere than at the targets; the rest is `TwoStream`'s."""
        super().__init__(text, regions, **numbers)
        del self.head  # it scores choices, of which there are none
        self.pointing, width = pointing, self.pooled_dim
        self.look, self.see = TopDown(width, width, width), Combined(width, width, width)
        self.answer = Perceptron(width, 2 * width, answers, dropout=self.drop)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        states = self.states(batch, generator=generator)
        asked = dropout(states.pooled[:, 0], self.drop, generator, self.training)  # (batch, width)
        gaze: Gaze = self.look(states.regions[:, 0], asked, shown(batch).seen.mask)
        both = dropout(self.see(gaze.values, asked), self.drop, generator, self.training)
        logits: Tensor = self.answer(both, generator)
        return scored(
            logits,
            batch,
            extra=taught(gaze, batch, self.pointing),
            attention={"glimpses": gaze.weights[:, None, None]},
        )


def vilbert_named_small(parts: Parts, *, pointing: float = 0.0) -> PointingTwoStream:
    """Two connections; objects as wide as the text."""
    text, regions = eyes(parts, "ViLBERT")
    return PointingTwoStream(text, regions, answers=parts.answers, pointing=pointing, **small(text))


def vilbert_named_paper(parts: Parts, *, pointing: float = 0.0) -> PointingTwoStream:
    """ViLBERT's numbers (its section 3.2). The attention has the objects' width, which is our choice."""
    text, regions = eyes(parts, "ViLBERT")
    return PointingTwoStream(text, regions, answers=parts.answers, pointing=pointing, **VILBERT)
