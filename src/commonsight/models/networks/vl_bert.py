"""VL-BERT (Su et al., 2020): every place of the sequence, word or object, shows something of the picture."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Pieces, Seen
from commonsight.models.layers.bert import begun
from commonsight.models.layers.dropout import dropout
from commonsight.models.networks.single_stream import Laid, SingleStream, eyes
from commonsight.models.parts import Parts

_SEGMENTS = 3
"""Query, response, objects."""


class VlBertInputs(nn.Module):
    """Every place is the sum of a token, of something seen, of a segment and of a position.

    A piece of text shows the object that it points to, or else the whole picture; an object has the token
    [IMG], and [END] stands after the objects. Objects have no order, so all stand at one position.
    """

    def __init__(self, embeddings: Any, seen: int, *, waves: int, drop: float, scale: float) -> None:
        """BERT's embeddings, with three segments; how many numbers are `seen` of an object, and how many
        `waves` there are each for sine and cosine of its four coordinates. `scale` is how loud all that is at
        first: with 0 the network begins as the BERT that it is made from, and only the norms' weights learn
        at the first step; what is seen learns from the second on."""
        super().__init__()
        width = embeddings.word_embeddings.embedding_dim
        self.embeddings, self.waves, self.drop = embeddings, waves, drop
        self.image, self.end = nn.Embedding(1, width), nn.Embedding(1, width)
        self.visual = nn.Linear(8 * waves + seen, width)
        self.text_norm, self.object_norm = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        nn.init.constant_(self.text_norm.weight, scale)
        nn.init.constant_(self.object_norm.weight, scale)

    def forward(self, pieces: Pieces, seen: Seen, appearance: Tensor, *, generator: Generator | None) -> Laid:
        """The sequence; nothing in it depends on how far it is padded."""
        both = torch.cat((geometry(seen.boxes, self.waves), appearance), dim=-1)
        both = dropout(both, self.drop, generator, self.training)
        visual = self.visual(both).relu()  # (batch, object, dim)
        for_text, for_objects = self.text_norm(visual), self.object_norm(visual)
        words = self.embeddings.word_embeddings(pieces.ids) + _picked(for_text, pieces.objects)
        places = torch.arange(pieces.ids.shape[2], device=words.device).expand(pieces.ids.shape)
        end_of_text = pieces.mask.sum(dim=-1, keepdim=True)  # (batch, choice, 1)
        others = torch.full_like(end_of_text, _SEGMENTS - 1)
        choices = (-1, pieces.ids.shape[1], -1, -1)
        objects = (self.image.weight[0] + for_objects)[:, None].expand(choices)
        end = (self.end.weight[0] + for_text[:, None, :1]).expand(choices)
        return Laid(
            self._placed(words, pieces.segments, places),
            self._placed(objects, others, end_of_text),
            self._placed(end, others, end_of_text + 1),
        )

    def _placed(self, values: Tensor, segments: Tensor, places: Tensor) -> Tensor:
        table = self.embeddings.position_embeddings
        # Behind a text as long as can be there is no position left but the last.
        known = places.clamp(max=table.num_embeddings - 1)
        summed = values + self.embeddings.token_type_embeddings(segments) + table(known)
        out: Tensor = self.embeddings.dropout(self.embeddings.LayerNorm(summed))
        return out


def geometry(boxes: Tensor, waves: int) -> Tensor:
    """Sines and cosines of where a box is, of different lengths: (..., 4) -> (..., 8 x waves).

    The paper names the corners. What its authors released was trained with centre and size, in percent, which
    say the same; only with those do the released weights mean anything.
    """
    corner, other = boxes[..., :2], boxes[..., 2:]
    percent = torch.cat(((corner + other) / 2, other - corner), dim=-1) * 100
    lengths = 1000 ** (torch.arange(waves, dtype=boxes.dtype, device=boxes.device) / waves)
    turns = percent[..., None] / lengths  # (..., 4, wave)
    return torch.cat((turns.sin(), turns.cos()), dim=-1).flatten(-2)


def _with_rows(table: nn.Embedding, rows: int, spread: float) -> nn.Embedding:
    """A table of so many rows; those that were there stay."""
    larger = nn.Embedding(rows, table.embedding_dim)
    nn.init.normal_(larger.weight, 0.0, spread)
    with torch.no_grad():
        larger.weight[: table.num_embeddings] = table.weight[:rows]
    return larger


def _picked(values: Tensor, objects: Tensor) -> Tensor:
    """(batch, object, dim) and (batch, choice, piece) -> (batch, choice, piece, dim)."""
    flat = objects.flatten(1)[..., None].expand(-1, -1, values.shape[-1])
    return values.gather(1, flat).reshape(*objects.shape, -1)


def _built(parts: Parts, *, waves: int, drop: float, scale: float | None) -> SingleStream:
    layers, regions = eyes(parts, "VL-BERT")
    spread = layers.config.initializer_range
    scale = spread if scale is None else scale
    kinds = layers.embeddings.token_type_embeddings
    layers.embeddings.token_type_embeddings = _with_rows(kinds, _SEGMENTS, spread)
    inputs = VlBertInputs(layers.embeddings, regions.dim, waves=waves, drop=drop, scale=scale)
    # No bias: one number added to every choice changes no softmax.
    head = nn.Linear(layers.config.hidden_size, 1, bias=False)
    for new in (inputs.image, inputs.end, inputs.visual, head):
        begun(new, spread)
    return SingleStream(inputs, layers, regions, head, drop=drop)


def vl_bert_small(parts: Parts) -> SingleStream:
    """Made from no BERT that could be disturbed, it sees from the beginning, as loudly as it reads."""
    return _built(parts, waves=8, drop=0.1, scale=None)


def vl_bert_base(parts: Parts) -> SingleStream:
    """2,048 numbers of geometry beside 2,048 of appearance (section 3.2); dropout, a head of one layer and
    what is seen silent at first are as in the released settings (cfgs/vcr: visual_ln, with
    visual_scale_text_init and visual_scale_object_init 0.0). Its BERT has 12 layers of 768, 12 heads."""
    return _built(parts, waves=256, drop=0.1, scale=0.0)


def vl_bert_large(parts: Parts) -> SingleStream:
    """The same with a BERT of 24 layers of 1,024, 16 heads."""
    return vl_bert_base(parts)
