"""Which kinds of items there are: declared ones, and question types by words.

VCR's Figure 2 and Table 4 sort questions by their words; PMR's Figure 4 and CRIC's Figure 7 (a) show kinds
that the data itself names; A-OKVQA's Figure 2 (b) needs knowledge types, which were never released.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from commonsight.audit.describe.texts import (
    IDENTITIES,
    MOST_KINDS,
    bars,
    is_word,
    nothing_to_describe,
    question_of,
    tokens_of,
)
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.core.item import Item
from commonsight.score.intervals import figure
from commonsight.text.question_types import QUESTION_TYPES, question_types

BEGINNINGS = 15
VCR_SHARES = {
    "Explanation": 0.38, "Activity": 0.24, "Temporal": 0.13, "Mental": 0.08, "Role": 0.07, "Scene": 0.05,
    "Hypothetical": 0.05,
}  # fmt: skip
"""VCR's Table 4, over its training set."""
OTHER = "none of these"


@dataclass(frozen=True)
class KindsProbe:
    """Shares of question types, of first words, and of every kind that the data declares."""

    name: str = "kinds"
    title: str = "Kinds of items"
    most_kinds: int = MOST_KINDS

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """What the data says of itself, and what questions say by their words."""
        found = _Found()
        for item in subject.read():
            found.add(item, subject.cluster_of(item))
        if not found.items:
            raise nothing_to_describe()
        declared = list(self._declared(found))
        types = [_types(found, setting)] if found.types else []
        begun = [_beginnings(found)] if found.beginnings else []
        return [
            Section(
                self.name,
                self.title,
                "Kinds that the data names, and types of questions by the words in them; a question may "
                "be of several types.",
                tables=(*types, *begun, *declared),
                plots=tuple(map(_plot, (*types[:1], *declared))),
                skipped=tuple(_missing(found)),
            )
        ]

    def _declared(self, found: _Found) -> Iterator[Table]:
        for name, counts in found.declared.items():
            if 1 < len(counts) <= self.most_kinds and counts.total() >= 5 * len(counts):
                rows = [
                    (kind, count, count / counts.total())
                    for kind, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
                ]
                title = f"By {name.replace('_', ' ')}"
                yield Table(title, (name, "items", "share"), tuple(rows), _NOTES.get(name, ""))


_NOTES = {
    "category": "PMR's Figure 4, on val: relationship 37 %, personality 26 %, identity 12 %, "
    "antecedent 10 %, mood 10 %, environment 5 %.",
    "question_type": "CRIC's Figure 7 (a) names its five.",
}


class _Found:
    """What one pass over the items counts."""

    def __init__(self) -> None:
        self.items = 0
        self.answers = 0
        self.declared: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.types: list[tuple[str, ...]] = []
        self.clusters: list[str] = []
        self.beginnings: Counter[str] = Counter()
        self.roles: Counter[str] = Counter()

    def add(self, item: Item, cluster: str) -> None:
        """Count one item."""
        self.items += 1
        self.answers += bool(item.direct_answers)
        for name, kind in _kinds(item):
            self.declared[name][kind] += 1
        asked = question_of(item)
        if asked is None:
            return
        role, text = asked
        self.roles[role] += 1
        if role == "question":
            words = [token for token in tokens_of(text, item.labels) if is_word(token)]
            self.types.append(question_types(" ".join(words)))
            self.clusters.append(cluster)
            self.beginnings[" ".join(words[:2])] += 1


def _kinds(item: Item) -> Iterator[tuple[str, str]]:
    for name, value in item.groups.items():
        if name not in IDENTITIES:
            yield name, value
    for name, value in item.extra.items():
        if isinstance(value, str | bool) and len(str(value)) < 40:
            yield name, str(value)


def _types(found: _Found, setting: Setting) -> Table:
    names = [*QUESTION_TYPES, OTHER]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        hits = [name in types if types else name == OTHER for types in found.types]
        share = figure(hits, found.clusters, confidence=setting.confidence, seed=setting.seed)
        rows.append((name, sum(hits), share, VCR_SHARES.get(name)))
    return Table(
        "Types of questions by their words",
        ("type", "questions", "share", "in VCR"),
        tuple(rows),
        "VCR's Figure 2 and Table 4: its rules, over any questions.",
    )


def _beginnings(found: _Found) -> Table:
    total = found.beginnings.total()
    common = sorted(found.beginnings.items(), key=lambda one: (-one[1], one[0]))[:BEGINNINGS]
    return Table(
        "How questions begin",
        ("first two words", "questions", "share"),
        tuple((words, count, count / total) for words, count in common),
    )


def _plot(table: Table) -> Plot:
    stem = "kinds-" + "".join(c if c.isalnum() else "-" for c in table.columns[0].lower())
    names = [str(row[0]) for row in table.rows][:12]
    values = [float(row[1]) for row in table.rows if isinstance(row[1], int)][:12]
    return Plot(stem, (bars(names, values, "items"),), table.title)


def _missing(found: _Found) -> Iterable[str]:
    if not found.types:
        role = next(iter(found.roles), None)
        told = "no text" if role is None else f"a {role}"
        yield f"Types of questions (VCR, Figure 2): the items have {told} and no question of their own."
    if found.answers and not any("knowledge" in name for name in found.declared):
        yield "Knowledge types (A-OKVQA, Figure 2 (b)): the items do not say what knowledge they need."
