"""Masked language modelling: hidden pieces are told from the rest of the text and from the picture."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy, gelu, linear

from commonsight.models.features.batch import Batch
from commonsight.models.pretraining.masking import WORDS_HIDDEN, Marks, disguised, some
from commonsight.models.states import CrossModal, shown


class WordHead(nn.Module):
    """BERT's: a layer, and then the vectors of all pieces, which are the network's own."""

    def __init__(self, dim: int, pieces: int) -> None:
        super().__init__()
        self.dense, self.norm = nn.Linear(dim, dim), nn.LayerNorm(dim, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(pieces))

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """(place, dim) and (piece, dim) -> (place, piece)."""
        known = words[: len(self.bias)]  # a table may have rows to spare
        return linear(self.norm(gelu(self.dense(states))), known, self.bias)


class MaskedWords(nn.Module):
    """15 % of all pieces, each on its own."""

    name = "masked-words"

    def __init__(self, text_dim: int, marks: Marks, *, share: float = WORDS_HIDDEN) -> None:
        super().__init__()
        self.head, self.marks, self.share = WordHead(text_dim, marks.vocabulary), marks, share

    def forward(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The mean over hidden pieces."""
        pieces = shown(batch).pieces
        hidden = some(self.marks.plain(pieces.ids, pieces.mask), self.share, generator)
        return told(network, batch, hidden, self.head, self.marks, generator)


def told(
    network: CrossModal, batch: Batch, hidden: Tensor, head: WordHead, marks: Marks, generator: Generator
) -> Tensor:
    """How badly the hidden pieces, (batch, choice, piece), are told; zero where none is."""
    pieces = shown(batch).pieces
    if not hidden.any():
        return network.words.weight.new_zeros(())
    ids = disguised(pieces.ids, hidden, marks, generator)
    states = network.states(replace(batch, pieces=replace(pieces, ids=ids)), generator=generator)
    logits = head(states.text[hidden], network.words.weight)  # (hidden piece, piece)
    return cross_entropy(logits, pieces.ids[hidden])
