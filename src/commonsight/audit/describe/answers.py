"""How answers are spread (VCR Figure 7, A-OKVQA Figure 2 (a), CRIC Figure 7 (c)).

Where a few answers cover most questions, a model may learn to give those. VCR's figure orders answers by how
often they occur and adds up the questions they cover; two answers are the same if they match after lemmas are
taken and words without content are left out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from commonsight.audit.describe.texts import (
    answer_of,
    is_word,
    nothing_to_describe,
    right_rationale,
    tokens_of,
)
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.core import inflect
from commonsight.core.english_nouns import words
from commonsight.store.figures import Panel, Series

SAMPLE = 10_000
"""Answers that are drawn where there are more, as VCR's Figure 7 does."""
SHOWN = 20
POINTS = 60
BINS = ((1, 1), (2, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, None))
"""How often an answer occurs: one, then A-OKVQA's bins (its Table 6)."""
_EMPTY = words(
    """a an the is are was were be been being am do does did has have had will would can could of in on at
    to for with by from and or but that this these those it its he she they them his her their him there as
    so if i you we s t"""
)
"""Words without content."""


@dataclass(frozen=True)
class AnswersProbe:
    """Which answers occur how often: the head, the tail, and the curve between."""

    name: str = "answers"
    title: str = "How answers are spread"
    sample: int = SAMPLE

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """Tables of the most frequent answers and of the tail; the curve of VCR's Figure 7."""
        found: dict[str, list[str]] = {"answers": [], "rationales": [], "direct answers": []}
        seen = False
        for item in subject.read():
            seen = True
            if (answer := answer_of(item)) is not None:
                found["answers"].append(answer)
            if (rationale := right_rationale(item)) is not None:
                found["rationales"].append(" ".join(tokens_of(rationale, item.labels)))
            found["direct answers"].extend(answer.lower() for answer in item.direct_answers)
        if not seen:
            raise nothing_to_describe()
        found = {name: texts for name, texts in found.items() if texts}
        if not found:
            raise CannotMeasure("No item has an answer in words, so that answers have no distribution.")
        return [self._section(found, setting)]

    def _section(self, found: dict[str, list[str]], setting: Setting) -> Section:
        drawn = {name: Counter(map(content, self._drawn(texts, setting))) for name, texts in found.items()}
        most = next(iter(found))
        return Section(
            self.name,
            self.title,
            "How many different answers there are, and how many items the most frequent of them cover.",
            numbers={f"different_{name.replace(' ', '_')}": _different(c) for name, c in drawn.items()},
            tables=(_summary(found, drawn), _tail(found), _common(most, found[most])),
            plots=(_curve(drawn),),
        )

    def _drawn(self, texts: list[str], setting: Setting) -> list[str]:
        if len(texts) <= self.sample:
            return texts
        return random.Random(f"{setting.seed}:answers").sample(texts, self.sample)


def content(text: str) -> str:
    """What a text says, by the lemmas of its words with content; all of them where none has any."""
    said = [token for token in text.split() if is_word(token)]
    return " ".join(_lemma(word) for word in said if word not in _EMPTY) or " ".join(said)


@lru_cache(maxsize=1 << 16)
def _lemma(word: str) -> str:
    return inflect.base(word) if inflect.is_verb(word) else inflect.singular(word)


def _different(counts: Counter[str]) -> float:
    return len(counts) / counts.total()


def _summary(found: dict[str, list[str]], drawn: dict[str, Counter[str]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, counts in drawn.items():
        total = counts.total()
        top = sum(count for _, count in counts.most_common(10)) / total
        once = sum(count == 1 for count in counts.values()) / total
        rows.append((name, len(found[name]), total, len(counts), _different(counts), once, top))
    return Table(
        "Different answers",
        ("", "in all", "looked at", "different", "different, share", "said once, share", "ten most frequent"),
        tuple(rows),
        "VCR's Figure 7: almost every answer and rationale is unique. The last column is the share of items "
        "that the ten most frequent cover.",
    )


def _tail(found: dict[str, list[str]]) -> Table:
    counts = {name: Counter(texts) for name, texts in found.items()}
    rows: list[tuple[Cell, ...]] = []
    for low, high in BINS:
        row: list[Cell] = [str(low) if low == high else f"{low}+" if high is None else f"{low} to {high}"]
        for counted in counts.values():
            inside = [count for count in counted.values() if low <= count and (high is None or count <= high)]
            row += [len(inside), sum(inside) / counted.total()]
        rows.append(tuple(row))
    columns = [column for name in counts for column in (f"{name}, different", f"{name}, share")]
    note = "A-OKVQA's Figure 2 (a): a long tail of answers."
    return Table("The tail", ("occurs so often", *columns), tuple(rows), note)


def _common(name: str, texts: list[str]) -> Table:
    counts = Counter(texts)
    common = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:SHOWN]
    return Table(
        f"The most frequent {name}",
        ("answer", "times", "share"),
        tuple((text, count, count / len(texts)) for text, count in common),
        "CRIC's Figure 7 (c) shows these as a cloud of words.",
    )


def _curve(drawn: dict[str, Counter[str]]) -> Plot:
    series = []
    for name, counts in drawn.items():
        sizes = np.sort(np.array(list(counts.values())))[::-1]
        covered = np.cumsum(sizes) / sizes.sum()
        ranks = np.unique(np.linspace(0, len(sizes) - 1, min(POINTS, len(sizes))).astype(int))
        x = tuple(float(rank + 1) / float(sizes.sum()) for rank in ranks)
        series.append(Series(name, x, tuple(float(covered[rank]) for rank in ranks)))
    return Plot(
        "answers",
        (Panel(tuple(series), "different ones, as a share of all", "share covered", y_range=(0, 1)),),
        "Answers ordered by how often they occur: a line that rises at once has few answers for many items, "
        "a diagonal has no answer twice. VCR, Figure 7.",
    )
