"""Sentence and pictures side by side, and layers that name the answer.

CNN+RNN of NLVR2 (section 6, appendix E.2): both are read as by `text_only` and `image_only`, each alone.
"""

from __future__ import annotations

import torch
from torch import Generator, nn

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.uniform import within
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.image_only import PUBLISHED, WEIGHTS_WITHIN, by_columns
from commonsight.models.networks.text_only import PUBLISHED_HIDDEN, Caption
from commonsight.models.parts import Parts


class CnnRnn(nn.Module):
    """The sentence's vector beside the canvas's, then layers."""

    def __init__(
        self,
        caption: Caption,
        canvas: CanvasEncoder,
        *,
        answers: int,
        columns: int,
        layers: tuple[int, ...],
        dropout: float,
    ) -> None:
        super().__init__()
        self.caption, self.canvas, self.columns = caption, canvas, columns
        self.answer = Perceptron(caption.dim + columns * canvas.dim, *layers, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        maps = self.canvas(needed(batch.canvas, "a canvas"))  # (batch, dim, height, width)
        read, seen = self.caption(batch, generator), by_columns(maps, self.columns)
        return scored(self.answer(torch.cat((read, seen), dim=-1), generator), batch)


def cnn_rnn_small(parts: Parts) -> CnnRnn:
    """For drawings and a CPU."""
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    caption = Caption(words, hidden=96, dropout=0.2)
    return CnnRnn(caption, canvas, answers=parts.answers, columns=6, layers=(96,), dropout=0.2)


def cnn_rnn_paper(parts: Parts) -> CnnRnn:
    """Each of two pictures is one vector (`resnet-each`); no dropout is told of."""
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    caption = Caption(words, hidden=PUBLISHED_HIDDEN, dropout=0.0)
    built = CnnRnn(caption, canvas, answers=parts.answers, columns=2, layers=PUBLISHED, dropout=0.0)
    within(WEIGHTS_WITHIN, built.caption.read, built.answer)
    return built
