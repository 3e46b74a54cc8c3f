"""A log that TensorBoard and its kin read, beside whatever else watches a training."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from commonsight.errors import MissingExtra
from commonsight.models.engine.loop import Unwatched, Watch
from commonsight.models.engine.state import EpochLine, State


class EventLog:
    """Writes event files, and passes everything on to another watch."""

    def __init__(self, folder: Path, other: Watch | None = None) -> None:
        self._folder, self._other = folder, other or Unwatched()
        self._writer: Any = None

    def step(self, state: State, steps: int) -> None:
        """Every step's mean loss of the epoch so far."""
        writer = self._opened()
        writer.add_scalar("train/loss", state.loss / max(1, state.seen), state.step)
        writer.add_scalar("train/extra", state.extra / max(1, state.seen), state.step)
        self._other.step(state, steps)

    def epoch(self, line: EpochLine, state: State) -> None:
        """What an epoch came to."""
        writer = self._opened()
        writer.add_scalar("val/accuracy", line.accuracy, line.epoch)
        writer.add_scalar("epoch/loss", line.loss, line.epoch)
        writer.add_scalar("epoch/rate", line.rate, line.epoch)
        writer.flush()
        self._other.epoch(line, state)

    def close(self) -> None:
        """Nothing more will come."""
        if self._writer is not None:
            self._writer.close()

    def _opened(self) -> Any:
        """The writer, made when there is something to write."""
        if self._writer is None:
            try:
                library = import_module("tensorboardX")
            except ImportError as error:
                raise MissingExtra("tensorboardX", "models") from error
            self._writer = library.SummaryWriter(str(self._folder))
        return self._writer
