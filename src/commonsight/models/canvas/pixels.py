"""Convolutions over a canvas's own pixels, learned from nothing."""

from __future__ import annotations

from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.regions.small import GROUPS


class PixelMaps(nn.Module):
    """Every stage halves the canvas; a last one gives as many channels as are wanted."""

    def __init__(self, dim: int, *, widths: tuple[int, ...] = (24, 48)) -> None:
        super().__init__()
        self.dim = dim
        stages: list[nn.Module] = []
        for before, width in zip((3, *widths), (*widths, dim), strict=True):
            kernel = 5 if before == 3 else 3
            stages += [
                nn.Conv2d(before, width, kernel, stride=2, padding=kernel // 2, bias=False),
                nn.GroupNorm(GROUPS if width % GROUPS == 0 else 1, width),
                nn.ReLU(),
            ]
        self.stages = nn.Sequential(*stages)

    def forward(self, canvas: Tensor) -> Tensor:
        """(batch, 3, height, width) from 0 to 255 -> (batch, dim, height / 8, width / 8) for two widths"""
        if canvas.ndim != 4 or canvas.shape[1] != 3:
            raise InputError(
                f"This network reads pixels of three colours, and the batch has {list(canvas.shape[1:])}."
            )
        scaled = canvas.to(next(self.parameters()).dtype) / 127.5 - 1.0
        found: Tensor = self.stages(scaled)
        return found
