"""The counter-test: how far does a run's accuracy fall when choices say the same in other words?

A run that understands the choices answers the edited ones as well; one that goes by their surface does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from commonsight.audit.probe import CannotMeasure, RunAnswers
from commonsight.audit.values import Finding, Level, Section, Table
from commonsight.score.intervals import Figure, Floats, figure
from commonsight.score.paired import PairedDifference, paired_bootstrap

NAME = "counter-test"
FALL = 0.02
"""A fall of two points matters: less is within what re-asking the same model gives."""
_REMEDY = (
    "Read the items behind this in both forms. Where the edited one still has the same right answer, the "
    "run goes by the surface of the choices: report its score on the edited set beside the other."
)


class Compared(NamedTuple):
    """One metric on the items that both runs scored."""

    metric: str
    ids: tuple[str, ...]
    before: Floats
    after: Floats
    difference: PairedDifference
    """Before less after: positive where accuracy falls."""
    clusters: tuple[str, ...]


def compared(
    original: RunAnswers,
    edited: RunAnswers,
    metric: str,
    clusters: Mapping[str, str],
    *,
    confidence: float,
    seed: int,
) -> Compared:
    """Item by item, over those that have a score in both runs."""
    place = {name: at for at, name in enumerate(edited.ids)}
    first, second = original.scores[metric], edited.scores[metric]
    pairs = [
        (at, place[name])
        for at, name in enumerate(original.ids)
        if name in place and not np.isnan(first[at]) and not np.isnan(second[place[name]])
    ]
    if len(pairs) < 2:
        raise CannotMeasure(
            f"The two runs have {len(pairs)} scored items in common by {metric!r}; the counter-test needs "
            "the same items, once as they are and once edited."
        )
    ids = tuple(original.ids[at] for at, _ in pairs)
    before, after = first[[at for at, _ in pairs]], second[[at for _, at in pairs]]
    own = tuple(clusters.get(name, name) for name in ids)
    difference = paired_bootstrap(before, after, own, seed=seed, confidence=confidence)
    return Compared(metric, ids, before, after, difference, own)


def counter_test(
    original: RunAnswers,
    edited: RunAnswers,
    clusters: Mapping[str, str] | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
    fall: float = FALL,
) -> Section:
    """What the edits do to each metric that both runs have; `clusters` says what items share, by id."""
    metrics = [metric for metric in original.scores if metric in edited.scores]
    if not metrics:
        raise CannotMeasure(
            f"The runs {original.name!r} and {edited.name!r} have no metric in common: {_listed(original)} "
            f"and {_listed(edited)}. Score both as the same benchmark."
        )
    shared = clusters or {}
    found = [compared(original, edited, one, shared, confidence=confidence, seed=seed) for one in metrics]
    before = [figure(one.before, one.clusters, confidence=confidence) for one in found]
    after = [figure(one.after, one.clusters, confidence=confidence) for one in found]
    shown = list(zip(found, before, after, strict=True))
    return Section(
        NAME,
        "Counter-test: the same choices in other words",
        f"The run {original.name} on the items as they are, and {edited.name} on the same items with small "
        "edits of the choices that keep what they say.",
        findings=tuple(_finding(one, fall) for one in found),
        figures={
            **{f"{one.metric}-before": score for one, score, _ in shown},
            **{f"{one.metric}-after": score for one, _, score in shown},
        },
        numbers={f"{one.metric}-fall": one.difference.difference for one in found},
        tables=(_table(shown),),
    )


def _listed(run: RunAnswers) -> str:
    return ", ".join(run.scores) or "none"


def _finding(one: Compared, fall: float) -> Finding:
    """A warning where even the low end of the interval is a fall that matters."""
    lost = one.difference
    before, after = float(one.before.mean()), float(one.after.mean())
    low, high = lost.low, lost.high
    bounds = "" if low is None or high is None else f" (between {low:.1%} and {high:.1%})"
    says = f"By {one.metric}, {before:.1%} become {after:.1%} when the choices are put in other words"
    value = lost.difference
    if low is None or low <= 0:
        return Finding(NAME, "fine", f"{says}: no sure fall{bounds}.", value=value, limit=fall)
    says = f"{says}: a fall of {value:.1%}{bounds}."
    level: Level = "warning" if low > fall else "note"
    return Finding(NAME, level, says, _REMEDY if level == "warning" else "", value, fall, _lost(one))


def _lost(one: Compared) -> tuple[str, ...]:
    """Items that were answered better before, the greatest loss first."""
    order = np.argsort(one.after - one.before, kind="stable").tolist()
    return tuple(one.ids[at] for at in order if one.after[at] < one.before[at])


def _table(shown: list[tuple[Compared, Figure, Figure]]) -> Table:
    rows = []
    for one, before, after in shown:
        worse, better = int((one.after < one.before).sum()), int((one.after > one.before).sum())
        lost = one.difference
        fall = (lost.difference, lost.low, lost.high, lost.p_value)
        rows.append((one.metric, len(one.ids), before, after, *fall, worse, better))
    columns = ("metric", "items", "before", "after", "fall", "low", "high", "p", "worse", "better")
    note = "The fall is paired, item by item; worse and better count the items whose score changed."
    return Table("Before and after the edits", columns, tuple(rows), note)
