"""What is there and what is padding: masks, and pooling that sees only what is there.

Masked places are filled and not multiplied by zero, for zero times infinity is not zero. Where a mask has
nothing at all, every function gives zeros, and gradients of zero, so that an item without objects needs no
case of its own.
"""

from __future__ import annotations

import torch
from torch import Tensor


def lengths_to_mask(lengths: Tensor, longest: int | None = None) -> Tensor:
    """True for the first so many places of each row: (...) whole numbers -> (..., longest)."""
    if longest is None:
        longest = int(lengths.max()) if lengths.numel() else 0
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(-1)


def without_padding(values: Tensor, mask: Tensor) -> Tensor:
    """Zeros in the places of padding: (..., place, dim) with (..., place)."""
    return values.masked_fill(~mask.unsqueeze(-1), 0.0)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Shares of 1 over the last dimension, among what the mask has: (..., place) and a mask that fits."""
    # The lowest finite number, not minus infinity: a row of the latter has no softmax and no gradient.
    shares = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return shares.masked_fill(~mask, 0.0)


def masked_max(values: Tensor, mask: Tensor) -> Tensor:
    """The largest value of each dimension: (..., place, dim) with (..., place) -> (..., dim).

    Places that share the largest value share its gradient, so that their order does not matter.
    """
    some = mask.any(dim=-1, keepdim=True)  # (..., 1)
    if not values.shape[-2]:
        return values.sum(dim=-2)
    highest = values.masked_fill(~mask.unsqueeze(-1), torch.finfo(values.dtype).min).amax(dim=-2)
    return highest.masked_fill(~some, 0.0)


def masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """The mean of each dimension: (..., place, dim) with (..., place) -> (..., dim)."""
    count = mask.sum(dim=-1, keepdim=True).clamp(min=1)  # (..., 1)
    return without_padding(values, mask).sum(dim=-2) / count
