"""Blind: what solvers get that see only the choices, only the question, both without the picture, or only it.

A benchmark of vision and commonsense should need all of its parts. The papers ask the same with models that
lack one of them (VCR's appendix D, PMR's section 4.3, NLVR2's single-modality rows, A-OKVQA's Table 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from weakref import WeakKeyDictionary

import numpy as np

from commonsight.audit.blind.results import BlindResults, tried
from commonsight.audit.blind.sights import Sight
from commonsight.audit.blind.solvers import ChoiceSolver
from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, clustered_error, figure, is_binary
from commonsight.store.figures import Bars, Level, Series

MARGIN = 0.02
"""So far above chance may a blind solver be before it is worth a warning: less is hardly worth the work."""
FALSE_ALARMS = 0.001
"""How often a clean benchmark may raise a warning here by luck, all solvers and sights of a task together."""
TREES = 60
"""Of boosted solvers: more find hardly more on a few thousand items."""
LEAST = 20
"""Labelled items that a task must have."""

CODES = {
    "choices": "choices-only",
    "choices_together": "choices-only",
    "question": "question-only",
    "question_and_choices": "question-and-choices",
    "image": "image-only",
}
SAYS = {
    "choices-only": "A solver that sees neither question nor picture, only the choices,",
    "question-only": "A solver that is only told the question or the sentence",
    "question-and-choices": "A solver that reads question and choices, without the picture,",
    "image-only": "A solver that is only told a few numbers about the picture, not the question,",
}
REMEDY = {
    "choices-only": "Look at the items below for what sets right choices apart; rewrite wrong choices or "
    "match them anew, balance the words that give answers away, or keep a hardened subset (--filter).",
    "question-only": "Balance the answers of alike questions: none should have one usual answer.",
    "question-and-choices": "Some of this is common in benchmarks of this kind (BERT without the picture "
    "gets 65.2 % on PMR). Report a text-only row beside every score, and match wrong choices by how well "
    "they go with the question.",
    "image-only": "Ask each picture, and each kind of picture, questions with different answers.",
}
NAMES = {
    "choices": "choices, one at a time",
    "choices_together": "choices, all at once",
    "question": "question only",
    "question_and_choices": "question and choices",
    "image": "picture only",
    "chance": "chance",
    "majority": "the most frequent place or label",
    "most_common": "the most common right answer",
    "weighted_random": "drawn by how often it is right",
}


@dataclass(frozen=True, eq=False)
class Blind:
    """The probe. Other solvers, such as a fine-tuned transformer, may be given."""

    solvers: tuple[ChoiceSolver, ...] = ()
    margin: float = MARGIN
    false_alarms: float = FALSE_ALARMS
    least: int = LEAST
    trees: int = TREES
    _known: WeakKeyDictionary[Cases, tuple[Setting, BlindResults]] = field(
        default_factory=WeakKeyDictionary, init=False, repr=False
    )

    name = "blind"
    title = "What can be solved without seeing everything"

    def __reduce__(self) -> tuple[type[Blind], tuple[object, ...]]:
        """Another process starts without what was found here."""
        return Blind, (self.solvers, self.margin, self.false_alarms, self.least, self.trees)

    codes = tuple(dict.fromkeys(CODES.values()))

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section a task."""
        return [self._section(subject, cases.labelled, setting) for cases in subject.cases.values()]

    def results(self, subject: Subject, cases: Cases, setting: Setting) -> BlindResults:
        """What was got on one task: computed once, and kept for as long as the cases are."""
        if len(cases) < self.least:
            raise CannotMeasure(
                f"{cases.title}: {len(cases)} labelled items are too few to learn from; "
                f"at least {self.least} are needed."
            )
        known = self._known.get(cases)
        if known is None or known[0] != setting:
            known = self._known[cases] = (setting, tried(subject, cases, setting, self.solvers, self.trees))
        return known[1]

    def _section(self, subject: Subject, cases: Cases, setting: Setting) -> Section:
        title = f"Blind solvers: {cases.title}"
        try:
            results = self.results(subject, cases, setting)
        except CannotMeasure as why:
            return Section(self.name, title, task=cases.task, skipped=(str(why),))
        figures = _figures(results, setting)
        about = (
            f"Solvers learned on some of the items and were tried on the others, in {results.parts} parts. "
            "The best of several is shown; it is chosen for each part by the other parts. "
            + " ".join(results.notes)
        )
        return Section(
            self.name,
            title,
            about.strip(),
            cases.task,
            tuple(self._findings(results)),
            figures,
            {"base": results.base},
            (_summary(results, figures), _solvers(results, setting)),
            (_plot(results, figures),),
            results.skipped,
        )

    def _findings(self, results: BlindResults) -> list[Finding]:
        tries = sum(len(sight.solvers) for sight in results.sights)
        limit = results.base + self.margin
        worst: dict[str, tuple[float, Sight]] = {}
        for sight in results.sights:
            low = lower_bound(sight, self.false_alarms / max(1, tries))
            code = CODES[sight.name]
            if code not in worst or low > worst[code][0]:
                worst[code] = (low, sight)
        return [_finding(code, low, sight, results, limit) for code, (low, sight) in worst.items()]


