"""The network: it looks, executes each question's layout, and names the answer that the truth stands for."""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn

from commonsight.graph.shapes.layouts import PLAIN
from commonsight.models.features.batch import Batch
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.nmn_grammar.execute import execute, modules
from commonsight.models.networks.nmn_grammar.scene import Look, Panels
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder

DOUBT = 0.05
"""How often a label may contradict what a layout comes to: people err, and so does who reads."""


class NMNGrammar(nn.Module):
    """Layouts come with the questions, in training and afterwards; of the words nothing else is read."""

    def __init__(
        self,
        regions: RegionEncoder,
        *,
        answers: int,
        panels: Panels,
        hidden: int,
        related: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.regions = regions
        self.look = Look(regions.dim, panels=panels, hidden=hidden, related=related, dropout=dropout)
        self.toolbox = modules(hidden, related)
        # The answer that comes first, which is training's commonest, begins as what is true.
        self.stands_for = nn.Parameter(torch.linspace(0.5, -0.5, answers))
        self.bias = nn.Parameter(torch.zeros(answers))

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        seen = needed(batch.seen, "pictures")
        layouts = [one or PLAIN for one in batch.layouts or ((),) * len(batch)]
        sight = self.look(seen, self.regions(seen), generator=generator)
        run = execute(self.toolbox, layouts, sight)
        odds = (DOUBT + (1 - 2 * DOUBT) * run.truths).logit()
        answers = odds[:, None] * self.stands_for + self.bias
        if self.training:
            return scored(answers, batch, extra=self._touched())
        shares = run.meant / run.meant.sum(dim=1, keepdim=True).clamp(min=1e-6)
        return scored(answers, batch, attention={"glimpses": shares[:, None, None]})

    def _touched(self) -> Tensor:
        """Zero, and a gradient of zero for modules that no layout of a batch has: processes that learn
        together must have gradients of the same weights."""
        return torch.stack([weight.sum() for weight in self.toolbox.parameters()]).sum() * 0.0


DROPOUT = 0.2
DRAWN = Panels(number=3, width=0.25, step=0.375)
"""NLVR's: three boxes, 100 of 400 pixels wide, with 50 between."""


def _nmn_grammar(parts: Parts, *, hidden: int, related: int, dropout: float) -> NMNGrammar:
    regions = needed(parts.regions, "a region encoder")
    return NMNGrammar(
        regions, answers=parts.answers, panels=DRAWN, hidden=hidden, related=related, dropout=dropout
    )


def nmn_grammar_small(parts: Parts) -> NMNGrammar:
    """For NLVR's drawings and a CPU."""
    return _nmn_grammar(parts, hidden=64, related=32, dropout=DROPOUT)


def nmn_grammar_paper(parts: Parts) -> NMNGrammar:
    """No such network was published: larger by our choice."""
    return _nmn_grammar(parts, hidden=512, related=128, dropout=DROPOUT)
