"""Where training stands: all that decides how it goes on, beside weights and the optimiser's memory."""

from __future__ import annotations

from msgspec import Struct


class EpochLine(Struct, frozen=True):
    """What one epoch came to."""

    epoch: int
    loss: float
    """Of the choices, over the training questions, as they were met."""
    extra: float
    """The network's own, beside it."""
    accuracy: float
    """On the validation questions, after it."""
    rate: float


class State(Struct, frozen=True):
    """Where training stands, between two steps."""

    epoch: int = 0
    """The one under way, from 0."""
    done: int = 0
    """Batches of it that were learned from."""
    step: int = 0
    """Steps in all."""
    seen: int = 0
    """Questions of this epoch so far, and the sums of their losses."""
    loss: float = 0.0
    extra: float = 0.0
    lowered: float = 1.0
    """What plateaus have left of the rate."""
    best: float = -1.0
    """The best validation accuracy, and after which epoch it was."""
    best_epoch: int = -1
    waited: int = 0
    """Epochs since then, or since the rate was lowered."""
    history: tuple[EpochLine, ...] = ()
    finished: str | None = None
    """Why training ended, once it has."""
