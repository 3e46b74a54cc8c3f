"""Where runs do well and where not: by answer frequency, knowledge, size, kind of answer, question type."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import Setting, Subject
from commonsight.audit.runside.graded import Graded, graded, graded_further
from commonsight.audit.runside.slices_labels import Slice, slices_of
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.store.figures import Bars, Series

Floats = NDArray[np.float64]

LOWER = 0.10
"""How much lower than elsewhere runs must be, on average, for a slice to be worth a word."""
LEAST = 20
"""Labels with fewer items are shown, and not tested."""
DRAWN = 6
"""Runs in a plot; tables have all."""


class Gap(NamedTuple):
    """How much better or worse the mean is under a label than elsewhere, and how sure that is."""

    difference: float
    p_value: float


def gap(values: Floats, inside: NDArray[np.bool_], clusters: NDArray[np.int64]) -> Gap:
    """The mean inside minus that outside, with a test that keeps clusters together."""
    n_in, n_out = int(inside.sum()), int((~inside).sum())
    if not n_in or not n_out:
        return Gap(0.0, 1.0)
    mean_in, mean_out = float(values[inside].mean()), float(values[~inside].mean())
    pull = np.where(inside, (values - mean_in) / n_in, -(values - mean_out) / n_out)
    sums = np.bincount(np.unique(clusters, return_inverse=True)[1], weights=pull)
    error = math.sqrt(float(sums @ sums) * len(sums) / max(1, len(sums) - 1))
    difference = mean_in - mean_out
    if error < 1e-12:
        return Gap(difference, 1.0)
    return Gap(difference, math.erfc(abs(difference) / error / math.sqrt(2)))


@dataclass(frozen=True)
class Slices:
    """Accuracy slice by slice, with clustered intervals."""

    lower: float = LOWER
    least: int = LEAST
    name: str = "slices"
    title: str = "Where runs do well and where not"

    codes = ("weak-slice",)

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task that runs were scored on."""
        return [self._section(subject, matrix, setting) for matrix in graded(subject)]

    def _section(self, subject: Subject, matrix: Graded, setting: Setting) -> Section:
        sliced = [found for found in slices_of(subject, matrix.cases) if self._sizes(found) > 1]
        tables, plots = [], []
        figures: dict[str, Figure] = {}
        every = (matrix, *graded_further(subject, matrix))
        for found in sliced:
            for one in every:
                measured = "" if one is matrix else one.metric
                cells = {label: _figures(one, _members(found, label), setting) for label in found.found}
                tables.append(_table(found, one, cells, measured))
                plots.append(_plot(found, one, cells, measured))
                figures |= dict(_named(one.names, f"{measured}.{found.name}".strip("."), cells))
        named = ", ".join(one.metric for one in every)
        return Section(
            self.name,
            self.title,
            f"The mean of {named} under each label; intervals keep together what items share.",
            matrix.task,
            tuple(self._findings(matrix, sliced, setting)),
            figures,
            {},
            tuple(tables),
            tuple(plots),
            () if sliced else ("Nothing sorts these items into parts that are large enough to compare.",),
        )

    def _sizes(self, found: Slice) -> int:
        """How many labels have enough items."""
        return sum(int(_members(found, label).sum()) >= self.least for label in found.found)

    def _findings(self, matrix: Graded, sliced: Sequence[Slice], setting: Setting) -> Iterator[Finding]:
        """The label of each slice where most runs are clearly lower, if there is one."""
        from scipy.stats import false_discovery_control

        tried = [(found, label) for found in sliced for label in found.found
                 if int(_members(found, label).sum()) >= self.least]  # fmt: skip
        gaps = [[_gap_of(matrix, at, _members(found, label)) for at in range(len(matrix.runs))]
                for found, label in tried]  # fmt: skip
        if not gaps:
            return
        raw = np.array([[one.p_value for one in row] for row in gaps])
        adjusted = false_discovery_control(raw.ravel()).reshape(raw.shape)
        for found in sliced:
            rows = [at for at, (other, _) in enumerate(tried) if other is found]
            means = {at: float(np.mean([one.difference for one in gaps[at]])) for at in rows}
            clear = [
                at for at in rows
                if means[at] <= -self.lower
                and 2 * sum(p <= setting.false_discovery and one.difference < 0
                            for p, one in zip(adjusted[at], gaps[at], strict=True)) > len(matrix.runs)
            ]  # fmt: skip
            if clear:
                worst = min(clear, key=means.__getitem__)
                yield self._lower(matrix, *tried[worst], means[worst])

    def _lower(self, matrix: Graded, found: Slice, label: str, difference: float) -> Finding:
        inside = _members(found, label)
        wrong = np.nanmean(matrix.scores, axis=0)
        order = [at for at in np.argsort(wrong, kind="stable") if inside[at]]
        return Finding(
            "weak-slice",
            "note",
            f"Runs are {-100 * difference:.0f} points lower on the {int(inside.sum()):,} items with "
            f"{found.name.replace('_', ' ')} {label} than on the others.",
            "Report this part beside the whole when runs are compared.",
            difference,
            -self.lower,
            tuple(matrix.ids[at] for at in order),
            matrix.task,
        )


def _members(found: Slice, label: str) -> NDArray[np.bool_]:
    return np.array([label in labels for labels in found.labels], np.bool_)


def _gap_of(matrix: Graded, run: int, inside: NDArray[np.bool_]) -> Gap:
    there = ~np.isnan(matrix.scores[run])
    return gap(matrix.scores[run][there], inside[there], matrix.cases.clusters[there])


def _figures(matrix: Graded, inside: NDArray[np.bool_], setting: Setting) -> list[Figure]:
    found = []
    for scores in matrix.scores:
        there = inside & ~np.isnan(scores)
        clusters = matrix.cases.clusters[there]
        found.append(figure(scores[there], clusters, confidence=setting.confidence, seed=setting.seed))
    return found


def _named(runs: Sequence[str], name: str, cells: dict[str, list[Figure]]) -> Iterator[tuple[str, Figure]]:
    for label, row in cells.items():
        for run, one in zip(runs, row, strict=True):
            yield f"{run}.{name}.{label}", one


def _table(found: Slice, matrix: Graded, cells: dict[str, list[Figure]], measured: str) -> Table:
    rows: list[tuple[Cell, ...]] = [(label, max(one.n for one in row), *row) for label, row in cells.items()]
    return Table(_title(found, measured), ("", "items", *matrix.names), tuple(rows), found.note)


def _title(found: Slice, measured: str) -> str:
    return f"By {found.name.replace('_', ' ')}{f': {measured}' if measured else ''}"


def _plot(found: Slice, matrix: Graded, cells: dict[str, list[Figure]], measured: str) -> Plot:
    series = []
    for at, name in enumerate(matrix.names[:DRAWN]):
        column = [row[at] for row in cells.values()]
        series.append(Series(
            name, (), tuple(one.value for one in column), tuple(one.low for one in column),
            tuple(one.high for one in column),
        ))  # fmt: skip
    bars = Bars(tuple(cells), tuple(series), matrix.metric, y_range=(0.0, 1.0))
    caption = f"{_title(found, measured)}. {found.note}".strip()
    parts = ("slices", matrix.task, found.name, *((measured,) if measured else ()))
    return Plot(re.sub(r"\W+", "-", "-".join(parts)), (bars,), caption)  # a field may have any name
