"""Read and score one reply at a time, as peers do: by Commonsight's parser and the paper's own rules.

Exported files call this where they run, so that a score in Inspect or lmms-eval is the score that a run of
ours would have. What cannot be read is never guessed: it scores 0 and is counted as `unread`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from commonsight.benchmarks import find
from commonsight.core.answer import FAILURES, Answer, FreeText, Grounded, Pick, Truncated, Unparsed, Verdict
from commonsight.core.benchmark import Ask, Benchmark
from commonsight.core.item import Item
from commonsight.errors import InputError
from commonsight.runs.exports.info import ExportInfo, read_export, read_items
from commonsight.score.consistency import all_right
from commonsight.score.gold import gather
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Scoring, measure
from commonsight.vlm.client import Finish, Reply
from commonsight.vlm.reading import answer_of
from commonsight.vlm.render import said

UNREAD = "unread"
"""The share of replies in which no answer could be read."""


class Marked(NamedTuple):
    """What became of one reply."""

    answer: Answer
    values: dict[str, float]
    """Each metric in [0, 1]; NaN where it leaves the item out, or its label is hidden."""

    @property
    def failure(self) -> str:
        """Why nothing could be read; empty if something was."""
        return "" if not isinstance(self.answer, FAILURES) else failure_told(self.answer)


def failure_told(answer: Answer) -> str:
    """A failure in words."""
    match answer:
        case Unparsed(_, why):
            return f"unparsed: {why}"
        case Truncated():
            return "truncated"
    return type(answer).__name__.lower()


def values_of(
    benchmark: Benchmark[Scoring], item: Item, task: str, answer: Answer
) -> dict[str, MetricColumn]:
    """What one answer earns on one labelled item, metric by metric, by the paper's rules."""
    scoring = benchmark.scoring
    gold = gather([item], scoring.gold, scoring.cluster_of, {})
    given = scoring.from_answers([LoggedAnswer(item.id, task, answer)])
    return measure(scoring, gold, given).metrics


class Marker:
    """Reads and scores replies to an export. Nothing is read before the first reply."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def info(self) -> ExportInfo:
        """What the export says of itself."""
        return read_export(self._folder)

    @cached_property
    def _benchmark(self) -> Benchmark[Scoring]:
        return find(self.info.benchmark)

    @cached_property
    def _items(self) -> dict[str, Item]:
        return {item.id: item for item in read_items(self._folder)}

    @cached_property
    def _metrics(self) -> dict[str, dict[str, bool]]:
        return {task.name: task.metrics for task in self.info.tasks}

    def mark(self, item: str, task: str, reply: str, finish: Finish = "stop") -> Marked:
        """The answer that a reply gives, and what it earns."""
        found = self._item(item)
        answer = answer_of(Reply(reply, finish), self._benchmark.task(task).ask(found))
        values = dict.fromkeys(self._metrics[task], math.nan)
        if self._benchmark.scoring.labelled(found):
            columns = values_of(self._benchmark, found, task, answer)
            values |= {name: float(column.values[0]) for name, column in columns.items()}
        values[UNREAD] = float(isinstance(answer, FAILURES))
        return Marked(answer, values)

    def ask(self, item: str, task: str) -> Ask:
        """The question that was put."""
        return self._benchmark.task(task).ask(self._item(item))

    def told(self, item: str, task: str, marked: Marked) -> str:
        """The answer as the instruction asks for it, or why there is none."""
        match marked.answer:
            case Pick() | Verdict() | FreeText() | Grounded() as given:
                return said(given, self.ask(item, task))
        return marked.failure

    def overall(self, task: str, marked: Iterable[tuple[str, Mapping[str, float]]]) -> dict[str, float]:
        """Every metric over all items, each given with what it earned."""
        rows = [(self._benchmark.scoring.cluster_of(self._item(item)), values) for item, values in marked]
        found = {}
        for metric, whole_groups in self._metrics[task].items():
            scored = [(group, value) for group, values in rows if not math.isnan(value := values[metric])]
            found[metric] = _mean(scored, whole_groups)
        return found

    def results(self, item: str, task: str, reply: str) -> dict[str, dict[str, Any]]:
        """One reply's part of each metric, for `aggregated`: what lmms-eval's `process_results` returns."""
        values = self.mark(item, task, reply).values
        known = {metric: None if math.isnan(value) else value for metric, value in values.items()}
        return {
            metric: {"item": item, "task": task, "metric": metric, "value": value}
            for metric, value in known.items()
        }

    def aggregated(self, parts: Iterable[Mapping[str, Any]]) -> float:
        """A metric over the parts that `results` gave of it."""
        rows = [part for part in parts if part["value"] is not None]
        if not rows:
            return math.nan
        whole_groups = self._metrics[rows[0]["task"]][rows[0]["metric"]]
        cluster_of = self._benchmark.scoring.cluster_of
        return _mean([(cluster_of(self._item(row["item"])), row["value"]) for row in rows], whole_groups)

    def _item(self, name: str) -> Item:
        if name not in self._items:
            raise InputError(f"{self._folder}: there is no item {name} in this export. Export it again.")
        return self._items[name]


def _mean(scored: list[tuple[str, float]], whole_groups: bool) -> float:
    if not scored:
        return math.nan
    values = np.array([value for _, value in scored], dtype=np.float64)
    if whole_groups:
        numbers = {group: number for number, group in enumerate(dict.fromkeys(group for group, _ in scored))}
        values = all_right(values, np.array([numbers[group] for group, _ in scored], dtype=np.int64))
    return float(values.mean())
