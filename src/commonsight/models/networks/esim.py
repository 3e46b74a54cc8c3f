"""ESIM: two texts, each read beside the other (Chen et al., 2017, Enhanced LSTM for Natural Language
Inference).

Everything before the attention (`encode`) is done once for each text, and `compare` takes two encoded texts.
So n texts are all compared with each other after n encodings and not n² (VCR, appendix C, which judges in
this way how alike responses are); with as many outputs as there are labels it is a model of inference.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch, Words
from commonsight.models.layers.attention import Attended, co_attention
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.masks import masked_max, masked_mean
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors


class EncodedText(NamedTuple):
    """A text before any other is looked at."""

    steps: Tensor
    """(..., word, 2 x hidden); zeros in padding."""
    mask: Tensor
    """(..., word): True for words."""
    lengths: Tensor
    """(...)"""

    def for_each(self, before: torch.Size) -> EncodedText:
        """The same for each of several texts that it is compared with, without a copy."""
        steps, mask = self.steps.expand(*before, *self.steps.shape[-2:]), self.mask.expand(*before, -1)
        return EncodedText(steps, mask, self.lengths.expand(before))


class Compared(NamedTuple):
    """What comes of comparing two texts."""

    outputs: Tensor
    """(..., outputs)"""
    first: Tensor
    """(..., word of the first, word of the second): where each word of the first text looks."""
    second: Tensor
    """(..., word of the second, word of the first)"""


class ESIM(nn.Module):
    """One encoder, one projection and one composition layer, for both texts alike."""

    def __init__(self, words: WordVectors, *, hidden: int, dropout: float, outputs: int = 1) -> None:
        super().__init__()
        self.words, self.dropout, self.outputs = words, dropout, outputs
        self.encoder = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        self.project = nn.Linear(8 * hidden, hidden)
        self.compose = BidirectionalLSTM(hidden, hidden, dropout=dropout)
        self.hidden = nn.Linear(8 * hidden, hidden)
        # One number added to every choice changes no softmax; added to one label of several it does.
        self.score = nn.Linear(hidden, outputs, bias=outputs > 1)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        if self.outputs != 1:
            raise ValueError(f"choices have one output, and this network has {self.outputs}: use compare()")
        query = self.encode(needed(batch.query, "a query word by word"), generator=generator)
        responses = self.encode(needed(batch.responses, "responses word by word"), generator=generator)
        compared = self.compare(query, responses, generator=generator)
        return scored(compared.outputs.squeeze(-1), batch, attention={"query": compared.second})

    def encode(self, text: Words, *, generator: Generator | None = None) -> EncodedText:
        """Texts of any shape, (..., word), each read alone."""
        read = self.encoder(self.words(text), text.lengths, generator=generator)
        return EncodedText(read.steps, text.mask, text.lengths)

    def compare(
        self, first: EncodedText, second: EncodedText, *, generator: Generator | None = None
    ) -> Compared:
        """Pairs of texts; dimensions before the words fit each other, so one query meets many responses."""
        first, second = _side_by_side(first, second)
        aligned = co_attention(first.steps, second.steps, first.mask, second.mask)
        one = self._composed(first, aligned.first, generator)
        other = self._composed(second, aligned.second, generator)
        return Compared(self._judged(one, other, generator), aligned.first.weights, aligned.second.weights)

    def both_ways(self, first: EncodedText, second: EncodedText) -> tuple[Tensor, Tensor]:
        """The outputs for first and second, and for second and first: (..., outputs) each.

        All but the last layers is the same in both directions, and done once. Nothing is dropped.
        """
        first, second = _side_by_side(first, second)
        aligned = co_attention(first.steps, second.steps, first.mask, second.mask)
        one, other = self._composed(first, aligned.first, None), self._composed(second, aligned.second, None)
        return self._judged(one, other, None), self._judged(other, one, None)

    def _judged(self, first: Tensor, second: Tensor, generator: Generator | None) -> Tensor:
        """Two texts, each in the light of the other, (..., 4 x hidden) -> (..., outputs)"""
        pooled = dropout(torch.cat((first, second), dim=-1), self.dropout, generator, self.training)
        hidden = self.hidden(pooled).relu()
        outputs: Tensor = self.score(dropout(hidden, self.dropout, generator, self.training))
        return outputs

    def _composed(self, text: EncodedText, other: Attended, generator: Generator | None) -> Tensor:
        """What a text is in the light of another: means and maxima over its words, (..., 4 x hidden)."""
        own, seen = text.steps, other.values
        enhanced = torch.cat((own, seen, own - seen, own * seen), dim=-1)  # (..., word, 8 x hidden)
        read = self.compose(self.project(enhanced).relu(), text.lengths, generator=generator).steps
        return torch.cat((masked_mean(read, text.mask), masked_max(read, text.mask)), dim=-1)


def _side_by_side(first: EncodedText, second: EncodedText) -> tuple[EncodedText, EncodedText]:
    before = (first.lengths + second.lengths).shape
    return first.for_each(before), second.for_each(before)


def esim_small(parts: Parts, *, outputs: int = 1) -> ESIM:
    """For the drawn world."""
    return ESIM(needed(parts.words, "word vectors"), hidden=48, dropout=0.2, outputs=outputs)


def esim_paper(parts: Parts, *, outputs: int = 1) -> ESIM:
    """300 and 0.5 are AllenNLP's (training_config/esim_elmo.jsonnet), which the paper uses (VCR, appendix C).

    So are the places of dropout: the inputs of both LSTMs (one mask for all words), and both last layers.
    """
    return ESIM(needed(parts.words, "word vectors"), hidden=300, dropout=0.5, outputs=outputs)