def _figures(results: BlindResults, setting: Setting) -> dict[str, Figure]:
    sights = {sight.name: (sight.values, sight.cases.clusters) for sight in results.sights}
    baselines = {name: (values, results.cases.clusters) for name, values in results.baselines.items()}
    found = {
        name: figure(values, clusters, confidence=setting.confidence)
        for name, (values, clusters) in (sights | baselines).items()
    }
    chance, sure = found["chance"], float(results.baselines["chance"].mean())
    exact = Figure(sure, sure, sure, chance.k, chance.n, 0.0, chance.clusters, "exact")
    return found | {"chance": exact}


def lower_bound(sight: Sight, risk: float) -> float:
    """What the true share is above, but for this risk."""
    if is_binary(sight.values):
        return figure(sight.values, sight.cases.clusters, confidence=1 - 2 * risk).low or 0.0
    error = clustered_error(sight.values, sight.cases.clusters)
    return float(sight.values.mean()) - NormalDist().inv_cdf(1 - risk) * error


def _finding(code: str, low: float, sight: Sight, results: BlindResults, limit: float) -> Finding:
    value = float(sight.values.mean())
    said = f"{SAYS[code]} is right on {value:.1%} of the items; {results.base:.1%} come for nothing"
    if low > limit:
        order = np.lexsort((-sight.margins, -sight.values))
        solved = [place for place in order.tolist() if sight.values[place] > 0]
        ids = tuple(sight.cases.all[place].id for place in solved)
        says = f"{said}: the gap is far more than luck ({sight.best})."
        return Finding(code, "warning", says, REMEDY[code], value, limit, ids, results.cases.task)
    if low > results.base:
        says = f"{said}: a little more than luck."
        return Finding(code, "note", says, "", value, limit, task=results.cases.task)
    return Finding(code, "fine", f"{said}: no more than luck.", "", value, limit, task=results.cases.task)


def _summary(results: BlindResults, figures: dict[str, Figure]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        *((NAMES[sight.name], figures[sight.name], sight.best) for sight in results.sights),
        *((NAMES[name], figures[name], "") for name in results.baselines),
    ]
    return Table(
        "What is got by seeing only a part",
        ("seen", "right", "best solver"),
        tuple(rows),
        "As PMR's section 4.3, A-OKVQA's Table 3, NLVR2's Table 6 and CRIC's Q-only and I-only rows.",
    )


def _solvers(results: BlindResults, setting: Setting) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (NAMES[sight.name], name, figure(values, sight.cases.clusters, confidence=setting.confidence))
        for sight in results.sights
        for name, values in sight.solvers.items()
    ]
    return Table(
        "Every solver",
        ("seen", "solver", "right"),
        tuple(rows),
        "The best of a column flatters: the table above chooses by items other than those it is tried on.",
    )


def _plot(results: BlindResults, figures: dict[str, Figure]) -> Plot:
    shown = [(NAMES[sight.name].replace(", ", ",\n").replace(" ", "\n", 1), figures[sight.name])
             for sight in results.sights]  # fmt: skip
    bars = Series(
        "",
        tuple(float(place) for place in range(len(shown))),
        tuple(found.value for _, found in shown),
        tuple(found.low for _, found in shown),
        tuple(found.high for _, found in shown),
    )
    panel = Bars(
        tuple(name for name, _ in shown), (bars,), "share right", results.cases.title, (0.0, 1.0),
        (Level(results.base, "for nothing"),),
    )  # fmt: skip
    caption = "What solvers get that see only a part of each item, with error bars."
    return Plot(f"blind-{results.cases.task}", (panel,), caption)
