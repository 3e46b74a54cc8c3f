"""What training lowers: how far a network's scores are from what is right.

    one         cross entropy: one choice, or one answer, is right and all others are wrong
    any         each answer for itself, right if anybody gave it; the mean over all (A-OKVQA, section 5.2)
    agreed      each answer for itself, as right as it is scored: min(1, people / 3); the sum over all
    shared      cross entropy with all that people gave, each answer having its share of what all are scored
    in-batch    one answer of each question, drawn from all that people gave, has to be told from those of the
                other questions of the batch (A-OKVQA, appendix B.2)

`in-batch` compares the questions that are read at once: a batch that is read in pieces, or shared out among
processes, is compared piece by piece.
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from commonsight.models.engine.recipe import Loss
from commonsight.models.features.batch import Batch
from commonsight.models.network import needed
from commonsight.score.direct_answer import ENOUGH


def loss(kind: Loss, logits: Tensor, batch: Batch, generator: Generator | None = None) -> Tensor:
    """The sum over the questions of a batch. Answers to learn from are drawn from the generator."""
    if kind == "one":
        return cross_entropy(logits, batch.gold, reduction="sum")
    people = needed(batch.people, "answers that people gave")  # (batch, answer)
    if kind == "any":
        each = binary_cross_entropy_with_logits(logits, (people > 0).to(logits.dtype), reduction="none")
        return each.mean(dim=1).sum()
    agreed = (people / ENOUGH).clamp(max=1.0)
    if kind == "agreed":
        return binary_cross_entropy_with_logits(logits, agreed, reduction="sum")
    if kind == "shared":
        shares = agreed / agreed.sum(dim=1, keepdim=True).clamp(min=1 / ENOUGH)
        return cross_entropy(logits, shares, reduction="sum")
    given = (people > 0).float().cpu()
    drawn = torch.multinomial(given, 1, generator=generator).squeeze(1).to(logits.device)  # (batch)
    against = logits[:, drawn]  # (batch, batch): each question's score of each question's answer
    return cross_entropy(against, torch.arange(len(drawn), device=logits.device), reduction="sum")
