"""How a network is trained: numbers, each as its paper has it where nothing else is said."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Recipe(Struct, frozen=True):
    """The defaults are R2C's (VCR, appendix E)."""

    epochs: int = 20
    batch: int = 96
    accumulate: int = 1
    """A batch is read in so many pieces, whose gradients are added up before a step."""
    optimiser: Literal["adam", "adamw"] = "adam"
    rate: float = 2e-4
    decay: float = 1e-4
    """Weight decay: Adam's own adds it to gradients, AdamW takes it from weights."""
    clip: float | None = 1.0
    """The largest total length of all gradients."""
    warm_up: float = 0.0
    """The share of all steps over which the rate rises from nothing; it then falls evenly to nothing."""
    plateau: int | None = 2
    """Epochs without a better validation accuracy after which the rate is lowered."""
    lower: float = 0.5
    patience: int | None = None
    """Epochs without a better validation accuracy after which training stops."""
    ema: float | None = None
    """Weights that are kept are a moving average; this much of it stays at each step."""
    precision: Literal["full", "bf16"] = "full"
