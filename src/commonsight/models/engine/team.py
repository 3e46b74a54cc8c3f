"""The processes that train together, each with its part of every batch.

On its own a process is a team of one, and needs nothing. Started by `accelerate launch`, it finds the others:
gradients are averaged, sums are added up, and the first one writes. A team of any size learns the same from a
batch as one process does.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from commonsight.errors import MissingExtra


class Team:
    """One process, or one of several."""

    def __init__(self, device: str | None = None) -> None:
        self._accelerator = _accelerator(device)
        chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.device = torch.device(chosen) if self._accelerator is None else self._accelerator.device
        self.rank = 0 if self._accelerator is None else int(self._accelerator.process_index)
        self.size = 1 if self._accelerator is None else int(self._accelerator.num_processes)

    @property
    def first(self) -> bool:
        """Whether this is the process that writes and tells."""
        return self.rank == 0

    def share(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """This process's part of a batch; they take turns, so that lengths are even."""
        return numbers[self.rank :: self.size]

    def wrapped(self, network: nn.Module) -> nn.Module:
        """The network, moved to the device, so that its gradients are averaged over the team."""
        network.to(self.device)
        if self._accelerator is None:
            return network
        found: nn.Module = self._accelerator.prepare_model(network)
        return found

    def unsynchronised(self, network: nn.Module) -> AbstractContextManager[Any]:
        """Gradients are gathered but not averaged yet, for there is more to come."""
        if self._accelerator is None:
            return nullcontext()
        found: AbstractContextManager[Any] = self._accelerator.no_sync(network)
        return found

    def summed(self, value: float) -> float:
        """The sum over all processes."""
        if self._accelerator is None:
            return value
        whole = self._accelerator.reduce(
            torch.tensor(value, dtype=torch.float64, device=self.device), reduction="sum"
        )
        return float(whole)


def _accelerator(device: str | None) -> Any:
    """accelerate's own, where several processes were started; a process alone does not import it."""
    if int(os.environ.get("WORLD_SIZE", "1")) < 2:
        return None
    try:
        accelerate = import_module("accelerate")
    except ImportError as error:
        raise MissingExtra("accelerate", "models") from error
    return accelerate.Accelerator(cpu=device == "cpu")
