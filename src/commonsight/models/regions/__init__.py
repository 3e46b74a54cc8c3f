"""Where networks get a vector for each object of a picture: one encoder a file."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from commonsight.models.features.batch import Seen


class RegionEncoder(Protocol):
    """A module that gives every object its vector: (batch, object, dim), zeros for padding.

    It reads what was made once and kept: `seen.features` of each object, or `seen.maps` of each picture, from
    which it cuts `seen.boxes`.
    """

    dim: int

    def __call__(self, seen: Seen) -> Tensor: ...
