"""NMN-CS (CRIC, section 4.1): the layout of each question's program is predicted, and networks for its
functions are put together as the layout has them.

The paper trains in two stages, first the prediction of layouts, then the modules on what is predicted. Here
both are learned at once: in training modules are put together by the true layouts, whose prediction is a loss
beside that of the answers (`Scores.extra`), and otherwise by predicted ones. Once nearly all layouts are
predicted right, as they are after a few epochs, both are the same. What a question without a program is
taught is its answer.

Of a program the paper teaches the names of functions alone, and which words each takes is found out from the
answers of several hundred thousand questions, as is what each module is for. With a few thousand it is not:
then calls can be taught their words, which the programs name (`wording`), and modules the objects that they
should give (`finding`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.features.batch import Seen as InView
from commonsight.models.layers.attention import BilinearAttention
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.nmn_cs.execution import Executed, Plan, Seen, Together, execute, planned
from commonsight.models.networks.nmn_cs.finding import finding_loss, wanted
from commonsight.models.networks.nmn_cs.modules import Text, functions
from commonsight.models.parts import Parts
from commonsight.models.programs.layouts import CALLS, Laid, laid_out
from commonsight.models.programs.predictor import LayoutPredictor, Read, Told
from commonsight.models.programs.wording import spoken_by_call
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors

PLACED = 6
"""Numbers that say where an object is: its corners, its width and its height, as shares of the picture's."""


def in_view(regions: RegionEncoder, seen: InView) -> Seen:
    """Objects and where they are. The whole picture, which is the first of a batch's objects, is none of a
    program's."""
    sizes = seen.boxes[:, :, 2:] - seen.boxes[:, :, :2]
    placed = torch.cat((seen.boxes, sizes), dim=2).masked_fill(~seen.mask[:, :, None], 0.0)
    objects = torch.cat((regions(seen), placed.to(seen.boxes.dtype)), dim=2)
    return Seen(objects[:, 1:], seen.mask[:, 1:])


def glimpses(executed: Executed) -> Tensor:
    """What the last call was asked of: (batch, 1, 1, object), the whole picture first; shares of 1."""
    weights = executed.attention[executed.asked]  # (batch, object)
    shares = weights / weights.sum(dim=1, keepdim=True).clamp(min=torch.finfo(weights.dtype).tiny)
    return nn.functional.pad(shares, (1, 0))[:, None, None]


class Predicted(NamedTuple):
    """The layouts that modules are put together by, and what learning to predict them costs."""

    told: Told
    layouts: list[list[int]]
    loss: Tensor | None
    """(batch)"""


class NMNCS(nn.Module):
    """A predictor of layouts, and a module for each function."""

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        *,
        answers: int,
        hidden: int,
        dropout: float,
        wording: float = 0.0,
        finding: float = 0.0,
    ) -> None:
        """`wording` weighs the loss of a call that attends to other words than its own, `finding` that of one
        that gives other objects than its step does."""
        super().__init__()
        self.regions, self.wording, self.finding = regions, wording, finding
        self.predictor = LayoutPredictor(words, hidden=hidden, dropout=dropout)
        self.parted = nn.ModuleList(BilinearAttention(words.dim, 2 * hidden) for _ in range(3))
        self.functions = functions(
            seen=regions.dim + PLACED, words=words.dim, hidden=hidden, answers=answers, dropout=0.0
        )

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        read = self.predictor.read(query, generator=generator)
        predicted = self._predicted(read, batch, generator)
        plan, view = planned(predicted.layouts), in_view(self.regions, seen)
        executed = self._executed(read, predicted.told, plan, view, generator)
        loss = predicted.loss
        if loss is not None and self.training and self.finding:
            true = wanted(true_calls(batch), plan, view)
            loss = loss + self.finding * finding_loss(executed, plan, view, true)
        return scored(executed.answers, batch, extra=loss, attention={"glimpses": glimpses(executed)})

    def _predicted(self, read: Read, batch: Batch, generator: Generator | None) -> Predicted:
        known = [None if own is None else [laid.call for laid in own] for own in true_calls(batch)]
        there = torch.tensor([layout is not None for layout in known], device=read.words.device)
        if self.training and None not in known:
            layouts = [layout for layout in known if layout is not None]
            told = self.predictor(read, layouts, generator=generator)
            return Predicted(told, layouts, self._loss(told, there, batch))
        told = self.predictor(read, generator=generator)
        said = told.layouts
        if not any(there):
            return Predicted(told, said, None)
        given = [own if layout is None else layout for own, layout in zip(said, known, strict=True)]
        taught = self.predictor(read, given, generator=generator)
        loss = self._loss(taught, there, batch)
        return Predicted(taught, given, loss) if self.training else Predicted(told, said, loss)

    def _loss(self, told: Told, there: Tensor, batch: Batch) -> Tensor:
        """(batch): of foretelling calls and, where that is taught, their words."""
        loss = self.predictor.loss(told, there)
        if not self.wording:
            return loss
        words = spoken_by_call(batch.programs, batch.asked, told.weights)
        return loss + self.wording * self.predictor.wording_loss(told, words, there)

    def _executed(
        self, read: Read, told: Told, plan: Plan, seen: Seen, generator: Generator | None
    ) -> Executed:
        whole = told.weights @ read.words  # (batch, call, dim)

        def texts(group: Together) -> Text:
            rows, places = (torch.tensor(one, device=whole.device) for one in (group.rows, group.places))
            own = whole[rows, places]
            return self._parted(own, read, rows) if CALLS[group.call].queries else Text(own)

        return execute(plan, self.functions, seen, texts, generator=generator)

    def _parted(self, own: Tensor, read: Read, rows: Tensor) -> Text:
        """Head, relation and tail: the words of a question, each as far as its part attends to it."""
        words, states, mask = read.words[rows], read.states[rows], read.mask[rows]
        weights = [one(own[:, None], states, mask).weights[:, 0] for one in self.parted]  # (call, word) each
        parts = torch.stack([weight[:, :, None] * words for weight in weights], dim=1)
        return Text(own, parts, read.lengths[rows][:, None].expand(-1, 3))


def true_calls(batch: Batch) -> list[tuple[Laid, ...] | None]:
    """Of each question's own program, where it has one: those that cannot be laid out were set aside when
    examples were made."""
    programs = batch.programs or (None,) * len(batch)
    return [None if own is None else laid_out(own) for own in programs]


def layouts_of(network: NMNCS, batch: Batch) -> Sequence[Sequence[int]]:
    """The layouts that are predicted."""
    with torch.inference_mode():
        read = network.predictor.read(needed(batch.query, "a query word by word"))
        told: Told = network.predictor(read)
    return told.layouts


def nmn_cs_small(parts: Parts) -> NMNCS:
    """For the drawn world, of which there are few questions: calls are taught their words and objects."""
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return NMNCS(words, regions, answers=parts.answers, hidden=128, dropout=0.1, wording=1.0, finding=1.0)


def nmn_cs_paper(parts: Parts) -> NMNCS:
    """The paper tells no sizes; 512 for all hidden states is our choice, as is to drop nothing out."""
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return NMNCS(words, regions, answers=parts.answers, hidden=512, dropout=0.0)
