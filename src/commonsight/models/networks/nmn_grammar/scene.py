"""What modules look at: the objects of each picture, each in one of its panels, alone and two by two.

Lengths are told in widths of a panel, and finely near nought, so that whether two things touch can be seen;
of each object also how many of its panel are above it and below it. What any of this means is learned.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Seen
from commonsight.models.layers.perceptron import Perceptron

FINE = (1.0, 8.0, 40.0)
"""A length is told at each of these scales, up to where it saturates."""
RANKS = 4
"""Objects above or below are told apart up to so many."""
OWN = 6 * len(FINE) + 2 * RANKS
"""Numbers for an object's own place: how far it is from four walls, its width and height; its ranks."""
PAIR = 6 * len(FINE)
"""Of two objects: how far their sides are from each other, and the gaps between them."""


class Panels(NamedTuple):
    """How the panels of a picture lie side by side, in shares of its width."""

    number: int
    width: float
    step: float
    """From the left edge of one to that of the next."""


class Sight(NamedTuple):
    """The objects of a batch's pictures."""

    there: Tensor
    """(batch, object): 1 for objects; 0 for padding, and for the picture as a whole."""
    inside: Tensor
    """(batch, panel, object): 1 where an object lies in a panel."""
    things: Tensor
    """(batch, object, hidden): what each looks like, and where in its panel it is."""
    pairs: Tensor
    """(batch, object, object, related): how the first is to the second."""
    beside: Tensor
    """(batch, object, object): 1 for two objects of one panel."""


class Look(nn.Module):
    """Objects as a region encoder sees them, with their boxes, to what modules look at."""

    def __init__(self, regions: int, *, panels: Panels, hidden: int, related: int, dropout: float) -> None:
        super().__init__()
        self.panels = panels
        self.norm = nn.LayerNorm(regions)
        self.thing = Perceptron(regions + OWN, hidden, hidden, dropout=dropout)
        self.alike = nn.Linear(regions, related, bias=False)  # a bias would go away between two
        self.pair = Perceptron(PAIR + related, related, related, dropout=dropout)

    def forward(self, seen: Seen, features: Tensor, *, generator: Generator | None = None) -> Sight:
        """(batch, object, regions)"""
        there = seen.mask.clone()
        there[:, 0] = False  # the picture as a whole
        features = self.norm(features.masked_fill(~there[..., None], 0.0))
        boxes = seen.boxes.masked_fill(~there[..., None], 0.0)
        panel = self._panel(boxes)
        number = torch.arange(self.panels.number, device=boxes.device)
        inside = ((panel[:, None] == number[:, None]) & there[:, None]).to(features.dtype)
        others = 1 - torch.eye(boxes.shape[1], device=boxes.device, dtype=features.dtype)
        beside = (inside.transpose(1, 2) @ inside) * others
        own = self._own(boxes, panel)
        shown = torch.cat((features, _placed(own), _ranked(own, beside)), dim=-1)
        things = self.thing(shown, generator).relu()
        looks = self.alike(features)
        apart = (looks[:, :, None] - looks[:, None]).square()
        pairs = self.pair(torch.cat((_between(own), apart), dim=-1), generator).relu()
        return Sight(there.to(features.dtype), inside, things, pairs, beside)

    def _panel(self, boxes: Tensor) -> Tensor:
        """(batch, object): in which panel the middle of each lies."""
        middle = (boxes[..., 0] + boxes[..., 2]) / 2
        return (middle / self.panels.step).floor().clamp(0, self.panels.number - 1)

    def _own(self, boxes: Tensor, panel: Tensor) -> Tensor:
        """(batch, object, 4): left, top, right, bottom in its own panel, as shares of that."""
        begin = (panel * self.panels.step)[..., None]
        left, top, right, bottom = boxes.chunk(4, dim=-1)
        across = [(side - begin) / self.panels.width for side in (left, right)]
        return torch.cat((across[0], top, across[1], bottom), dim=-1)


def _fine(lengths: Tensor) -> Tensor:
    """(..., length) -> (..., scale x length)"""
    return torch.cat([(scale * lengths).tanh() for scale in FINE], dim=-1)


def _placed(own: Tensor) -> Tensor:
    """(batch, object, number): how far from the walls, and how large."""
    left, top, right, bottom = own.chunk(4, dim=-1)
    return _fine(torch.cat((left, top, 1 - right, 1 - bottom, right - left, bottom - top), dim=-1))


def _ranked(own: Tensor, beside: Tensor) -> Tensor:
    """(batch, object, number): how many of its panel are higher and lower, one for each number reached."""
    middle = (own[..., 1] + own[..., 3]) / 2
    steps = torch.arange(RANKS, device=own.device)
    higher = (middle[:, None] < middle[..., None]) * beside  # (batch, object, object)
    lower = (middle[:, None] > middle[..., None]) * beside
    reached = [one.sum(dim=-1, keepdim=True) > steps for one in (higher, lower)]
    return torch.cat(reached, dim=-1).to(own.dtype)


def _between(own: Tensor) -> Tensor:
    """(batch, object, object, number): where the first is in the light of the second."""
    first, second = own[:, :, None], own[:, None]
    # Its left and top from the other's right and bottom; its right and bottom from the other's left and top.
    near, far = (first - second.roll(2, dims=-1)).chunk(2, dim=-1)
    sides = torch.cat((near, -far), dim=-1)
    return _fine(torch.cat((sides, torch.maximum(near, -far)), dim=-1))
