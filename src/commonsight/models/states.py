"""What networks that read a text together with a picture make of both, before they score it.

Pre-training computes its losses from these states, and knows nothing else of such a network.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from torch import Generator, Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch, Pieces, Seen
from commonsight.models.regions import RegionEncoder

LOOKS = "objects"
"""The name of what pieces of text look at in a picture, among a network's attention."""


class States(NamedTuple):
    """Every place of both sequences, after the last layer."""

    text: Tensor
    """(batch, choice, piece, text dim)"""
    regions: Tensor
    """(batch, choice, object, region dim)"""
    pooled: Tensor
    """(batch, choice, pooled dim): text and picture as one."""
    looks: Tensor
    """(batch, choice, piece, object): how much of what a piece looks at is each object."""


@runtime_checkable
class CrossModal(Protocol):
    """A network, a `torch.nn.Module`, that has such states."""

    text_dim: int
    region_dim: int
    pooled_dim: int
    regions: RegionEncoder

    @property
    def words(self) -> nn.Embedding:
        """The vectors of all pieces, which a head that predicts pieces shares."""
        ...

    def states(
        self, batch: Batch, *, appearance: Tensor | None = None, generator: Generator | None = None
    ) -> States:
        """With `appearance`, (batch, object, dim), instead of what the region encoder sees."""
        ...


class Shown(NamedTuple):
    """What such a network reads of a batch."""

    pieces: Pieces
    seen: Seen


def shown(batch: Batch) -> Shown:
    """Both, or an error that says what is missing."""
    if batch.pieces is None or batch.seen is None:
        missing = "text in sub-words" if batch.pieces is None else "objects"
        raise InputError(f"This network reads a text and a picture together; the batch has no {missing}.")
    return Shown(batch.pieces, batch.seen)
