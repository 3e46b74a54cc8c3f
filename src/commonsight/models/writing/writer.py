"""What all networks share that write: how likely given texts are, and the loss of learning one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch, Texts
from commonsight.models.network import Scores, needed, scored
from commonsight.models.writing.decoding import Telling


class Writer(nn.Module, ABC):
    """A network that reads a question with its picture and goes on, token by token.

    What it makes of a batch is how likely each of the texts is that the batch brings, and beside it the loss
    of the right one: the mean over its tokens. In training there is that text alone, and with one text to
    choose from there is no other loss.
    """

    def __init__(self, end: int, *, by_length: bool = False) -> None:
        """`end` is the token that ends a text. With `by_length` texts are compared by the mean over their
        tokens and not by the sum."""
        super().__init__()
        self.end, self.by_length = end, by_length

    @abstractmethod
    def told(self, batch: Batch) -> Telling:
        """What it has read of a batch, ready to write: one row for each question."""

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        """Dropout is the language model's own, which draws from torch's chance and not from the generator."""
        del generator
        texts: Texts = needed(batch.texts, "texts to read and to write")
        logs = self._chances(batch, texts)  # (batch, choice, piece)
        sums, counts = logs.sum(dim=-1), texts.said_mask.sum(dim=-1).clamp(min=1)
        right = batch.gold.clamp(min=0)[:, None]
        lost = -(sums / counts).gather(1, right).squeeze(1)
        extra = lost.masked_fill(batch.gold < 0, 0.0)
        return scored(sums / counts if self.by_length else sums, batch, extra=extra)

    def _chances(self, batch: Batch, texts: Texts) -> Tensor:
        """(batch, choice, piece): the logarithm of each token's probability, 0 for padding."""
        shape, said = texts.said.shape, texts.said.flatten(0, 1)
        telling = self.told(batch)
        telling.spread(shape[1])
        logits = telling.begun()[:, None]  # (batch x choice, 1, token)
        if shape[2] > 1:
            logits = torch.cat((logits, telling.after(said[:, :-1])), dim=1)
        logs = logits.float().log_softmax(dim=-1).gather(2, said[..., None]).squeeze(-1)
        return logs.reshape(shape).masked_fill(~texts.said_mask, 0.0)
