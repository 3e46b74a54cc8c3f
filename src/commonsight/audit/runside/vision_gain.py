"""What the picture adds: a run that saw it against the same model's run that did not.

`gain` is what seeing adds, `leakage` what the model gets without the picture beyond guessing: from shortcuts
in the texts, from what it knows of the world, or from having met the items before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import CannotMeasure, RunAnswers, Setting, Subject
from commonsight.audit.runside.graded import (
    NO_RUNS,
    Graded,
    chance_of,
    graded,
    is_blind,
    model_of,
    rotation_of,
)
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.score.paired import PairedDifference, paired_bootstrap
from commonsight.store.figures import Bars, Level, Series

LEAK = 0.05
"""How far above guessing a model may be without the picture."""
WORTH = 0.05
"""A picture that surely adds less than this to a model that can do the task is hardly needed."""
NO_PAIR = (
    "A run without the picture is needed beside one with it. Give --run twice: one run folder whose options "
    'say "blind": true, and one of the same model that saw the pictures.'
)


class Pair(NamedTuple):
    """Where the two runs stand among all."""

    model: str
    seeing: int
    blind: int


class Gain(NamedTuple):
    """What one model gets with and without the picture."""

    seeing: Figure
    blind: Figure
    gain: PairedDifference
    leakage: PairedDifference
    able: PairedDifference
    """With the picture, above guessing."""
    only_seeing: tuple[str, ...]
    only_blind: tuple[str, ...]


def pairs_of(runs: Sequence[RunAnswers]) -> list[Pair]:
    """Every blind run with the seeing run of the same model; with one of each, those two, whatever they say.

    A blind run's model may be told by its name alone: `x-blind` beside `x`.
    """
    straight = [at for at, run in enumerate(runs) if rotation_of(run) == 0]
    seeing = [at for at in straight if not is_blind(runs[at])]
    blind = [at for at in straight if is_blind(runs[at])]
    if len(seeing) == len(blind) == 1:
        return [Pair(runs[seeing[0]].name, seeing[0], blind[0])]
    found = []
    for at in blind:
        same = [one for one in seeing if _same_model(runs[one], runs[at])]
        if same:
            found.append(Pair(runs[same[0]].name, same[0], at))
    return found


def _same_model(seeing: RunAnswers, blind: RunAnswers) -> bool:
    bare = blind.name
    for ending in ("-blind", "_blind", "@blind", ".blind", " blind", "/blind"):
        bare = bare.removesuffix(ending)
    return bare == seeing.name or model_of(seeing) == model_of(blind)


def gain_of(matrix: Graded, setting: Setting) -> Gain:
    """The two runs of `matrix`, the seeing one first, on the cases that both were scored on."""
    both = matrix.shared
    seeing, blind = both.scores
    clusters, chance = both.cases.clusters, chance_of(both.cases)

    def difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> PairedDifference:
        return paired_bootstrap(first, second, clusters, seed=setting.seed, confidence=setting.confidence)

    def share(values: NDArray[np.float64]) -> Figure:
        return figure(values, clusters, confidence=setting.confidence, seed=setting.seed)

    ids = np.array(both.ids, object)
    return Gain(
        share(seeing),
        share(blind),
        difference(seeing, blind),
        difference(blind, chance),
        difference(seeing, chance),
        tuple(ids[(seeing > 0) & (blind == 0)]),
        tuple(ids[(seeing == 0) & (blind > 0)]),
    )


@dataclass(frozen=True)
class VisionGain:
    """Runs with and without the picture."""

    leak: float = LEAK
    worth: float = WORTH
    name: str = "vision_gain"
    title: str = "With and without the picture"

    codes = ("blind-run", "vision-gain")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task."""
        if not subject.runs:
            raise CannotMeasure(NO_RUNS)
        if not pairs_of(subject.runs):
            raise CannotMeasure(NO_PAIR)
        sections = []
        for matrix in graded(subject, subject.runs):
            gains = {
                pair.model: gain_of(matrix.only([pair.seeing, pair.blind]), setting)
                for pair in pairs_of(matrix.runs)
                if len(matrix.only([pair.seeing, pair.blind]).shared.cases)
            }
            if gains:
                sections.append(self._section(matrix, gains))
        if not sections:
            raise CannotMeasure("The runs with and without the picture have no item in common.")
        return sections

    def _section(self, matrix: Graded, gains: dict[str, Gain]) -> Section:
        figures: dict[str, Figure] = {}
        numbers: dict[str, float] = {}
        rows: list[tuple[Cell, ...]] = []
        for model, gain in gains.items():
            figures |= {f"{model}.seeing": gain.seeing, f"{model}.blind": gain.blind}
            numbers |= {f"{model}.gain": gain.gain.difference, f"{model}.leakage": gain.leakage.difference}
            rows.append((
                model, gain.seeing, gain.blind, _told(gain.gain), _told(gain.leakage),
                len(gain.only_seeing), len(gain.only_blind),
            ))  # fmt: skip
        chance = float(chance_of(matrix.cases).mean())
        columns = ("model", "with", "without", "gain", "leakage", "right only with", "right only without")
        return Section(
            self.name,
            self.title,
            f"The same model with and without the picture, by {matrix.metric}. Gain is with minus without; "
            f"leakage is without minus guessing ({chance:.1%}); both in points, with paired intervals.",
            matrix.task,
            tuple(one for model, gain in gains.items() for one in self._findings(matrix, model, gain)),
            figures,
            {**numbers, "chance": chance},
            (Table("With and without the picture", columns, tuple(rows)),),
            (_plot(matrix, gains, chance),),
        )

    def _findings(self, matrix: Graded, model: str, gain: Gain) -> Iterator[Finding]:
        leaks = gain.leakage.low is not None and gain.leakage.low > self.leak
        if leaks:
            yield Finding(
                "blind-run", "warning",
                f"Without the picture {model} still gets {gain.blind.value:.1%}, "
                f"{gain.leakage.difference:.1%} above guessing.",
                "Read items that are right without the picture: their texts give the answer away, or the "
                "model knows it from elsewhere. Leave such items out, or report the gain beside the score.",
                gain.leakage.difference, self.leak, gain.only_blind, matrix.task,
            )  # fmt: skip
        else:
            yield Finding(
                "blind-run", "fine", f"Without the picture {model} is not clearly above guessing.",
                value=gain.leakage.difference, limit=self.leak, task=matrix.task,
            )  # fmt: skip
        able = gain.able.low is not None and gain.able.low > 0
        if able and gain.gain.high is not None and gain.gain.high < self.worth:
            yield Finding(
                "vision-gain", "warning",
                f"Seeing the picture adds {gain.gain.difference:.1%} to {model}, surely less than "
                f"{self.worth:.0%}: the items can be answered without it, or the model does not look.",
                "Try another model; if it is the same there, the items do not need their pictures.",
                gain.gain.difference, self.worth, gain.only_blind, matrix.task,
            )  # fmt: skip
        elif able and gain.gain.low is not None and gain.gain.low > 0:
            yield Finding(
                "vision-gain", "fine", f"Seeing the picture adds {gain.gain.difference:.1%} to {model}.",
                value=gain.gain.difference, limit=self.worth, task=matrix.task,
            )  # fmt: skip


def _told(difference: PairedDifference) -> str:
    if difference.low is None or difference.high is None:
        return f"{100 * difference.difference:+.1f}"
    return f"{100 * difference.difference:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"


def _plot(matrix: Graded, gains: dict[str, Gain], chance: float) -> Plot:
    def series(label: str, figures: list[Figure]) -> Series:
        return Series(
            label, (), tuple(found.value for found in figures), tuple(found.low for found in figures),
            tuple(found.high for found in figures),
        )  # fmt: skip

    parts = (
        series("with the picture", [gain.seeing for gain in gains.values()]),
        series("without", [gain.blind for gain in gains.values()]),
    )
    bars = Bars(tuple(gains), parts, matrix.metric, "", (0.0, 1.0), (Level(chance, "guessing"),))
    return Plot(f"vision-gain-{matrix.task}", (bars,), "The same model with and without the picture.")
