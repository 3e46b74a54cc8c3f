"""A transformer over query and response in one sequence, and a logit from it: BERT (Devlin et al., 2019).

It takes any encoder of the transformers library. Whether the query is read is for the reading to say: with
responses alone this is the paper's BERT (response only), which shows what choices give away (VCR, section
6.1).
"""

from __future__ import annotations

from typing import Any

from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch, Pieces
from commonsight.models.layers.dropout import checked, dropout
from commonsight.models.layers.even import groups, in_order
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts


class Bert(nn.Module):
    """What the transformer says of a whole sequence, and a linear map to its logit."""

    def __init__(self, transformer: Any, *, dropout: float) -> None:
        super().__init__()
        self.transformer, self.dropout = transformer, checked(dropout)
        # RoBERTa and others know no segments; their kind of text is told by marks alone.
        self.segments = getattr(transformer.config, "type_vocab_size", 0) > 1
        # No bias: one number added to every choice changes no softmax.
        self.score = nn.Linear(transformer.config.hidden_size, 1, bias=False)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        pieces = needed(batch.pieces, "texts in sub-words")
        whole = dropout(self._read(pieces), self.dropout, generator, self.training)  # (batch x choice, dim)
        logits: Tensor = self.score(whole)
        return scored(logits.reshape(batch.choices.shape), batch)

    def _read(self, pieces: Pieces) -> Tensor:
        """(row, dim): rows of like length are read together, so that little of it is padding."""
        ids, mask, segments = (part.flatten(0, 1) for part in (pieces.ids, pieces.mask, pieces.segments))
        taken = groups(mask.sum(dim=1, keepdim=True))
        read = [
            self._pooled(*(part[rows, :longest] for part in (ids, mask, segments)))
            for rows, (longest,) in taken
        ]
        return in_order(read, taken)

    def _pooled(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """The pooled [CLS], or where a model pools nothing, as it stands."""
        given = {"input_ids": ids, "attention_mask": mask.long()}
        if self.segments:
            given["token_type_ids"] = segments
        said = self.transformer(**given)
        pooled: Tensor | None = getattr(said, "pooler_output", None)
        first: Tensor = said.last_hidden_state[:, 0]
        return first if pooled is None else pooled


def bert_small(parts: Parts) -> Bert:
    """For the drawn world."""
    return Bert(needed(parts.transformer, "a transformer"), dropout=0.1)


def bert_paper(parts: Parts) -> Bert:
    """The paper uses BERT-Base (VCR, appendix E); dropout of a tenth before the logit is BERT's own."""
    return Bert(needed(parts.transformer, "a transformer"), dropout=0.1)
