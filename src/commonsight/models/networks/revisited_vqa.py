"""A perceptron over query, response and picture (Jabri et al., 2016, Revisiting Visual Question Answering
Baselines).

Each text is the mean of its words, the picture is one vector. In the original the perceptron says yes or no
to each response; here its output is the response's logit, and choices compete (VCR, section 6.1, note 10).
"""

from __future__ import annotations

from dataclasses import replace

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch, Seen, Words
from commonsight.models.layers.dropout import checked, dropout
from commonsight.models.layers.joined import JoinedLinear
from commonsight.models.layers.masks import masked_mean
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class RevisitedVQA(nn.Module):
    """Two layers over the mean of each text's words and the whole picture's vector."""

    def __init__(self, words: WordVectors, regions: RegionEncoder, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words, self.regions, self.dropout = words, regions, checked(dropout)
        self.hidden = JoinedLinear((words.dim, words.dim, regions.dim), hidden)
        # No bias: one number added to every choice changes no softmax.
        self.score = nn.Linear(hidden, 1, bias=False)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = self._mean(needed(batch.query, "a query word by word"))  # (batch, 1 or choice, word dim)
        responses = self._mean(needed(batch.responses, "responses word by word"))  # (batch, choice, word dim)
        picture = self.regions(whole_picture(needed(batch.seen, "pictures")))  # (batch, 1, region dim)
        hidden = self.hidden(query, responses, picture).relu()  # (batch, choice, hidden)
        logits: Tensor = self.score(dropout(hidden, self.dropout, generator, self.training))
        return scored(logits.squeeze(-1), batch)

    def _mean(self, text: Words) -> Tensor:
        return masked_mean(self.words(text), text.mask)


def whole_picture(seen: Seen) -> Seen:
    """The first object alone, which is the whole picture, so that no other is encoded in vain."""
    return replace(
        seen,
        mask=seen.mask[:, :1],
        boxes=seen.boxes[:, :1],
        classes=seen.classes[:, :1],
        masks=None if seen.masks is None else seen.masks[:, :1],
        features=None if seen.features is None else seen.features[:, :1],
    )


def revisited_vqa_small(parts: Parts) -> RevisitedVQA:
    """For the drawn world."""
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return RevisitedVQA(words, regions, hidden=256, dropout=0.2)


def revisited_vqa_paper(parts: Parts) -> RevisitedVQA:
    """8192 hidden units are the original's (Jabri et al., 2016); a half of them dropped is our choice.

    That the picture is ResNet50's and the words are GloVe's is the VCR paper's (section 6.1).
    """
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return RevisitedVQA(words, regions, hidden=8192, dropout=0.5)
