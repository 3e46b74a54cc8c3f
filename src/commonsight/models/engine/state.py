"""Where training stands: all that decides how it goes on, beside weights and the optimiser's memory."""

from __future__ import annotations

from msgspec import Struct, structs

from commonsight.models.engine.recipe import Recipe


class EpochLine(Struct, frozen=True):
    """What one epoch came to."""

    epoch: int
    loss: float
    """Of the choices, over the training questions, as they were met."""
    extra: float
    """The network's own, beside it."""
    accuracy: float
    """On the validation questions, after it."""
    rate: float
    """Of its last step."""


class State(Struct, frozen=True):
    """Where training stands, between two steps."""

    epoch: int = 0
    """The one under way, from 0."""
    done: int = 0
    """Batches of it that were learned from."""
    step: int = 0
    """Steps in all."""
    seen: int = 0
    """Questions of this epoch so far, and the sums of their losses."""
    loss: float = 0.0
    extra: float = 0.0
    lowered: float = 1.0
    """What plateaus have left of the rate."""
    best: float = -1.0
    """The best validation accuracy, and after which epoch it was."""
    best_epoch: int = -1
    waited: int = 0
    """Epochs since then, or since the rate was lowered."""
    grown: float = 1.0
    """What better epochs have multiplied the patience by."""
    history: tuple[EpochLine, ...] = ()
    finished: str | None = None
    """Why training ended, once it has."""

    @property
    def mean_loss(self) -> float:
        """Of the questions of this epoch so far."""
        return self.loss / max(1, self.seen)

    @property
    def mean_extra(self) -> float:
        """Likewise, of what is beside it."""
        return self.extra / max(1, self.seen)

    def after_step(self, questions: int, loss: float, extra: float) -> State:
        """One step further; the losses are summed over its questions."""
        return structs.replace(
            self,
            done=self.done + 1,
            step=self.step + 1,
            seen=self.seen + questions,
            loss=self.loss + loss,
            extra=self.extra + extra,
        )

    def after_epoch(self, line: EpochLine, recipe: Recipe, *, over: bool) -> State:
        """Once an epoch has ended; `over` says that there is none to come."""
        better = line.accuracy > self.best
        waited = 0 if better else self.waited + 1
        lowered = self.lowered
        if recipe.plateau is not None and waited >= recipe.plateau:
            lowered, waited = lowered * recipe.lower, 0
        best_epoch = self.epoch if better else self.best_epoch
        grown = self.grown * recipe.growth if better else self.grown
        without = self.epoch - best_epoch
        finished = "all epochs are done" if over else None
        if recipe.patience is not None and without >= int(recipe.patience * grown):
            finished = finished or f"no better for {without} epochs"
        return structs.replace(
            self,
            epoch=line.epoch,
            done=0,
            seen=0,
            loss=0.0,
            extra=0.0,
            lowered=lowered,
            best=line.accuracy if better else self.best,
            best_epoch=best_epoch,
            waited=waited,
            grown=grown,
            history=(*self.history, line),
            finished=finished,
        )
