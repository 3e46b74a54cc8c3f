"""How texts spread in length (NLVR2 Figure 3, CRIC Figure 7 (b))."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from commonsight.audit.describe.texts import is_word, nothing_to_describe, roles_of, tokens_of
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.store.figures import Panel, Series

SHOWN = 0.999
"""The share of texts whose lengths a plot shows: the longest few would flatten it."""
ROLES_AT_ONCE = 6


@dataclass(frozen=True)
class LengthsProbe:
    """The distribution of lengths in words, role by role."""

    name: str = "lengths"
    title: str = "How lengths are spread"

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One table of quantiles and one plot."""
        del setting  # nothing to choose
        counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for item in subject.read():
            for role, text in roles_of(item):
                counts[role][sum(map(is_word, tokens_of(text)))] += 1
        if not counts:
            raise nothing_to_describe()
        return [
            Section(
                self.name,
                self.title,
                "Words in each text, marks left out, one for each object that a tag names.",
                tables=(_quantiles(counts),),
                plots=(_plot(counts),),
            )
        ]


def _quantiles(counts: dict[str, Counter[int]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for role, found in counts.items():
        lengths = np.repeat(list(found), list(found.values()))
        least, low, middle, high, most = map(float, np.quantile(lengths, [0, 0.05, 0.5, 0.95, 1]))
        mean, spread = float(lengths.mean()), float(lengths.std())
        rows.append((role, len(lengths), mean, spread, int(least), low, middle, high, int(most)))
    return Table(
        "Lengths in words",
        ("role", "texts", "mean", "deviation", "least", "5 %", "half", "95 %", "most"),
        tuple(rows),
        "NLVR2's sentences have 14.8 words on average, CRIC's questions 12.",
    )


def _plot(counts: dict[str, Counter[int]]) -> Plot:
    series = []
    for role, found in list(counts.items())[:ROLES_AT_ONCE]:
        lengths = np.repeat(list(found), list(found.values()))
        most = int(np.quantile(lengths, SHOWN))
        x = range(most + 1)
        shares = tuple(found[length] / found.total() for length in x)
        series.append(Series(role, tuple(map(float, x)), shares))
    return Plot(
        "lengths",
        (Panel(tuple(series), "words", "share of texts"),),
        "Distribution of lengths, as in NLVR2's Figure 3 and CRIC's Figure 7 (b).",
    )
