"""Module networks: the layouts of a batch run at once, against one module after another.

Both run the same modules of the small N2NMN on the same layouts, made of sentences of our own, over maps of
the size that NLVR's drawings have. One by one, each module of each layout is called by itself; what
a module makes of a canvas is made once for a question there, too. Answers and gradients are the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from _figures import ROUNDS, Figure, arguments, show
from _timing import interleaved
from commonsight.core.layout import MODULES, NUMBERS, arranged
from commonsight.graph.layouts import layout_of
from commonsight.models.libraries import seeded
from commonsight.models.networks.n2nmn.execute import execute
from commonsight.models.networks.n2nmn.modules import Call, Sight, modules
from commonsight.models.networks.n2nmn.network import SMALL

BATCH, DIM, TEXT, ANSWERS = 64, 48, 96, 2
MAPS = ((7, 25), (13, 50))
"""Of canvases of 200 x 50 and of 400 x 100 pixels. The goal is for the first: the larger maps are, the less
of the time is spent on calling modules."""
REPEATED = 10
"""Batches a round: one alone takes a few milliseconds."""
GOAL = 4.0
SAME = 1e-4
SENTENCES = (
    "there is a green ring near a wall",
    "two lamps stand on the shelf beside the door",
    "there are exactly three red rings in a basket",
    "a cup and a spoon are on the table",
    "there are more rings than lamps",
    "there is a basket with a red ring and at least two lamps",
    "one lamp",
    "the ring and the lamp have the same color",
    "there is a ring or a lamp over a green basket near the wall",
    "all rings are of the same size",
)


class Lesson(NamedTuple):
    """A batch, ready to be run."""

    toolbox: nn.ModuleDict
    layouts: list[list[int]]
    text: Tensor
    seen: Tensor

    def together(self) -> Tensor:
        """(batch, answer) as we do it."""
        return execute(self.toolbox, self.layouts, self.text, self.seen).answers

    def one_by_one(self) -> Tensor:
        """(batch, answer), a module at a time."""
        rows = zip(self.layouts, self.text, self.seen, strict=True)
        return torch.stack([alone(self.toolbox, *row) for row in rows])


def lesson(shape: tuple[int, int]) -> Lesson:
    """The same at any time."""
    chance = Generator().manual_seed(0)
    made = [[NUMBERS[name] for name in layout_of(said.split()).layout] for said in SENTENCES]
    layouts = [made[number % len(made)] for number in range(BATCH)]
    with seeded(0):
        toolbox = modules(
            DIM, TEXT, ANSWERS, width=SMALL.width, kernel=SMALL.kernel, grid=SMALL.grid, reads=SMALL.reads
        )
    text = torch.randn(BATCH, SMALL.longest, TEXT, generator=chance)
    return Lesson(toolbox, layouts, text, torch.randn(BATCH, DIM, *shape, generator=chance).relu())


def alone(toolbox: nn.ModuleDict, layout: Sequence[int], text: Tensor, seen: Tensor) -> Tensor:
    """One question's answer: (answer)."""
    sight, first = Sight(seen.flatten(1)[None], (seen.shape[1], seen.shape[2])), torch.tensor([0])
    found: list[Tensor] = []
    for at, place in enumerate(arranged(layout)):
        taken = tuple(found[one] for one in place.inputs)
        given = Call(sight, first, first, text[at][None], taken)
        found.append(toolbox[MODULES[place.module].name](given))
    return found[-1][0]


def answered(run: Callable[[], Tensor]) -> Callable[[], None]:
    """As in prediction."""

    def work() -> None:
        with torch.inference_mode():
            for _ in range(REPEATED):
                run()

    return work


def learned(run: Callable[[], Tensor], toolbox: nn.ModuleDict) -> Callable[[], None]:
    """As in training: gradients, too."""

    def work() -> None:
        for _ in range(REPEATED):
            toolbox.zero_grad()
            run().square().sum().backward()  # type: ignore[no-untyped-call]

    return work


def furthest(given: Lesson) -> float:
    """How far the two ways are apart, in answers or in any gradient."""
    found = []
    for run in (given.together, given.one_by_one):
        given.toolbox.zero_grad()
        answers = run()
        answers.square().sum().backward()  # type: ignore[no-untyped-call]
        weights = given.toolbox.named_parameters()
        gradients = {name: one.grad for name, one in weights if one.grad is not None}
        found.append((answers.detach(), gradients))
    (first, ours), (second, plain) = found
    assert ours.keys() == plain.keys()
    apart = [float((ours[name] - plain[name]).norm() / (1 + plain[name].norm())) for name in ours]
    return max(float((first - second).abs().max()), *apart)


def figures(rounds: int = ROUNDS) -> list[Figure]:
    """Time of one by one by ours, at two sizes, in prediction and in training."""
    torch.set_num_threads(1)
    found = []
    for shape in MAPS:
        given = lesson(shape)
        apart = furthest(given)
        if apart > SAME:
            raise SystemExit(f"the two ways give other answers: {apart:g} apart")
        ways = {"together": given.together, "alone": given.one_by_one}
        size = f"{shape[0]} x {shape[1]} places"
        kinds: dict[str, Callable[[Callable[[], Tensor]], Callable[[], None]]]
        kinds = {"answered": answered, "learned": partial(learned, toolbox=given.toolbox)}
        for kind, made in kinds.items():
            timed = interleaved({name: made(run) for name, run in ways.items()}, rounds, time.process_time)
            found.append(
                Figure(
                    f"modules_{kind}_{shape[0]}x{shape[1]}",
                    f"N2NMN, small, batch of {BATCH}, {size}, {kind}: time of module by module by ours",
                    timed.ratio("alone", "together"),
                    GOAL if shape == MAPS[0] else None,
                    "at least",
                )
            )
    return found


def main() -> None:
    """Run from the command line."""
    options = arguments(__doc__ or "").parse_args()
    show(figures(options.rounds), options.json)


if __name__ == "__main__":
    main()
