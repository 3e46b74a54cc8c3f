"""Dropout that draws from a generator, so that a seed and a step say all about what is dropped."""

from __future__ import annotations

import torch
from torch import Generator, Tensor


def dropout(values: Tensor, share: float, generator: Generator | None, *, training: bool) -> Tensor:
    """Each number is dropped with this chance while training; what stays is scaled up to make up for it."""
    if not training or share == 0:
        return values
    if generator is None:
        raise ValueError("dropout needs a generator to draw from: pass generator=, or call eval() first")
    drawn = torch.rand(values.shape, generator=generator, device=generator.device)
    return values * ((drawn >= share).to(values.device, values.dtype) / (1 - share))
