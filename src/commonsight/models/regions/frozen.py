"""Vectors of objects that a frozen network made before, handed on as they are or projected."""

from __future__ import annotations

from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Seen
from commonsight.models.layers.masks import without_padding


class KeptRegions(nn.Module):
    """What was kept of each object, and nothing else."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, seen: Seen) -> Tensor:
        """(batch, object, dim)"""
        if seen.features is None or seen.features.shape[2:] != (self.dim,):
            raise InputError(
                f"This network reads {self.dim} numbers for each object, and the batch has none such. "
                "Give a dataset with pictures, and the encoder that it was trained with."
            )
        return without_padding(seen.features.float(), seen.mask)


class ProjectedRegions(nn.Module):
    """What was kept of each object, projected to as many numbers as are wanted."""

    def __init__(self, kept: int, dim: int) -> None:
        super().__init__()
        self.dim = dim
        self.kept = KeptRegions(kept)
        self.project = nn.Linear(kept, dim)

    def forward(self, seen: Seen) -> Tensor:
        """(batch, object, dim)"""
        return without_padding(self.project(self.kept(seen)).relu(), seen.mask)
