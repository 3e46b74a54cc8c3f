"""UNITER (Chen et al., 2020): text and objects each embedded on their own, then read as one sequence."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Pieces, Seen
from commonsight.models.layers.bert import begun
from commonsight.models.networks.single_stream import Laid, SingleStream, eyes
from commonsight.models.parts import Parts

_TEXT, _PICTURE = 0, 1
"""The segments."""


class UniterInputs(nn.Module):
    """Text as BERT embeds it; an object is what it looks like and where it is, each made as wide as the text.

    A response has a vector added that begins at zero. The authors give it a new segment that begins like
    that of the query, which is the same, and pre-trained segments fit as they are.
    """

    def __init__(self, embeddings: Any, seen: int) -> None:
        """`seen` numbers an object."""
        super().__init__()
        width = embeddings.word_embeddings.embedding_dim
        self.embeddings = embeddings
        self.response = nn.Embedding(1, width)
        self.appearance, self.appearance_norm = nn.Linear(seen, width), nn.LayerNorm(width, eps=1e-12)
        self.location, self.location_norm = nn.Linear(7, width), nn.LayerNorm(width, eps=1e-12)
        self.object_norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, pieces: Pieces, seen: Seen, appearance: Tensor, *, generator: Generator | None) -> Laid:
        """The sequence. Dropout is BERT's own, which draws from torch's chance and not from the generator."""
        del generator
        places, kinds = self.embeddings.position_embeddings, self.embeddings.token_type_embeddings.weight
        words = self.embeddings.word_embeddings(pieces.ids) + kinds[_TEXT]
        words = words + places.weight[: words.shape[2]] + self.response.weight[0] * pieces.segments[..., None]
        text = self.embeddings.dropout(self.embeddings.LayerNorm(words))
        looks = self.appearance_norm(self.appearance(appearance))  # (batch, object, dim)
        where = self.location_norm(self.location(location(seen.boxes)))
        objects = self.embeddings.dropout(self.object_norm(looks + where + kinds[_PICTURE]))
        return Laid(text, objects[:, None].expand(-1, words.shape[1], -1, -1), text[:, :, :0])


def location(boxes: Tensor) -> Tensor:
    """Corners, width, height and area, as shares of the picture's: (..., 4) -> (..., 7)."""
    size = boxes[..., 2:] - boxes[..., :2]
    return torch.cat((boxes, size, size.prod(dim=-1, keepdim=True)), dim=-1)


def _built(parts: Parts) -> SingleStream:
    layers, regions = eyes(parts, "UNITER")
    inputs, width = UniterInputs(layers.embeddings, regions.dim), layers.config.hidden_size
    head = nn.Sequential(
        nn.Linear(width, 2 * width),
        nn.ReLU(),
        nn.LayerNorm(2 * width, eps=1e-12),
        # No bias: one number added to every choice changes no softmax.
        nn.Linear(2 * width, 1, bias=False),
    )
    spread = layers.config.initializer_range
    for new in (inputs.appearance, inputs.location, head):
        begun(new, spread)
    # An object without a box is nowhere: all zeros, which a norm cannot scale. Biases give it a length.
    nn.init.normal_(inputs.appearance.bias, 0.0, spread)
    nn.init.normal_(inputs.location.bias, 0.0, spread)
    nn.init.zeros_(inputs.response.weight)
    return SingleStream(inputs, layers, regions, head, drop=0.0)


def uniter_small(parts: Parts) -> SingleStream:
    """Small is the BERT that it is given; nothing else has a size."""
    return _built(parts)


def uniter_base(parts: Parts) -> SingleStream:
    """With a BERT of 12 layers of 768, 12 heads (section 3.1). The head is the released one, twice as wide
    inside; it gives a choice one number, where the released one tells two classes apart."""
    return _built(parts)


def uniter_large(parts: Parts) -> SingleStream:
    """The same with a BERT of 24 layers of 1,024, 16 heads."""
    return _built(parts)
