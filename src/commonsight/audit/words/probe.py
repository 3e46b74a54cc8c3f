"""Words that tell the label: which ones, how surely, and whether they matter.

For choices: PMI of words with the wrong choices as in PMR's Table 4, and tests with false-discovery control.
For shared answers: the same of the words of the sentence or question with each answer.
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
from commonsight.audit.values import Section, Table
from commonsight.audit.words.findings import Leaning, leaning, words_finding
from commonsight.audit.words.grams import LONGEST, Grams, grams_of
from commonsight.audit.words.guess import Choosing, Guessed, guess_choices, guess_labels
from commonsight.audit.words.stats import SMOOTHING, by_choices, by_items
from commonsight.audit.words.tables import Told, competency_plot, pmi_table, telling_table, told, type_tables
from commonsight.score.intervals import figure

LEAST = 20
"""Texts that must hold a word before it is tested: below, the normal curve misleads."""
LEAST_GROUPS = 5
EFFECT = 0.05
"""A word's share of wrong choices must be this far from chance: in large sets mere significance is cheap."""
MOST_LABELS = 10
"""With more answers than these the question is open: its words must tell what kind of answer is wanted."""


@dataclass(frozen=True)
class WordArtifacts:
    """The probe; its limits are arguments."""

    name: str = "words"
    title: str = "Words that tell the label"
    least: int = LEAST
    least_groups: int = LEAST_GROUPS
    longest: int = LONGEST
    effect: float = EFFECT
    matters: float = MATTERS
    smoothing: float = SMOOTHING
    any_dependence: bool = False
    """Whether false discoveries are held down whatever the tests share, at the price of missing more."""

    codes = ("word-artifacts",)

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section a task."""
        return [
            self._choices(cases, setting) if cases.kind == "pick" else self._labels(cases, setting)
            for cases in subject.cases.values()
        ]

    def _choosing(self, setting: Setting) -> Choosing:
        rate = setting.false_discovery
        return Choosing(rate, self.effect, self.least, self.least_groups, self.any_dependence)

    def _cannot(self, cases: Cases, why: str) -> Section:
        sentence = f"{cases.title}: what words tell cannot be measured, as {why}."
        return Section(self.name, f"{self.title}: {cases.title}", task=cases.task, skipped=(sentence,))

    # --- choices of their own ------------------------------------------------------------------------------

    def _choices(self, cases: Cases, setting: Setting) -> Section:
        rows = rows_of(cases.labelled)
        if len(rows.sizes) < self.least:
            return self._cannot(cases, f"only {len(rows.sizes)} items have a known right choice of several")
        said = [text for texts in rows.cases.said for text in texts]
        grams = grams_of(said, least=self.least, longest=self.longest)
        if not grams.names:
            return self._cannot(cases, f"no word stands in {self.least} choices or more")
        choosing = self._choosing(setting)
        sums = by_choices(grams.holds, rows.item_of, ~rows.right, rows.cases.groups)
        wrong = told("wrong choices", grams, sums, ~rows.right, choosing, self.smoothing)
        guessed = guess_choices(grams, sums, rows, choosing, folds_of(rows.cases, setting))
        return self._section_of_choices(rows, said, wrong, guessed, setting)

    def _section_of_choices(
        self, rows: Rows, said: Sequence[str], wrong: Told, guessed: Guessed, setting: Setting
    ) -> Section:
        cases, found = rows.cases, leaning([wrong])
        return Section(
            self.name,
            f"{self.title}: {cases.title}",
            "Which words stand in wrong choices more often, or less often, than chance allows, and how far a "
            "guess gets that goes by them alone. Words are chosen on some groups and tried on others.",
            cases.task,
            findings=(words_finding(cases, found, guessed, self.matters, open_answers=False),),
            figures={"words-alone": figure(guessed.credit, cases.clusters, confidence=setting.confidence)},
            numbers=_numbers(found, guessed),
            tables=_filled(
                pmi_table(rows, said, wrong, self.smoothing),
                telling_table(wrong, "Words that mark wrong choices", above=True),
                telling_table(wrong, "Words that mark right choices", above=False),
                *type_tables(rows, wrong.grams, self._choosing(setting), self.smoothing),
            ),
            plots=(competency_plot(f"words-{cases.task}", [wrong], setting.false_discovery),),
        )

    # --- shared answers ------------------------------------------------------------------------------------

    def _labels(self, cases: Cases, setting: Setting) -> Section:
        known = cases.labelled
        if len(known) < self.least:
            return self._cannot(cases, f"only {len(known)} items have a known answer")
        counts = Counter(str(case.answer) for case in known)
        if len(counts) == 1:
            return self._cannot(cases, f"every answer is {next(iter(counts))!r}")
        labels = [label for label, count in counts.most_common(MOST_LABELS) if count >= self.least]
        grams = grams_of(known.asked, least=self.least, longest=self.longest)
        if not labels or not grams.names:
            return self._cannot(cases, f"no answer, or no word, stands in {self.least} items or more")
        return self._section_of_labels(known, labels, grams, setting, open_answers=len(counts) > MOST_LABELS)

    def _section_of_labels(
        self, known: Cases, labels: Sequence[str], grams: Grams, setting: Setting, *, open_answers: bool
    ) -> Section:
        place = {label: number for number, label in enumerate(labels)}
        codes = np.array([place.get(str(case.answer), -1) for case in known], np.int64)
        choosing = self._choosing(setting)
        sums = [by_items(grams.holds, codes == number, known.groups) for number in range(len(labels))]
        all_told = [
            told(f"“{label}”", grams, sums[number], codes == number, choosing, self.smoothing)
            for number, label in enumerate(labels)
        ]
        guessed = guess_labels(grams, sums, codes, known.groups, choosing, folds_of(known, setting))
        found = leaning(all_told)
        return Section(
            self.name,
            f"{self.title}: {known.title}",
            "Which words of what is asked go with an answer more often, or less often, than its share "
            "allows, and how far a guess gets that goes by them alone.",
            known.task,
            findings=(words_finding(known, found, guessed, self.matters, open_answers=open_answers),),
            figures={
                "words-alone": figure(guessed.credit, known.clusters, confidence=setting.confidence),
                "majority": figure(guessed.without, known.clusters, confidence=setting.confidence),
            },
            numbers=_numbers(found, guessed),
            tables=_filled(
                *(telling_table(one, f"Words that go with {one.label}", above=True) for one in all_told)
            ),
            plots=(competency_plot(f"words-{known.task}", all_told, setting.false_discovery),),
        )


def _filled(*tables: Table) -> tuple[Table, ...]:
    return tuple(table for table in tables if table.rows)


def _numbers(found: Leaning, guessed: Guessed) -> dict[str, float]:
    """Coverage times lift is the gain: what the words together change of a guess."""
    decided = np.asarray(guessed.decided, bool)
    gain = guessed.credit - guessed.without
    return {
        "artifacts": float(len(found.names)),
        "tested": float(found.tested),
        "coverage": float(decided.mean()),
        "lift": float(gain[decided].mean()) if decided.any() else 0.0,
        "gain": float(gain.mean()),
        "chance": float(guessed.without.mean()),
    }
