"""A small convolutional network that learns from nothing: for the drawn world, on a CPU.

It reads each object's own pixels, cut out once and kept, so that a question costs as much as the objects that
it speaks of, and not as much as a picture. Trained beside a network of questions it is part of that network;
trained beforehand on scene graphs (`learning.py`) it is frozen, and its vectors are kept instead of pixels.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import layer_norm

from commonsight.errors import InputError
from commonsight.models.features.batch import Seen

GROUPS = 8
"""Channels are normalised in so many groups."""


class SmallRegions(nn.Module):
    """Crops of `size` pixels a side, halved by every stage of strided convolutions, then projected."""

    def __init__(self, dim: int, *, size: int = 64, widths: tuple[int, ...] = (24, 48, 96, 128)) -> None:
        super().__init__()
        self.dim, self.size = dim, size
        stages: list[nn.Module] = []
        for before, width in zip((3, *widths), widths, strict=False):
            kernel = 5 if before == 3 else 3
            stages += [
                nn.Conv2d(before, width, kernel, stride=2, padding=kernel // 2, bias=False),
                nn.GroupNorm(GROUPS, width),
                nn.ReLU(),
            ]
        self.stages = nn.Sequential(*stages)
        left = -(-size // 2 ** len(widths))  # each stage rounds up
        self.project = nn.Linear(widths[-1] * left * left, dim)

    def forward(self, seen: Seen) -> Tensor:
        """Vectors of the objects; their features are pixels from 0 to 255."""
        if seen.features is None or seen.features.shape[2:] != (3, self.size, self.size):
            raise InputError(
                f"This network reads crops of 3 x {self.size} x {self.size} pixels, and the batch has none. "
                "Give a dataset with pictures."
            )
        there = seen.mask.flatten().nonzero().squeeze(1)  # (object there)
        vectors = of_one_length(self.vectors(seen.features.flatten(0, 1)[there]))
        out: Tensor = vectors.new_zeros(seen.mask.numel(), self.dim).index_copy(0, there, vectors)
        return out.reshape(*seen.mask.shape, self.dim)

    def vectors(self, pixels: Tensor) -> Tensor:
        """(object, 3, size, size) from 0 to 255 -> (object, dim)"""
        scaled = pixels.to(self.project.weight.dtype) / 127.5 - 1.0
        found: Tensor = self.project(self.stages(scaled).flatten(1)).relu()
        return found


def of_one_length(vectors: Tensor) -> Tensor:
    """(object, dim) likewise; as they are, they drown the words that they are read beside."""
    return layer_norm(vectors, vectors.shape[-1:])
