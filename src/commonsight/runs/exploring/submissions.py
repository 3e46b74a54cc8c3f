"""Predictions that people send in, scored against a gold that they never see.

    <id>.json     who sent it and when, and what it earned
    <id>.upload   what was sent, as it was

Only scores over all items leave this place: which item is right, and which is wrong, would tell the gold.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct

from commonsight.core.benchmark import Benchmark
from commonsight.errors import InputError, PredictionError, UsageError
from commonsight.runs.exploring.sandbox import Room, read_in_sandbox
from commonsight.score.gold import Gold
from commonsight.score.intervals import Figure
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import Scoring, gather_gold, measure, scorecard
from commonsight.store.atomic import new_file
from commonsight.store.dataset import read_dataset

MOST_BYTES = 64 << 20
MOST_NAME = 80


class Submission(Struct, frozen=True):
    """One file that was sent in."""

    id: str
    name: str
    made_at: float
    """Seconds since 1970."""
    split: str
    n: int
    metrics: dict[str, Figure]
    failures: dict[str, int] = {}


Reader = Callable[[str, bytes, str], Predictions]


class Submissions:
    """The folder of what was sent in for one split of one dataset."""

    def __init__(
        self,
        folder: Path,
        dataset: Path,
        benchmark: Benchmark[Scoring],
        split: str,
        clock: Callable[[], float],
        room: Room | None = None,
    ) -> None:
        self._folder, self._benchmark, self.split = folder, benchmark, split
        self._clock, self._room, self._lock = clock, room, Lock()
        self._gold = _gold(dataset, benchmark, split)
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def items(self) -> int:
        """How many items a file must answer."""
        return len(self._gold)

    def submit(self, name: str, content: bytes, ending: str) -> Submission:
        """Score a file and keep it; one that cannot be scored is not kept."""
        name = checked_name(name)
        if len(content) > MOST_BYTES:
            raise PredictionError(f"The file has {len(content):,} bytes, and {MOST_BYTES:,} are the most.")
        with self._lock:  # one at a time: each may use a good part of the machine
            predictions = read_in_sandbox(self._benchmark.name, content, ending, self._room)
        outcome = measure(self._benchmark.scoring, self._gold, predictions)
        card = scorecard(self._benchmark.name, outcome)
        made = Submission(
            secrets.token_hex(8), name, self._clock(), self.split, card.n, card.metrics, card.failures
        )
        with new_file(self._folder / f"{made.id}.upload") as beside:
            beside.write_bytes(content)
        with new_file(self._folder / f"{made.id}.json") as beside:
            beside.write_bytes(msgspec.json.encode(made))
        return made

    def all(self) -> list[Submission]:
        """Everything that was scored for this split, newest first."""
        found = []
        for path in self._folder.glob("*.json"):
            try:
                found.append(msgspec.json.decode(path.read_bytes(), type=Submission))
            except msgspec.MsgspecError as error:
                raise InputError(f"{path} is damaged ({error}). Restore or remove it.") from error
        mine = [one for one in found if one.split == self.split]
        return sorted(mine, key=lambda one: (-one.made_at, one.id))


def checked_name(name: str) -> str:
    """What a person calls what they send: one line of printable text."""
    told = " ".join(name.split())
    if not told or len(told) > MOST_NAME or not told.isprintable():
        raise UsageError(f"Give what you send a name of 1 to {MOST_NAME} printable characters.")
    return told


def _gold(dataset: Path, benchmark: Benchmark[Scoring], split: str) -> Gold:
    items = (
        item
        for item in read_dataset(dataset, split=split, outlines=False)
        if benchmark.scoring.labelled(item)
    )
    return gather_gold(benchmark.scoring, items)
