"""A linear map of several vectors side by side, without laying them side by side."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear


class JoinedLinear(nn.Linear):
    """W [x; y; …] + b, summed input by input, so that a query meets many responses or objects without a copy
    for each, and is itself multiplied once.
    """

    def __init__(self, inputs: tuple[int, ...], out: int) -> None:
        super().__init__(sum(inputs), out)
        self.inputs = inputs

    def forward(self, *given: Tensor) -> Tensor:
        """(..., input) each, with dimensions before the last that fit each other -> (..., out)."""
        slices = torch.split(self.weight, list(self.inputs), dim=1)
        first, *others = map(linear, given, slices)
        joined = first + self.bias
        for other in others:
            joined = joined + other
        return joined


class GatedTanh(nn.Module):
    """tanh(W x + b) ∘ σ(W' x + b'), for one input or several side by side: the layer that Anderson et al.
    (2018) put everywhere in their network.
    """

    def __init__(self, inputs: tuple[int, ...], out: int) -> None:
        super().__init__()
        self.value = JoinedLinear(inputs, out)
        self.gate = JoinedLinear(inputs, out)

    def forward(self, *given: Tensor) -> Tensor:
        """(..., input) each -> (..., out)."""
        return torch.tanh(self.value(*given)) * torch.sigmoid(self.gate(*given))
