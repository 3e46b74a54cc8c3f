"""Lexical shortcuts: can the right choice be told by its length, its place, its tags, its likeness to the
question?

Right answers of VCR repeat the question's tags and pronouns; such flaws are looked for in any benchmark, one
by one and all together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonsight.audit.cases import Cases
from commonsight.audit.chance import MATTERS
from commonsight.audit.listwise import Rows, folds_of, rows_of
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.shortcuts import labels as by_label
from commonsight.audit.shortcuts.alone import alone
from commonsight.audit.shortcuts.features import columns_of
from commonsight.audit.shortcuts.findings import (
    REMEDIES,
    alone_finding,
    answers_finding,
    family_finding,
    position_finding,
)
from commonsight.audit.shortcuts.picks import Rule, balance_of, position_balance, rules_of
from commonsight.audit.values import Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.store.figures import Bars, Level, Series

LEAST = 20
"""Labelled items below which nothing is measured."""
MOST_LABELS = 10
"""With more answers than these the answers are open, and blind probes say what a question gives away."""
SHOWN = 24
_DRAWN = 6
FAMILIES = tuple(dict.fromkeys((*REMEDIES, *by_label.NAMES)))
"""Of what choices, or what is asked, may give away."""


@dataclass(frozen=True)
class Shortcuts:
    """The probe; its limits are arguments."""

    name: str = "shortcuts"
    title: str = "Lexical shortcuts"
    least: int = LEAST
    matters: float = MATTERS
    lean: float = by_label.LEAN

    codes = (*(f"{family}-shortcut" for family in FAMILIES), "shortcuts-alone", "label-balance")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section a task."""
        return [
            self._choices(cases, setting) if cases.kind == "pick" else self._labels(cases, setting)
            for cases in subject.cases.values()
        ]

    def _cannot(self, cases: Cases, why: str) -> Section:
        sentence = f"{cases.title}: shortcuts cannot be measured, as {why}."
        return Section(self.name, f"{self.title}: {cases.title}", task=cases.task, skipped=(sentence,))

    # --- choices of their own ------------------------------------------------------------------------------

    def _choices(self, cases: Cases, setting: Setting) -> Section:
        rows = rows_of(cases.labelled)
        if len(rows.sizes) < self.least:
            return self._cannot(cases, f"only {len(rows.sizes)} items have a known right choice of several")
        columns = columns_of(rows)
        rules = rules_of(rows, columns)
        together = alone(rows, columns, folds_of(rows.cases, setting))
        families = _by_family(rules)
        overall = {family: _overall(rows, _best(found), setting) for family, found in families.items()}
        findings = [
            *(family_finding(rows, family, found, self.matters) for family, found in families.items()),
            alone_finding(rows, together, self.matters),
            position_finding(rows, position_balance(rows), self.matters),
        ]
        return Section(
            self.name,
            f"{self.title}: {cases.title}",
            "How often the choice is right that is longest, shortest, first, or most like the question, in "
            f"all {len(rules)} ways that were tried, and how far a model gets that sees only these.",
            cases.task,
            findings=tuple(findings),
            figures={
                "alone": figure(together.credit, rows.cases.clusters, confidence=setting.confidence),
                **overall,
            },
            numbers={"chance": rows.chance, "rules": float(len(rules))},
            tables=(_table(rows, rules, setting),),
            plots=(_plot(rows, overall),),
        )

    # --- shared answers ------------------------------------------------------------------------------------

    def _labels(self, cases: Cases, setting: Setting) -> Section:
        known = cases.labelled
        if len(known) < self.least:
            return self._cannot(cases, f"only {len(known)} items have a known answer")
        counts = Counter(str(case.answer) for case in known)
        if len(counts) == 1:
            return self._cannot(cases, f"every answer is {next(iter(counts))!r}")
        if len(counts) > MOST_LABELS:
            return self._cannot(cases, f"the answers are open: there are {len(counts):,} different ones")
        columns = by_label.columns_of(known)
        if not columns:
            return self._cannot(cases, "all that is asked looks alike")
        labels = [label for label, _ in counts.most_common()]
        place = {label: number for number, label in enumerate(labels)}
        codes = np.array([place[str(case.answer)] for case in known], np.int64)
        leans = by_label.leans(columns, labels, codes, known.groups)
        together = by_label.alone(columns, codes, folds_of(known, setting))
        even = balance_of([counts[label] for label in labels], [len(known) / len(labels)] * len(labels))
        findings: list[Finding] = [
            *by_label.lean_findings(known, leans, self.lean),
            by_label.alone_finding(known, together, self.matters),
            answers_finding(known, labels, (codes == 0).astype(np.float64), even),
        ]
        return Section(
            self.name,
            f"{self.title}: {cases.title}",
            "Whether the length of what is asked, its negations, numbers and quantifiers go with an answer, "
            "and how far a model gets that sees only these.",
            cases.task,
            findings=tuple(findings),
            figures={
                "alone": figure(together.credit, known.clusters, confidence=setting.confidence),
                "majority": figure(together.without, known.clusters, confidence=setting.confidence),
            },
            tables=(by_label.leans_table(leans),),
        )


def _by_family(rules: Sequence[Rule]) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.family, []).append(rule)
    return found


def _best(rules: Sequence[Rule]) -> Rule:
    """The rule that gains most surely."""
    return max(rules, key=lambda one: one.z)


def _overall(rows: Rows, rule: Rule, setting: Setting) -> Figure:
    return figure(rule.earned.credit, rows.cases.clusters, confidence=setting.confidence)


def _table(rows: Rows, rules: Sequence[Rule], setting: Setting) -> Table:
    order = sorted(rules, key=lambda one: (one.p, -abs(one.z)))[:SHOWN]
    lines = []
    for rule in order:
        decided = rule.earned.decided
        credit, clusters = rule.earned.credit[decided], rows.cases.clusters[decided]
        right = figure(credit, clusters, confidence=setting.confidence)
        chance = float(rows.chances[decided].mean())
        lines.append((rule.family, rule.says, rule.coverage, right, chance, rule.z, rule.p))
    columns = ("family", "what is picked", "tells apart in", "right in these", "by chance", "z", "p")
    note = f"Ties share. p is held against all {len(rules)} rules (Holm): under 0.05 is more than chance."
    return Table("How often a choice that stands out is right", columns, tuple(lines), note)


def _plot(rows: Rows, overall: dict[str, Figure]) -> Plot:
    order = sorted(overall.items(), key=lambda one: -(one[1].value or 0.0))
    top = min(1.0, 1.1 * max([rows.chance, *(one.high or 0.0 for one in overall.values())]))
    return Plot(
        f"shortcuts-{rows.cases.task}",
        tuple(_bars(rows, order[start : start + _DRAWN], top) for start in range(0, len(order), _DRAWN)),
        "The best pick of each family of shortcuts, over all items (ties shared), with its interval; the "
        "line is what guessing gets.",
    )


def _bars(rows: Rows, families: Sequence[tuple[str, Figure]], top: float) -> Bars:
    found = [one for _, one in families]
    low, high = tuple(one.low for one in found), tuple(one.high for one in found)
    series = Series("", (), tuple(one.value for one in found), low, high)
    names = tuple(family.replace("-", "\n") for family, _ in families)
    return Bars(names, (series,), "share right", y_range=(0.0, top), levels=(Level(rows.chance, "chance"),))
