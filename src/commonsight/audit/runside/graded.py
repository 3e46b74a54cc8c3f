"""What several runs earned on one task, as a matrix: the ground that every probe of runs stands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure, RunAnswers, Subject
from commonsight.core.benchmark import Expects, Task

Floats = NDArray[np.float64]

NO_RUNS = "Give runs with --run to measure this."
LEAST = 20
"""Fewer items than this in common tell nothing."""


@dataclass(frozen=True)
class Graded:
    """One task's labelled cases and what each run earned on them by one metric."""

    cases: Cases
    metric: str
    runs: tuple[RunAnswers, ...]
    scores: Floats
    """(run, case): in [0, 1], NaN where the run did not answer the case or the metric leaves it out."""

    @property
    def task(self) -> str:
        """The task's name."""
        return self.cases.task

    @property
    def names(self) -> tuple[str, ...]:
        """The runs' names."""
        return tuple(run.name for run in self.runs)

    @property
    def ids(self) -> list[str]:
        """The cases' ids."""
        return [case.id for case in self.cases]

    @cached_property
    def right(self) -> Floats:
        """(run, case): 1 where anything was earned, as A-OKVQA's footnote 6 counts; NaN where unknown."""
        return np.where(np.isnan(self.scores), np.nan, self.scores > 0)

    @cached_property
    def said(self) -> NDArray[np.int64]:
        """(run, case): what was answered, as a number that is the same for the same answer; -1 for nothing.

        In a `pick` it is the position that was picked; words are the same whatever their case.
        """
        rows = [self._answers(run) for run in self.runs]
        if self.cases.kind == "pick":
            return np.array([[row.get(item, -1) for item in self.ids] for row in rows], np.int64)
        numbers: dict[str, int] = {}

        def number(answer: str | int | None) -> int:
            return -1 if answer is None else numbers.setdefault(str(answer).strip().lower(), len(numbers))

        return np.array([[number(row.get(item)) for item in self.ids] for row in rows], np.int64)

    def _answers(self, run: RunAnswers) -> dict[str, str | int]:
        return run.answers.get(self.task, {})

    @property
    def tells_answers(self) -> bool:
        """Whether every run tells what it answered, not only what it earned."""
        return all(self._answers(run) for run in self.runs)

    def only(self, places: Sequence[int]) -> Graded:
        """The same for some of the runs."""
        return Graded(
            self.cases, self.metric, tuple(self.runs[at] for at in places), self.scores[list(places)]
        )

    @cached_property
    def shared(self) -> Graded:
        """The same for those cases that all runs were scored on."""
        whole: NDArray[np.bool_] = np.asarray(~np.isnan(self.scores).any(0))
        if whole.all():
            return self
        kept = [case for case, there in zip(self.cases, whole, strict=True) if there]
        cases = Cases(self.cases.task, self.cases.title, self.cases.kind, kept)
        return Graded(cases, self.metric, self.runs, self.scores[:, whole])


def graded(
    subject: Subject, runs: Sequence[RunAnswers] | None = None, *, least: int = LEAST
) -> list[Graded]:
    """Every task that runs were scored on, each with those runs: by default all that are not rotated.

    The metric is the first of the task's that any run has. Cases that no run was scored on are left out.
    """
    wanted = plain_runs(subject) if runs is None else tuple(runs)
    if not wanted:
        raise CannotMeasure(NO_RUNS)
    matrices = [
        matrix
        for task in subject.tasks
        if (matrix := _graded_task(subject.cases[task.name].labelled, task, wanted)) is not None
    ]
    large = [matrix for matrix in matrices if len(matrix.cases) >= least]
    if not large:
        raise CannotMeasure(
            f"No run was scored on at least {least} labelled items of this data. Give runs on these items."
        )
    return large


def _graded_task(cases: Cases, task: Task, runs: Sequence[RunAnswers]) -> Graded | None:
    metric = next((name for name in task.metrics if any(name in run.scores for run in runs)), None)
    if metric is None:
        return None
    runs = tuple(run for run in runs if metric in run.scores)
    scores = _scores(cases, metric, runs)
    some: NDArray[np.bool_] = np.asarray(~np.isnan(scores).all(0))
    kept = Cases(task.name, task.title, cases.kind,
                 [case for case, there in zip(cases, some, strict=True) if there])  # fmt: skip
    return Graded(kept, metric, runs, scores[:, some])


def _scores(cases: Cases, metric: str, runs: Sequence[RunAnswers]) -> Floats:
    """(run, case)"""
    place = {case.id: at for at, case in enumerate(cases)}
    scores = np.full((len(runs), len(cases)), np.nan)
    for row, run in zip(scores, runs, strict=True):
        places = np.array([place.get(item, -1) for item in run.ids], np.int64)
        known = places >= 0
        row[places[known]] = run.scores[metric][known]
    return scores


def graded_further(subject: Subject, matrix: Graded) -> list[Graded]:
    """The same cases by the task's other metrics, where it asks for an answer and the object that it points
    to: either may be right without the other."""
    task = next(one for one in subject.tasks if one.name == matrix.task)
    if _expects(subject, task) != "grounded":
        return []
    others = [
        metric
        for metric in task.metrics
        if metric != matrix.metric and all(metric in run.scores for run in matrix.runs)
    ]
    return [
        Graded(matrix.cases, metric, matrix.runs, _scores(matrix.cases, metric, matrix.runs))
        for metric in others
    ]


def _expects(subject: Subject, task: Task) -> Expects | None:
    for item in subject.read():
        try:
            return task.ask(item).expects
        except ValueError:
            continue
    return None


def rotation_of(run: RunAnswers) -> int:
    """The rotation at which the choices were shown; 0 where the run says nothing of it."""
    told = run.options.get("circular", 0)
    return told if isinstance(told, int) and not isinstance(told, bool) else 0


def is_blind(run: RunAnswers) -> bool:
    """Whether the picture was not shown."""
    return bool(run.options.get("blind", False))


def is_told(run: RunAnswers) -> bool:
    """Whether something was told beside the question."""
    return run.options.get("context") is not None


def model_of(run: RunAnswers) -> str:
    """Whose answers these are: as the run says, else its name."""
    return str(run.options.get("model", run.name))


def plain_runs(subject: Subject) -> tuple[RunAnswers, ...]:
    """The runs as a table of results would have them: choices as they are, and pictures shown, or told of.

    Where every run is blind, the blind ones. One that is blind and has a context is none of those: captions
    and rationales tell of pictures, and A-OKVQA has such a model among those that it compares (section 6).
    """
    straight = tuple(run for run in subject.runs if rotation_of(run) == 0)
    return tuple(run for run in straight if not is_blind(run) or is_told(run)) or straight


def left_out(subject: Subject) -> str | None:
    """In words, which blind runs are not among those, if any."""
    kept = {run.name for run in plain_runs(subject)}
    names = [run.name for run in subject.runs if is_blind(run) and run.name not in kept]
    return f"Left out, since they were shown no pictures: {', '.join(names)}." if names else None


def chance_of(cases: Cases) -> Floats:
    """What guessing earns on each case: one over the choices; where answers are shared, the commonest."""
    if cases.kind == "pick":
        return 1.0 / np.maximum(cases.sizes, 1)
    answers = Counter(case.answer for case in cases)
    common = max(answers, key=lambda answer: (answers[answer], str(answer)), default=None)
    return np.array([float(case.answer == common) for case in cases])
