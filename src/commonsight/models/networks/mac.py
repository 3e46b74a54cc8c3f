"""MAC (Hudson and Manning, 2018): memory, attention and composition in a number of like steps.

Each step chooses words of the query (control), looks for what they are about among the places that are known
(read), and adds it to what is remembered (write). Places are those of a canvas, or objects: the last step's
look at objects is what the answer points to. NLVR2 has it see both pictures as one (appendix E.4), CRIC has
it see objects (section 4.1).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import elu

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout, scales
from commonsight.models.layers.joined import JoinedLinear
from commonsight.models.layers.masks import without_padding
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.reasoning import ControlUnit, Read, ReadUnit, WriteUnit
from commonsight.models.layers.recurrent import BidirectionalLSTM, Encoded
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors

BOX = 4


class Known(NamedTuple):
    """What can be looked at."""

    places: Tensor
    """(batch, place, dim)"""
    mask: Tensor
    """(batch, place): True for places that are there."""


class Knowledge(Protocol):
    """A module that makes of a batch what can be looked at."""

    called: str
    """What looking at it is called, as `Scores.attention` has it."""

    def __call__(self, batch: Batch, generator: Generator | None) -> Known: ...


class CanvasKnowledge(nn.Module):
    """Every place of the canvas, after two convolutions."""

    called = "places"

    def __init__(self, canvas: CanvasEncoder, dim: int, *, dropout: float) -> None:
        super().__init__()
        self.canvas, self.dropout = canvas, dropout
        self.first = nn.Conv2d(canvas.dim, dim, 3, padding=1)
        self.second = nn.Conv2d(dim, dim, 3, padding=1)

    def forward(self, batch: Batch, generator: Generator | None) -> Known:
        found = self.canvas(needed(batch.canvas, "a canvas"))  # (batch, channel, height, width)
        for layer in (self.first, self.second):
            found = elu(layer(dropout(found, self.dropout, generator, self.training)))
        places = found.flatten(2).transpose(1, 2)  # (batch, place, dim)
        return Known(places, places.new_ones(places.shape[:2], dtype=torch.bool))


class ObjectKnowledge(nn.Module):
    """Every object with its box, after two layers; the whole picture is the first of them."""

    called = "glimpses"

    def __init__(self, regions: RegionEncoder, dim: int, *, dropout: float) -> None:
        super().__init__()
        self.regions, self.dropout = regions, dropout
        self.first = JoinedLinear((regions.dim, BOX), dim)
        self.second = nn.Linear(dim, dim)

    def forward(self, batch: Batch, generator: Generator | None) -> Known:
        seen = needed(batch.seen, "pictures")
        found = dropout(self.regions(seen), self.dropout, generator, self.training)  # (batch, object, dim)
        found = elu(self.first(found, seen.boxes))
        found = elu(self.second(dropout(found, self.dropout, generator, self.training)))
        return Known(without_padding(found, seen.mask), seen.mask)


class MAC(nn.Module):
    """Query and what was remembered in the end name the answer."""

    def __init__(
        self,
        words: WordVectors,
        knowledge: Knowledge,
        *,
        answers: int,
        dim: int,
        steps: int,
        dropout: float,
        recall: bool = False,
        gate: bool = False,
        attention_weight: float = 0.0,
    ) -> None:
        """With `attention_weight` the last step is taught to look at the objects that an answer may point
        to, by a cross entropy that is weighed by it."""
        super().__init__()
        if attention_weight and knowledge.called != ObjectKnowledge.called:
            raise ValueError("targets are objects: attention can be taught where objects are looked at")
        self.words, self.knowledge, self.dropout = words, knowledge, dropout
        self.attention_weight = attention_weight
        self.ask = BidirectionalLSTM(words.dim, dim // 2, dropout=dropout)
        self.asked = nn.ModuleList(nn.Linear(dim, dim) for _ in range(steps))
        self.control, self.read = ControlUnit(dim), ReadUnit(dim)
        self.write = WriteUnit(dim, recall=recall, gate=gate)
        self.first_control = nn.Parameter(torch.randn(dim))
        self.first_memory = nn.Parameter(torch.randn(dim))
        self.answer = Perceptron(2 * dim, dim, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = needed(batch.query, "a query word by word")
        read = self.ask(self.words(query), query.lengths, generator=generator)
        encoded = Encoded(read.steps[:, 0], read.last[:, 0])  # (batch, word, dim) and (batch, dim)
        known = self.knowledge(batch, generator)
        memory, looks = self._steps(encoded, query.mask[:, 0], known, generator)
        joined = torch.cat((encoded.last, memory), dim=-1)  # (batch, 2 x dim)
        logits = self.answer(dropout(joined, self.dropout, generator, self.training), generator)
        attention = torch.stack([look.weights for look in looks], dim=1)[:, None]  # (batch, 1, step, place)
        taught = self._taught(looks[-1], known.mask, batch)
        return scored(logits, batch, extra=taught, attention={self.knowledge.called: attention})

    def _steps(
        self, query: Encoded, there: Tensor, known: Known, generator: Generator | None
    ) -> tuple[Tensor, list[Read]]:
        """What is remembered in the end, and each step's look at the places."""
        count = len(query.last)
        controls = [self.first_control.expand(count, -1)]
        memories = [self.first_memory.expand(count, -1)]
        # The same is forgotten at every step, or after a few nothing would be left.
        kept: Tensor | None = None
        if self.training and self.dropout > 0:
            kept = scales(memories[0].shape, self.dropout, generator, memories[0])
        looks: list[Read] = []
        for asked in self.asked:
            controls.append(self.control(controls[-1], asked(query.last), query.steps, there).value)
            looks.append(self.read(memories[-1], controls[-1], known.places, known.mask))
            memory = self.write(looks[-1].value, controls, memories)
            memories.append(memory if kept is None else memory * kept)
        return memories[-1], looks

    def _taught(self, look: Read, mask: Tensor, batch: Batch) -> Tensor | None:
        """(batch): how little of the last look falls on targets; 0 for questions without any."""
        if not self.attention_weight:
            return None
        targets = needed(batch.targets, "targets") & mask  # (batch, object)
        lowest = torch.finfo(look.scores.dtype).min
        everywhere = look.scores.masked_fill(~mask, lowest).logsumexp(dim=-1)
        there = look.scores.masked_fill(~targets, lowest).logsumexp(dim=-1)
        lost = (everywhere - there).masked_fill(~targets.any(dim=-1), 0.0)
        return self.attention_weight * lost


