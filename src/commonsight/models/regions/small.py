"""A small convolutional network that learns from nothing: for the drawn world, on a CPU.

It reads each object's own pixels, cut out once and kept, so that a question costs as much as the objects that
it speaks of, and not as much as a picture.
"""

from __future__ import annotations

from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Seen

_GROUPS = 8


class SmallRegions(nn.Module):
    """Crops of `size` pixels a side, halved by each stage of 3x3 convolutions, then projected."""

    def __init__(self, dim: int, *, size: int = 32, widths: tuple[int, ...] = (24, 48, 96)) -> None:
        super().__init__()
        self.dim, self.size = dim, size
        stages: list[nn.Module] = []
        for before, width in zip((3, *widths), widths, strict=False):
            stages += [nn.Conv2d(before, width, 3, padding=1, bias=False), nn.GroupNorm(_GROUPS, width)]
            stages += [nn.ReLU(), nn.MaxPool2d(2)]
        self.stages = nn.Sequential(*stages)
        left = size >> len(widths)
        self.project = nn.Linear(widths[-1] * left * left, dim)

    def forward(self, seen: Seen) -> Tensor:
        """Vectors of the objects; their features are pixels from 0 to 255."""
        if seen.features is None or seen.features.shape[2:] != (3, self.size, self.size):
            raise InputError(
                f"This network reads crops of 3 x {self.size} x {self.size} pixels, and the batch has none. "
                "Give a dataset with pictures."
            )
        there = seen.mask.flatten().nonzero().squeeze(1)  # (object there)
        pixels = seen.features.flatten(0, 1)[there].to(self.project.weight.dtype)
        vectors = self.project(self.stages(pixels / 127.5 - 1.0).flatten(1)).relu()
        out: Tensor = vectors.new_zeros(seen.mask.numel(), self.dim).index_copy(0, there, vectors)
        return out.reshape(*seen.mask.shape, self.dim)
