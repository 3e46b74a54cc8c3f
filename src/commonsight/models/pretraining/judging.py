"""How good pre-training is, for an engine that keeps the best weights: by losses on questions held out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch
from torch import nn

from commonsight.models.features.batch import Batch


class Summing(Protocol):
    """The processes that train together, as far as is needed here."""

    @property
    def device(self) -> Any: ...

    def summed(self, value: float) -> float:
        """The sum over all of them."""
        ...


def held_out(batches: Callable[[], Iterable[Batch]]) -> Callable[[nn.Module, Summing], float]:
    """A judge that reads this process's batches anew each time.

    Higher is better, and between 0 and 1: the less is lost on average, the nearer to 1. What is hidden is
    the same at every time: without a generator, pre-training draws from one seed.
    """

    def judged(network: nn.Module, team: Summing) -> float:
        training = network.training
        network.eval()
        total = count = 0.0
        try:
            with torch.inference_mode():
                for batch in batches():
                    total += float(network(batch.to(team.device)).extra) * len(batch)
                    count += len(batch)
        finally:
            network.train(training)
        whole = team.summed(count)
        return _share(team.summed(total) / whole) if whole else 0.0

    return judged


def _share(loss: float) -> float:
    """Of 1; a loss may be below zero, as that of alignment is, so a bend comes first that is above it."""
    return 1 / (1 + max(loss, 0.0) + math.log1p(math.exp(-abs(loss))))
