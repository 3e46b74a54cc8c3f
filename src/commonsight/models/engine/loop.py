"""The one training loop. Networks differ by what they are, not by how they are trained.

Everything that is drawn at a step (what is dropped, the order of questions) follows from the seed and the
step's number alone. So a training that was killed goes on from its last checkpoint exactly as it would have
gone on anyway: the same losses, the same weights, to the last bit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Generator as Stream
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor, nn

from commonsight.errors import InputError
from commonsight.models.engine import checkpoint
from commonsight.models.engine.average import MovingAverage
from commonsight.models.engine.checkpoint import Checkpoint
from commonsight.models.engine.losses import loss
from commonsight.models.engine.optimiser import optimiser, rate_at, remember, set_rate, tensors
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.state import EpochLine, State
from commonsight.models.engine.stopping import Asked, finishing_steps
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch
from commonsight.models.features.buckets import batches
from commonsight.models.libraries import seeded
from commonsight.store.locks import held

EVERY = 60.0
"""Seconds between checkpoints within an epoch; there is one after every epoch, too."""
SHARE = 0.05
"""How much of the time may go into checkpoints within an epoch."""


class Batches(Protocol):
    """What is trained on: numbered, each of some length, handed out as batches in any order."""

    lengths: NDArray[np.int64]

    def __len__(self) -> int: ...

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Stream[Batch]:
        """Batches of these numbers, made in the background."""
        ...


Judge = Callable[[nn.Module, Team], float]
"""How good a network is, as a share of 1, on questions that it is not trained on."""


class Watch(Protocol):
    """Whoever wants to see how training goes: a progress bar, a log."""

    def step(self, state: State, steps: int) -> None:
        """After each step of so many."""
        ...

    def epoch(self, line: EpochLine, state: State) -> None:
        """After each epoch."""
        ...


class Unwatched:
    """Nobody looks."""

    def step(self, state: State, steps: int) -> None: ...

    def epoch(self, line: EpochLine, state: State) -> None: ...


class _Share(NamedTuple):
    """One process's part of a step."""

    pieces: list[Batch]
    """Read one by one, their gradients added up."""
    together: int
    """How many questions all processes have."""
    counts: float
    """0 for a process that only keeps in step, 1 otherwise."""


