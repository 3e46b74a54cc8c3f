"""Attention between two sequences: bilinear, and both ways at once.

Either gives its weights too, so that they can be kept in a run and drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from commonsight.models.layers.masks import masked_softmax, without_padding


class Attended(NamedTuple):
    """For each place that asks, what it sees of the other sequence."""

    values: Tensor
    """(..., asking place, dim of what is attended); zeros where there was nothing to attend."""
    weights: Tensor
    """(..., asking place, attended place): shares of 1, or zeros where there was nothing to attend."""


class BothWays(NamedTuple):
    """Each of two sequences in terms of the other."""

    first: Attended
    second: Attended


class BilinearAttention(nn.Module):
    """How well two places go together is r·W·q; equation 2 of the VCR paper, for the query and for the
    objects.

    There is no bias: one number added to every score changes no softmax. Nor is there a scale, since the
    paper has none.
    """

    def __init__(self, asking: int, attended: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(asking, attended))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, asking: Tensor, attended: Tensor, mask: Tensor) -> Attended:
        """(..., i, asking), (..., j, attended) and the mask of the latter, (..., j).

        Padding among what asks is answered as well, and whoever pools over it leaves it out; it has no mask
        here, so it must be finite, as an LSTM's zeros are.
        """
        attended = without_padding(attended, mask)
        scores = asking @ self.weight @ attended.transpose(-1, -2)  # (..., i, j)
        weights = masked_softmax(scores, mask.unsqueeze(-2))
        return Attended(weights @ attended, weights)


def co_attention(first: Tensor, second: Tensor, first_mask: Tensor, second_mask: Tensor) -> BothWays:
    """Soft alignment as in ESIM: one table of dot products, read by rows for the first and by columns for the
    second.

    (..., i, dim), (..., j, dim) and their masks, (..., i) and (..., j). There is nothing to learn here, so
    all that comes before it can be computed once for each text and not once for each pair.
    """
    first, second = without_padding(first, first_mask), without_padding(second, second_mask)
    scores = first @ second.transpose(-1, -2)  # (..., i, j)
    over_second = masked_softmax(scores, second_mask.unsqueeze(-2))  # (..., i, j)
    over_first = masked_softmax(scores.transpose(-1, -2), first_mask.unsqueeze(-2))  # (..., j, i)
    return BothWays(Attended(over_second @ second, over_second), Attended(over_first @ first, over_first))
