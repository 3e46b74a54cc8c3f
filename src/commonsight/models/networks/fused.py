"""Attention by fusion: what MLB and MUTAN have in common, which differ in how two vectors become one.

The query is fused with every object of the picture, spoken of or not, and each output of that fusion is a
glimpse: a softmax over the objects. The query is then fused once more with all that the glimpses saw. As for
bottom-up attention, responses are whole sentences here: a second GRU reads each, and its logit is a dot
product (VCR, section 6.1).

Dropout is on what goes into each fusion, and on what comes out of the last; the originals have it on the
product within a fusion too.
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.attention import Attended
from commonsight.models.layers.dropout import checked, dropout
from commonsight.models.layers.masks import masked_softmax
from commonsight.models.layers.recurrent import GRU
from commonsight.models.network import Scores, needed, scored
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class FusedAttention(nn.Module):
    """`look` fuses a query and an object into one score for each glimpse, `join` a query and all glimpses."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        look: nn.Module,
        join: nn.Module,
        *,
        hidden: int,
        words_dropout: float,
        dropout: float,
    ) -> None:
        super().__init__()
        self.words, self.regions, self.look, self.join = words, regions, look, join
        self.dropout = checked(dropout)
        self.ask = GRU(words.dim, hidden, dropout=words_dropout)
        self.respond = GRU(words.dim, hidden, dropout=words_dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        responses = needed(batch.responses, "responses word by word")
        objects = self.regions(seen)  # (batch, object, region dim)
        asked = self.ask(self.words(query), query.lengths, generator=generator)  # (batch, 1 or choice, dim)
        said = self.respond(self.words(responses), responses.lengths, generator=generator)
        saw = self._looked(asked, objects, seen.mask, generator)
        answer: Tensor = self.join(
            self._dropped(asked, generator), self._dropped(saw.values.flatten(-2), generator)
        )  # (batch, 1 or choice, dim)
        logits = (self._dropped(answer, generator) * said).sum(dim=-1)
        attention = saw.weights.expand(-1, said.shape[1], -1, -1)
        return scored(logits, batch, attention={"glimpses": attention})

    def _looked(self, asked: Tensor, objects: Tensor, mask: Tensor, generator: Generator | None) -> Attended:
        """For each glimpse what it saw, (batch, 1 or choice, glimpse, region dim)."""
        one, other = self._dropped(asked, generator), self._dropped(objects, generator)
        scores: Tensor = self.look(one[:, :, None], other[:, None])  # (batch, 1 or choice, object, glimpse)
        weights = masked_softmax(scores.transpose(-1, -2), mask[:, None, None])
        return Attended(weights @ objects[:, None], weights)

    def _dropped(self, values: Tensor, generator: Generator | None) -> Tensor:
        return dropout(values, self.dropout, generator, self.training)
