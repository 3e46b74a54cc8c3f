"""A moving average of weights: smoother than any one step's, and often better."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

from commonsight.models.engine.checkpoint import refuse_foreign


class MovingAverage:
    """Of everything in a network that is a number with a point; whole numbers are taken as they are."""

    def __init__(self, network: nn.Module, stays: float) -> None:
        """`stays` is the share of the average that stays at each step, between 0 and 1."""
        self._stays = stays
        self.tensors = {name: value.detach().clone() for name, value in network.state_dict().items()}

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        """Take a step's weights into account."""
        for name, value in network.state_dict().items():
            if value.is_floating_point():
                self.tensors[name].lerp_(value, 1 - self._stays)
            else:
                self.tensors[name].copy_(value)

    def restore(self, kept: dict[str, Tensor], origin: Path) -> None:
        """Go on from an average that was kept."""
        refuse_foreign(self.tensors, kept, origin)
        for name, value in kept.items():
            self.tensors[name].copy_(value)

    @contextmanager
    def instead(self, network: nn.Module) -> Iterator[None]:
        """The network with the average for its weights, while the block lasts."""
        own = {name: value.detach().clone() for name, value in network.state_dict().items()}
        network.load_state_dict(self.tensors)
        try:
            yield
        finally:
            network.load_state_dict(own)
