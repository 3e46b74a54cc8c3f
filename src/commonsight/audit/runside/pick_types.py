"""Which kind of choice runs pick, where the benchmark says what kind each choice is (PMR, Table 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.runside.evenness import Evenness, evenness
from commonsight.audit.runside.graded import Graded, graded
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.score.paired import holm
from commonsight.store.figures import Bars, Series

SURE = 0.001
"""The level of the test, corrected for all runs."""
NO_KINDS = "The items do not say what kind each choice is, or the runs do not say what they picked."
MORE = 0.05
"""How far over its expected share of the wrong picks a kind must be to be worth a word."""


def typed(matrix: Graded) -> Graded:
    """Those cases whose choices have kinds."""
    has = np.array([bool(case.types) for case in matrix.cases], np.bool_)
    cases = matrix.cases
    kept = Cases(cases.task, cases.title, cases.kind, [case for case in cases if case.types])
    return Graded(kept, matrix.metric, matrix.runs, matrix.scores[:, has])


def kinds_of(cases: Cases) -> tuple[str, ...]:
    """All kinds, the right choices' first, then as they come."""
    right = dict.fromkeys(case.types[case.gold] for case in cases if case.gold is not None)
    return tuple(right | dict.fromkeys(kind for case in cases for kind in case.types))


def picked_kinds(cases: Cases, said: NDArray[np.int64], kinds: Sequence[str]) -> NDArray[np.int64]:
    """The kind that each pick is of, by its place; -1 for none."""
    places = {kind: at for at, kind in enumerate(kinds)}
    return np.array(
        [places[case.types[pick]] if 0 <= pick < len(case.types) else -1
         for case, pick in zip(cases, said, strict=True)], np.int64,
    )  # fmt: skip


def wrong_picks(cases: Cases, said: NDArray[np.int64], kinds: Sequence[str]) -> Evenness:
    """The kinds of wrong picks, against every wrong choice being as likely as another."""
    taken = picked_kinds(cases, said, kinds)
    places = {kind: at for at, kind in enumerate(kinds)}
    offered = np.zeros((len(cases), len(kinds)))
    for row, case in zip(offered, cases, strict=True):
        for at, kind in enumerate(case.types):
            row[places[kind]] += at != case.gold
    sums = offered.sum(1)
    rows = np.flatnonzero((taken >= 0) & (said != cases.gold) & (sums > 0))
    return evenness(taken[rows], offered[rows] / sums[rows, None], cases.clusters[rows])


@dataclass(frozen=True)
class PickTypes:
    """Shares of picks by kind of choice."""

    more: float = MORE
    sure: float = SURE
    name: str = "pick_types"
    title: str = "Which kind of choice is picked"

    codes = ("wrong-kind",)

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task whose choices have kinds."""
        picks = [one for one in graded(subject) if one.cases.kind == "pick" and one.tells_answers]
        found = [self._section(part, setting) for part in map(typed, picks) if len(part.cases)]
        if not found:
            raise CannotMeasure(NO_KINDS)
        return found

    def _section(self, matrix: Graded, setting: Setting) -> Section:
        kinds = kinds_of(matrix.cases)
        rows: list[tuple[Cell, ...]] = []
        figures: dict[str, Figure] = {}
        tests: dict[str, Evenness] = {}
        for run, said, scores in zip(matrix.runs, matrix.said, matrix.scores, strict=True):
            there = ~np.isnan(scores)
            picked = picked_kinds(matrix.cases, said, kinds)[there]
            shares = [
                figure((picked == at).astype(np.float64), matrix.cases.clusters[there],
                       confidence=setting.confidence)
                for at in range(len(kinds))
            ]  # fmt: skip
            figures |= {f"{run.name}.{kind}": share for kind, share in zip(kinds, shares, strict=True)}
            test = tests[run.name] = wrong_picks(matrix.cases, np.where(there, said, -1), kinds)
            rows.append((run.name, *shares, test.statistic, test.p_value))
        return Section(
            self.name,
            self.title,
            "The share of all items in which a choice of each kind is picked; an answer that could not be "
            "read picks none. The test asks whether wrong picks fall on the kinds as often as by chance.",
            matrix.task,
            tuple(self._findings(matrix, kinds, tests)),
            figures,
            {f"{name}.p": test.p_value for name, test in tests.items()},
            (Table(self.title, ("run", *kinds, "chi-square", "p"), tuple(rows), "PMR, Table 3."),),
            (_plot(matrix, kinds, figures),),
        )

    def _findings(
        self, matrix: Graded, kinds: Sequence[str], tests: dict[str, Evenness]
    ) -> Iterator[Finding]:
        adjusted = holm([test.p_value for test in tests.values()])
        for (name, test), p_value, said in zip(tests.items(), adjusted, matrix.said, strict=True):
            total = test.taken.sum()
            if p_value <= self.sure and test.excess > self.more:
                wrong = (picked_kinds(matrix.cases, said, kinds) == test.most) & (said != matrix.cases.gold)
                yield Finding(
                    "wrong-kind", "note",
                    f"Where {name} is wrong, {test.taken[test.most] / total:.0%} of its picks are of the "
                    f"kind {kinds[test.most]} (chance: {test.expected[test.most] / total:.0%}).",
                    "Tells what the model lacks: see what sets this kind apart from the right choice.",
                    test.excess, self.more, tuple(matrix.cases.all[at].id for at in np.flatnonzero(wrong)),
                    matrix.task,
                )  # fmt: skip


def _plot(matrix: Graded, kinds: Sequence[str], figures: dict[str, Figure]) -> Plot:
    series = []
    for run in matrix.runs:
        found = [figures[f"{run.name}.{kind}"] for kind in kinds]
        series.append(Series(
            run.name, (), tuple(one.value for one in found), tuple(one.low for one in found),
            tuple(one.high for one in found),
        ))  # fmt: skip
    bars = Bars(tuple(kinds), tuple(series), "share of items", y_range=(0.0, 1.0))
    return Plot(f"pick-types-{matrix.task}", (bars,), "Which kind of choice each run picks.")
