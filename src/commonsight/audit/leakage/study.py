"""All that is compared to find leaks, gathered once for the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.leakage.entries import Entry, entry_of, split_order
from commonsight.audit.leakage.groups import Crossing, crossings, group_kinds
from commonsight.audit.leakage.pictures import Pictures, Same, read_pictures, same_pictures
from commonsight.audit.leakage.twins import Rules, Twins, exact_items, exact_texts, near_items, ordered
from commonsight.audit.probe import Subject
from commonsight.errors import InputError
from commonsight.score.intervals import Figure, figure
from commonsight.store.paths import below

Pair = tuple[str, str]
"""Two splits: the one to learn from, and the one that is held out."""


@dataclass(frozen=True)
class Study:
    """The entries of a subject, and what was found among them."""

    entries: Sequence[Entry]
    clusters: NDArray[np.int64]
    splits: tuple[str, ...]
    rules: Rules
    seed: int
    pictures: Pictures | None
    same: Sequence[Same]
    kept_apart: Sequence[str]
    shared: Sequence[str]

    @property
    def pairs(self) -> list[Pair]:
        """Every two splits, the one to learn from first."""
        return list(combinations(self.splits, 2))

    @cached_property
    def members(self) -> dict[str, NDArray[np.int64]]:
        """The places of each split's items."""
        found: dict[str, list[int]] = {split: [] for split in self.splits}
        for place, entry in enumerate(self.entries):
            found[entry.split].append(place)
        return {split: np.array(places, np.int64) for split, places in found.items()}

    @cached_property
    def order(self) -> list[int]:
        """Places, those of the split to learn from first."""
        return ordered(self.entries, self.splits)

    @cached_property
    def items(self) -> Twins:
        """Items that are the same altogether."""
        return exact_items(self.entries, self.order, self.rules, one_name(self.same))

    @cached_property
    def questions(self) -> Twins:
        """Items with the same question."""
        return exact_texts(self.entries, self.order, told=False)

    @cached_property
    def told(self) -> Twins:
        """Items with the same question and the same right answer."""
        return exact_texts(self.entries, self.order, told=True)

    @cached_property
    def near_questions(self) -> Twins:
        """Items with nearly the same question."""
        return near_items(self.entries, self.order, self.rules, self.seed, told=False)

    @cached_property
    def near_told(self) -> Twins:
        """Items with nearly the same question and right answer."""
        return near_items(self.entries, self.order, self.rules, self.seed, told=True)

    @cached_property
    def kinds(self) -> dict[str, bool]:
        """Kinds of groups, and whether splits must not share them."""
        return group_kinds(self.entries, self.kept_apart, self.shared)

    @cached_property
    def crossings(self) -> list[Crossing]:
        """What splits share of each kind of group."""
        return [found for kind in self.kinds for found in crossings(self.entries, kind, self.pairs)]

    def share(self, split: str, places: Sequence[int], confidence: float) -> Figure:
        """The share of a split's items that are among these places."""
        members = self.members[split]
        struck = np.isin(members, np.array(places, np.int64))
        return figure(struck, self.clusters[members], confidence=confidence)

    def answers_seen(self, pair: Pair) -> list[int] | None:
        """Items of the second split whose right answer is one of the first's; None without answers."""
        first, second = pair
        known: set[tuple[str, ...]] = set()
        for place in self.members[first].tolist():
            known |= self.entries[place].answers
        asked = [place for place in self.members[second].tolist() if self.entries[place].answer is not None]
        if not known or not asked:
            return None
        return [place for place in asked if self.entries[place].answer in known]

    def hidden(self, split: str) -> int:
        """How many of the split's items have choices, and none that is known to be right."""
        members = [self.entries[place] for place in self.members[split].tolist()]
        return sum(entry.answer is None and bool(entry.choices) for entry in members)

    def with_answer(self, split: str) -> int:
        """How many of the split's items have a right answer in words."""
        return sum(self.entries[place].answer is not None for place in self.members[split].tolist())


def study(
    subject: Subject, rules: Rules, seed: int, kept_apart: Sequence[str], shared: Sequence[str]
) -> Study:
    """Read the items once, and the pictures if they are at hand."""
    entries: list[Entry] = []
    numbers: dict[str, int] = {}
    clusters: list[int] = []
    for item in subject.read():
        entries.append(entry_of(item))
        clusters.append(numbers.setdefault(subject.cluster_of(item), len(numbers)))
    pictures = None if subject.images is None else read_pictures(_paths(entries, subject.images))
    return Study(
        entries, np.array(clusters, np.int64), split_order(entries), rules, seed, pictures,
        [] if pictures is None else same_pictures(pictures, seed), kept_apart, shared,
    )  # fmt: skip


def _paths(entries: Sequence[Entry], folder: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name in dict.fromkeys(name for entry in entries for name in entry.pictures):
        try:
            found[name] = below(folder, name)
        except InputError:  # an address on the web, or a way out of the folder: not a file of ours
            found[name] = folder / "not below"
    return found


def one_name(same: Sequence[Same]) -> dict[str, str]:
    """One name for all names of a picture: copies of copies are copies."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for pair in same:
        one, other = sorted((root(pair.one), root(pair.other)))
        parent[other] = one
    return {name: root(name) for name in parent}


def doubled(entries: Sequence[Entry]) -> Counter[str]:
    """How many items of each split have an id that another item of it has."""
    seen = Counter((entry.split, entry.id) for entry in entries)
    return Counter(split for (split, _), count in seen.items() if count > 1)
