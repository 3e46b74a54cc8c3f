"""What a sentence gives away without its pictures: an LSTM's states on average, and layers that name the
answer.

TEXT of NLVR2 (section 6, appendix E.1).
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.masks import masked_mean
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.recurrent import ForwardLSTM
from commonsight.models.layers.uniform import within
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.image_only import PUBLISHED, WEIGHTS_WITHIN
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors

PUBLISHED_HIDDEN = 4096
"""Of the LSTM (NLVR2, appendix E.1)."""


class Caption(nn.Module):
    """A text as one vector: the mean of the states that an LSTM has after each word."""

    def __init__(self, words: WordVectors, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.dim = hidden
        self.words = words
        self.read = ForwardLSTM(words.dim, hidden, dropout=dropout)

    def forward(self, batch: Batch, generator: Generator | None = None) -> Tensor:
        """-> (batch, hidden)"""
        query = needed(batch.query, "a query word by word")
        vectors, lengths = self.words(query)[:, 0], query.lengths[:, 0]  # (batch, word, dim), (batch)
        states = self.read(vectors, lengths, generator=generator).steps  # (batch, word, hidden)
        return masked_mean(states, query.mask[:, 0])


class TextOnly(nn.Module):
    """The sentence, then layers."""

    def __init__(self, caption: Caption, *, answers: int, layers: tuple[int, ...], dropout: float) -> None:
        super().__init__()
        self.caption = caption
        self.answer = Perceptron(caption.dim, *layers, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        return scored(self.answer(self.caption(batch, generator), generator), batch)


def text_only_small(parts: Parts) -> TextOnly:
    """For drawings and a CPU."""
    caption = Caption(needed(parts.words, "word vectors"), hidden=96, dropout=0.2)
    return TextOnly(caption, answers=parts.answers, layers=(96,), dropout=0.2)


def text_only_paper(parts: Parts) -> TextOnly:
    """No dropout is told of."""
    caption = Caption(needed(parts.words, "word vectors"), hidden=PUBLISHED_HIDDEN, dropout=0.0)
    built = TextOnly(caption, answers=parts.answers, layers=PUBLISHED, dropout=0.0)
    within(WEIGHTS_WITHIN, built.caption.read, built.answer)
    return built
