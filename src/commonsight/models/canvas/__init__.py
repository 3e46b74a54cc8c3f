"""Where networks get a map of a whole canvas from: one encoder a file."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor


class CanvasEncoder(Protocol):
    """A module that turns what was kept of a canvas into a map: (batch, dim, height, width)."""

    dim: int

    def __call__(self, canvas: Tensor) -> Tensor: ...
