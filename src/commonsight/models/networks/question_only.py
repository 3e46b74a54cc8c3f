"""What a question gives away without its picture: an LSTM over its words names the answer.

Q-Only of CRIC (section 4.1). What it gets right, a benchmark's questions tell by themselves.
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors


class QuestionOnly(nn.Module):
    """Both ends of the LSTM, and a layer that scores every answer."""

    def __init__(self, words: WordVectors, *, answers: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words, self.dropout = words, dropout
        self.read = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        self.answer = nn.Linear(2 * hidden, answers)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = needed(batch.query, "a query word by word")
        last = self.read(self.words(query), query.lengths, generator=generator).last  # (batch, 1, 2 x hidden)
        logits: Tensor = self.answer(dropout(last[:, 0], self.dropout, generator, self.training))
        return scored(logits, batch)


def question_only_small(parts: Parts) -> QuestionOnly:
    """For the drawn world."""
    words = needed(parts.words, "word vectors")
    return QuestionOnly(words, answers=parts.answers, hidden=96, dropout=0.2)


def question_only_paper(parts: Parts) -> QuestionOnly:
    """The paper names the LSTM and no number; 1,024 for both directions, without dropout, is our choice."""
    return QuestionOnly(needed(parts.words, "word vectors"), answers=parts.answers, hidden=512, dropout=0.0)
