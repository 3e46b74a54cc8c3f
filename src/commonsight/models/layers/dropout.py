"""Dropout that is drawn from a generator, so that a seed repeats a step of training.

torch's own draws from its global chance, which everything else in a process draws from as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Generator, Tensor


def dropout(values: Tensor, share: float, generator: Generator | None, training: bool) -> Tensor:
    """In training, so large a share of all values is 0, and the others are larger by as much."""
    if not training or share == 0:
        return values
    return values * scales(values.shape, share, generator, values)


def scales(shape: Sequence[int], share: float, generator: Generator | None, like: Tensor) -> Tensor:
    """What values are multiplied by: 0 for a share of them, more than 1 for the rest.

    It is drawn where the generator lives and then moved beside `like`, so that one seed means the same on
    every device.
    """
    if generator is None:
        raise ValueError("dropout needs a generator to draw from: pass generator=, or call eval() first")
    drawn = torch.rand(tuple(shape), generator=generator, device=generator.device)
    return (drawn >= share).to(like.device, like.dtype) / (1 - share)


def checked(share: float) -> float:
    """The share, where it is one that can be dropped."""
    if not 0 <= share < 1:
        raise ValueError(f"dropout is {share:g}; give a share from 0 up to, but not, 1")
    return share
