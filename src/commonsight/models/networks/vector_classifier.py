"""A linear classifier over frozen vectors of question and picture: A-OKVQA's discriminative models (Table 3).

"A multi-label linear classifier": one layer scores every answer of the vocabulary, and a sigmoid makes each
score a chance of its own (section 5.2). Both vectors are joined where both are given. The paper calls it a
perceptron with one hidden layer and does not say how wide (section 5.2, appendix B); its authors' code has
this one layer, and so has every size here. `--hidden` puts another between, of rectified units.
"""

from __future__ import annotations

import torch
from torch import Generator, nn

from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.network import Scores, scored
from commonsight.models.networks.vector_inputs import VectorInputs, inputs
from commonsight.models.parts import Parts


class VectorClassifier(nn.Module):
    """Joined vectors, and a score for every answer."""

    def __init__(self, reads: VectorInputs, *, answers: int, hidden: int | None, dropout: float) -> None:
        super().__init__()
        self.reads, self.dropout = reads, dropout
        width = sum(reads.dims)
        self.hidden = None if hidden is None else nn.Linear(width, hidden)
        self.answer = nn.Linear(hidden or width, answers)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        joined = torch.cat(self.reads(batch), dim=1)  # (batch, dim of all)
        if self.hidden is not None:
            joined = self.hidden(joined).relu()
        return scored(self.answer(dropout(joined, self.dropout, generator, self.training)), batch)


def classifier_small(parts: Parts, *, question: bool = True, picture: bool = True) -> VectorClassifier:
    """For the drawn world; dropout, because there are few questions."""
    reads = inputs(parts, question=question, picture=picture, unit=False)
    return VectorClassifier(reads, answers=parts.answers, hidden=parts.hidden, dropout=0.2)


def classifier_paper(
    parts: Parts, *, question: bool = True, picture: bool = True, unit: bool = False
) -> VectorClassifier:
    """As released; CLIP's vectors have length 1, BERT's and a ResNet's are taken as they are."""
    reads = inputs(parts, question=question, picture=picture, unit=unit)
    return VectorClassifier(reads, answers=parts.answers, hidden=parts.hidden, dropout=0.0)
