"""Hardness: which items are solved by anything, which by nothing, and how a model comes to learn each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from commonsight.audit.blind.lists import Flags, Floats
from commonsight.audit.blind.probe import Blind
from commonsight.audit.blind.results import BlindResults, one_thread
from commonsight.audit.cases import Cases
from commonsight.audit.hardness.aflite import Partitions, predictability
from commonsight.audit.hardness.dynamics import EPOCHS, Dynamics, dynamics
from commonsight.audit.hardness.views import view_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Finding, Level, Plot, Section, Table
from commonsight.score.intervals import figure
from commonsight.store.figures import Panel, Series

SHOWN = 1500
"""Points on a map at most: more would be a blot."""
BANDS = 5
OFTEN = (("seldom", 0.0, 0.3), ("at times", 0.3, 0.7), ("mostly", 0.7, 1.1))
"""How often an item was solved while a model learned, as the map's colours tell it."""


@dataclass(frozen=True)
class Hardness:
    """The probe; it goes by what `blind` found, so that nothing is learned twice."""

    blind: Blind
    partitions: Partitions = field(default_factory=Partitions)
    epochs: int = EPOCHS

    name = "hardness"
    title = "How hard each item is"

    codes = ("predictable-items", "solved-by-every-probe", "hard-to-learn")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section a task."""
        return [self._section(subject, cases.labelled, setting) for cases in subject.cases.values()]

    def _section(self, subject: Subject, cases: Cases, setting: Setting) -> Section:
        title = f"Hardness: {cases.title}"
        try:
            blind = self.blind.results(subject, cases, setting)
            with one_thread():
                view = view_of(cases, setting.encoder, setting.seed)
                active = np.ones(len(cases), np.bool_)
                scores = predictability(view, active, self.partitions, setting.seed)
                course = dynamics(view, setting.seed, self.epochs)
        except CannotMeasure as why:
            return Section(self.name, title, task=cases.task, skipped=(str(why),))
        known = ~np.isnan(scores)
        easy = known & (scores >= self.partitions.threshold)
        every = solved_by_all(blind)
        return Section(
            self.name,
            title,
            f"{self.partitions.count} linear models, each learned from {self.partitions.learn:.0%} of the "
            "items, tried the others (AFLite); one more was watched as it learned (dataset cartography).",
            cases.task,
            (
                _predictable(cases, scores, easy, self.partitions.threshold),
                *([_every(cases, blind, every)] if len(blind.sights) > 1 else []),
                _hard(cases, course),
            ),
            {
                "predictable": figure(easy[known], cases.clusters[known], confidence=setting.confidence),
                "every_probe": figure(every, cases.clusters, confidence=setting.confidence),
            },
            {
                "predictability": float(np.nanmean(scores)) if known.any() else 0.0,
                "confidence": float(course.confidence.mean()),
                "variability": float(course.variability.mean()),
            },
            (_bands(scores[known]), _regions(course)),
            (_map(cases, course, setting.seed),),
        )


def solved_by_all(blind: BlindResults) -> Flags:
    """Whether every blind solver that tried an item solved it; what it sees makes no difference then."""
    place = {case.id: number for number, case in enumerate(blind.cases)}
    tries, solved = np.zeros(len(place)), np.zeros(len(place))
    for sight in blind.sights:
        at = np.array([place[case.id] for case in sight.cases], np.int64)
        tries[at] += 1
        solved[at] += sight.values >= 1
    found: Flags = (tries > 0) & (solved == tries)
    return found


def _ids(cases: Cases, chosen: Flags, order: Floats) -> tuple[str, ...]:
    """The chosen items, highest first."""
    places = np.flatnonzero(chosen)
    places = places[np.argsort(-order[places], kind="stable")]
    return tuple(cases.all[place].id for place in places.tolist())


def _predictable(cases: Cases, scores: Floats, easy: Flags, threshold: float) -> Finding:
    share = float(easy.mean())
    says = f"{share:.1%} of the items are solved by {threshold:.0%} or more of models that never saw them."
    ids = _ids(cases, easy, np.nan_to_num(scores))
    remedy = "Keep a hardened subset (--filter), or report scores on these and on the others apart."
    return _noted("predictable-items", says, remedy, share, None, ids, cases)


def _every(cases: Cases, blind: BlindResults, every: Flags) -> Finding:
    share = float(every.mean())
    luck = float(np.prod([sight.values.mean() for sight in blind.sights]))
    says = (
        f"{share:.1%} of the items are solved by each of {len(blind.sights)} blind solvers, whatever they "
        f"see; {luck:.1%} would be if they had nothing in common."
    )
    margins = np.zeros(len(cases))
    for sight in blind.sights:
        if sight.cases is cases:
            margins += sight.margins
    ids = _ids(cases, every, margins)
    remedy = "Begin with these when you look for what gives answers away."
    return _noted("solved-by-every-probe", says, remedy, share, luck, ids, cases)


def _hard(cases: Cases, course: Dynamics) -> Finding:
    share = float(course.hard.mean())
    ids = _ids(cases, course.hard, -course.confidence)
    says = f"{share:.1%} of the items were never solved, even while a text-only model learned from them."
    remedy = "Most need the picture. Have people look at the first of them: wrong labels are among these."
    return _noted("hard-to-learn", says, remedy, share, None, ids, cases)


def _noted(
    code: str, says: str, remedy: str, value: float, limit: float | None, ids: tuple[str, ...], cases: Cases
) -> Finding:
    """Worth knowing where there are such items; never a warning, as every benchmark has some."""
    level: Level = "note" if ids else "fine"
    return Finding(code, level, says, remedy if ids else "", value, limit, ids, cases.task)


def _bands(scores: Floats) -> Table:
    counts = np.histogram(scores, bins=BANDS, range=(0.0, 1.0))[0]
    rows = tuple(
        (f"{100 * band // BANDS} to {100 * (band + 1) // BANDS} %", count, count / max(1, len(scores)))
        for band, count in enumerate(counts.tolist())
    )
    note = "How many of the models that did not see an item solve it (Le Bras et al. 2020)."
    return Table("Predictability", ("solved by", "items", "share"), rows, note)


def _regions(course: Dynamics) -> Table:
    names = (("easy: always solved", course.easy), ("hard: never solved", course.hard))
    rest = ~course.easy & ~course.hard
    rows = tuple(
        (name, int(chosen.sum()), _mean(course.confidence[chosen]), _mean(course.variability[chosen]))
        for name, chosen in (*names, ("in between", rest))
    )
    note = "Means over the epochs of a text-only model (Swayamdipta et al. 2020)."
    return Table("Training dynamics", ("items that are", "items", "confidence", "variability"), rows, note)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _map(cases: Cases, course: Dynamics, seed: int) -> Plot:
    shown = np.random.default_rng([seed, 3]).permutation(len(cases))[:SHOWN]
    series = []
    for label, low, high in OFTEN:
        places = shown[(course.correctness[shown] >= low) & (course.correctness[shown] < high)]
        x, y = course.variability[places].tolist(), course.confidence[places].tolist()
        series.append(Series(label, tuple(x), tuple(y), line=False, size=2.0))
    panel = Panel(tuple(series), "variability", "confidence", y_range=(0.0, 1.0))
    caption = (
        "Every point is an item: how sure a text-only model is of its right answer while it learns, and how "
        "much that changes. Colours say how often the item was solved."
    )
    return Plot(f"hardness-{cases.task}", (panel,), caption)
