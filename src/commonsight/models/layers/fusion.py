"""Two vectors become one by way of their products: MLB's and MUTAN's bottlenecks.

A full bilinear map from two inputs to an output has inputs x inputs x outputs numbers. Both papers keep the
products and save the numbers: MLB by a map of low rank, MUTAN by a Tucker decomposition whose core is of low
rank in turn. Vectors may have any dimensions before the last that fit each other, so one query meets many
regions without a copy. What the papers drop out, and where, is for the model to say. The last bias can be
left out where a softmax follows, which would take it away again.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class MLB(nn.Module):
    """P (tanh(U x) ∘ tanh(V y)) + b, with biases within too: low-rank bilinear pooling (Kim et al., 2017)."""

    def __init__(self, first: int, second: int, *, rank: int, out: int, bias: bool = True) -> None:
        super().__init__()
        self.first = nn.Linear(first, rank)
        self.second = nn.Linear(second, rank)
        self.out = nn.Linear(rank, out, bias=bias)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """(..., first) and (..., second) -> (..., out)."""
        joint = self.first(first).tanh() * self.second(second).tanh()  # (..., rank)
        fused: Tensor = self.out(joint)
        return fused


class MUTAN(nn.Module):
    """A Tucker decomposition of the bilinear map, each slice of whose core is a sum of `rank` outer products.

    After Ben-younes et al., 2017: factors for both inputs (with tanh, as they have it) and for the output,
    and a core T[i, j, k] = Σ_r M[r, i, k] N[r, j, k] that is never built: the contraction is Σ_r (x̃ M_r) ∘
    (ỹ N_r).
    """

    def __init__(
        self,
        first: int,
        second: int,
        *,
        first_core: int,
        second_core: int,
        out_core: int,
        rank: int,
        out: int,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.rank = rank
        self.first = nn.Linear(first, first_core)
        self.second = nn.Linear(second, second_core)
        # No bias within the core: with one it would not be a core any more.
        self.first_slices = nn.Linear(first_core, rank * out_core, bias=False)
        self.second_slices = nn.Linear(second_core, rank * out_core, bias=False)
        self.out = nn.Linear(out_core, out, bias=bias)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        """(..., first) and (..., second) -> (..., out)."""
        one = self._sliced(self.first_slices(self.first(first).tanh()))
        other = self._sliced(self.second_slices(self.second(second).tanh()))
        fused: Tensor = self.out((one * other).sum(dim=-2))
        return fused

    def _sliced(self, products: Tensor) -> Tensor:
        """(..., rank x out_core) -> (..., rank, out_core)."""
        return products.reshape(*products.shape[:-1], self.rank, -1)

    def core(self) -> Tensor:
        """The whole core, (first_core, second_core, out_core): for looking at, not for computing with."""
        one, other = self._sliced(self.first_slices.weight.T), self._sliced(self.second_slices.weight.T)
        return torch.einsum("irk,jrk->ijk", one, other)
