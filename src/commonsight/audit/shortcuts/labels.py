"""Shortcuts where all items share the answers: do its length or a negation tell which is right?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.audit.chance import ALARM, deviation_of, surely_above, two_sided, z_of
from commonsight.audit.shortcuts.findings import UNLIKELY
from commonsight.audit.shortcuts.texts import Seen, seen
from commonsight.audit.values import Finding, Table
from commonsight.score.intervals import Floats
from commonsight.score.paired import holm

LEAN = 0.05
"""How far from one half the chance must be that an item with an answer has more of a thing than another."""
FAMILIES = {
    "words": "length", "characters": "length", "commas": "punctuation", "negations": "negation",
    "numbers": "number", "quantifiers": "quantifier", "tags": "tag-count",
}  # fmt: skip
NAMES = {
    "length": "The length", "punctuation": "The punctuation", "negation": "Negation",
    "number": "The count of numbers", "quantifier": "The count of words such as “all” or “only”",
    "tag-count": "The number of tags",
}  # fmt: skip


class Lean(NamedTuple):
    """One thing against one answer."""

    feature: str
    label: str
    above: float
    """The chance that an item with the answer has more of it than one without; 0.5 tells nothing."""
    z: float
    p: float
    """Held against all tests of the task (Holm)."""


def columns_of(cases: Cases) -> dict[str, Floats]:
    """What is told of each sentence or question, by name; what never differs is left out."""
    texts = [seen(case.given) for case in cases]
    found = {name: np.array([_value(text, name) for text in texts], np.float64) for name in FAMILIES}
    return {name: values for name, values in found.items() if float(values.std()) > 1e-12}


def _value(text: Seen, name: str) -> float:
    value = getattr(text, name)
    return float(len(value) if isinstance(value, tuple) else value)


def leans(
    columns: dict[str, Floats], labels: Sequence[str], codes: NDArray[np.int64], groups: NDArray[np.int64]
) -> list[Lean]:
    """Each thing against each answer; of two answers one is enough."""
    tried = []
    for name, values in columns.items():
        scaled = (values - values.mean()) / values.std()
        for number, label in enumerate(labels[:1] if len(labels) == 2 else labels):
            has = codes == number
            share = float(has.mean())
            sums = deviation_of(has * scaled, share * scaled, share * (1 - share) * scaled**2, groups)
            tried.append((name, label, _above(values, has), float(z_of(sums)[0])))
    p = holm(two_sided([z for *_, z in tried])).tolist()
    return [Lean(*one, adjusted) for one, adjusted in zip(tried, p, strict=True)]


def _above(values: Floats, has: NDArray[np.bool_]) -> float:
    from scipy.stats import rankdata  # slow to import

    inside = int(has.sum())
    if inside in (0, has.size):
        return 0.5
    ranks = float(rankdata(values)[has].sum())
    return (ranks - inside * (inside + 1) / 2) / (inside * (has.size - inside))


def lean_findings(cases: Cases, found: Sequence[Lean], lean: float) -> list[Finding]:
    """One finding a family."""
    families: dict[str, list[Lean]] = {}
    for one in found:
        families.setdefault(FAMILIES[one.feature], []).append(one)
    return [_family(cases, family, own, lean) for family, own in families.items()]


def _family(cases: Cases, family: str, found: Sequence[Lean], lean: float) -> Finding:
    best = min(found, key=lambda one: (one.p, -abs(one.z)))
    code, limit, task = f"{family}-shortcut", 0.5 + lean, cases.task
    value = 0.5 + abs(best.above - 0.5)
    if best.p > UNLIKELY:
        says = f"{NAMES[family]} in what is asked tells nothing about the answer."
        return Finding(code, "fine", says, value=value, limit=limit, task=task)
    more = "more" if best.above > 0.5 else "fewer"
    says = (
        f"Items with the answer “{best.label}” have {more} {best.feature} than others: of one such item and "
        f"one other the first has {more} in {value:.1%} (50% by chance)."
    )
    if best.p > ALARM or value < limit:
        return Finding(code, "note", says, value=value, limit=limit, task=task)
    remedy = "Write texts of all lengths and kinds for every answer, or pair each with both answers."
    items = tuple(case.id for case in cases if str(case.answer) == best.label)
    return Finding(code, "warning", says, remedy, value, limit, items, task)


class AloneLabels(NamedTuple):
    """By item: whether a model of shortcuts gives its answer, and whether the commonest answer is its."""

    credit: Floats
    without: Floats


def alone(
    columns: dict[str, Floats], codes: NDArray[np.int64], fold_of: NDArray[np.int64]
) -> AloneLabels:
    """A logistic regression on these numbers and their squares, in cross-validation by group."""
    inputs = np.stack([part for values in columns.values() for part in _scaled(values)], axis=1)
    credit, without = np.zeros(len(codes)), np.zeros(len(codes))
    for fold in np.unique(fold_of).tolist():
        here = fold_of == fold
        if here.all():
            continue
        common = int(np.bincount(codes[~here] + 1).argmax()) - 1
        without[here] = codes[here] == common
        credit[here] = _predicted(inputs, codes, here, common) == codes[here]
    return AloneLabels(credit, without)


def _scaled(values: Floats) -> tuple[Floats, Floats]:
    scaled = (values - values.mean()) / values.std()
    return scaled, np.minimum(scaled**2, 9.0)


def _predicted(
    inputs: Floats, codes: NDArray[np.int64], here: NDArray[np.bool_], common: int
) -> NDArray[np.int64]:
    from sklearn.linear_model import LogisticRegression  # slow to import

    if len(np.unique(codes[~here])) < 2:
        return np.full(int(here.sum()), common, np.int64)
    model = LogisticRegression(C=0.1, max_iter=500).fit(inputs[~here], codes[~here])
    return np.asarray(model.predict(inputs[here]), np.int64)


def alone_finding(cases: Cases, found: AloneLabels, matters: float) -> Finding:
    """About that model."""
    usual, reached = float(found.without.mean()), float(found.credit.mean())
    code, limit = "shortcuts-alone", usual + matters
    if surely_above(found.credit - found.without, cases.groups) <= matters:
        says = (
            f"Length, negation, numbers and quantifiers together get {reached:.1%}, not surely more than the "
            f"commonest answer ({usual:.1%})."
        )
        return Finding(code, "fine", says, value=reached, limit=limit, task=cases.task)
    says = (
        f"A model that sees only length, negation, numbers and quantifiers gets {reached:.1%}, where the "
        f"commonest answer gets {usual:.1%}."
    )
    remedy = "See which of them it goes by, and balance those between the answers; then audit again."
    gained = (found.credit > found.without).tolist()
    items = tuple(case.id for case, hit in zip(cases, gained, strict=True) if hit)
    return Finding(code, "warning", says, remedy, reached, limit, items, cases.task)


def leans_table(found: Sequence[Lean]) -> Table:
    """All of them, the surest first."""
    order = sorted(found, key=lambda one: (one.p, -abs(one.z)))
    rows = tuple((one.feature, one.label, one.above, one.z, one.p) for one in order)
    note = (
        "more often: of one item with the answer and one without, how often the first has more of it (ties "
        "halved); p is held against all tests of this table (Holm)."
    )
    columns = ("thing", "answer", "more often", "z", "p")
    return Table("Surface of what is asked against the answer", columns, rows, note)
