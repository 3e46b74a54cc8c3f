"""A rectified layer whose weights are a direction and a length (Salimans and Kingma, 2016)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear


class NormedReLU(nn.Module):
    """max(0, g V x / |V| + b), with one length g for the whole matrix.

    Pythia has it wherever Anderson et al. (2018) have a gated tanh.
    """

    def __init__(self, inputs: int, out: int) -> None:
        super().__init__()
        like = nn.Linear(inputs, out)
        self.direction, self.bias = like.weight, like.bias
        self.length = nn.Parameter(torch.linalg.vector_norm(like.weight.detach()))

    def forward(self, given: Tensor) -> Tensor:
        """(..., inputs) -> (..., out)"""
        scale = self.length / torch.linalg.vector_norm(self.direction)
        return linear(given, scale * self.direction, self.bias).relu()
