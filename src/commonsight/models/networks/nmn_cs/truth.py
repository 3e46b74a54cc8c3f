"""NMN-CS-GT (CRIC, section 4.2.6): each module alone, given the true program, words and objects.

What every call takes is true, so that what it gives tells how hard the function is by itself. Calls that
give objects learn from the objects that they should give, where these count more, for they are few; those
that recognise learn from the answer. Words are those of the programs, not of the questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, one_hot

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch
from commonsight.models.features.vocabulary import UNKNOWN, Vocabulary
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.nmn_cs.execution import Executed, Plan, Seen, Together, execute, planned
from commonsight.models.networks.nmn_cs.finding import WEIGHT, Wanted, finding_loss, wanted
from commonsight.models.networks.nmn_cs.modules import Text, functions
from commonsight.models.networks.nmn_cs.network import PLACED, glimpses, in_view
from commonsight.models.parts import Parts
from commonsight.models.programs.layouts import CALLS, Laid, laid_out
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import SPREAD

REMEDY = "Give a dataset with programs and what each step gives: `commonsight build questions` makes such."
_NOTHING = ("",)
"""Stands for a part without a word."""


class Outcome(NamedTuple):
    """What one call that gives objects gave, and what it should have."""

    row: int
    function: str
    found: frozenset[int]
    """Objects by their place, from 0; the whole picture is none."""
    true: frozenset[int]


class NMNCSGT(nn.Module):
    """The modules of NMN-CS, each taught by itself."""

    def __init__(
        self,
        regions: RegionEncoder,
        arguments: Sequence[str],
        *,
        words: int,
        answers: int,
        hidden: int,
        dropout: float,
        weight: float = WEIGHT,
    ) -> None:
        """Objects that a call should give count `weight` times as much as others."""
        super().__init__()
        self.regions, self.weight = regions, weight
        known = Vocabulary(tuple(arguments))
        self._numbers = known.numbers()
        self.table = nn.Embedding(len(known), words)
        nn.init.normal_(self.table.weight, 0.0, SPREAD)
        self.functions = functions(
            seen=regions.dim + PLACED, words=words, hidden=hidden, answers=answers, dropout=dropout
        )

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        laid, plan, seen, given = self._prepared(batch)
        executed = self._executed(laid, plan, seen, given, generator)
        found = finding_loss(executed, plan, seen, given, weight=self.weight)
        loss = found + self._recognised(executed, laid, batch)
        return scored(executed.answers, batch, extra=loss, attention={"glimpses": glimpses(executed)})

    def outcomes(self, batch: Batch) -> Iterator[Outcome]:
        """What each call gave: objects whose number is more than a half."""
        laid, plan, seen, given = self._prepared(batch)
        with torch.inference_mode():
            executed = self._executed(laid, plan, seen, given)
        found, true = (_sets(one) for one in (executed.attention, given.objects))
        for (row, place), number in plan.kept.items():
            if number >= len(batch):  # not Initial
                yield Outcome(row, CALLS[laid[row][place].call].function, found[number], true[number])

    def recognised(self, batch: Batch) -> list[bool]:
        """Of the questions that recognise something: whether the answer is right."""
        laid, plan, seen, given = self._prepared(batch)
        with torch.inference_mode():
            best = self._executed(laid, plan, seen, given).answers.argmax(dim=1).tolist()
        ends = (CALLS[calls[-1].call].function for calls in laid)
        told = zip(ends, best, batch.gold.tolist(), strict=True)
        return [said == true for end, said, true in told if end == "Recognition"]

    def _prepared(self, batch: Batch) -> tuple[list[tuple[Laid, ...]], Plan, Seen, Wanted]:
        if not batch.programs or None in batch.programs:
            raise InputError(f"This network is given every question's program, and some have none. {REMEDY}")
        laid = [laid_out(program) for program in batch.programs if program is not None]
        plan = planned([[one.call for one in row] for row in laid], at_once=True)
        seen = in_view(self.regions, needed(batch.seen, "pictures"))
        return laid, plan, seen, _given(laid, plan, seen)

    def _executed(
        self,
        laid: list[tuple[Laid, ...]],
        plan: Plan,
        seen: Seen,
        given: Wanted,
        generator: Generator | None = None,
    ) -> Executed:
        def texts(group: Together) -> Text:
            calls = zip(group.rows, group.places, strict=True)
            said = [laid[row][place].step.text_input or _NOTHING for row, place in calls]
            return self._text(said, queries=CALLS[group.call].queries)

        return execute(plan, self.functions, seen, texts, given=given.objects, generator=generator)

    def _text(self, said: Sequence[tuple[str, ...]], *, queries: bool) -> Text:
        whole, ends = self._words([" ".join(texts).split() for texts in said])  # (call, word, dim)
        mean = whole.sum(dim=1) / ends[:, None]
        if not queries:
            return Text(mean)
        parts, lengths = self._words([text.split() for texts in said for text in texts])
        return Text(mean, parts.reshape(len(said), 3, *parts.shape[1:]), lengths.reshape(-1, 3))

    def _words(self, several: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """(text, word, dim), zeros for padding, and how many words each has."""
        texts = [words or _NOTHING for words in several]
        device, longest = self.table.weight.device, max(map(len, texts))
        rows = [[self._numbers.get(word, UNKNOWN) for word in words] for words in texts]
        numbers = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], device=device)
        lengths = torch.tensor([len(row) for row in rows], device=device)
        there = torch.arange(longest, device=device) < lengths[:, None]
        return self.table(numbers).masked_fill(~there[:, :, None], 0.0), lengths

    def _recognised(self, executed: Executed, laid: list[tuple[Laid, ...]], batch: Batch) -> Tensor:
        """(batch): the binary cross entropy of all answers, of questions that recognise something."""
        known = batch.gold >= 0
        for row, calls in enumerate(laid):
            known[row] &= CALLS[calls[-1].call].function == "Recognition"
        true = one_hot(batch.gold.clamp(min=0), executed.answers.shape[1]).float()
        losses = binary_cross_entropy_with_logits(executed.answers.float(), true, reduction="none").sum(dim=1)
        return losses.masked_fill(~known, 0.0)


def _given(laid: list[tuple[Laid, ...]], plan: Plan, seen: Seen) -> Wanted:
    """What each call should give; all of it must be known."""
    true = wanted(laid, plan, seen)
    for (row, place), number in plan.kept.items():
        if not true.known[number]:
            step = laid[row][place].step
            raise InputError(f"A step of a program, {step.function}, does not say what it gives. {REMEDY}")
    return true


def _sets(weights: Tensor) -> list[frozenset[int]]:
    return [frozenset(row.nonzero()[:, 0].tolist()) for row in (weights > 0.5).cpu()]


def nmn_cs_gt_small(parts: Parts) -> NMNCSGT:
    """For the drawn world."""
    return _built(parts, hidden=128)


def nmn_cs_gt_paper(parts: Parts) -> NMNCSGT:
    """The paper tells neither sizes nor the weight of its loss; these are our choice."""
    return _built(parts, hidden=512)


def _built(parts: Parts, *, hidden: int) -> NMNCSGT:
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return NMNCSGT(
        regions,
        parts.arguments,
        words=words.dim,
        answers=parts.answers,
        hidden=hidden,
        dropout=0.0,
    )