SMALL_DIM, SMALL_STEPS = 64, 4
PUBLISHED_DIM, PUBLISHED_STEPS, PUBLISHED_DROPOUT = 512, 12, 0.15
"""Hudson and Manning (2018, section 4 and appendix A); their released code drops 0 to 18 %, here and there,
and we drop as much everywhere."""


def mac_small(parts: Parts) -> MAC:
    """For drawings and a CPU."""
    knowledge = CanvasKnowledge(needed(parts.canvas, "a canvas encoder"), SMALL_DIM, dropout=0.0)
    return _small(parts, knowledge)


def mac_paper(parts: Parts) -> MAC:
    """Neither recall nor gate, as in the first of its released settings. Those for drawings, which NLVR2's
    authors took, we have not found."""
    knowledge = CanvasKnowledge(
        needed(parts.canvas, "a canvas encoder"), PUBLISHED_DIM, dropout=PUBLISHED_DROPOUT
    )
    return _paper(parts, knowledge)


def mac_objects_small(parts: Parts, *, attention_weight: float = 0.0) -> MAC:
    """For the drawn world."""
    knowledge = ObjectKnowledge(needed(parts.regions, "a region encoder"), SMALL_DIM, dropout=0.0)
    return _small(parts, knowledge, attention_weight)


def mac_objects_paper(parts: Parts, *, attention_weight: float = 0.0) -> MAC:
    """The same numbers over objects; how CRIC's authors gave it objects, their paper does not tell."""
    regions = needed(parts.regions, "a region encoder")
    knowledge = ObjectKnowledge(regions, PUBLISHED_DIM, dropout=PUBLISHED_DROPOUT)
    return _paper(parts, knowledge, attention_weight)


def _small(parts: Parts, knowledge: Knowledge, attention_weight: float = 0.0) -> MAC:
    return MAC(
        needed(parts.words, "word vectors"),
        knowledge,
        answers=parts.answers,
        dim=SMALL_DIM,
        steps=SMALL_STEPS,
        dropout=0.1,
        attention_weight=attention_weight,
    )


def _paper(parts: Parts, knowledge: Knowledge, attention_weight: float = 0.0) -> MAC:
    return MAC(
        needed(parts.words, "word vectors"),
        knowledge,
        answers=parts.answers,
        dim=PUBLISHED_DIM,
        steps=PUBLISHED_STEPS,
        dropout=PUBLISHED_DROPOUT,
        attention_weight=attention_weight,
    )
