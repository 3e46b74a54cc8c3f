"""Runs and files of predictions, read and scored by the benchmark's own rules, for comparing and for audits.

What a run may tell of itself, in `run.json`'s `options`, and what audits go by:

- `model`: whose answers these are; else the answerer's name. Runs of one model are held against each other.
- `blind`: true where the picture was not shown.
- `context`: what was told beside the question, such as captions or rationales: a file, or an oracle's name.
- `circular`: the rotation at which the choices were shown, a number: at rotation k the choice that stood at
  position (p + k) modulo n was shown at position p. An answer always names the item's own choice, whatever
  was shown where, so that scoring needs not know. One run may hold several rotations, each under the task's
  name with the rotation behind it: `mc`, `mc~1`, `mc~2`, `mc~3` (see `runs.variants`). Answers to repeated
  questions (`mc#1`) and to those with another answer given (`qa2r@2`) are no part of what is scored here.

An answer's `extra` may hold `probabilities`: one number for each of the item's own choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import RunAnswers
from commonsight.core.answer import Answer
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import PredictionError, UsageError
from commonsight.runs.variants import Key
from commonsight.score.gold import Gold
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, Outcome, Scoring, gather_gold, measure
from commonsight.store.runs import AnswerLine, is_run, read_answers, read_run

PROBABILITIES = "probabilities"
"""Where an answer's `extra` tells how likely the answerer held each choice to be."""
OFF_BY = 0.02
"""How far probabilities may be from adding up to one: they may have been written with two digits."""

Tellings = dict[str, tuple[float, ...]]
"""Probabilities of an item's choices, by task."""
Chances = dict[str, dict[str, tuple[float, ...]]]


class RunPart(NamedTuple):
    """A run, or one rotation of it, as predictions with all that it told besides."""

    name: str
    predictions: Predictions
    options: dict[str, Any]
    chances: Chances


def predictions_of(benchmark: Benchmark[Scoring], path: Path) -> Predictions:
    """A run folder's answers, or a prediction file, as columns; of rotated choices, those as they are."""
    return parts_of(benchmark, path, path.name)[0].predictions


def parts_of(benchmark: Benchmark[Scoring], path: Path, name: str) -> list[RunPart]:
    """A run folder's answers, one part for each rotation of the choices; or the one of a prediction file."""
    if not is_run(path):
        if path.is_dir():
            raise UsageError(f"{path} is a folder without a run. Give a run's folder or a prediction file.")
        return [RunPart(name, benchmark.scoring.read_predictions(path), {"model": name}, {})]
    info = read_run(path)
    if info.benchmark != benchmark.name:
        raise UsageError(
            f"{path} is a run of {info.benchmark}, not of {benchmark.name}. "
            "Give gold and runs of one benchmark."
        )
    options = {"model": info.answerer, **info.options}
    turned = _by_rotation(path)
    if list(turned) == [0]:
        return [_part(benchmark, path, name, turned[0], options)]
    return [
        _part(benchmark, path, name if not turn else f"{name}~{turn}", lines,
              {**options, "circular": turn})
        for turn, lines in sorted(turned.items())
    ]  # fmt: skip


def _by_rotation(path: Path) -> dict[int, list[AnswerLine]]:
    found: dict[int, list[AnswerLine]] = {}
    for line in read_answers(path):
        key = Key.parse(line.task)
        if key.epoch or key.given is not None:
            continue
        told = AnswerLine(line.item, key.task, line.answer, None, line.extra)
        found.setdefault(key.turned, []).append(told)
    return found or {0: []}


def said_of(lines: Iterable[AnswerLine]) -> dict[str, tuple[dict[str, Answer], Tellings]]:
    """By item: the answers of each task as asked once and unturned, and the probabilities told with them."""
    found: dict[str, tuple[dict[str, Answer], Tellings]] = {}
    for line in lines:
        key = Key.parse(line.task)
        if key.turned or key.epoch:
            continue
        answers, chances = found.setdefault(line.item, ({}, {}))
        answers[line.task] = line.answer
        if (told := line.extra.get(PROBABILITIES)) is not None and _are_chances(told):
            chances[line.task] = tuple(told)
    return found


