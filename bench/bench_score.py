"""Scoring a million predictions: columns against a plain loop over dictionaries that does the same rule."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

from _figures import ROUNDS, Figure, arguments, show
from _plain import read_nlvr2, read_vcr, score_nlvr2, score_vcr
from _synthetic import (
    IMAGES_SHARE,
    PAIRS,
    SEED,
    nlvr2_id,
    nlvr2_label,
    vcr_id,
    vcr_labels,
    write_nlvr2,
    write_vcr,
)
from _timing import Timings, interleaved, peak_bytes
from commonsight.benchmarks import find
from commonsight.benchmarks.vcr import ANSWER_COLUMNS, RATIONALE_COLUMNS
from commonsight.score.gold import Gold
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import Outcome, gather_gold, measure, scorecard
from commonsight.store.native import read_native

PREDICTIONS = 1_000_000
MEMORY_PREDICTIONS = 200_000
"""Memory grows with the items, and a million gold records of VCR would be a file of 1.8 GB."""
RIGHT = 0.8
MEMORY_ROUNDS = 3
"""From memory is so quick that it can run this many times as often as from the file."""

Order = NDArray[np.intp]


@dataclass(frozen=True)
class Case:
    """One benchmark: the same gold in both forms, and how each side reads and scores predictions."""

    name: str
    gold_file: str
    gold: Callable[[int], Gold]
    plain_gold: Callable[[int], Any]
    write_gold: Callable[[Path, int], None]
    write_predictions: Callable[[Path, Order], None]
    plain_read: Callable[[Path], Any]
    plain_score: Callable[[Any, Any], dict[str, float]]


def nlvr2_gold(number: int) -> Gold:
    """Labels, and a group a sentence."""
    labels = np.array([nlvr2_label(row) for row in range(number)], dtype=np.int64)
    ids = pa.array([nlvr2_id(row) for row in range(number)])
    return Gold(ids, {"label": labels}, np.arange(number) // PAIRS, {})


def nlvr2_plain_gold(number: int) -> dict[str, dict[str, object]]:
    """The same as dictionaries."""
    return {
        nlvr2_id(row): {"label": nlvr2_label(row), "sentence": f"dev-{row // PAIRS}"} for row in range(number)
    }


def write_nlvr2_predictions(path: Path, order: Order) -> None:
    """`identifier,True` lines, four in five of them right."""
    right = np.random.default_rng(SEED).random(len(order)) < RIGHT
    with path.open("w", encoding="utf-8") as file:
        for row in order.tolist():
            file.write(f"{nlvr2_id(row)},{nlvr2_label(row) == right[row]}\n")


def vcr_gold(number: int) -> Gold:
    """Labels of both steps, and a group an image."""
    labels = np.array([vcr_labels(row) for row in range(number)], dtype=np.int64)
    ids = pa.array([vcr_id(row) for row in range(number)])
    columns = {"answer": labels[:, 0].copy(), "rationale": labels[:, 1].copy()}
    return Gold(ids, columns, np.arange(number) // IMAGES_SHARE, {})


def vcr_plain_gold(number: int) -> dict[str, dict[str, int]]:
    """The same as dictionaries."""
    return {
        vcr_id(row): dict(zip(("answer", "rationale"), vcr_labels(row), strict=True)) for row in range(number)
    }


def write_vcr_predictions(path: Path, order: Order) -> None:
    """The leaderboard's 4 + 16 scores, of which the right one is mostly the highest."""
    rng = np.random.default_rng(SEED)
    labels = np.array([vcr_labels(int(row)) for row in order])  # (row, step)
    scores = rng.random((len(order), 5, 4))  # (row, the answer or its condition, choice)
    for block in range(5):
        right = np.flatnonzero(rng.random(len(order)) < RIGHT)
        scores[right, block, labels[right, min(block, 1)]] += 1.0
    columns = np.round(scores.reshape(len(order), 20), 5).T
    table = pa.table({
        "annot_id": [vcr_id(row) for row in order.tolist()],
        **dict(zip((*ANSWER_COLUMNS, *RATIONALE_COLUMNS), columns, strict=True)),
    })  # fmt: skip
    pa_csv.write_csv(table, path, pa_csv.WriteOptions(quoting_style="none"))


CASES = (
    Case(
        "nlvr2",
        "dev.json",
        nlvr2_gold,
        nlvr2_plain_gold,
        write_nlvr2,
        write_nlvr2_predictions,
        read_nlvr2,
        score_nlvr2,
    ),
    Case("vcr", "val.jsonl", vcr_gold, vcr_plain_gold, write_vcr, write_vcr_predictions, read_vcr, score_vcr),
)


def values(outcome: Outcome) -> dict[str, float]:
    """Every metric's value, without its error bar."""
    return {name: float(outcome.units(name)[0].mean()) for name in outcome.metrics}


def score(case: Case, gold: Gold, predictions: Predictions) -> dict[str, float]:
    """Our scoring."""
    return values(measure(find(case.name).scoring, gold, predictions))


