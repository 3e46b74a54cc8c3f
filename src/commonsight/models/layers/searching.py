"""Learning to choose by policy search: one of several is drawn, and what loses less than was expected becomes
likelier (REINFORCE, with what is expected learned beside it).
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor
from torch.nn.functional import mse_loss


def log_shares(scores: Tensor, allowed: Tensor) -> Tensor:
    """(batch, choice): how likely each is, as a logarithm; very low where it may not be."""
    return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).log_softmax(dim=-1)


def drawn(logs: Tensor, allowed: Tensor, generator: Generator | None) -> Tensor:
    """(batch): one of those that are allowed, as likely as it is."""
    if generator is None:
        raise ValueError("choices are drawn from a generator: pass generator=, or call eval() first")
    # The greatest of logarithms with Gumbel's noise is drawn as likely as it is (and never one that may
    # not be); noise is made where the generator lives, so that a seed means the same on every device.
    chance = torch.rand(logs.shape, generator=generator, device=generator.device).clamp(min=1e-20)
    noisy = logs.detach() - (-chance.to(logs.device, logs.dtype).log()).log()
    return noisy.masked_fill(~allowed, torch.finfo(logs.dtype).min).argmax(dim=1)


def entropy_of(logs: Tensor, allowed: Tensor) -> Tensor:
    """(batch): how undecided a choice is."""
    return -(logs.exp() * logs.masked_fill(~allowed, 0.0)).sum(dim=1)


def search_loss(
    lost: Tensor, expected: Tensor, log_chance: Tensor, entropy: Tensor, *, weight: float
) -> Tensor:
    """(batch): a loss whose gradient is that of the expected loss, over all that could have been drawn, less
    that of the weighed entropy; and how far off what was expected is, which moves nothing else."""
    lost = lost.detach()
    worse = lost - expected.detach()
    return worse * log_chance - weight * entropy + mse_loss(expected, lost, reduction="none")
