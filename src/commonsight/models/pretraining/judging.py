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

    Higher is better, so it is the share of 1 that a logistic curve makes of the mean loss, turned round.
    What is hidden is the same at every time: without a generator, pre-training draws from one seed.
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
        return 1 / (1 + math.exp(min(700.0, team.summed(total) / whole))) if whole else 0.0

    return judged
