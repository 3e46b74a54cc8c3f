"""Runs that nobody made: answers to synthetic items with a known skill and known habits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import RunAnswers, Subject
from commonsight.core.answer import Pick
from commonsight.core.item import Item


def gold_of(items: Sequence[Item]) -> NDArray[np.int64]:
    """The right positions."""
    return np.array([item.gold.index if isinstance(item.gold, Pick) else -1 for item in items], np.int64)


def run_of_picks(
    items: Sequence[Item],
    picks: Sequence[int] | NDArray[np.int64],
    name: str = "run",
    *,
    task: str = "choose",
    metric: str = "accuracy",
    **options: Any,
) -> RunAnswers:
    """These picks as a run; -1 for an answer that could not be read."""
    ids = tuple(item.id for item in items)
    said: dict[str, str | int] = {key: int(pick) for key, pick in zip(ids, picks, strict=True) if pick >= 0}
    scores = (np.asarray(picks) == gold_of(items)).astype(np.float64)
    return RunAnswers(name, ids, {metric: scores}, {task: said}, options=options)


def guessed(
    items: Sequence[Item],
    skill: float | NDArray[np.float64],
    seed: int,
    name: str = "run",
    **options: Any,
) -> RunAnswers:
    """Right with this chance (one for all items or one for each), and else any other choice alike."""
    rng = np.random.default_rng(seed)
    gold = gold_of(items)
    sizes = np.array([len(item.choices) for item in items], np.int64)
    other = (gold + 1 + rng.integers(0, np.maximum(sizes - 1, 1))) % sizes
    picks = np.where(rng.random(len(items)) < skill, gold, other)
    return run_of_picks(items, picks, name, **options)


def with_runs(subject: Subject, *runs: RunAnswers) -> Subject:
    """The same subject with runs."""
    return replace(subject, runs=runs)
