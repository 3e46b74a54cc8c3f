"""Masked region modelling: what a hidden object looks like, or what it is, told from the text and the others.

A hidden object keeps its place in the picture; what it looks like is replaced by one learned vector, also
where a word points to it. The whole picture is never hidden. It does show what is hidden, unlike in VL-BERT,
which blackens the pixels first: here what is seen was made once and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import kl_div, layer_norm, mse_loss, one_hot

from commonsight.models.features.batch import Batch, Seen
from commonsight.models.features.vocabulary import UNKNOWN
from commonsight.models.pretraining.masking import WORDS_HIDDEN, some
from commonsight.models.states import CrossModal, shown

Distribution = Callable[[Seen], Tensor]
"""(batch, object, class): how likely each object is of each class, by whoever found it."""


class _Hidden(NamedTuple):
    """What became of hidden objects."""

    states: Tensor
    """(hidden object, region dim)"""
    appearance: Tensor
    """(hidden object, dim): what they look like."""


class _Hiding(nn.Module):
    """Hides objects, and reads the rest."""

    def __init__(self, seen: int) -> None:
        super().__init__()
        self.blank = nn.Parameter(torch.zeros(seen).normal_(0.0, 0.02))

    def forward(self, network: CrossModal, batch: Batch, hidden: Tensor, generator: Generator) -> _Hidden:
        """`hidden` is (batch, object)."""
        appearance = network.regions(shown(batch).seen)  # (batch, object, dim)
        covered = torch.where(hidden[..., None], self.blank, appearance)
        states = network.states(batch, appearance=covered, generator=generator)
        return _Hidden(states.regions[:, 0][hidden], appearance[hidden])


class RegionFeatures(nn.Module):
    """UNITER's regression: a hidden object's look, by least squares.

    Looks are brought to one scale first, which encoders differ in; else this loss could drown all others. And
    they are taken as they are: an encoder that learns is not moved towards what can be told easily.
    """

    name = "region-features"

    def __init__(self, region_dim: int, seen: int, *, share: float = WORDS_HIDDEN) -> None:
        super().__init__()
        self.hiding, self.share = _Hiding(seen), share
        self.head = _head(region_dim, seen)

    def forward(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The mean over hidden objects and all numbers of each."""
        hidden = some(objects(shown(batch).seen), self.share, generator)
        if not hidden.any():
            return network.words.weight.new_zeros(())
        states, appearance = self.hiding(network, batch, hidden, generator)
        look = appearance.detach()
        return mse_loss(self.head(states), layer_norm(look, look.shape[-1:]))


class RegionClasses(nn.Module):
    """Which class a hidden object is of: the divergence from how likely each class is.

    A detector says how likely; where only a label is known, all of the likelihood is on that, and the
    divergence is the cross entropy of VL-BERT's classification.
    """

    name = "region-classes"

    def __init__(
        self,
        region_dim: int,
        seen: int,
        classes: int,
        *,
        distribution: Distribution | None = None,
        share: float = WORDS_HIDDEN,
    ) -> None:
        super().__init__()
        self.hiding, self.share = _Hiding(seen), share
        self.head, self.classes = _head(region_dim, classes), classes
        self.distribution = distribution

    def forward(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The mean over hidden objects."""
        seen = shown(batch).seen
        there = objects(seen)
        if self.distribution is None:
            there = there & (seen.classes != UNKNOWN)
        hidden = some(there, self.share, generator)
        if not hidden.any():
            return network.words.weight.new_zeros(())
        likely = self.labels(seen) if self.distribution is None else self.distribution(seen)
        found = self.hiding(network, batch, hidden, generator)
        told = self.head(found.states).log_softmax(dim=-1)
        return kl_div(told, likely[hidden].to(told.dtype), reduction="batchmean")

    def labels(self, seen: Seen) -> Tensor:
        """All on the label: (batch, object, class)."""
        return one_hot(seen.classes, self.classes)


def objects(seen: Seen) -> Tensor:
    """(batch, object): those that may be hidden, all but the whole picture."""
    there = seen.mask.clone()
    there[:, 0] = False
    return there


def _head(dim: int, out: int) -> nn.Module:
    return nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.LayerNorm(dim, eps=1e-12), nn.Linear(dim, out))