def _part(
    benchmark: Benchmark[Scoring],
    path: Path,
    name: str,
    lines: Sequence[AnswerLine],
    options: dict[str, Any],
) -> RunPart:
    logged = (LoggedAnswer(line.item, line.task, line.answer) for line in lines)
    return RunPart(name, benchmark.scoring.from_answers(logged), options, _chances(path, lines))


def _chances(path: Path, lines: Iterable[AnswerLine]) -> Chances:
    found: Chances = {}
    for line in lines:
        told = line.extra.get(PROBABILITIES)
        if told is None:
            continue
        if not _are_chances(told):
            raise PredictionError(
                f"{path}: item {line.item}, task {line.task}: {PROBABILITIES} are {told}. "
                "Write one number in [0, 1] for each choice, together 1."
            )
        found.setdefault(line.task, {})[line.item] = tuple(map(float, told))
    return found


def _are_chances(told: Any) -> bool:
    if not isinstance(told, list) or not told:
        return False
    if not all(isinstance(value, int | float) and 0 <= value <= 1 for value in told):
        return False
    return abs(sum(told) - 1) <= OFF_BY


def short_names(runs: Sequence[Path]) -> dict[str, Path]:
    """Short names that still differ: the file's name, with as many folders before it as that takes."""
    paths = [path.resolve() for path in runs]
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError(f"{runs[paths.index(path)]} is given twice. Give each run once.")
    names = [path.stem if path.is_file() else path.name for path in paths]
    depth = 1
    while len(set(names)) < len(names):
        names = ["/".join(path.parts[-depth:]) for path in paths]
        depth += 1
    return dict(zip(names, runs, strict=True))


def read_runs(
    benchmark: Benchmark[Scoring],
    paths: Sequence[Path],
    items: Callable[[], Iterator[Item]],
    *,
    allow_missing: bool = False,
) -> tuple[RunAnswers, ...]:
    """Every run on the labelled items of those splits that it answers anything of.

    With `allow_missing`, items that a run has no prediction for are left out of what is known of it: an audit
    looks at what was answered. Without, they are an error, as in scoring.
    """
    parts = [part for name, path in short_names(paths).items() for part in parts_of(benchmark, path, name)]
    split_of = {item.id: item.split for item in items() if benchmark.scoring.labelled(item)}
    golds: dict[frozenset[str], Gold] = {}
    found = []
    for part in parts:
        said = part.predictions.ids.to_pylist()
        splits = frozenset(split_of[item] for item in said if item in split_of)
        if not splits:
            raise PredictionError(
                f"{part.name}: none of its predictions is for a labelled item of this data. "
                "Check that predictions and data are of the same split."
            )
        if splits not in golds:
            golds[splits] = gather_gold(benchmark.scoring, _of(benchmark, items(), splits))
        found.append(answers_of(benchmark, golds[splits], part, allow_missing=allow_missing))
    return tuple(found)


def _of(benchmark: Benchmark[Scoring], items: Iterator[Item], splits: frozenset[str]) -> Iterator[Item]:
    return (item for item in items if item.split in splits and benchmark.scoring.labelled(item))


def answers_of(
    benchmark: Benchmark[Scoring], gold: Gold, part: RunPart, *, allow_missing: bool = False
) -> RunAnswers:
    """What one run answered and earned, item by item. Metrics of whole groups have no value for an item."""
    given = replace(part.predictions, source=part.name)
    outcome = measure(benchmark.scoring, gold, given, allow_missing=allow_missing)
    assert outcome.present is not None
    rows = np.flatnonzero(outcome.present)
    ids = gold.ids.take(rows).to_pylist()
    return RunAnswers(
        part.name,
        tuple(ids),
        {name: column.values[rows] for name, column in outcome.metrics.items() if not column.whole_groups},
        _answered(benchmark, outcome, ids, rows),
        part.chances,
        part.options,
    )


def _answered(
    benchmark: Benchmark[Scoring], outcome: Outcome, ids: Sequence[str], rows: NDArray[np.int64]
) -> dict[str, dict[str, str | int]]:
    said: Mapping[str, Any] = benchmark.scoring.answered(outcome.gold.columns, outcome.given)
    found: dict[str, dict[str, str | int]] = {}
    for task, column in said.items():
        taken = column.take(rows)
        values = taken.tolist() if isinstance(taken, np.ndarray) else taken.to_pylist()
        found[task] = {
            item: value for item, value in zip(ids, values, strict=True) if value is not None and value != -1
        }
    return found
