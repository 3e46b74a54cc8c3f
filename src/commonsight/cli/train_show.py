"""A training in the terminal: how far it has come, and what each epoch came to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from commonsight.cli.console import err, out, visible
from commonsight.cli.tables import percent, plural, table

if TYPE_CHECKING:
    from commonsight.core.benchmark import Task
    from commonsight.models.engine.state import EpochLine, State
    from commonsight.models.pretraining.judging import HeldOut
    from commonsight.models.progress import Progress as Told
    from commonsight.runs.training import Trained


class Bars:
    """Progress bars on standard error, one for each thing that is done (only on a terminal)."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar

    def told(self, what: str) -> Told:
        """Whom to tell how far this has come."""
        made: list[TaskID] = []

        def tell(done: int, total: int) -> None:
            if not made:
                made.append(self.bar.add_task(what, total=total))
            self.bar.update(made[0], completed=done, total=total, visible=done < total)

        return tell

    def said(self, line: str) -> None:
        """Print a line above the bars."""
        self.bar.console.print(visible(line), markup=False, soft_wrap=True)

    def watch(self, task: Task) -> EpochWatch:
        """Whoever watches the training of one task."""
        return self.watched(task.name)

    def watched(self, name: str) -> EpochWatch:
        """Whoever watches the training of what has this name."""
        return EpochWatch(self.bar, name)


class EpochWatch:
    """A bar over all steps, and a line for each epoch."""

    def __init__(self, bar: Progress, name: str) -> None:
        self._bar, self._name = bar, name
        self._task: TaskID | None = None

    def step(self, state: State, steps: int) -> None:
        """Move the bar."""
        told = f"training {self._name}, loss {_losses(state.mean_loss, state.mean_extra)}"
        self._move(state, steps, told)

    def epoch(self, line: EpochLine, state: State) -> None:
        """Tell what it came to."""
        losses, found = _losses(line.loss, line.extra), percent(line.accuracy)
        self._end(line, state, f"loss {losses}  validation {found}")

    def _move(self, state: State, steps: int, told: str) -> None:
        if self._task is None:
            self._task = self._bar.add_task(told, total=steps)
        self._bar.update(self._task, completed=state.step, description=told)

    def _end(self, line: EpochLine, state: State, told: str) -> None:
        best = "  best so far" if state.best_epoch == line.epoch - 1 else ""
        told = f"{self._name}  epoch {line.epoch}  {told}{best}"
        self._bar.console.print(told, style=None if best else "dim", soft_wrap=True)
        if state.finished and self._task is not None:
            self._bar.remove_task(self._task)


class HeldOutWatch(EpochWatch):
    """The same for pre-training: there is nothing to choose, only what each objective loses."""

    def __init__(self, bar: Progress, name: str, judge: HeldOut) -> None:
        super().__init__(bar, name)
        self._judge = judge

    def step(self, state: State, steps: int) -> None:
        """Move the bar."""
        self._move(state, steps, f"pre-training {self._name}, loss {state.mean_extra:.3f}")

    def epoch(self, line: EpochLine, state: State) -> None:
        """Tell what was lost on texts held out."""
        lost = self._judge.last
        each = ", ".join(f"{name} {loss:.3f}" for name, loss in lost.items())
        self._end(line, state, f"loss {line.extra:.3f}  held out {sum(lost.values()):.3f} ({each})")


def _losses(loss: float, extra: float) -> str:
    """Of the choices, and where there is one the network's own beside it; one that writes has that alone."""
    if extra and not loss:
        return f"{extra:.3f}"
    return f"{loss:.3f}" + (f" + {extra:.3f}" if extra else "")


@contextmanager
def bars() -> Iterator[Bars]:
    """Bars while the block lasts; on anything but a terminal only the lines of epochs."""
    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield Bars(bar)


@contextmanager
def stopping() -> Iterator[None]:
    """Whoever stops a training is told how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        err.print("Stopped. The same command goes on from here.")
        raise


def show(trained: list[Trained], folder: Path) -> None:
    """What every task's network came to."""
    made = table("task", "best validation", "at epoch", "of", "parameters")
    for one in trained:
        state = one.state
        made.add_row(
            one.task, percent(state.best), str(state.best_epoch + 1), str(state.epoch), f"{one.parameters:,}"
        )
    out.print(made)
    for one in trained:
        if one.state.finished:
            out.print(f"[dim]{one.task}: {one.state.finished}[/]")
    told = f"{folder}: {plural(len(trained), 'network')}. Try them: commonsight predict {folder} DATASET"
    out.print(visible(told), markup=False, soft_wrap=True)
