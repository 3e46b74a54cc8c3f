"""A whole training of seconds: drawn questions, a tiny network of the catalogue, the real loop.

    python toy_training.py FOLDER '{"kill_at": 7}'        trains in a process of its own, killed at a step
    python toy_training.py FOLDER '{}' train r2c DATASET  and then does as the command line does
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import numpy as np
import torch
from making import batch_for, drawn, scores_of, set_dropout, tiny_network
from msgspec import Struct
from numpy.typing import NDArray
from torch import nn

from commonsight.models.catalogue import find
from commonsight.models.catalogue_entry import Entry
from commonsight.models.engine import checkpoint
from commonsight.models.engine.loop import Training, Watch
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import EpochLine, State
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch
from commonsight.models.features.examples import Example
from commonsight.models.features.source import made_ahead

FULL = Recipe(epochs=3, batch=8, accumulate=2, rate=0.01, ema=0.8, warm_up=0.2, plateau=1, clip=1.0)
"""With all that a training can have; networks have dropout."""


class ToyBatches:
    """Drawn questions as a network of the catalogue reads them."""

    def __init__(self, entry: Entry, examples: Sequence[Example]) -> None:
        self.entry, self.examples = entry, examples
        self.lengths: NDArray[np.int64] = np.array(
            [max(len(text.words) for text in one.responses) for one in examples], np.int64
        )

    def __len__(self) -> int:
        return len(self.examples)

    def batch(self, numbers: NDArray[np.int64]) -> Batch:
        return batch_for(self.entry, [self.examples[number] for number in numbers])

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        return made_ahead(self.batch, chosen)


class Asked(Struct):
    """What to train; plain values, to be handed to another process."""

    recipe: Recipe = FULL
    network: str = "r2c"
    questions: int = 36
    dropout: bool = True
    seed: int = 5
    steps_a_checkpoint: int = 3
    kill_at: int | None = None


class StepClock:
    """A watch in both senses: its hand moves at every step, and at no other time."""

    def __init__(self, other: Watch) -> None:
        self._other, self._steps = other, 0

    def __call__(self) -> float:
        return float(self._steps)

    def step(self, state: State, steps: int) -> None:
        self._steps += 1
        self._other.step(state, steps)

    def epoch(self, line: EpochLine, state: State) -> None:
        self._other.epoch(line, state)


class Told:
    """Watches, and does something at each step."""

    def __init__(self, at_step: Callable[[int], None] = lambda _: None) -> None:
        self.steps: list[int] = []
        self.losses: list[float] = []
        self.epochs: list[EpochLine] = []
        self._at_step = at_step

    def step(self, state: State, steps: int) -> None:
        assert state.step <= steps
        self.steps.append(state.step)
        self.losses.append(state.mean_loss)
        self._at_step(state.step)

    def epoch(self, line: EpochLine, state: State) -> None:
        assert state.history[-1] == line
        self.epochs.append(line)


def toy_training(
    folder: Path, asked: Asked, watch: Watch | None = None, team: Team | None = None
) -> Training:
    """A training that can be run."""
    entry = find(asked.network)
    network = tiny_network(entry)
    set_dropout(network, 0.2 if asked.dropout else 0.0)
    clock = StepClock(watch or Told())  # so that checkpoints come after so many steps
    return Training(
        network,
        ToyBatches(entry, drawn(asked.questions)),
        judge(entry, drawn(11, seed=1)),
        asked.recipe,
        folder,
        seed=asked.seed,
        watch=clock,
        team=team or Team("cpu"),
        every=asked.steps_a_checkpoint - 0.5,
        clock=clock,
    )


def judge(entry: Entry, examples: Sequence[Example]) -> Callable[[nn.Module, Team], float]:
    """The share of questions that a network gets right, with every process reading its part."""
    held_out = ToyBatches(entry, examples)

    def judged(network: nn.Module, team: Team) -> float:
        training = network.training
        batch = held_out.batch(team.share(np.arange(len(held_out))))
        right = (scores_of(network, batch).logits.argmax(dim=1) == batch.gold).sum()
        network.train(training)
        return team.summed(float(right)) / len(held_out)

    return judged


def killing(at: int | None) -> Callable[[int], None]:
    def kill(step: int) -> None:
        if step == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return kill


if __name__ == "__main__":
    import msgspec

    torch.set_num_threads(1)
    wanted = msgspec.json.decode(sys.argv[2], type=Asked)
    ours = Team("cpu")
    told, saves = Told(killing(wanted.kill_at)), []
    write = checkpoint._write
    checkpoint._write = lambda path, model: (saves.append(path.name), write(path, model))[1]
    state = toy_training(Path(sys.argv[1]), wanted, told, ours).run()
    summary = {"rank": ours.rank, "size": ours.size, "steps": told.steps, "saves": saves}
    sys.stdout.write(json.dumps(summary) + "\n")
    sys.stdout.flush()
    if sys.argv[3:]:
        from commonsight.cli.main import main

        sys.argv = ["commonsight", *sys.argv[3:]]
        main()
