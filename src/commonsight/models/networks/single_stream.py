"""One stream: text and objects in one sequence, through one BERT.

VL-BERT and UNITER differ in what they put into the sequence and in how they score its first place; what lies
between is the same, and is here. Both begin from a BERT, whose embeddings and layers they take over.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import torch
from torch import Generator, Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch, Pieces, Seen
from commonsight.models.layers.bert import Looked, bert, hidden, read
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.even import evenly
from commonsight.models.network import Scores, scored
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.states import States, shown


class Laid(NamedTuple):
    """Text and objects before the first layer."""

    text: Tensor
    """(batch, choice, piece, dim)"""
    objects: Tensor
    """(batch, choice, object, dim)"""
    after: Tensor
    """(batch, choice, place, dim): what stands after the objects; no place at all where nothing does."""


class Inputs(Protocol):
    """A module that lays out the sequence, from BERT's embeddings and what is seen of the objects."""

    embeddings: Any

    def __call__(
        self, pieces: Pieces, seen: Seen, appearance: Tensor, *, generator: Generator | None
    ) -> Laid: ...


class SingleStream(nn.Module):
    """Inputs, a BERT's layers and pooler, and a head that gives [CLS] one number."""

    def __init__(
        self, inputs: Inputs, layers: Any, regions: RegionEncoder, head: nn.Module, *, drop: float
    ) -> None:
        """`layers` is a BERT; its embeddings belong to the inputs. `drop` is the head's dropout."""
        super().__init__()
        layers = bert(layers, wanted_by="A stream of text and objects")
        self.text_dim = self.region_dim = self.pooled_dim = int(layers.config.hidden_size)
        self.inputs, self.regions = inputs, regions
        self.encoder, self.pooler = layers.encoder, layers.pooler
        self.head, self.drop = head, drop

    @property
    def words(self) -> nn.Embedding:
        """The vectors of all pieces."""
        table: nn.Embedding = self.inputs.embeddings.word_embeddings
        return table

    def states(
        self, batch: Batch, *, appearance: Tensor | None = None, generator: Generator | None = None
    ) -> States:
        """Text and objects after the last layer."""
        pieces, seen = shown(batch)
        if appearance is None:
            appearance = self.regions(seen)  # (batch, object, dim)
        laid = self.inputs(pieces, seen, appearance, generator=generator)
        rows = laid.text.shape[:2]
        counts = [part.shape[2] for part in laid]  # pieces, objects, places after them
        values = torch.cat(laid, dim=2).flatten(0, 1)  # (batch x choice, place, dim)
        objects = seen.mask[:, None].expand(-1, rows[1], -1)
        there = torch.cat((pieces.mask, objects, pieces.mask.new_ones(*rows, counts[2])), dim=2)
        values, looks = evenly(values, there.flatten(0, 1), self._layers)
        text, regions, _ = torch.split(values, counts, dim=1)
        read_by_text, seen_by_text, _ = torch.split(looks[:, : counts[0]], counts, dim=2)
        parts = (text, regions, self.pooler(values), seen_by_text, read_by_text)
        return States(*(part.reshape(*rows, *part.shape[1:]) for part in parts))

    def _layers(self, values: Tensor, there: Tensor) -> Looked:
        """All of BERT's, over (row, place, dim); the weights are the last one's."""
        hiding, looks = hidden(there, values), values.new_zeros(())
        for layer in self.encoder.layer:
            values, looks = read(layer, values, hiding)
        return Looked(values, looks)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        """How well each choice fits; the attention is that of the last layer."""
        states = self.states(batch, generator=generator)
        pooled = dropout(states.pooled, self.drop, generator, self.training)
        attention = {} if self.training else states.attention(shown(batch).pieces)
        return scored(self.head(pooled).squeeze(-1), batch, attention=attention)


class Eyes(NamedTuple):
    """What every network that reads and sees is built from."""

    layers: Any
    """A BERT."""
    regions: RegionEncoder


def eyes(parts: Parts, name: str) -> Eyes:
    """Both, or an error that says what is missing."""
    if parts.regions is None:
        raise InputError(f"{name} looks at pictures, and there are none. Give a dataset with pictures.")
    return Eyes(bert(parts.transformer, wanted_by=name), parts.regions)
