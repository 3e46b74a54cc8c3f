"""Which kinds of choices runs pick (PMR, Table 3), where the data says what kind each choice is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure, RunAnswers, Setting, Subject
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.store.figures import Bars, Series


@dataclass(frozen=True)
class PicksProbe:
    """Shares of a run's picks by the type of choice."""

    name: str = "picks"
    title: str = "Kinds of choices that runs pick"

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task whose choices have types."""
        typed = {
            task: cases
            for task, cases in subject.cases.items()
            if cases.kind == "pick" and any(case.types for case in cases)
        }
        if not typed:
            raise CannotMeasure("The data does not say what kind each choice is (PMR's Table 3 needs that).")
        if not subject.runs:
            raise CannotMeasure("No runs were given, so that it is not known what they pick (PMR, Table 3).")
        return [self._section(cases, subject.runs, setting) for cases in typed.values()]

    def _section(self, cases: Cases, runs: Sequence[RunAnswers], setting: Setting) -> Section:
        kinds = list(dict.fromkeys(kind for case in cases for kind in case.types))
        shares = {run.name: picked(cases, run, kinds, setting) for run in runs}
        told = {run: found for run, found in shares.items() if found}
        silent = [run for run in shares if run not in told]
        rows: list[tuple[Cell, ...]] = [
            (run, next(iter(found.values())).n, *found.values()) for run, found in told.items()
        ]
        return Section(
            self.name,
            f"{self.title}: {cases.title}",
            "The share of picks of each kind; what a model picks when it is wrong tells what it overlooks.",
            task=cases.task,
            tables=(Table("Picks by kind", ("run", "picks", *kinds), tuple(rows), "PMR's Table 3."),),
            plots=(_plot(cases.task, kinds, told),) if told else (),
            skipped=tuple(f"{run} has no picks for {cases.task}." for run in silent),
        )


def picked(cases: Cases, run: RunAnswers, kinds: Sequence[str], setting: Setting) -> dict[str, Figure]:
    """The share of a run's picks that are of each kind; empty where it picked nothing that has a kind."""
    answers = run.answers.get(cases.task, {})
    chosen: list[str] = []
    clusters: list[str] = []
    for case in cases:
        at = answers.get(case.id)
        if isinstance(at, int) and 0 <= at < len(case.types):
            chosen.append(case.types[at])
            clusters.append(case.cluster)
    if not chosen:
        return {}
    return {
        kind: figure(
            [one == kind for one in chosen], clusters, confidence=setting.confidence, seed=setting.seed
        )
        for kind in kinds
    }


def _plot(task: str, kinds: Sequence[str], told: dict[str, dict[str, Figure]]) -> Plot:
    x = tuple(map(float, range(len(kinds))))
    series = tuple(
        Series(
            run, x, tuple(found[kind].value for kind in kinds),
            tuple(found[kind].low for kind in kinds), tuple(found[kind].high for kind in kinds),
        )
        for run, found in told.items()
    )  # fmt: skip
    return Plot(f"picks-{task}", (Bars(tuple(kinds), series, "share of picks"),), "PMR, Table 3.")
