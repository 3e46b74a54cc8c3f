"""What networks that read a text together with a picture make of both, before they score it.

Pre-training computes its losses from these states, and knows nothing else of such a network.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import torch
from torch import Generator, Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch, Pieces, Seen
from commonsight.models.regions import RegionEncoder


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
    reads: Tensor
    """(batch, choice, piece, piece): how much of it is each piece."""

    def attention(self, pieces: Pieces) -> dict[str, Tensor]:
        """What each word of the response looks at, as every network tells it: shares of 1 among the words of
        the query, and among the objects. A word looks where its pieces look."""
        if pieces.asked is None or pieces.said is None:
            return {}
        own = _of_words(pieces.said, self.looks).transpose(-1, -2)  # (batch, choice, word, piece)
        found = {"objects": _shares(own @ self.looks)}
        if pieces.asked.any():
            found["query"] = _shares(own @ self.reads @ _of_words(pieces.asked, self.reads))
        return found


def _of_words(words: Tensor, like: Tensor) -> Tensor:
    """(batch, choice, piece), numbers from 1 -> (batch, choice, piece, word): 1 where a piece is of it."""
    numbers = torch.arange(1, int(words.max()) + 1, device=words.device)
    return (words[..., None] == numbers).to(like.dtype)


def _shares(looks: Tensor) -> Tensor:
    return looks / looks.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(looks.dtype).tiny)


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
