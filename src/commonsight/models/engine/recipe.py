"""How a network is trained: numbers, each as its paper has it where nothing else is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from commonsight.errors import UsageError

Loss = Literal["one", "any", "agreed", "shared", "in-batch"]


class Recipe(Struct, frozen=True):
    """The defaults are R2C's (VCR, appendix E)."""

    epochs: int = 20
    batch: int = 96
    accumulate: int = 1
    """A batch is read in so many pieces, whose gradients are added up before a step."""
    optimiser: Literal["adam", "adamw", "adamax", "sgd"] = "adam"
    rate: float = 2e-4
    decay: float = 1e-4
    """Weight decay: Adam's own and SGD's is added to gradients, AdamW takes it from weights."""
    momentum: float = 0.9
    """How much of its last step SGD keeps; the others have moments of their own."""
    clip: float | None = 1.0
    """The largest total length of all gradients."""
    warm_up: float = 0.0
    """The share of all steps over which the rate rises from nothing; it then falls evenly to nothing."""
    warm_up_steps: int | None = None
    """So many steps instead of a share of them."""
    steps: int | None = None
    """Training ends after so many steps, if that is before the last epoch."""
    lower_at: tuple[float, ...] = ()
    """Shares of all steps at which the rate is lowered; in between it stays, and does not fall evenly."""
    plateau: int | None = 2
    """Epochs without a better validation accuracy after which the rate is lowered."""
    lower: float = 0.5
    """What the rate is multiplied by whenever it is lowered."""
    patience: int | None = None
    """Epochs without a better validation accuracy after which training stops."""
    growth: float = 1.0
    """What the patience is multiplied by at every epoch that is better than all before it (1: it stays);
    whole epochs of it count."""
    ema: float | None = None
    """Weights that are kept are a moving average; this much of it stays at each step."""
    precision: Literal["full", "bf16"] = "full"
    loss: Loss = "one"
    """What training lowers; see `engine.losses`."""

    def __post_init__(self) -> None:
        """A recipe that could train nothing is none."""
        counts = ("epochs", "batch", "accumulate", "steps", "plateau", "patience")
        for name in counts:
            self._refuse(name, lambda value: value >= 1, "at least 1")
        self._refuse("warm_up_steps", lambda value: value >= 0, "at least 0")
        for name in ("rate", "clip"):
            self._refuse(name, lambda value: 0 < value < math.inf, "more than 0")
        self._refuse("decay", lambda value: 0 <= value < math.inf, "at least 0")
        self._refuse("growth", lambda value: 1 <= value < math.inf, "at least 1")
        for name in ("momentum", "warm_up"):
            self._refuse(name, lambda value: 0 <= value < 1, "a share of 1, and less than 1")
        for name in ("ema", "lower"):
            self._refuse(name, lambda value: 0 < value < 1, "a share between 0 and 1")

    def _refuse(self, name: str, allowed: Callable[[float], bool], remedy: str) -> None:
        value: float | None = getattr(self, name)
        if value is not None and not allowed(value):
            raise UsageError(f"{name.replace('_', '-')} is {value:g}. Give {remedy}.")
