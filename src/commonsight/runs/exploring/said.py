"""What runs said of a dataset's items: how right and how sure as columns, the words themselves on demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonsight.core.benchmark import Benchmark
from commonsight.runs.exploring.index import Index
from commonsight.runs.exploring.measured import Measured
from commonsight.score.scoring import Scoring
from commonsight.store.runs import ANSWERS, AnswerLine, is_run

Floats = NDArray[np.float64]


class _Named(msgspec.Struct):
    """As much of a line of answers as finding it again takes."""

    item: str


_named = msgspec.json.Decoder(_Named)
_line = msgspec.json.Decoder(AnswerLine)


@dataclass(frozen=True)
class RunColumns:
    """A run beside the rows of an index."""

    name: str
    path: Path
    metric: str
    """By which `score` is told: the first of the benchmark's that the run has."""
    score: Floats
    """What each row earned, in [0, 1]; NaN where the run did not answer it."""
    sureness: Floats
    """The probability of what was answered, where the run tells; else NaN."""
    every: dict[str, Floats]
    """By every metric of single items what each row earned."""

    def scores_of(self, row: int) -> dict[str, float]:
        """What a row earned by every metric that has it."""
        return {name: float(column[row]) for name, column in self.every.items() if not np.isnan(column[row])}

    @property
    def right(self) -> NDArray[np.bool_]:
        """Rows of which the answer is right, in part at least."""
        return np.asarray(self.score > 0)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Rows that were answered, and earned nothing."""
        return np.asarray(self.score == 0)


def columns_of(run: Measured, index: Index, benchmark: Benchmark[Scoring]) -> RunColumns:
    """A run beside the rows of an index."""
    rows = index.rows(run.outcome.gold.ids.to_pylist())
    answered = np.flatnonzero(run.present & (rows >= 0))
    every = {}
    for name, column in run.outcome.metrics.items():
        if not column.whole_groups:
            every[name] = np.full(index.count, np.nan)
            every[name][rows[answered]] = column.values[answered]
    metric = next(name for name in benchmark.metrics if name in every)
    return RunColumns(run.name, run.path, metric, every[metric], _sureness(run, index), every)


def _sureness(run: Measured, index: Index) -> Floats:
    """The probability of the first task's answer."""
    found = np.full(index.count, np.nan)
    for chances in run.part.chances.values():
        for item, told in chances.items():
            row = index.row(item)
            if row is not None:
                found[row] = max(told)
        break
    return found


class Words:
    """The lines of a run's log, found by item without holding them."""

    def __init__(self, path: Path) -> None:
        self._path = path / ANSWERS if is_run(path) else None
        self._at: dict[str, list[tuple[int, int]]] | None = None

    def of(self, item: str) -> list[AnswerLine]:
        """Everything that the run said of an item, task by task."""
        if self._path is None:
            return []
        if self._at is None:
            self._at = _places(self._path)
        found = []
        with self._path.open("rb") as stream:
            for begin, length in self._at.get(item, ()):
                stream.seek(begin)
                found.append(_line.decode(stream.read(length)))
        return found


def _places(path: Path) -> dict[str, list[tuple[int, int]]]:
    """By item where its lines are; a torn last line is none."""
    found: dict[str, list[tuple[int, int]]] = {}
    for begin, line in _lines(path):
        found.setdefault(_named.decode(line).item, []).append((begin, len(line)))
    return found


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    begin = 0
    with path.open("rb") as stream:
        for line in stream:
            if line.endswith(b"\n") and line.strip():
                yield begin, line
            begin += len(line)