def read_and_score(case: Case, gold: Gold, path: Path) -> dict[str, float]:
    """Our scoring, from the file."""
    return score(case, gold, find(case.name).scoring.read_predictions(path))


def plain_read_and_score(case: Case, gold: Any, path: Path) -> dict[str, float]:
    """The loop, from the file."""
    return case.plain_score(gold, case.plain_read(path))


def error_bars(case: Case, gold: Gold, predictions: Predictions) -> None:
    """Our scoring with error bars, which the loop has none of."""
    scorecard(case.name, measure(find(case.name).scoring, gold, predictions))


def from_files(name: str, gold: Path, predictions: Path) -> None:
    """All that `commonsight score` does, without the printing."""
    benchmark = find(name)
    given = benchmark.scoring.read_predictions(predictions)
    columns = gather_gold(benchmark.scoring, read_native(benchmark.native, [gold]))
    scorecard(name, measure(benchmark.scoring, columns, given))


class Sides:
    """The same gold and predictions in both forms, ready to be scored; their results must be the same."""

    def __init__(self, case: Case, path: Path, number: int) -> None:
        self.case, self.path = case, path
        self.gold, self.plain_gold = case.gold(number), case.plain_gold(number)
        self.given, self.plain_given = find(case.name).scoring.read_predictions(path), case.plain_read(path)
        ours, theirs = score(case, self.gold, self.given), case.plain_score(self.plain_gold, self.plain_given)
        assert ours.keys() == theirs.keys(), (ours, theirs)
        assert all(abs(ours[name] - theirs[name]) < 1e-12 for name in ours), (ours, theirs)

    def from_memory(self, rounds: int) -> Timings:
        """Gold and predictions are there; the dictionaries have their hashes, so ours has its index."""
        return interleaved(
            {
                "ours": partial(score, self.case, self.gold, self.given),
                "plain": partial(self.case.plain_score, self.plain_gold, self.plain_given),
                "first": lambda: score(self.case, _without_index(self.gold), self.given),
                "bars": partial(error_bars, self.case, self.gold, self.given),
            },
            rounds,
        )

    def from_file(self, rounds: int) -> Timings:
        """Gold is there; predictions are read."""
        return interleaved(
            {
                "ours": partial(read_and_score, self.case, self.gold, self.path),
                "plain": partial(plain_read_and_score, self.case, self.plain_gold, self.path),
            },
            rounds,
        )


def _without_index(gold: Gold) -> Gold:
    """The same gold as if nothing had been looked up in it yet."""
    return replace(gold)


def memory(case: Case, folder: Path, number: int) -> float:
    """Peak memory of scoring from files, by the size of both files."""
    gold, predictions = folder / case.gold_file, folder / "predictions"
    case.write_gold(gold, number)
    case.write_predictions(predictions, _shuffled(number))
    size = gold.stat().st_size + predictions.stat().st_size
    return peak_bytes(from_files, case.name, gold, predictions) / size


def _shuffled(number: int) -> Order:
    return np.random.default_rng(SEED).permutation(number)


def figures_of(case: Case, number: int, memory_number: int, rounds: int) -> list[Figure]:
    """All figures of one benchmark. Shuffled is the hard order, so most are of that."""
    told = f"{case.name}, {number:,} predictions"
    many = MEMORY_ROUNDS * rounds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions"
        case.write_predictions(path, np.arange(number))
        ordered = Sides(case, path, number).from_memory(many).ratio("plain", "ours")
        case.write_predictions(path, _shuffled(number))
        sides = Sides(case, path, number)
        times, file = sides.from_memory(many), sides.from_file(rounds).ratio("plain", "ours")
        del sides
        used = memory(case, Path(folder), memory_number)

    def figure(key: str, what: str, ratio: float, target: float | None = None) -> Figure:
        return Figure(f"{case.name}_{key}", what, ratio, target, "at least")

    return [
        figure("ordered", f"{told} in the gold's order: time of the plain loop by ours", ordered, 10),
        figure("shuffled", f"{told}, shuffled: the same", times.ratio("plain", "ours"), 10),
        figure("first", f"{told}, shuffled: the same, ours indexing the gold", times.ratio("plain", "first")),
        figure("file", f"{told}, shuffled: the same, both reading the predictions file", file),
        figure(
            "bars", f"{told}, shuffled: ours with error bars by ours without", times.ratio("bars", "ours")
        ),
        Figure(
            f"{case.name}_memory",
            f"{case.name}, {memory_number:,} predictions: peak memory of scoring from files by their size",
            used,
            2,
        ),
    ]


def figures(
    number: int = PREDICTIONS, memory_number: int = MEMORY_PREDICTIONS, rounds: int = ROUNDS
) -> list[Figure]:
    """All figures."""
    return [figure for case in CASES for figure in figures_of(case, number, memory_number, rounds)]


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--predictions", type=int, default=PREDICTIONS)
    parser.add_argument("--memory-predictions", type=int, default=MEMORY_PREDICTIONS)
    options = parser.parse_args()
    show(figures(options.predictions, options.memory_predictions, options.rounds), options.json)


if __name__ == "__main__":
    main()
