"""Auditing four-choice items with every probe, without torch: time, memory, growth."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from _figures import Figure, arguments, show

ITEMS = 25_000
SMALLER = (6_250, 12_500)
SEED = 20220501
MINUTES = 5
_STARTS = (*"bdfghklmnprstvwz", "br", "sh", "st", "tr")
_ENDS = ("an", "el", "in", "or", "um", "ash", "eck", "ild", "ont", "ust", "ate", "ide", "ore", "une", "ee")


class Measured(NamedTuple):
    """What one audit took."""

    clock: float
    processor: float
    peak: int


def write_items(path: Path, items: int, seed: int = SEED) -> None:
    """Lines as in PMR's val-ori.jsonl: premise, four actions of some 15 words, few words often."""
    rng = random.Random(seed)
    words = [start + middle + end for start in _STARTS for middle in ("", *_ENDS) for end in _ENDS]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    with path.open("w", encoding="utf-8") as file:
        for number in range(items):
            file.write(json.dumps(_record(number, rng, words, weights)) + "\n")


def _record(number: int, rng: random.Random, words: list[str], weights: list[float]) -> dict[str, object]:
    def text(least: int, most: int) -> list[object]:
        said: list[object] = [*rng.choices(words, cum_weights=weights, k=rng.randint(least, most))]
        said[rng.randrange(len(said))] = [rng.randrange(3)]
        return [*said, "."]

    movie = f"movie{number // 20}"
    return {
        "total_id": number, "img_fn": f"{movie}/{number}.jpg", "movie": movie, "img_id": f"val-{number}",
        "objects": ["person", "person", "person", "chair"], "premise": text(7, 12),
        "answer_choices": [text(9, 20) for _ in range(4)], "answer_label": rng.randrange(4),
        "answer_types": ["Action-True", "Action-False", "Distractor1", "Distractor2"],
    }  # fmt: skip


def audit(path: Path, out: Path) -> Measured:
    """`commonsight audit` as a person runs it, in processes of its own."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "commonsight", "audit", str(path), "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(clock, used, after.ru_maxrss * 1024)  # the largest process so far: sizes must grow


def figures(items: int = ITEMS, smaller: tuple[int, ...] = SMALLER) -> list[Figure]:
    """Measure on this many items and on fewer."""
    found: dict[int, Measured] = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in (*smaller, items):
            path = Path(folder) / f"val-ori-{count}.jsonl"
            write_items(path, count)
            found[count] = audit(path, Path(folder) / f"report-{count}")
    whole, least = found[items], found[smaller[0]]
    cores = os.cpu_count() or 1
    return [
        Figure("audit_clock", f"{items:,} items, every probe, {cores} cores, minutes by the clock",
               whole.clock / 60, MINUTES, unit=""),
        Figure("audit_processor", "the same, minutes of the processors", whole.processor / 60, unit=""),
        Figure("audit_memory", "the largest process, peak memory", whole.peak / 1e9, unit=" GB"),
        Figure("audit_growth", f"processor time of {items:,} items by that of {smaller[0]:,}",
               whole.processor / least.processor),
    ]  # fmt: skip


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--items", type=int, default=ITEMS)
    options = parser.parse_args()
    show(figures(options.items, (options.items // 4, options.items // 2)), options.json)


if __name__ == "__main__":
    main()
