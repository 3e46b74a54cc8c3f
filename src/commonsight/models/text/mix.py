"""A network's own mix of the layers of a frozen encoder, as ELMo's readers learn it (Peters et al., 2018)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Words


class MixedVectors(nn.Module):
    """Layers that stand side by side in a word's vector, weighed by shares of 1 and one scale for all."""

    def __init__(self, layers: int, dim: int) -> None:
        super().__init__()
        self.layers, self.dim = layers, dim
        self.shares = nn.Parameter(torch.zeros(layers))
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, words: Words) -> Tensor:
        """(batch, choice, word, layers x dim) -> (batch, choice, word, dim)"""
        if words.vectors is None or words.vectors.shape[-1] != self.layers * self.dim:
            raise InputError(
                f"This network mixes {self.layers} layers of {self.dim} numbers, and the batch has none such."
            )
        several = words.vectors.reshape(*words.vectors.shape[:-1], self.layers, self.dim)
        mixed: Tensor = torch.einsum("...ld,l->...d", several, self.shares.softmax(dim=0))
        return self.scale * mixed
