"""Choice quality: choices that are the same, two that are right, choices that the question gives away.

Some of these are faults of single items, and one is enough for a warning: nobody can answer an item whose
right and wrong choice read the same. Others are only worth a warning where they are common, by an interval
that lies above their limit. Rules that pick an answer from gender or form alone are held against chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.audit.choices.alike import likeness
from commonsight.audit.choices.checks import KINDS, Seen, look
from commonsight.audit.choices.words import ABOUT, RULES, WORDS, share_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Finding, Level, Section, Table
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.errors import InputError
from commonsight.score.intervals import Figure, figure

LIMITS: Mapping[str, float] = {
    "right-equals-wrong": 0.0,
    "empty-choices": 0.0,
    "tags-not-in-image": 0.0,
    "duplicate-choices": 0.005,
    "near-duplicate-choices": 0.02,
    "two-plausible": 0.05,
    "wrong-choice-accepted": 0.05,
    "answer-in-question": 0.02,
    "gender-only-right-fits": 0.02,
    "gender-mismatch": 1.0,
    "right-choice-unsaid": 1.0,
    "tags-as-words": 1.0,
    "tags-only": 1.0,
}
"""The share of items that each may strike. At 0 a single item is a warning; at 1 there is never more than a
note. Two plausible answers: people get 91 % of VCR's answers right; a twentieth is half of what they lose."""
PLAUSIBLE = 0.9
"""P_sim from which a wrong choice counts as plausible. Of VCR's own matched items 1 to 4 in 100 reach it."""
MARGIN = 0.05
"""How far above chance a rule that goes by gender or form must get to count as a shortcut."""
LEAST = 20
"""Fewer items than this tell nothing about a rule."""
SHOWN = 20


