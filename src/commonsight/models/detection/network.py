"""A small detector without anchors: every place of a map says what is there and how far its edges are.

In the manner of FCOS (Tian et al., 2019), on one map of stride 8, into which maps of strides 16 and 32 are
folded for what lies around. Small enough to be trained on one core, and to be shipped.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, interpolate

STRIDE = 8
"""Pixels from one place of the map to the next."""
COARSEST = 32
"""Pictures' sides are multiples of this, so that the maps fit on each other."""
RADIUS = 1.5
"""Places so near to an object's middle answer for it, counted in strides (FCOS's centre sampling)."""
BOX_WEIGHT = 2.0
_PRIOR = -4.6
"""Before anything is learned, each label holds with one in a hundred."""
FARTHEST = 6.0
"""An edge is at most e to this many strides away, so that no number grows beyond bounds."""


class Widths(NamedTuple):
    """Channels at strides 4, 8, 16 and 32, and of the map that is read."""

    fourth: int = 32
    eighth: int = 64
    sixteenth: int = 128
    coarsest: int = 128
    read: int = 64


class Found(NamedTuple):
    """What each place of the map says; places row by row from the top left."""

    logits: Tensor
    """(picture, place, label)"""
    boxes: Tensor
    """(picture, place, 4): left, top, right, bottom in pixels of the canvas."""


class Known(NamedTuple):
    """The objects of pictures, padded."""

    boxes: Tensor
    """(picture, object, 4): left, top, right, bottom in pixels of the canvas."""
    labels: Tensor
    """(picture, object): numbers of labels; -1 for padding."""


class Turned(nn.Sequential):
    """A convolution, normalised over the batch; what the two come to is one convolution (`export.py`)."""

    def __init__(
        self, before: int, after: int, kernel: int, stride: int = 1, around: int | None = None
    ) -> None:
        """`around` are the pixels of nothing at each edge; by default as many as keep the size."""
        padding = kernel // 2 if around is None else around
        super().__init__(
            nn.Conv2d(before, after, kernel, stride, padding, bias=False), nn.BatchNorm2d(after), nn.ReLU()
        )


