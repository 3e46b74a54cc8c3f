"""What a run came to, read from its log: the paper's scores, and what else the log tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from msgspec import Struct

from commonsight.core.answer import FAILURES, Pick
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import InputError
from commonsight.runs.variants import Key
from commonsight.score.intervals import Figure, figure
from commonsight.score.scoring import (
    LoggedAnswer,
    Scorecard,
    Scoring,
    gather_gold,
    measure,
    scorecard,
)
from commonsight.store.runs import AnswerLine, read_answers, read_failures, read_run


class RunReport(Struct, frozen=True):
    """The one object that `--json` prints, and what `report.json` holds."""

    benchmark: str
    answerer: str
    n: int
    metrics: dict[str, Figure]
    unread: dict[str, Figure]
    """Answers that score 0 for want of a readable one, by kind, as shares of all answers."""
    failed: int
    """Questions without any answer, which are left out of the scores; `--resume` asks them again."""
    circular: dict[str, Figure] = {}
    """By task: right at every rotation of the choices."""
    positions: dict[str, tuple[float, ...]] = {}
    """By task: the share of picks at each position as shown."""
    epochs: dict[str, dict[str, float]] = {}
    """By task: the mean over repeated asking, its deviation, and the share right at least once."""
    tokens: dict[str, int] = {}
    slices: dict[str, dict[str, dict[str, Figure]]] = {}


def run_report(
    folder: Path,
    benchmark: Benchmark[Scoring],
    items: Iterable[Item],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> RunReport:
    """Score a run by its benchmark's rules, on the items that it answered in every task it was asked."""
    info = read_run(folder)
    lines = list(read_answers(folder))
    plain = [line for line in lines if _plain(line)]
    asked = {line.item for line in plain}
    labelled = {item.id: item for item in items if item.id in asked and benchmark.scoring.labelled(item)}
    if not labelled:
        raise InputError(f"{folder}: no labelled item of the dataset is answered yet, so none can be scored.")
    card = _card(benchmark, labelled, plain, confidence, seed)
    golds = _golds(benchmark, labelled)
    return RunReport(
        info.benchmark,
        info.answerer,
        card.n,
        card.metrics,
        _unread(plain, confidence),
        len(read_failures(folder)),
        _circular(lines, golds, confidence),
        _positions(lines, benchmark, labelled),
        _epochs(lines, golds),
        _tokens(lines),
        card.slices,
    )


def _plain(line: AnswerLine) -> bool:
    key = Key.parse(line.task)
    return not key.turned and not key.epoch and key.given is None


def _card(
    benchmark: Benchmark[Scoring],
    labelled: dict[str, Item],
    lines: list[AnswerLine],
    confidence: float,
    seed: int,
) -> Scorecard:
    logged = (LoggedAnswer(line.item, line.task, line.answer) for line in lines if line.item in labelled)
    predictions = benchmark.scoring.from_answers(logged)
    gold = gather_gold(benchmark.scoring, labelled.values())
    outcome = measure(benchmark.scoring, gold, predictions, allow_missing=True)
    return scorecard(
        benchmark.name,
        outcome,
        clustered_by=benchmark.scoring.clustered_by,
        confidence=confidence,
        seed=seed,
    )


def _unread(lines: list[AnswerLine], confidence: float) -> dict[str, Figure]:
    found = {}
    for kind in FAILURES:
        hits = [isinstance(line.answer, kind) for line in lines]
        found[kind.__name__.lower()] = figure(hits, confidence=confidence)
    return found


Golds = dict[str, dict[str, int]]
"""By task, then by item: the right position."""


def _golds(benchmark: Benchmark[Scoring], labelled: dict[str, Item]) -> Golds:
    found: Golds = {}
    for task in benchmark.tasks:
        for item in labelled.values():
            try:
                gold = task.ask(item).gold
            except ValueError:
                continue
            if isinstance(gold, Pick):
                found.setdefault(task.name, {})[item.id] = gold.index
    return found


def _right(line: AnswerLine, golds: Golds, task: str) -> bool:
    return isinstance(line.answer, Pick) and line.answer.index == golds[task][line.item]


def _graded(lines: Iterable[AnswerLine], golds: Golds) -> Iterator[tuple[Key, str, bool]]:
    for line in lines:
        key = Key.parse(line.task)
        if key.given is None and line.item in golds.get(key.task, {}):
            yield key, line.item, _right(line, golds, key.task)


def _circular(lines: list[AnswerLine], golds: Golds, confidence: float) -> dict[str, Figure]:
    turns: dict[str, dict[str, list[bool]]] = {}
    for key, item, right in _graded(lines, golds):
        if not key.epoch:
            turns.setdefault(key.task, {}).setdefault(item, []).append(right)
    return {
        task: figure([all(rights) for rights in items.values()], confidence=confidence)
        for task, items in turns.items()
        if max(map(len, items.values())) > 1
    }


def _positions(
    lines: list[AnswerLine], benchmark: Benchmark[Scoring], labelled: dict[str, Item]
) -> dict[str, tuple[float, ...]]:
    """Where picks stood as they were shown: without a liking each position has its share."""
    shown: dict[str, Counter[int]] = {}
    sizes = {
        (task.name, item.id): count
        for task in benchmark.tasks
        for item in labelled.values()
        if (count := _choices(task.name, benchmark, item))
    }
    for line in lines:
        key = Key.parse(line.task)
        count = sizes.get((key.task, line.item), 0)
        if isinstance(line.answer, Pick) and count:
            shown.setdefault(key.task, Counter())[(line.answer.index - key.turned) % count] += 1
    return {
        task: tuple(counts[place] / counts.total() for place in range(max(counts) + 1))
        for task, counts in shown.items()
    }


def _choices(task: str, benchmark: Benchmark[Scoring], item: Item) -> int:
    try:
        return len(benchmark.task(task).ask(item).choices)
    except ValueError:
        return 0


def _epochs(lines: list[AnswerLine], golds: Golds) -> dict[str, dict[str, float]]:
    rights: dict[str, dict[int, dict[str, bool]]] = {}
    for key, item, right in _graded(lines, golds):
        if not key.turned:
            rights.setdefault(key.task, {}).setdefault(key.epoch, {})[item] = right
    found = {}
    for task, epochs in rights.items():
        if len(epochs) > 1:
            means = [float(np.mean(list(items.values()))) for items in epochs.values()]
            every = set.intersection(*(set(items) for items in epochs.values()))
            once = [any(items[item] for items in epochs.values()) for item in every]
            found[task] = {
                "mean": float(np.mean(means)),
                "deviation": float(np.std(means, ddof=1)),
                f"pass@{len(epochs)}": float(np.mean(once)) if once else 0.0,
            }
    return found


def _tokens(lines: list[AnswerLine]) -> dict[str, int]:
    names = ("input_tokens", "output_tokens")
    return {name: sum(int(line.extra.get(name) or 0) for line in lines) for name in names}
