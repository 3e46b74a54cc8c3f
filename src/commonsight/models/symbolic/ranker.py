"""Which of its readings a sentence means: a log-linear model, learned from which sentences are true.

Nobody says which program is right. A program is as good as the labels that it explains: the chance of a
sentence's labels is summed over its readings, and the weights are those under which all labels are likeliest.
Weights are held near what they begin with, so that what was never seen keeps its prior.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from commonsight.graph.shapes.chart import Reading

NOISE = 0.04
"""How often a label contradicts the right program: people look differently, and err."""
SPREAD = 0.7
"""How far a weight may go from its prior before it has to be worth it."""

Floats = npt.NDArray[np.float64]
Prior = Callable[[str], float]


class Lesson(NamedTuple):
    """The readings of one sentence, with how likely its labels would be if each were meant."""

    readings: Sequence[Reading]
    likelihood: Floats  # (reading,) logarithms


def explained(right: npt.NDArray[np.bool_]) -> Floats:
    """How likely labels are (as logarithms), given which of them each reading gets right."""
    hits = right.sum(1)  # right: (reading, picture)
    return np.asarray(hits * np.log(1 - NOISE) + (right.shape[1] - hits) * np.log(NOISE), dtype=np.float64)


def fit(lessons: Sequence[Lesson], prior: Prior, *, spread: float = SPREAD) -> dict[str, float]:
    """The weights of all features that occur; the same lessons give the same weights."""
    names = sorted({name for lesson in lessons for one in lesson.readings for name in one.features})
    if not names:
        return {}
    where = {name: place for place, name in enumerate(names)}
    begin = np.array([prior(name) for name in names])
    table = _table((one for lesson in lessons for one in lesson.readings), where)
    starts = np.cumsum([0, *(len(lesson.readings) for lesson in lessons)])
    told = np.concatenate([lesson.likelihood for lesson in lessons])

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = table @ weights
        total, pull = 0.0, np.zeros(len(scores))
        for first, last in pairwise(starts):
            before = _shares(scores[first:last])
            after = _shares(scores[first:last] + told[first:last])
            total -= _log_sum(scores[first:last] + told[first:last]) - _log_sum(scores[first:last])
            pull[first:last] = before - after
        away = (weights - begin) / spread**2
        return total + 0.5 * float(away @ (weights - begin)), table.T @ pull + away

    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return {name: round(float(weight), 4) for name, weight in zip(names, found.x, strict=True)}


def _table(readings: Iterable[Reading], where: Mapping[str, int]) -> csr_matrix:
    """How often each feature occurs in each reading: (reading, feature)."""
    columns: list[int] = []
    rows: list[int] = []
    row = -1
    for row, one in enumerate(readings):
        columns.extend(where[name] for name in one.features)
        rows.extend([row] * len(one.features))
    return csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(row + 1, len(where)))


def _log_sum(values: Floats) -> float:
    if not len(values):
        return 0.0
    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))


def _shares(values: Floats) -> Floats:
    if not len(values):
        return values
    shares = np.exp(values - values.max())
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def chances(readings: Sequence[Reading]) -> Floats:
    """How likely each reading is, by its score."""
    return _shares(np.array([one.score for one in readings], dtype=np.float64))
