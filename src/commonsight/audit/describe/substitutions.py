"""What wrong choices that are nearly the right one put in its place (PMR, Table 5).

PMR's distractors are right actions with a few words exchanged. The paper's authors sorted 100 of them by
hand; here every item is looked at, and sorted by the words exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from commonsight.audit.describe.texts import bars, nothing_to_describe, right_choice
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.substitutions import TAG, TYPES, Substitution, nearest_wrong, substitution_type
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.score.intervals import figure

LEAST_SHARE = 0.5
"""The share of such items below which a dataset was not made that way."""
SHOWN = 20
PMR_SHARES = {
    "Appearance": 0.08, "Emotion": 0.03, "Clothing": 0.22, "Body State": 0.10, "Location": 0.18,
    "Objects": 0.23, "Color": 0.01, "Texture": 0.08, "Scenery": 0.07,
}  # fmt: skip
"""PMR's Table 5: 100 samples of its validation set, by hand."""


@dataclass(frozen=True)
class SubstitutionsProbe:
    """Sorts the exchanges by which wrong choices were made from right ones."""

    name: str = "substitutions"
    title: str = "Words exchanged to make wrong choices"

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """Shares of kinds of exchanges, and the most frequent ones."""
        kinds: list[str] = []
        clusters: list[str] = []
        pairs: Counter[tuple[str, str]] = Counter()
        items = picked = 0
        for item in subject.read():
            items += 1
            picked += right_choice(item) is not None and len(item.choices) > 1
            change = nearest(item)
            if change is not None:
                kinds.append(substitution_type(change))
                clusters.append(subject.cluster_of(item))
                pairs[_said(change.old), _said(change.new)] += 1
        if not items:
            raise nothing_to_describe()
        if not picked or len(kinds) < max(2, LEAST_SHARE * picked):
            raise CannotMeasure(
                "Wrong choices are not right ones with a few words exchanged, which PMR's Table 5 is about."
            )
        rows: list[tuple[Cell, ...]] = []
        for kind in TYPES:
            hits = [one == kind for one in kinds]
            share = figure(hits, clusters, confidence=setting.confidence, seed=setting.seed)
            rows.append((kind, sum(hits), share, PMR_SHARES.get(kind)))
        return [self._section(rows, pairs, len(kinds), picked)]

    def _section(
        self, rows: list[tuple[Cell, ...]], pairs: Counter[tuple[str, str]], found: int, picked: int
    ) -> Section:
        common = sorted(pairs.items(), key=lambda one: (-one[1], one[0]))[:SHOWN]
        return Section(
            self.name,
            self.title,
            f"In {found:,} of {picked:,} items a wrong choice is the right one with a few words exchanged. "
            "What was exchanged tells what a model must see to tell them apart.",
            numbers={"near_choices": found / picked},
            tables=(
                Table(
                    "What was exchanged",
                    ("kind", "items", "share", "in PMR"),
                    tuple(rows),
                    "PMR's Table 5, which sorted 100 samples by hand and by meaning; here lists of words "
                    "decide.",
                ),
                Table(
                    "The most frequent exchanges",
                    ("right", "wrong", "items"),
                    tuple((gone, put, count) for (gone, put), count in common),
                ),
            ),
            plots=(
                Plot(
                    "substitutions",
                    (bars([str(row[0]) for row in rows], [float(str(row[1])) for row in rows], "items"),),
                    "Kinds of exchanges.",
                ),
            ),
        )


def nearest(item: Item) -> Substitution | None:
    """How the wrong choice most like the right one differs from it; None if none is like it."""
    if not isinstance(item.gold, Pick) or not 0 <= item.gold.index < len(item.choices):
        return None
    return nearest_wrong(item.choices, item.gold.index)


def _said(words: Sequence[str]) -> str:
    told = (word for word in words if word.startswith(TAG) or any(map(str.isalnum, word)))
    return " ".join(told) or "(nothing)"
