"""The processes that train together, each with its part of every batch.

On its own a process is a team of one, and needs nothing. Started by `accelerate launch`, it finds the others:
gradients are averaged, sums are added up, and the first one writes. A team of any size learns the same from a
batch as one process does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from importlib import import_module
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from commonsight.errors import MissingExtra, UsageError
from commonsight.models.local_vlm.loading import device_of

PATIENCE = timedelta(days=7)
"""How long processes wait for each other: while one makes features, which may take days, the others do."""


class Team:
    """One process, or one of several."""

    def __init__(self, device: str | None = None) -> None:
        self._accelerator = _accelerator(device) if processes() > 1 else None
        if self._accelerator is None:
            self.device = device_of(device or ("cuda" if torch.cuda.is_available() else "cpu"))
            self.rank, self.size = 0, 1
        else:
            self.device = self._accelerator.device
            self.rank = int(self._accelerator.process_index)
            self.size = int(self._accelerator.num_processes)

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
        self._accelerator.free_memory()  # it would hold on to every network that it has seen
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
        return self.sums((value,))[0]

    def sums(self, values: Sequence[float]) -> list[float]:
        """The sum of each over all processes, in one exchange."""
        if self._accelerator is None:
            return list(values)
        own = torch.tensor(values, dtype=torch.float64, device=self.device)
        whole: list[float] = self._accelerator.reduce(own, reduction="sum").tolist()
        return whole

    @contextmanager
    def first_before_others(self) -> Iterator[None]:
        """The first process goes through the block alone; the others then find what it made."""
        if self._accelerator is None:
            yield
            return
        with self._accelerator.main_process_first():
            yield


def processes() -> int:
    """How many processes were started together, as `accelerate launch` and its kin tell each of them."""
    return int(os.environ.get("WORLD_SIZE") or "1")


def is_first() -> bool:
    """Whether this process writes and tells; known before there is a team."""
    return processes() < 2 or int(os.environ.get("RANK") or "0") == 0


def refuse_several(what: str) -> None:
    """For work that is one process's."""
    if processes() > 1:
        raise UsageError(f"`commonsight {what}` is one process's work. Start it without `accelerate launch`.")


def _accelerator(device: str | None) -> Any:
    """accelerate's own; a process alone does not import it."""
    try:
        accelerate = import_module("accelerate")
    except ImportError as error:
        raise MissingExtra("accelerate", "models") from error
    waiting = accelerate.InitProcessGroupKwargs(timeout=PATIENCE)
    cpu = device == "cpu" or not torch.cuda.is_available()  # or processes on CPUs would not find each other
    # What numbers are computed with is for the recipe to say, not for the launcher.
    return accelerate.Accelerator(cpu=cpu, mixed_precision="no", kwargs_handlers=[waiting])
