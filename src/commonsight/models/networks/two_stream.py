"""Two streams that look at each other: ERNIE-ViL (Yu et al., 2020), with ViLBERT's layers (Lu et al., 2019).

Text goes through a BERT, objects through layers of their own. Before each of its last layers, either stream
looks at the other: text asks and objects answer, and the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import pad

from commonsight.models.features.batch import Batch, Seen
from commonsight.models.layers.bert import Looked, begun, bert, hidden, modelling, read, sized
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.even import groups, in_order
from commonsight.models.network import Scores, scored
from commonsight.models.networks.single_stream import eyes
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.states import States, shown


class Stream(NamedTuple):
    """One of the two sequences."""

    values: Tensor
    """(row, place, dim)"""
    hiding: Tensor
    """(row, 1, 1, place): keeps padding from being looked at."""


class Heard(NamedTuple):
    """Both sequences after they have looked at each other once."""

    text: Tensor
    objects: Tensor
    looks: Tensor
    """(row, piece, object): where the text looked."""


class Met(NamedTuple):
    """Both sequences after all layers."""

    text: Tensor
    """(row, piece, dim)"""
    objects: Tensor
    """(row, object, dim)"""
    looks: Tensor
    """(row, piece, object): where the text looked last."""
    reads: Tensor
    """(row, piece, piece): where it looked in itself."""


class CoAttention(nn.Module):
    """One sequence looks at another, of another width: BERT's layer with keys and values from there."""

    def __init__(self, asking: Any, attended: int, between: Any) -> None:
        """The asking stream's numbers, the other's width, and the numbers of what lies between them."""
        super().__init__()
        library, inner = modelling(), between.hidden_size
        self.attention = library.BertCrossAttention(between)
        self.attention.query = nn.Linear(asking.hidden_size, inner)
        self.attention.key = nn.Linear(attended, inner)
        self.attention.value = nn.Linear(attended, inner)
        self.output = library.BertSelfOutput(asking)
        self.output.dense = nn.Linear(inner, asking.hidden_size)
        self.wide, self.narrow = library.BertIntermediate(asking), library.BertOutput(asking)

    def forward(self, asking: Stream, attended: Stream) -> Looked:
        """What the asking stream makes of the other, and where it looked."""
        heard, weights = self.attention(asking.values, attended.values, attended.hiding)
        values = self.output(heard, asking.values)
        out: Tensor = self.narrow(self.wide(values), values)
        return Looked(out, weights.mean(dim=1))


class Connection(nn.Module):
    """Both ways at once."""

    def __init__(self, text: Any, objects: Any) -> None:
        """The numbers of both streams; attention between them has those of the objects."""
        super().__init__()
        self.text = CoAttention(text, objects.hidden_size, objects)
        self.objects = CoAttention(objects, text.hidden_size, objects)

    def forward(self, text: Stream, objects: Stream) -> Heard:
        """What each makes of the other as it was."""
        heard: Looked = self.text(text, objects)
        told: Looked = self.objects(objects, text)
        return Heard(heard.values, told.values, heard.weights)


def met_evenly(
    layers: Callable[[Stream, Stream], Met],
    text: Tensor,
    text_mask: Tensor,
    objects: Tensor,
    object_mask: Tensor,
) -> Met:
    """Both streams through all layers, rows of like length together; padding stands last in each."""
    lengths = torch.stack((text_mask.sum(dim=1), object_mask.sum(dim=1)), dim=1)  # (row, stream)
    taken, met = groups(lengths), []
    for rows, (pieces, seen) in taken:
        one, other = text[rows, :pieces], objects[rows, :seen]
        found = layers(
            Stream(one, hidden(text_mask[rows, :pieces], one)),
            Stream(other, hidden(object_mask[rows, :seen], other)),
        )
        far, wide = text.shape[1] - pieces, objects.shape[1] - seen
        met.append(
            Met(
                pad(found.text, (0, 0, 0, far)),
                pad(found.objects, (0, 0, 0, wide)),
                pad(found.looks, (0, wide, 0, far)),
                pad(found.reads, (0, far, 0, far)),
            )
        )
    return Met(*(in_order(parts, taken) for parts in zip(*met, strict=True)))


class RegionInputs(nn.Module):
    """An object is the sum of what it looks like and where it is."""

    def __init__(self, seen: int, width: int, drop: float) -> None:
        super().__init__()
        self.appearance, self.location = nn.Linear(seen, width), nn.Linear(5, width)
        self.norm, self.drop = nn.LayerNorm(width, eps=1e-12), drop

    def forward(self, seen: Seen, appearance: Tensor, *, generator: Generator | None) -> Tensor:
        """(batch, object, dim)"""
        summed = self.appearance(appearance) + self.location(location(seen.boxes))
        return dropout(self.norm(summed), self.drop, generator, self.training)


def location(boxes: Tensor) -> Tensor:
    """Corners and area, as shares of the picture's: (..., 4) -> (..., 5)."""
    size = boxes[..., 2:] - boxes[..., :2]
    return torch.cat((boxes, size.prod(dim=-1, keepdim=True)), dim=-1)


