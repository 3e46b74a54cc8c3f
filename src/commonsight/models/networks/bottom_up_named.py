"""Bottom-up attention that names its answer, as the original does (Anderson et al., 2018), and points to what
it looked at.

Bottom-Up of CRIC (section 4.1), and Bottom-Up+l_att, which is also taught where to look.
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.joined import GatedTanh
from commonsight.models.layers.looking import Gaze, TopDown
from commonsight.models.layers.recurrent import GRU
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.pointing import taught
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class BottomUpNamed(nn.Module):
    """One attention over objects; the product of what was asked and what was seen names the answer."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        *,
        answers: int,
        hidden: int,
        dropout: float,
        pointing: float = 0.0,
    ) -> None:
        """`pointing` weighs the loss of looking elsewhere than at the targets; 0 teaches nothing of it."""
        super().__init__()
        self.words, self.regions, self.dropout, self.pointing = words, regions, dropout, pointing
        self.ask = GRU(words.dim, hidden, dropout=dropout)
        self.look = TopDown(regions.dim, hidden, hidden)
        self.asked, self.saw = GatedTanh((hidden,), hidden), GatedTanh((regions.dim,), hidden)
        self.think, self.answer = GatedTanh((hidden,), hidden), nn.Linear(hidden, answers)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        asked = self.ask(self.words(query), query.lengths, generator=generator)[:, 0]  # (batch, hidden)
        gaze: Gaze = self.look(self.regions(seen), asked, seen.mask)
        both = self.think(self.asked(asked) * self.saw(gaze.values))  # (batch, hidden)
        logits: Tensor = self.answer(dropout(both, self.dropout, generator, self.training))
        return scored(
            logits,
            batch,
            extra=taught(gaze, batch, self.pointing),
            attention={"glimpses": gaze.weights[:, None, None]},
        )


def bottom_up_named_small(parts: Parts, *, pointing: float = 0.0) -> BottomUpNamed:
    """For the drawn world."""
    return _built(parts, hidden=96, dropout=0.2, pointing=pointing)


def bottom_up_named_paper(parts: Parts, *, pointing: float = 0.0) -> BottomUpNamed:
    """512 is the size of all hidden states in the original; to drop nothing out is our choice, and so is the
    weight of the attention's loss, of which CRIC says nothing."""
    return _built(parts, hidden=512, dropout=0.0, pointing=pointing)


def _built(parts: Parts, *, hidden: int, dropout: float, pointing: float) -> BottomUpNamed:
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return BottomUpNamed(
        words, regions, answers=parts.answers, hidden=hidden, dropout=dropout, pointing=pointing
    )
