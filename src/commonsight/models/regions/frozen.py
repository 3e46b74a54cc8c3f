"""Vectors that a frozen encoder made once, handed on as they are."""

from __future__ import annotations

from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Seen


class FrozenRegions(nn.Module):
    """Nothing to train: networks project vectors themselves."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, seen: Seen) -> Tensor:
        """The vectors of the objects, which the batch brings along."""
        if seen.features is None or seen.features.shape[2:] != (self.dim,):
            raise InputError(
                f"This network reads vectors of {self.dim} numbers for each object, and the batch has none. "
                "Give a dataset with pictures, and see them as in training."
            )
        return seen.features.float().masked_fill(~seen.mask.unsqueeze(-1), 0.0)