class TwoStream(nn.Module):
    """A BERT, a stream of objects, connections before the last layers of both, and a head on the product of
    what [CLS] and the whole picture have become."""

    def __init__(
        self,
        text: Any,
        regions: RegionEncoder,
        *,
        width: int,
        heads: int,
        inner: int,
        connections: int,
        drop: float,
    ) -> None:
        """`text` is a BERT. Objects have `width` numbers, `heads`, and `inner` numbers within a layer; there
        are as many layers of objects as connections."""
        super().__init__()
        text = bert(text, wanted_by="A stream of text")
        if text.config.num_hidden_layers < connections:
            raise ValueError(f"{connections} connections want as many layers of text; give at least so many")
        library = modelling()
        objects = sized(text.config, width=width, heads=heads, inner=inner)
        self.text_dim, self.region_dim, self.pooled_dim = int(text.config.hidden_size), width, width
        self.regions, self.drop = regions, drop
        self.embeddings, self.encoder = text.embeddings, text.encoder
        self.inputs = RegionInputs(regions.dim, width, drop)
        self.layers = nn.ModuleList(library.BertLayer(objects) for _ in range(connections))
        self.connections = nn.ModuleList(Connection(text.config, objects) for _ in range(connections))
        self.text_pool, self.region_pool = nn.Linear(self.text_dim, width), nn.Linear(width, width)
        # No bias: one number added to every choice changes no softmax.
        self.head = nn.Linear(width, 1, bias=False)
        for new in (self.inputs, self.layers, self.connections, self.text_pool, self.region_pool, self.head):
            begun(new, text.config.initializer_range)
        nn.init.normal_(self.inputs.location.bias, 0.0, text.config.initializer_range)

    @property
    def words(self) -> nn.Embedding:
        """The vectors of all pieces."""
        table: nn.Embedding = self.embeddings.word_embeddings
        return table

    def states(
        self, batch: Batch, *, appearance: Tensor | None = None, generator: Generator | None = None
    ) -> States:
        """Text and objects after the last layer of each."""
        pieces, seen = shown(batch)
        if appearance is None:
            appearance = self.regions(seen)  # (batch, object, dim)
        rows = pieces.ids.shape[:2]
        flat = (pieces.ids.flatten(0, 1), pieces.segments.flatten(0, 1))
        text: Tensor = self.embeddings(input_ids=flat[0], token_type_ids=flat[1])  # (row, piece, dim)
        objects = self.inputs(seen, appearance, generator=generator).repeat_interleave(rows[1], dim=0)
        there = seen.mask.repeat_interleave(rows[1], dim=0)
        out = met_evenly(self._read, text, pieces.mask.flatten(0, 1), objects, there)
        pooled = self.text_pool(out.text[:, 0]).relu() * self.region_pool(out.objects[:, 0]).relu()
        parts = (out.text, out.objects, pooled, out.looks, out.reads)
        return States(*(part.reshape(*rows, *part.shape[1:]) for part in parts))

    def _read(self, text: Stream, objects: Stream) -> Met:
        layers, looks, reads = list(self.encoder.layer), text.values, text.values
        alone = len(layers) - len(self.connections)
        for layer in layers[:alone]:
            text = text._replace(values=read(layer, *text).values)
        for connection, layer, own in zip(self.connections, layers[alone:], self.layers, strict=True):
            heard, told, looks = connection(text, objects)
            values, reads = read(layer, heard, text.hiding)
            text = text._replace(values=values)
            objects = objects._replace(values=read(own, told, objects.hiding).values)
        return Met(text.values, objects.values, looks, reads)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        """How well each choice fits; the attention is that of the last connection."""
        states = self.states(batch, generator=generator)
        pooled = dropout(states.pooled, self.drop, generator, self.training)
        attention = {} if self.training else states.attention(shown(batch).pieces)
        return scored(self.head(pooled).squeeze(-1), batch, attention=attention)


class Numbers(TypedDict):
    """What the streams of a network are built by, beside its BERT and its eyes."""

    width: int
    heads: int
    inner: int
    connections: int
    drop: float


VILBERT: Numbers = {"width": 1024, "heads": 8, "inner": 1024, "connections": 6, "drop": 0.1}
"""Objects: 6 layers of 1,024 with 8 heads and 1,024 numbers within, as many connections, beside a BERT of 12
layers of 768, 12 heads (ViLBERT, section 3.2)."""


def small(text: Any) -> Numbers:
    """Two connections; objects as wide as the text."""
    width, heads = text.config.hidden_size, text.config.num_attention_heads
    return {"width": width, "heads": heads, "inner": width, "connections": 2, "drop": 0.1}


def ernie_vil_small(parts: Parts) -> TwoStream:
    """Two connections; objects as wide as the text."""
    text, regions = eyes(parts, "ERNIE-ViL")
    return TwoStream(text, regions, **small(text))


def ernie_vil_base(parts: Parts) -> TwoStream:
    """ViLBERT's numbers (section 4.1)."""
    text, regions = eyes(parts, "ERNIE-ViL")
    return TwoStream(text, regions, **VILBERT)


def ernie_vil_large(parts: Parts) -> TwoStream:
    """A BERT of 24 layers of 1,024, 16 heads; objects and connections are as wide, with as many heads."""
    text, regions = eyes(parts, "ERNIE-ViL")
    return TwoStream(text, regions, width=1024, heads=16, inner=4096, connections=6, drop=0.1)
