"""Weights that begin evenly spread, where a paper says so."""

from __future__ import annotations

from torch import nn


def within(bound: float, *modules: nn.Module) -> None:
    """Draw every weight and bias of these anew, evenly from -bound to bound."""
    for module in modules:
        for weight in module.parameters():
            nn.init.uniform_(weight, -bound, bound)
