"""How good pre-training is, for an engine that keeps the best weights: by losses on questions held out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch
from torch import nn

from commonsight.models.features.batch import Batch
from commonsight.models.pretraining.objective import Pretraining


class Summing(Protocol):
    """The processes that train together, as far as is needed here."""

    @property
    def device(self) -> Any: ...

    def summed(self, value: float) -> float:
        """The sum over all of them."""
        ...


class HeldOut:
    """A judge that reads this process's batches anew each time.

    What is hidden is the same at every time: without a generator, pre-training draws from one seed.
    """

    def __init__(self, batches: Callable[[], Iterable[Batch]]) -> None:
        self._batches = batches
        self.last: dict[str, float] = {}
        """What each objective lost when it was last judged, by name."""

    def __call__(self, network: nn.Module, team: Summing) -> float:
        """Higher is better, and between 0 and 1: the less is lost on average, the nearer to 1."""
        assert isinstance(network, Pretraining)
        self.last = self.losses(network, team)
        return _share(sum(self.last.values())) if self.last else 0.0

    def losses(self, network: Pretraining, team: Summing) -> dict[str, float]:
        """Each objective's mean over questions; none where nothing is held out."""
        training = network.training
        network.eval()
        names = [str(each.name) for each in network.objectives]
        totals, count = dict.fromkeys(names, 0.0), 0.0
        try:
            with torch.inference_mode():
                for batch in self._batches():
                    found = network.losses(batch.to(team.device))
                    for name, loss in found.items():
                        totals[name] += float(loss) * len(batch)
                    count += len(batch)
        finally:
            network.train(training)
        whole = team.summed(count)
        sums = {name: team.summed(total) for name, total in totals.items()}
        return {name: total / whole for name, total in sums.items()} if whole else {}


def _share(loss: float) -> float:
    """Of 1; a loss may be below zero, as that of alignment is, so a bend comes first that is above it."""
    return 1 / (1 + max(loss, 0.0) + math.log1p(math.exp(-abs(loss))))
