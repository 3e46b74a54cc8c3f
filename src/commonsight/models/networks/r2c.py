"""R2C, Recognition to Cognition Networks (VCR, section 5 and appendix E): ground, contextualise, reason.

Each word is read beside the object that it points to (grounding); each word of a response then looks at the
query and at the objects (contextualisation); an LSTM reads what they saw (reasoning), and the most that it
found anywhere is scored. What Table 2 takes away can be taken away here. Two things that the authors' code
does and the paper does not say can be switched on: `object_drop`, and outlines laid over what is seen, which
are the region encoder's matter (`regions/resnet.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from commonsight.models.features.batch import Batch, Seen, Words
from commonsight.models.layers.attention import Attended, BilinearAttention
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.masks import masked_max, masked_mean
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class Objects(NamedTuple):
    """What is known of the objects in view."""

    vectors: Tensor
    """(batch, object, dim)"""
    mask: Tensor
    """(batch, object)"""
    loss: Tensor
    """(batch): how badly their labels can be told from what was seen of them."""


class ObjectVectors(nn.Module):
    """An object's look and its label, projected together.

    The look alone must tell the label, by a linear layer: a loss that keeps pretrained features from drifting
    (appendix E), and that teaches features from nothing what things are.
    """

    def __init__(
        self, regions: RegionEncoder, classes: int, *, label_dim: int, dim: int, drop: float
    ) -> None:
        super().__init__()
        self.regions, self.drop = regions, drop
        self.labels = nn.Embedding(classes, label_dim)
        self.project = nn.Linear(regions.dim + label_dim, dim)
        self.tell = nn.Linear(regions.dim, classes)

    def forward(self, seen: Seen, generator: Generator | None) -> Objects:
        looks = self.regions(seen)  # (batch, object, look)
        loss = self._told(looks, seen)
        both = torch.cat((looks, self.labels(seen.classes)), dim=-1)
        both = dropout(both, self.drop, generator, self.training)
        return Objects(self.project(both).relu(), seen.mask, loss)

    def _told(self, looks: Tensor, seen: Seen) -> Tensor:
        told = self.tell(looks).transpose(1, 2)  # (batch, class, object)
        losses = cross_entropy(told, seen.classes, reduction="none")  # (batch, object)
        return masked_mean(losses.unsqueeze(-1), seen.mask).squeeze(-1)


class R2C(nn.Module):
    """The network; `query`, `reasoning` and `vision` are what Table 2 takes away one at a time."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder | None,
        classes: int,
        *,
        label_dim: int,
        object_dim: int,
        hidden: int,
        reasoning_layers: int,
        pooled: int,
        drop: float,
        object_loss: float = 1.0,
        object_drop: float = 0.0,
        query: bool = True,
        reasoning: bool = True,
    ) -> None:
        """Without regions nothing is seen: neither looks nor labels."""
        super().__init__()
        self.words, self.drop, self.object_loss = words, drop, object_loss
        both = 2 * hidden  # of the two directions
        self.objects = (
            None
            if regions is None
            else ObjectVectors(regions, classes, label_dim=label_dim, dim=object_dim, drop=object_drop)
        )
        seen = 0 if regions is None else object_dim
        asked = both if query else 0
        self.ground = BidirectionalLSTM(words.dim + seen, hidden, dropout=drop)
        self.to_query = BilinearAttention(both, both) if query else None
        self.to_objects = None if regions is None else BilinearAttention(both, object_dim)
        context = both + asked + seen
        self.reason = (
            BidirectionalLSTM(context, hidden, layers=reasoning_layers, dropout=drop) if reasoning else None
        )
        kept = both + both + asked if reasoning else context
        self.pool = nn.Linear(kept, pooled)
        # No bias: one number added to every choice changes no softmax.
        self.score = nn.Linear(pooled, 1, bias=False)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        words = needed(batch.responses, "responses")
        objects = None if self.objects is None else self.objects(needed(batch.seen, "objects"), generator)
        response = self._grounded(words, objects, generator)  # (batch, choice, word, both)
        attended: dict[str, Attended] = {}
        if self.to_query is not None:
            asked = needed(batch.query, "a query")
            query = self._grounded(asked, objects, generator)  # (batch, 1 or choice, word, both)
            attended["query"] = self.to_query(response, query, asked.mask)
        if self.to_objects is not None and objects is not None:
            attended["objects"] = self.to_objects(
                response, objects.vectors.unsqueeze(1), objects.mask.unsqueeze(1)
            )
        logits = self._scored(response, attended, words, generator)
        extra = None if objects is None else self.object_loss * objects.loss
        return scored(
            logits, batch, extra=extra, attention={name: one.weights for name, one in attended.items()}
        )

    def _grounded(self, words: Words, objects: Objects | None, generator: Generator | None) -> Tensor:
        vectors = self.words(words)  # (batch, choice, word, dim)
        if objects is not None:
            vectors = torch.cat((vectors, pointed(objects.vectors, words.objects)), dim=-1)
        read: Tensor = self.ground(vectors, words.lengths, generator=generator).steps
        return read

    def _scored(
        self, response: Tensor, attended: dict[str, Attended], words: Words, generator: Generator | None
    ) -> Tensor:
        seen = [one.values for one in attended.values()]
        context = torch.cat((response, *seen), dim=-1)  # (batch, choice, word, context)
        if self.reason is not None:
            asked = [attended["query"].values] if "query" in attended else []
            reasoned = self.reason(context, words.lengths, generator=generator).steps
            context = torch.cat((reasoned, response, *asked), dim=-1)
        most = masked_max(context, words.mask)  # (batch, choice, kept)
        most = dropout(most, self.drop, generator, self.training)
        pooled = self.pool(most).relu()
        pooled = dropout(pooled, self.drop, generator, self.training)
        logits: Tensor = self.score(pooled).squeeze(-1)
        return logits


def pointed(objects: Tensor, places: Tensor) -> Tensor:
    """The object that each word points to: (batch, object, dim) and (batch, choice, word) -> (..., dim)."""
    rows = torch.arange(len(objects), device=objects.device)[:, None, None]
    return objects[rows, places]


def r2c_paper(
    parts: Parts, *, query: bool = True, reasoning: bool = True, vision: bool = True, object_drop: float = 0.0
) -> R2C:
    """As in VCR's appendix E: 2048 + 128 to 512, 768 + 512 to 2 x 256, 1536 to 2 x 256 twice, to 1024."""
    return R2C(
        needed(parts.words, "word vectors"),
        needed(parts.regions, "a region encoder") if vision else None,
        parts.classes,
        label_dim=128,
        object_dim=512,
        hidden=256,
        reasoning_layers=2,
        pooled=1024,
        drop=0.3,
        object_drop=object_drop,
        query=query,
        reasoning=reasoning,
    )


def r2c_small(
    parts: Parts, *, query: bool = True, reasoning: bool = True, vision: bool = True, object_drop: float = 0.0
) -> R2C:
    """The same network at a size that learns from a few thousand drawn questions on a CPU."""
    return R2C(
        needed(parts.words, "word vectors"),
        needed(parts.regions, "a region encoder") if vision else None,
        parts.classes,
        label_dim=24,
        object_dim=64,
        hidden=48,
        reasoning_layers=1,
        pooled=128,
        drop=0.0,  # dropped inputs keep so small a network from ever finding what goes with what
        object_drop=object_drop,
        query=query,
        reasoning=reasoning,
    )