@dataclass(frozen=True)
class Choices:
    """The probe."""

    plausible: float = PLAUSIBLE
    margin: float = MARGIN
    limits: Mapping[str, float] = field(default_factory=lambda: LIMITS)
    name: str = "choices"
    title: str = "Choice quality"

    codes = (*WORDS, *(f"{name}-shortcut" for name in RULES))

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task whose items bring choices of their own."""
        tasks = [cases for cases in subject.cases.values() if cases.kind == "pick" and len(cases)]
        if not tasks:
            raise CannotMeasure("No task has choices of its own, so there are none to look at.")
        return [self._section(cases, setting) for cases in tasks]

    def _section(self, cases: Cases, setting: Setting) -> Section:
        seen = look(cases)
        skipped = [*_unmeasured(cases), *self._plausible(cases, seen, setting)]
        tests = len(self.limits) + len(RULES)
        confidence = 1 - (1 - setting.confidence) / tests  # several tests are made of the same items
        shares = {
            code: figure(_struck(seen, code, len(cases)), cases.clusters, confidence=confidence)
            for code in self.limits
        }
        rules = {name: rule for name, rule in _rules(cases, seen).items() if (rule.accuracy >= 0).any()}
        findings = [self._finding(code, cases, seen, share) for code, share in shares.items()]
        findings += [self._shortcut(name, rule, cases, confidence) for name, rule in rules.items()]
        return Section(
            self.name,
            f"{self.title}: {cases.title}",
            ABOUT,
            cases.task,
            tuple(finding for finding in findings if finding is not None),
            figures={code: share for code, share in shares.items() if share.k}
            | {f"{name}-rule": _scored(rule, cases, setting.confidence) for name, rule in rules.items()},
            numbers=_numbers(seen, cases),
            tables=tuple(_tables(cases, seen, shares)),
            skipped=tuple(skipped),
        )

    def _plausible(self, cases: Cases, seen: Seen, setting: Setting) -> list[str]:
        """Note items with two plausible answers; or say why they cannot be told."""
        if not (cases.gold >= 0).any():
            return []
        try:
            judge = EmbeddedSimilarity(setting.encoder)
        except InputError as error:
            return [f"Two plausible answers could not be looked for. {error}"]
        scores = np.nan_to_num(likeness(cases, judge), nan=-1.0)
        equal = seen.hits.get("right-equals-wrong", {})
        best = scores.max(axis=1, initial=-1.0)
        for place in np.flatnonzero(best >= self.plausible).tolist():
            if place not in equal:
                said, at = cases.said[place], int(scores[place].argmax())
                right = said[int(cases.gold[place])]
                told = f"{best[place]:.2f}: “{right}” | “{said[at]}”"
                seen.hit("two-plausible", place, told, float(best[place]))
        return []

    def _finding(self, code: str, cases: Cases, seen: Seen, share: Figure) -> Finding | None:
        if not _applies(code, cases, seen):
            return None
        words, limit = WORDS[code], self.limits[code]
        if not share.k:
            return Finding(code, "fine", words.fine, value=0.0, limit=limit, task=cases.task)
        found = float(share.k) > 0 if limit == 0 else (share.low or 0.0) > limit
        level: Level = "warning" if found else "note"
        if code == "answer-in-question" and not _tells(cases, seen):
            level = "note"
        items = tuple([cases.all[place].id for place in seen.worst(code)])
        return Finding(
            code, level, words.found.format(share=share_of(int(share.k), share.n)), words.remedy,
            share.value, limit, items, cases.task,
        )  # fmt: skip

    def _shortcut(self, name: str, rule: _Rule, cases: Cases, confidence: float) -> Finding | None:
        applies = rule.accuracy >= 0
        count = int(applies.sum())
        if count < LEAST:
            return None
        score = _scored(rule, cases, confidence)
        chance = float(rule.chance[applies].mean())
        limit = chance + self.margin
        words = RULES[name]
        told = (score.low or 0.0) > limit
        says = (words.found if told else words.fine).format(
            accuracy=f"{score.value:.1%}", chance=f"{chance:.1%}", share=share_of(count, len(cases))
        )
        items = tuple([cases.all[place].id for place in np.flatnonzero(rule.accuracy > rule.chance)])
        return Finding(
            f"{name}-shortcut", "warning" if told else "fine", says, words.remedy if told else "",
            score.value, limit, items if told else (), cases.task,
        )  # fmt: skip


@dataclass(frozen=True)
class _Rule:
    """What one gets who goes by one rule: (item,), -1 where it says nothing."""

    accuracy: NDArray[np.float64]
    chance: NDArray[np.float64]


def _rules(cases: Cases, seen: Seen) -> dict[str, _Rule]:
    chance = 1 / np.maximum(cases.sizes, 1)
    gender = np.full(len(cases), -1.0)
    for place, found in seen.clashes.items():
        if found.guess is not None:
            gender[place] = found.guess
    form = np.full(len(cases), -1.0)
    for odd in reversed(list(seen.odd.values())):  # the first trait that singles one out has the last word
        for place, at in odd.items():
            if cases.gold[place] >= 0:
                form[place] = float(cases.gold[place] == at)
    return {"gender": _Rule(gender, chance), "form": _Rule(form, chance)}


def _scored(rule: _Rule, cases: Cases, confidence: float) -> Figure:
    applies = rule.accuracy >= 0
    return figure(rule.accuracy[applies], cases.clusters[applies], confidence=confidence)


def _struck(seen: Seen, code: str, count: int) -> NDArray[np.float64]:
    values = np.zeros(count)
    values[list(seen.hits.get(code, ()))] = 1
    return values


def _tells(cases: Cases, seen: Seen) -> bool:
    """Whether the one choice that the question holds is right more often than chance would have it."""
    picks = [(place, at) for place, at in seen.quoted.items() if cases.gold[place] >= 0]
    if len(picks) < LEAST:
        return False
    places, at = np.array(picks, np.int64).T
    right = figure(cases.gold[places] == at, cases.clusters[places])
    return (right.low or 0.0) > float((1 / cases.sizes[places]).mean())


def _applies(code: str, cases: Cases, seen: Seen) -> bool:
    """Whether the thing could be looked for at all."""
    if code.startswith("tags-"):
        return any(case.labels for case in cases)
    if code in ("wrong-choice-accepted", "right-choice-unsaid"):
        return any(case.accepted for case in cases)
    if code.startswith("gender-"):
        return bool(seen.clashes)
    needs_label = code in ("right-equals-wrong", "two-plausible", "answer-in-question")
    return bool(seen.hits.get(code)) or not needs_label or bool((cases.gold >= 0).any())


def _unmeasured(cases: Cases) -> list[str]:
    skipped = []
    hidden = int((cases.gold < 0).sum())
    if hidden:
        skipped.append(
            f"{hidden} of {len(cases)} items have no label: right and wrong cannot be told apart there."
        )
    single = int((cases.sizes < 2).sum())
    if single:
        skipped.append(f"{single} of {len(cases)} items have fewer than two choices to compare.")
    if not any(case.labels for case in cases):
        skipped.append("No picture lists its objects, so tags could not be checked.")
    return skipped


def _numbers(seen: Seen, cases: Cases) -> dict[str, float]:
    clashes = seen.clashes
    labelled = [(place, found) for place, found in clashes.items() if found.guess is not None]
    right = sum(found.clashing[int(cases.gold[place])] for place, found in labelled)
    wrong = sum(sum(found.clashing) for _, found in labelled) - right
    others = sum(len(found.clashing) - 1 for _, found in labelled)
    return {
        "gendered-questions": float(len(clashes)),
        **({"gender-mismatch-right": right / len(labelled)} if labelled else {}),
        **({"gender-mismatch-wrong": wrong / others} if others else {}),
        "wrong-choice-in-question": float(
            sum(at != cases.gold[place] for place, at in seen.quoted.items() if cases.gold[place] >= 0)
        ),
        **{f"odd-{trait}": float(len(odd)) for trait, odd in seen.odd.items()},
    }


def _tables(cases: Cases, seen: Seen, shares: Mapping[str, Figure]) -> list[Table]:
    counts: list[tuple[Cell, ...]] = [(code, int(share.k), share) for code, share in shares.items()]
    found = [Table("What was looked for", ("finding", "items", "share"), tuple(counts))]
    if seen.kinds:
        kinds = [(says, seen.kinds[kind, True], seen.kinds[kind, False]) for kind, says in KINDS.items()]
        columns = ("two choices of an item are", "right and wrong", "both wrong")
        found.append(Table("Choices that are alike", columns, tuple(kinds), "Pairs of choices."))
    for code, hits in seen.hits.items():
        rows = tuple([(cases.all[place].id, hits[place].example) for place in seen.worst(code)[:SHOWN]])
        note = f"The first {SHOWN} of {len(hits)}." if len(hits) > SHOWN else ""
        found.append(Table(f"Items: {code}", ("item", "what"), rows, note))
    return found


CHOICES = Choices()
