"""Where networks that read words get a vector for each: learned here, begun from given ones, or read by a
frozen encoder.

All have `dim` and turn `Words` into (batch, choice, word, dim), so a network takes any of them.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Words

SPREAD = 1.0
"""Of a word's numbers before anything is learned. Much smaller ones are drowned by what is seen of the object
beside which a word is read, and take more epochs to be learned from."""


class WordVectors(Protocol):
    """A module that gives every word its vector."""

    dim: int

    def __call__(self, words: Words) -> Tensor: ...


class LearnedVectors(nn.Module):
    """A table that is trained; it begins at random, or from vectors that someone else learned (GloVe)."""

    def __init__(self, words: int, dim: int, *, start: Tensor | None = None, trained: bool = True) -> None:
        super().__init__()
        if start is not None and start.shape != (words, dim):
            raise ValueError(f"vectors are {tuple(start.shape)}, the vocabulary wants {(words, dim)}")
        self.dim = dim
        self.table = nn.Embedding(words, dim, padding_idx=0)
        with torch.no_grad():
            if start is None:
                self.table.weight.normal_(0.0, SPREAD)
            else:
                self.table.weight.copy_(start)
            self.table.weight[0].zero_()
        self.table.weight.requires_grad_(trained)

    def forward(self, words: Words) -> Tensor:
        vectors: Tensor = self.table(words.ids)
        return vectors


class GivenVectors(nn.Module):
    """What a frozen text encoder made of the words, which the batch brings along."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, words: Words) -> Tensor:
        if words.vectors is None:
            raise InputError("This network reads a text encoder's vectors, and the batch has none.")
        return words.vectors
