"""Bottom-up and top-down attention (Anderson et al., 2018): the query looks at objects, and what it saw
answers.

The original picks one of the most frequent answers. Responses here are whole sentences, so a second GRU reads
each, and its logit is the dot product of what it ends with and what the network ends with (VCR, section 6.1).
The query looks at the objects that are spoken of, and at the whole picture, where the original looks at all
that a detector proposes (the same section).
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.joined import GatedTanh
from commonsight.models.layers.masks import masked_softmax
from commonsight.models.layers.recurrent import GRU
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class BottomUp(nn.Module):
    """One attention over objects, and the product of what was asked and what was seen."""

    def __init__(self, words: WordVectors, regions: RegionEncoder, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words, self.regions = words, regions
        self.ask = GRU(words.dim, hidden, dropout=dropout)
        self.respond = GRU(words.dim, hidden, dropout=dropout)
        self.meet = GatedTanh((regions.dim, hidden), hidden)
        # No bias: one number added to every object changes no softmax.
        self.look = nn.Linear(hidden, 1, bias=False)
        self.asked = GatedTanh((hidden,), hidden)
        self.saw = GatedTanh((regions.dim,), hidden)
        self.answer = GatedTanh((hidden,), hidden)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        responses = needed(batch.responses, "responses word by word")
        objects = self.regions(seen)  # (batch, object, region dim)
        asked = self.ask(self.words(query), query.lengths, generator=generator)  # (batch, 1 or choice, dim)
        said = self.respond(self.words(responses), responses.lengths, generator=generator)
        weights = self._looked(asked, objects, seen.mask)  # (batch, 1 or choice, object)
        answer = self.answer(self.asked(asked) * self.saw(weights @ objects))  # (batch, 1 or choice, dim)
        attention = weights[:, :, None].expand(-1, said.shape[1], -1, -1)
        return scored((answer * said).sum(dim=-1), batch, attention={"glimpses": attention})

    def _looked(self, asked: Tensor, objects: Tensor, mask: Tensor) -> Tensor:
        met = self.meet(objects[:, None], asked[:, :, None])  # (batch, 1 or choice, object, hidden)
        scores: Tensor = self.look(met)
        return masked_softmax(scores.squeeze(-1), mask[:, None])


def bottom_up_small(parts: Parts) -> BottomUp:
    """For the drawn world."""
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return BottomUp(words, regions, hidden=96, dropout=0.2)


def bottom_up_paper(parts: Parts) -> BottomUp:
    """512 is the size of all hidden states in the original (Anderson et al., 2018), whose words are GloVe's;
    to drop nothing out is our choice. ResNet50 for its objects is the VCR paper's.
    """
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return BottomUp(words, regions, hidden=512, dropout=0.0)