class Training:
    """One training under way, in one folder."""

    def __init__(
        self,
        network: nn.Module,
        train: Batches,
        judge: Judge,
        recipe: Recipe,
        folder: Path,
        *,
        seed: int,
        watch: Watch = Unwatched(),  # noqa: B008 - it holds nothing
        team: Team | None = None,
        every: float = EVERY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not len(train):
            raise InputError("There is nothing to train on. Give a dataset with a split for it.")
        self.network, self.recipe, self.folder = network, recipe, folder
        self._train, self._judge, self._seed = train, judge, seed
        self._watch, self._every, self._clock = watch, every, clock
        self._team = team or Team()
        self._optimiser = optimiser(network.parameters(), recipe)
        self._wrapped = self._team.wrapped(network)
        self._average = None if recipe.ema is None else MovingAverage(network, recipe.ema)
        self._state = State()
        self._saved, self._wait = clock(), every
        an_epoch = -(-len(train) // recipe.batch)
        self._steps = min(recipe.epochs * an_epoch, recipe.steps or recipe.epochs * an_epoch)

    def run(self) -> State:
        """Train to the end, from the last checkpoint if there is one.

        A signal to stop ends it by `KeyboardInterrupt` once a step is done and a checkpoint written.
        """
        with held(self.folder) if self._team.first else nullcontext():
            self._resume()
            with finishing_steps() as asked:
                while self._state.finished is None:
                    self._epoch(asked)
        return self._state

    def _resume(self) -> None:
        found = checkpoint.latest(self.folder)
        if found is None:
            return
        checkpoint.restore(self.network, found.model, self.folder)
        remember(self._optimiser, found.optimiser, self.folder)
        if self._average is not None:
            self._average.restore(found.average, self.folder)
        self._state = found.state

    def _epoch(self, asked: Asked) -> None:
        order = batches(self._train.lengths, self.recipe.batch, seed=self._seed, epoch=self._state.epoch)
        left = order[self._state.done : self._state.done + self._steps - self._state.step]
        self.network.train()
        with closing(self._shares(left)) as shares:
            for share in shares:
                stopped = self._step(share, asked)
                self._watch.step(self._state, self._steps)
                if stopped or self._clock() - self._saved > self._wait:
                    self._save()
                if stopped:
                    raise KeyboardInterrupt
        self._close_epoch()
        if self._team.summed(asked()):
            raise KeyboardInterrupt

    def _shares(self, left: list[NDArray[np.int64]]) -> Stream[_Share]:
        """For each step this process's part of the batch, made in the background."""
        own = [self._team.share(numbers) for numbers in left]
        # A process without a question of its own reads another's, so that the team stays in step.
        read = [mine if len(mine) else numbers[:1] for mine, numbers in zip(own, left, strict=True)]
        pieces = [np.array_split(mine, min(len(mine), self.recipe.accumulate)) for mine in read]
        with closing(self._train.ahead([piece for several in pieces for piece in several])) as stream:
            for mine, several, numbers in zip(own, pieces, left, strict=True):
                yield _Share([next(stream) for _ in several], len(numbers), float(len(mine) > 0))

    def _step(self, share: _Share, asked: Asked) -> bool:
        """Learn from one batch; whether any process of the team was asked to stop."""
        state, recipe = self._state, self.recipe
        set_rate(self._optimiser, rate_at(state.step, self._steps, recipe, state.lowered))
        self._optimiser.zero_grad(set_to_none=True)
        chance = _chance(self._seed, state.step, self._team.rank)
        with seeded(chance):
            losses = self._gradients(share, Generator().manual_seed(chance))
        length = self._clipped()
        # All processes must stop after the same step, or some would wait for the others for ever.
        loss, extra, stops = self._team.sums((*losses, asked()))
        if not (math.isfinite(length) and math.isfinite(loss + extra)):
            raise self._lost(loss + extra)
        self._optimiser.step()
        if self._average is not None:
            self._average.update(self.network)
        self._state = state.after_step(share.together, loss, extra)
        return stops > 0

    def _gradients(self, share: _Share, drawn: Generator) -> tuple[float, float]:
        """Of all pieces together; the sums of their questions' losses, and of what is beside them."""
        loss = extra = 0.0
        for number, piece in enumerate(share.pieces):
            last = number == len(share.pieces) - 1
            with nullcontext() if last else self._team.unsynchronised(self._wrapped):
                one, other = self._learned(piece, share, drawn)
            loss, extra = loss + one, extra + other
        return loss, extra

    def _learned(self, piece: Batch, share: _Share, drawn: Generator) -> tuple[float, float]:
        piece = piece.to(self._team.device)
        with self._precision():
            scores = self._wrapped(piece, generator=drawn)
            learned = scores.parts or (scores.logits,)
            losses = torch.stack([loss(self.recipe.loss, one.float(), piece, drawn) for one in learned]).sum()
            extra = scores.extra.float().expand(len(piece)).sum()
        whole: Tensor = (losses + extra) * (share.counts * self._team.size / share.together)
        whole.backward()  # type: ignore[no-untyped-call]
        return share.counts * losses.item(), share.counts * extra.item()

    def _precision(self) -> Any:
        if self.recipe.precision == "full":
            return nullcontext()
        return torch.autocast(self._team.device.type, torch.bfloat16)

    def _clipped(self) -> float:
        most = math.inf if self.recipe.clip is None else self.recipe.clip
        return float(nn.utils.clip_grad_norm_(self.network.parameters(), most))

    def _lost(self, loss: float) -> InputError:
        """The same command would be lost at the same step again: something has to change."""
        place = f"step {self._state.step + 1}, in epoch {self._state.epoch + 1}"
        stays = f"The last good checkpoint stays in {self.folder}. "
        return InputError(
            f"Training was lost at {place}: the loss is {loss:g}, or its gradient has no length. "
            f"{stays if checkpoint.is_begun(self.folder) else ''}Train into another folder with a lower rate "
            "or stronger clipping, and look for numbers that are not finite in features of your own."
        )

    def _close_epoch(self) -> None:
        state = self._state
        with self._kept_weights():
            found = self._judge(self.network, self._team)
            if found > state.best and self._team.first:
                checkpoint.save_best(self.folder, self.network.state_dict())
        rate = rate_at(max(0, state.step - 1), self._steps, self.recipe, state.lowered)
        line = EpochLine(state.epoch + 1, state.mean_loss, state.mean_extra, found, rate)
        self._state = state.after_epoch(line, self.recipe, over=state.step >= self._steps)
        self._save()
        self._watch.epoch(line, self._state)

    @contextmanager
    def _kept_weights(self) -> Iterator[None]:
        """The network with the weights that are kept: the average, where there is one."""
        if self._average is None:
            yield
            return
        with self._average.instead(self.network):
            yield

    def _save(self) -> None:
        began = self._clock()
        if self._team.first:
            average = {} if self._average is None else self._average.tensors
            model = self.network.state_dict()
            checkpoint.save(self.folder, Checkpoint(self._state, model, tensors(self._optimiser), average))
        self._saved = self._clock()
        # A large network's checkpoint may take long; little of all time should go into writing them.
        self._wait = max(self._every, (self._saved - began) / SHARE)


def _chance(seed: int, step: int, rank: int) -> int:
    """A seed of its own for each step of each process."""
    return int(np.random.SeedSequence((seed, step, rank)).generate_state(1, np.uint64)[0] >> 1)
