"""Optimal transport between two sets of points of equal weight by proximal steps: IPOT (Xie et al., 2020)."""

from __future__ import annotations

import torch
from torch import Tensor

from commonsight.models.layers.masks import without_padding

STEP, STEPS = 0.5, 50
"""UNITER's: how far the plan may go in a step, and how many steps it takes."""


def cosine_cost(first: Tensor, second: Tensor) -> Tensor:
    """One less the cosine: (..., i, dim) and (..., j, dim) -> (..., i, j)."""
    one, other = (torch.nn.functional.normalize(each, dim=-1, eps=1e-5) for each in (first, second))
    return 1 - one @ other.transpose(-1, -2)


@torch.no_grad()
def plan(cost: Tensor, first: Tensor, second: Tensor, *, step: float = STEP, steps: int = STEPS) -> Tensor:
    """How much goes from each of the first to each of the second: (..., i, j), masks (..., i) and (..., j).

    Each of the first gives an equal share and each of the second takes one, all in all 1; padding takes part
    in nothing. The more steps, the nearer to the cheapest plan there is.
    """
    both = first[..., :, None] & second[..., None, :]
    gives, takes = _shares(first, cost), _shares(second, cost)
    kernel = (-cost / step).exp().masked_fill(~both, 0.0)
    moved = both.to(cost.dtype)
    column = takes  # (..., j)
    for _ in range(steps):
        nearer = kernel * moved
        row = _over(gives, (nearer @ column[..., None]).squeeze(-1))
        column = _over(takes, (row[..., None, :] @ nearer).squeeze(-2))
        moved = row[..., :, None] * nearer * column[..., None, :]
    return moved


def distance(cost: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """What the plan costs: (..., i, j) -> (...). The gradient is that of the cost, with the plan as it is."""
    cost = without_padding(cost, first).masked_fill(~second[..., None, :], 0.0)
    return (cost * plan(cost, first, second)).sum(dim=(-1, -2))


def _shares(mask: Tensor, like: Tensor) -> Tensor:
    count = mask.sum(dim=-1, keepdim=True).clamp(min=1)
    return mask.to(like.dtype) / count


def _over(wanted: Tensor, had: Tensor) -> Tensor:
    """What scales what is had to what is wanted; nothing where nothing is wanted."""
    return torch.where(wanted > 0, wanted / had.clamp(min=torch.finfo(had.dtype).tiny), torch.zeros_like(had))
