"""Layers one after another, with rectifiers between them."""

from __future__ import annotations

from itertools import pairwise

from torch import Generator, Tensor, nn

from commonsight.models.layers.dropout import dropout


class Perceptron(nn.Module):
    """From the first of these sizes to the last; what is between is rectified, and dropped in part."""

    def __init__(self, *sizes: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = dropout
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(sizes))

    def forward(self, found: Tensor, generator: Generator | None = None) -> Tensor:
        """(..., first size) -> (..., last size)"""
        for layer in self.layers[:-1]:
            found = dropout(layer(found).relu(), self.dropout, generator, self.training)
        last: Tensor = self.layers[-1](found)
        return last
