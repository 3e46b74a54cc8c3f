"""What pictures give away without the question: a network of convolutions, and layers that name the answer.

IMAGE of NLVR2 (section 6, appendix E.1) and I-Only of CRIC (section 4.1).
"""

from __future__ import annotations

from torch import Generator, Tensor, nn
from torch.nn.functional import adaptive_avg_pool2d

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.uniform import within
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts

PUBLISHED = (8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16)
"""Sizes of the layers below the answers (NLVR2, appendix E)."""
WEIGHTS_WITHIN = 0.1
"""Weights and biases begin evenly spread from minus this to this (NLVR2, appendix E.5)."""


class ImageOnly(nn.Module):
    """The map's average over each of several columns, such as those of two pictures, then layers."""

    def __init__(
        self, canvas: CanvasEncoder, *, answers: int, columns: int, layers: tuple[int, ...], dropout: float
    ) -> None:
        super().__init__()
        self.canvas, self.columns = canvas, columns
        self.answer = Perceptron(columns * canvas.dim, *layers, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        maps = self.canvas(needed(batch.canvas, "a canvas"))  # (batch, dim, height, width)
        return scored(self.answer(by_columns(maps, self.columns), generator), batch)


def by_columns(maps: Tensor, columns: int) -> Tensor:
    """The average over each of several columns: (batch, dim, height, width) -> (batch, dim x columns)"""
    return adaptive_avg_pool2d(maps, (1, columns)).flatten(1)


def image_only_small(parts: Parts) -> ImageOnly:
    """For the drawn world."""
    canvas = needed(parts.canvas, "a canvas encoder")
    return ImageOnly(canvas, answers=parts.answers, columns=6, layers=(96,), dropout=0.2)


def image_only_paper(parts: Parts) -> ImageOnly:
    """Each of two pictures is one vector (`resnet-each`); no dropout is told of."""
    canvas = needed(parts.canvas, "a canvas encoder")
    built = ImageOnly(canvas, answers=parts.answers, columns=2, layers=PUBLISHED, dropout=0.0)
    within(WEIGHTS_WITHIN, built.answer)
    return built
