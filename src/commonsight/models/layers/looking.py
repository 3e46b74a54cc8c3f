"""One question looks at many places: objects of a picture, or facts.

The module is that of Anderson et al. (2018). CRIC's networks (section 4.1) all have it, and what it looks at
last among the objects is what their answer points to, so that it can be taught where to look.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from commonsight.models.layers.joined import GatedTanh
from commonsight.models.layers.masks import masked_softmax, without_padding


class Gaze(NamedTuple):
    """What was seen, and where."""

    values: Tensor
    """(batch, dim of what is looked at); zeros where there was nothing."""
    weights: Tensor
    """(batch, place): shares of 1, or zeros where there was nothing."""
    scores: Tensor
    """(batch, place): before they became shares; padding may have any."""


class TopDown(nn.Module):
    """How well a place fits is a linear function of the gated tanh of both."""

    def __init__(self, attended: int, asking: int, hidden: int) -> None:
        super().__init__()
        self.meet = GatedTanh((attended, asking), hidden)
        # No bias: one number added to every place changes no softmax.
        self.look = nn.Linear(hidden, 1, bias=False)

    def forward(self, values: Tensor, asking: Tensor, mask: Tensor) -> Gaze:
        """(batch, place, attended), (batch, asking) and which places are there, (batch, place)."""
        return gazed(values, self.look(self.meet(values, asking[:, None])).squeeze(-1), mask)


class Combined(nn.Module):
    """What was found beside what looked for it: the product of a layer of each (CRIC,
    equations 1 and 2).

    The layers are linear, as the equations have them. At first what was found is times about 1: the product
    begins as a layer of what looked for it. A product of two small numbers would begin as next to nothing,
    and neither would learn much from it.
    """

    def __init__(self, found: int, asking: int, hidden: int) -> None:
        super().__init__()
        self.found, self.asking = nn.Linear(found, hidden), nn.Linear(asking, hidden)
        nn.init.ones_(self.found.bias)

    def forward(self, found: Tensor, asking: Tensor) -> Tensor:
        """(batch, found), (batch, asking) -> (batch, hidden)"""
        product: Tensor = self.found(found) * self.asking(asking)
        return product


def gazed(values: Tensor, scores: Tensor, mask: Tensor) -> Gaze:
    """(batch, place, dim), how well each place fits, (batch, place), and which are there."""
    weights = masked_softmax(scores, mask)
    seen = (weights[:, None] @ without_padding(values, mask)).squeeze(1)  # (batch, dim)
    return Gaze(seen, weights, scores)


def pointing_loss(scores: Tensor, mask: Tensor, targets: Tensor) -> Tensor:
    """(batch): the cross-entropy of where a question looks with where it should, (batch, place) each.

    Several targets share the mass. Where there is none, nothing is lost.
    """
    logs = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).log_softmax(dim=-1)
    wanted = targets & mask
    return -logs.masked_fill(~wanted, 0.0).sum(dim=-1) / wanted.sum(dim=-1).clamp(min=1)
