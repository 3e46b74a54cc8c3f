"""A log that TensorBoard and its kin read, beside whatever else watches a training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from commonsight.errors import MissingExtra
from commonsight.models.engine.loop import Unwatched, Watch
from commonsight.models.engine.state import EpochLine, State


class EventLog:
    """Writes event files, and passes everything on to another watch."""

    def __init__(
        self, folder: Path, other: Watch | None = None, *, more: Callable[[], Mapping[str, float]] = dict
    ) -> None:
        """`more` is asked after each epoch what else there is to write, by name."""
        self._folder, self._other, self._more = folder, other or Unwatched(), more
        self._writer: Any = None
        try:
            self._library = import_module("tensorboardX")
        except ImportError as error:
            raise MissingExtra("tensorboardX", "models") from error

    def step(self, state: State, steps: int) -> None:
        """Every step's mean loss of the epoch so far."""
        writer = self._opened(state.step)
        writer.add_scalar("train/loss", state.mean_loss, state.step)
        writer.add_scalar("train/extra", state.mean_extra, state.step)
        self._other.step(state, steps)

    def epoch(self, line: EpochLine, state: State) -> None:
        """What an epoch came to."""
        writer = self._opened(state.step)
        writer.add_scalar("epoch/accuracy", line.accuracy, line.epoch)
        writer.add_scalar("epoch/loss", line.loss, line.epoch)
        writer.add_scalar("epoch/extra", line.extra, line.epoch)
        writer.add_scalar("epoch/rate", line.rate, line.epoch)
        for name, value in self._more().items():
            writer.add_scalar(name, value, line.epoch)
        writer.flush()
        self._other.epoch(line, state)

    def close(self) -> None:
        """Nothing more will come."""
        if self._writer is not None:
            self._writer.close()

    def _opened(self, step: int) -> Any:
        """The writer, made when there is something to write.

        Steps that a killed process logged after its last checkpoint are made, and logged, once more: readers
        are told to forget the first ones. Files are named by the second they are begun in, and by their
        number: who goes on within the same second must not write over what was there.
        """
        if self._writer is None:
            before = len(list(self._folder.glob("*"))) if self._folder.is_dir() else 0
            self._writer = self._library.SummaryWriter(
                str(self._folder), purge_step=step, filename_suffix=f".{before:04}"
            )
        return self._writer