class Block(nn.Module):
    """A narrow look and a wide one, added to what was there."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.narrow, self.wide = Turned(width, width // 2, 1), Turned(width // 2, width, 3)

    def forward(self, maps: Tensor) -> Tensor:
        """(picture, width, height, width) likewise."""
        seen: Tensor = maps + self.wide(self.narrow(maps))
        return seen


class SmallDetector(nn.Module):
    """Pixels to labels and boxes."""

    def __init__(self, labels: int, widths: Widths = Widths()) -> None:  # noqa: B008 - it is a value
        super().__init__()
        # Straight to stride 4: maps of stride 2 would cost as much as all the others together.
        self.stem = Turned(3, widths.fourth, 6, 4, 1)
        self.eighth = _stage(widths.fourth, widths.eighth, 2)
        self.sixteenth = _stage(widths.eighth, widths.sixteenth, 2)
        self.coarsest = _stage(widths.sixteenth, widths.coarsest, 1)
        self.from_eighth = nn.Conv2d(widths.eighth, widths.read, 1)
        self.from_sixteenth = nn.Conv2d(widths.sixteenth, widths.read, 1)
        self.from_coarsest = nn.Conv2d(widths.coarsest, widths.read, 1)
        self.mix = Turned(widths.read, widths.read, 3)
        self.what = Turned(widths.read, widths.read, 3)
        self.label = nn.Conv2d(widths.read, labels, 1)
        self.where = Turned(widths.read, widths.read, 3)
        self.edges = nn.Conv2d(widths.read, 4, 1)
        nn.init.constant_(self.label.bias, _PRIOR)  # type: ignore[arg-type]
        nn.init.constant_(self.edges.bias, 1.0)  # type: ignore[arg-type]

    def forward(self, pixels: Tensor) -> Found:
        """(picture, 3, height, width) from 0 to 1, sides multiples of `COARSEST`."""
        # Channels last: convolutions of few channels are a third faster so on a CPU.
        scaled = (pixels * 2.0 - 1.0).contiguous(memory_format=torch.channels_last)
        eighth = self.eighth(self.stem(scaled))
        sixteenth = self.sixteenth(eighth)
        around = self.from_sixteenth(sixteenth) + _doubled(self.from_coarsest(self.coarsest(sixteenth)))
        read = self.mix(self.from_eighth(eighth) + _doubled(around))
        logits = self.label(self.what(read)).flatten(2).transpose(1, 2)
        edges = self.edges(self.where(read))  # (picture, 4, height / 8, width / 8)
        reach = edges.float().clamp(max=FARTHEST).exp().flatten(2).transpose(1, 2) * STRIDE
        middles = places(edges.shape[2], edges.shape[3], edges.device)
        boxes = torch.cat((middles - reach[..., :2], middles + reach[..., 2:]), dim=-1)
        return Found(logits.float(), boxes)


def _stage(before: int, after: int, blocks: int) -> nn.Sequential:
    return nn.Sequential(Turned(before, after, 3, 2), *(Block(after) for _ in range(blocks)))


def _doubled(maps: Tensor) -> Tensor:
    return interpolate(maps, scale_factor=2.0, mode="nearest")


def places(tall: int, wide: int, device: torch.device) -> Tensor:
    """(place, 2): across and down of the middle of each place, in pixels."""
    down, across = torch.meshgrid(
        torch.arange(tall, device=device), torch.arange(wide, device=device), indexing="ij"
    )
    return (torch.stack((across, down), dim=-1).reshape(-1, 2) + 0.5) * STRIDE


def losses(found: Found, known: Known, middles: Tensor) -> Tensor:
    """(picture): how wrong labels and boxes are, each by the places that answer for an object."""
    owner = owners(known, middles)  # (picture, place)
    answers = owner >= 0
    count = answers.sum(dim=1).clamp(min=1)  # (picture)
    chosen = owner.clamp(min=0)
    label = known.labels.gather(1, chosen)  # (picture, place)
    wanted = torch.zeros_like(found.logits)
    wanted.scatter_(2, label.clamp(min=0).unsqueeze(2), answers.unsqueeze(2).to(wanted.dtype))
    told = binary_cross_entropy_with_logits(found.logits, wanted, reduction="none").sum(dim=(1, 2)) / count
    right = known.boxes.gather(1, chosen.unsqueeze(2).expand(-1, -1, 4))  # (picture, place, 4)
    apart = (1.0 - alike(found.boxes, right)).masked_fill(~answers, 0.0).sum(dim=1) / count
    return told + BOX_WEIGHT * apart


def owners(known: Known, middles: Tensor) -> Tensor:
    """(picture, place): which object each place answers for, the smallest of several; -1 for none.

    Those are places inside the box and near its middle; an object too small for any has the nearest one.
    """
    boxes = known.boxes.unsqueeze(2)  # (picture, object, 1, 4)
    centre = (boxes[..., :2] + boxes[..., 2:]) / 2
    off = (middles - centre).abs().amax(dim=-1)  # (picture, object, place)
    inside = ((middles > boxes[..., :2]) & (middles < boxes[..., 2:])).all(dim=-1)
    answers = (inside & (off < RADIUS * STRIDE)) | (off == off.amin(dim=-1, keepdim=True))
    answers &= (known.labels >= 0).unsqueeze(2)
    area = (boxes[..., 2:] - boxes[..., :2]).prod(dim=-1)  # (picture, object, 1)
    size, owner = area.expand_as(off).masked_fill(~answers, torch.inf).min(dim=1)
    return owner.masked_fill(size == torch.inf, -1)


def alike(first: Tensor, second: Tensor) -> Tensor:
    """(..., 4) twice -> (...): generalised intersection over union (Rezatofighi et al., 2019), -1 to 1."""
    inner = (
        (torch.minimum(first[..., 2:], second[..., 2:]) - torch.maximum(first[..., :2], second[..., :2]))
        .clamp(min=0)
        .prod(dim=-1)
    )
    outer = (
        (torch.maximum(first[..., 2:], second[..., 2:]) - torch.minimum(first[..., :2], second[..., :2]))
        .clamp(min=0)
        .prod(dim=-1)
    )
    either = _area(first) + _area(second) - inner
    return inner / either.clamp(min=1e-6) - (outer - either) / outer.clamp(min=1e-6)


def _area(boxes: Tensor) -> Tensor:
    return (boxes[..., 2:] - boxes[..., :2]).clamp(min=0).prod(dim=-1)
