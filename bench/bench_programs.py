"""Programs of a batch executed together, against one question after another.

Both run the same modules of NMN-CS on the same drawn objects, words and layouts, forwards and backwards;
their answers are asserted to be the same. The straightforward way calls a module for one question's steps.
"""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from _figures import ROUNDS, Figure, arguments, show
from _timing import interleaved
from commonsight.models.libraries import seeded
from commonsight.models.networks.nmn_cs.execution import Seen, Texts, Together, execute, planned
from commonsight.models.networks.nmn_cs.modules import Text, functions
from commonsight.models.programs.layouts import CALLS, NUMBERS, Call

BATCH, OBJECTS, DIM, WORDS, WORD, HIDDEN, ANSWERS = 64, 16, 256, 96, 12, 128, 200
LONGEST = 32
"""Calls of a program at most; they have about eight."""
GOAL = 4.0
SAME = 1e-5


def layouts(seed: int) -> list[list[int]]:
    """Layouts of the batch, of the forms that `commonsight build questions` makes."""
    rng = np.random.default_rng(seed)
    return [[NUMBERS[call] for call in _question(rng)] for _ in range(BATCH)]


def _question(rng: np.random.Generator) -> list[Call]:
    """Something that is described, and is asked for or verified."""
    return [*_described(rng, 2), Call("Recognition" if rng.random() < 0.65 else "Verify", 1)]


def _described(rng: np.random.Generator, depth: int) -> list[Call]:
    """By what it stands in relation to, by name and category, and by what is known of it."""
    found = [Call("Initial", 0)]
    for number in range(int(rng.choice((0, 1, 2), p=(0.3, 0.55, 0.15))) if depth else 0):
        related = [*_described(rng, depth - 1), Call(str(rng.choice(("Relate", "Relate_Reverse"))), 1)]
        found = [*found, *related, Call("And", 2)] if number else related
    found += [Call("Find_Hypernym", 1)] * (rng.random() < 0.3)
    found += [Call("Find", 1)] * (rng.random() < 0.8)
    knows = Call("Find_KG" if rng.random() < 0.8 else "Find_KG_Reverse", 1)
    return found + [knows] * (rng.random() < 0.3)


class Drawn:
    """What programs are executed on."""

    def __init__(self, seed: int) -> None:
        self.layouts = layouts(seed)
        with seeded(seed):
            self.modules = functions(seen=DIM, words=WORDS, hidden=HIDDEN, answers=ANSWERS, dropout=0.0)
            self.objects = torch.randn(BATCH, OBJECTS, DIM)
            self.whole = torch.randn(BATCH, LONGEST, WORDS)
            self.parts = torch.randn(BATCH, LONGEST, 3, WORD, WORDS)
        self.there = torch.ones(BATCH, OBJECTS, dtype=torch.bool)
        self.lengths = torch.full((BATCH, LONGEST, 3), WORD)

    def texts(self, rows: slice) -> Texts:
        """The words of some questions' calls."""

        def found(group: Together) -> Text:
            own, places = torch.tensor(group.rows), torch.tensor(group.places)
            whole = self.whole[rows][own, places]
            if not CALLS[group.call].queries:
                return Text(whole)
            return Text(whole, self.parts[rows][own, places], self.lengths[rows][own, places])

        return found

    def executed(self, rows: slice) -> Tensor:
        """The answers of some questions, executed together."""
        seen = Seen(self.objects[rows], self.there[rows])
        return execute(planned(self.layouts[rows]), self.modules, seen, self.texts(rows)).answers


def together(drawn: Drawn) -> Tensor:
    """All at once."""
    return _learned(drawn.executed(slice(0, BATCH)), drawn.modules)


def one_by_one(drawn: Drawn) -> Tensor:
    """One question after another; of a single one hardly two steps of a function are ready at once."""
    return _learned(torch.cat([drawn.executed(slice(row, row + 1)) for row in range(BATCH)]), drawn.modules)


def _learned(answers: Tensor, modules: nn.ModuleDict) -> Tensor:
    modules.zero_grad()
    answers.square().mean().backward()  # type: ignore[no-untyped-call]
    return answers.detach()


def figures(rounds: int = ROUNDS) -> list[Figure]:
    """How much faster, and how fast."""
    torch.set_num_threads(1)
    drawn = Drawn(1)
    torch.testing.assert_close(together(drawn), one_by_one(drawn), rtol=SAME, atol=SAME)
    ways = {"together": partial(together, drawn), "alone": partial(one_by_one, drawn)}
    timed = interleaved(ways, rounds, time.process_time)
    return [
        Figure("programs_alone", f"time of {BATCH} programs one by one by that of all together",
               timed.ratio("alone", "together"), GOAL, "at least"),
        Figure("programs_rate", "NMN-CS, programs executed and learned from, one core",
               BATCH / timed.median("together"), unit="/s"),
    ]  # fmt: skip


def main() -> None:
    """Run from the command line."""
    options = arguments(__doc__ or "").parse_args()
    show(figures(options.rounds), options.json)


if __name__ == "__main__":
    main()
