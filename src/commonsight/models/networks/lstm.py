"""An LSTM that scores responses alone: what choices give away when nobody asks.

The paper calls it LSTM+ELMo and says no more than that (VCR, section 6.1); that it reads no query is said in
the results, where it stands beside BERT as a response-only model.
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors


class ResponseLSTM(nn.Module):
    """A bidirectional LSTM over each response, and a logit from what both directions end with."""

    def __init__(self, words: WordVectors, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words, self.dropout = words, dropout
        self.read = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        # No bias: one number added to every choice changes no softmax.
        self.score = nn.Linear(2 * hidden, 1, bias=False)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        responses = needed(batch.responses, "responses word by word")
        last = self.read(self.words(responses), responses.lengths, generator=generator).last
        last = dropout(last, self.dropout, generator, self.training)  # (batch, choice, 2 x hidden)
        logits: Tensor = self.score(last)
        return scored(logits.squeeze(-1), batch)


def lstm_small(parts: Parts) -> ResponseLSTM:
    """For the drawn world."""
    return ResponseLSTM(needed(parts.words, "word vectors"), hidden=64, dropout=0.2)


def lstm_paper(parts: Parts) -> ResponseLSTM:
    """256 and 0.3 are R2C's (VCR, appendix E): hidden sizes are as its own where possible, the paper says."""
    return ResponseLSTM(needed(parts.words, "word vectors"), hidden=256, dropout=0.3)
