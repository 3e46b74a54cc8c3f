"""N2NMN as a network that names its answer, and the three ways it learns to write layouts.

Cloning: layouts are given, and modules are run as they say. Search: layouts are drawn; whichever loses less
than was expected becomes likelier (REINFORCE), be it from nothing or after cloning. What is expected is
learned, too, from the question; the authors keep a moving average, which would be one number more to carry
through checkpoints and processes.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from commonsight.core.layout import LONGEST, NUMBERS, PLAIN, fault
from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.layers.searching import search_loss
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.n2nmn.execute import Executed, execute
from commonsight.models.networks.n2nmn.modules import modules
from commonsight.models.networks.n2nmn.policy import LayoutPolicy, Written
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors

Learning = Literal["cloning", "search"]


class Sizes(NamedTuple):
    """How large all of it is."""

    hidden: int
    layers: int
    embedded: int
    """Of a module, for the LSTM that writes."""
    width: int
    """That what is seen and what is said are multiplied in."""
    kernel: int
    """Of `transform`."""
    grid: tuple[int, int]
    """Places that `count` and its like tell apart: down, across."""
    reads: bool
    """Whether `exist`, `count` and their like are told what of the question was looked at."""
    longest: int = LONGEST


class N2NMN(nn.Module):
    """A policy and modules; in training also what teaches the policy."""

    def __init__(
        self,
        words: WordVectors,
        canvas: CanvasEncoder,
        *,
        answers: int,
        sizes: Sizes,
        learning: Learning,
        entropy: float = 0.0,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.words, self.canvas, self.learning, self.entropy = words, canvas, learning, entropy
        self.longest = sizes.longest
        self.policy = LayoutPolicy(
            words.dim,
            hidden=sizes.hidden,
            layers=sizes.layers,
            embedded=sizes.embedded,
            longest=sizes.longest,
            dropout=dropout,
        )
        self.toolbox = modules(
            canvas.dim,
            words.dim,
            answers,
            width=sizes.width,
            kernel=sizes.kernel,
            grid=sizes.grid,
            reads=sizes.reads,
        )
        self.expected = None
        if learning == "search":
            self.expected = nn.Linear(sizes.hidden, 1)
            nn.init.constant_(self.expected.bias, math.log(max(answers, 1)))  # of one who knows nothing

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = needed(batch.query, "a query word by word")
        seen = self.canvas(needed(batch.canvas, "a canvas"))  # (batch, dim, height, width)
        vectors, lengths = self.words(query)[:, 0], query.lengths[:, 0]
        cloned = self.training and self.learning == "cloning"
        written = self.policy(
            vectors,
            lengths,
            given=shown(batch, self.longest) if cloned else None,
            sampled=self.training and self.learning == "search",
            generator=generator,
        )
        run = execute(self.toolbox, written.layouts, written.text, seen)
        if not self.training:
            return scored(run.answers, batch, attention={"places": looked_at(run)})
        extra = -written.log_chance if cloned else self._searched(written, run.answers, batch.gold)
        return scored(run.answers, batch, extra=extra + self._touched())

    def _searched(self, written: Written, answers: Tensor, gold: Tensor) -> Tensor:
        """(batch): what is lost by layouts that were not the best."""
        lost = cross_entropy(answers, gold, reduction="none")
        expected = needed(self.expected, "an expectation")(written.read.detach()).squeeze(-1)
        return search_loss(lost, expected, written.log_chance, written.entropy, weight=self.entropy)

    def _touched(self) -> Tensor:
        """Zero, and a gradient of zero for modules that no layout of a batch has: processes that learn
        together must have gradients of the same weights."""
        return torch.stack([weight.sum() for weight in self.toolbox.parameters()]).sum() * 0.0


def shown(batch: Batch, longest: int) -> list[list[int]]:
    """The layouts to learn from, by number; a plain one where there is none, or none that is well-formed."""
    given = batch.layouts or ((),) * len(batch)
    return [[NUMBERS[name] for name in (PLAIN if fault(one, longest) else one)] for one in given]


def looked_at(run: Executed) -> Tensor:
    """(batch, 1, look, place): shares of what each question's answer is made of. Where that is one map, and
    another's is two, it is the last, after nothing."""
    missing = run.last < 0
    looks = slice(int(missing[:, 0].all()), None)
    shares = run.maps[run.last.clamp(min=0)].softmax(dim=-1).masked_fill(missing[..., None], 0.0)
    return shares[:, None, looks]


SMALL = Sizes(hidden=96, layers=1, embedded=32, width=48, kernel=5, grid=(3, 12), reads=True)
PUBLISHED = Sizes(hidden=512, layers=2, embedded=300, width=250, kernel=5, grid=(10, 15), reads=False)
"""The authors' released settings for CLEVR, which NLVR2's authors took for NLVR (NLVR2, appendix E.3)."""
PHOTOGRAPHS = Sizes(
    hidden=1000, layers=2, embedded=300, width=1024, kernel=5, grid=(14, 14), reads=False, longest=13
)
"""Their settings for VQA, which NLVR2's authors took for NLVR2; the modules stay those for CLEVR."""
DROPPED = 0.5
"""For VQA alone: there between the layers of LSTMs, here also of what was written before."""
FROM_NOTHING = PUBLISHED._replace(longest=6)
"""The same where nothing was cloned before."""


def _n2nmn(
    parts: Parts, *, sizes: Sizes, learning: Learning, entropy: float = 0.0, dropout: float = 0.0
) -> N2NMN:
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    return N2NMN(
        words,
        canvas,
        answers=parts.answers,
        sizes=sizes,
        learning=learning,
        entropy=entropy,
        dropout=dropout,
    )


cloning_small = partial(_n2nmn, sizes=SMALL, learning="cloning", dropout=0.1)
tune_small = partial(_n2nmn, sizes=SMALL, learning="search", entropy=0.005, dropout=0.1)
rl_small = partial(_n2nmn, sizes=SMALL, learning="search", entropy=0.01)
cloning_paper = partial(_n2nmn, sizes=PUBLISHED, learning="cloning")
tune_paper = partial(_n2nmn, sizes=PUBLISHED, learning="search", entropy=0.005)
cloning_large = partial(_n2nmn, sizes=PHOTOGRAPHS, learning="cloning", dropout=DROPPED)
tune_large = partial(_n2nmn, sizes=PHOTOGRAPHS, learning="search", entropy=0.005, dropout=DROPPED)
rl_large = partial(_n2nmn, sizes=PHOTOGRAPHS, learning="search", entropy=0.005, dropout=DROPPED)
rl_paper = partial(_n2nmn, sizes=FROM_NOTHING, learning="search", entropy=0.01)
