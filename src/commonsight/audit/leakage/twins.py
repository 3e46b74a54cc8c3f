"""Twins: items that say the same as another, or nearly so, in their own split or in another.

What recurs within a group by design is told apart: the four pairs of one sentence, the questions about one
picture. Two items of one split that share a group are no twins, unless they show the same picture and say
all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from commonsight.audit.leakage.entries import Entry
from commonsight.audit.leakage.groups import SHARED
from commonsight.audit.leakage.near import near_texts


class Twin(NamedTuple):
    """An item and another, of the same split or an earlier one, that is like it: both by place."""

    place: int
    other: int
    likeness: float


@dataclass
class Twins:
    """Twins of each kind by the pair of splits (where the other is, where the item is), one an item."""

    found: dict[tuple[str, str], dict[int, Twin]] = field(default_factory=dict)

    def add(self, entries: Sequence[Entry], one: int, other: int, likeness: float) -> None:
        """Note two items as twins: each of the later split's, or of the later place, keeps its likest."""
        pair = (entries[one].split, entries[other].split)
        known = self.found.setdefault(pair, {})
        if other not in known or known[other].likeness < likeness:
            known[other] = Twin(other, one, likeness)

    def of(self, first: str, second: str) -> list[Twin]:
        """The twins of `second` in `first`, the likest first."""
        twins = self.found.get((first, second), {}).values()
        return sorted(twins, key=lambda twin: (-twin.likeness, twin.place))


class Rules(NamedTuple):
    """What counts as a twin."""

    near: float
    """The share of words that two texts must have in common."""
    words: int
    """Texts with fewer words are alike by chance."""
    long: int
    """Items with so many words, choices among them, are never the same by chance."""


def ordered(entries: Sequence[Entry], splits: Sequence[str]) -> list[int]:
    """Places, those of the split to learn from first: of two, the one that comes later is the twin."""
    rank = {split: number for number, split in enumerate(splits)}
    return sorted(range(len(entries)), key=lambda place: rank[entries[place].split])


def exact_items(
    entries: Sequence[Entry], order: Sequence[int], rules: Rules, same: Mapping[str, str]
) -> Twins:
    """Items that say all the same, choices included, and show the same picture or are long.

    `same` gives one name for all names of a picture.
    """
    twins = Twins()
    for places in _alike(order, lambda place: entries[place].whole):
        for one, other in _firsts(entries, places):
            if _one_item(entries[one], entries[other], rules, same):
                twins.add(entries, one, other, 1.0)
    return twins


def _one_item(one: Entry, other: Entry, rules: Rules, same: Mapping[str, str]) -> bool:
    shown = [tuple([same.get(name, name) for name in entry.pictures]) for entry in (one, other)]
    words = len(one.question) + sum(map(len, one.choices))
    return shown[0] == shown[1] or (bool(one.choices) and words >= rules.long)


def exact_texts(entries: Sequence[Entry], order: Sequence[int], *, told: bool) -> Twins:
    """Items with the same question and, where `told`, the same right answer."""
    def key(place: int) -> Hashable:
        entry = entries[place]
        return (entry.told, entry.verdict) if told else entry.question

    twins = Twins()
    for places in _alike(_answered(entries, order) if told else order, key):
        if entries[places[0]].question:
            for one, other in _firsts(entries, places, apart=True):
                twins.add(entries, one, other, 1.0)
    return twins


def near_items(
    entries: Sequence[Entry], order: Sequence[int], rules: Rules, seed: int, *, told: bool
) -> Twins:
    """Items whose question and, where `told`, right answer are nearly those of another, or the very same."""
    holders: dict[tuple[str, ...], list[int]] = {}
    for place in _answered(entries, order) if told else order:
        text = entries[place].told if told else entries[place].question
        if len(text) >= rules.words:
            holders.setdefault(text, []).append(place)
    texts, members = list(holders), list(holders.values())
    twins = Twins()
    for places in members:
        for one, other in _firsts(entries, places, apart=True):
            twins.add(entries, one, other, 1.0)
    rank = {place: number for number, place in enumerate(order)}
    near = near_texts(texts, rules.near, seed)
    for a, b, likeness in zip(near.ones.tolist(), near.others.tolist(), near.likeness.tolist(), strict=True):
        places = sorted((*members[a], *members[b]), key=rank.__getitem__)
        for one, other in _firsts(entries, places, apart=True):
            twins.add(entries, one, other, likeness)
    return twins


def _answered(entries: Sequence[Entry], order: Sequence[int]) -> list[int]:
    """Without items whose right choice is hidden: nothing is known about what they tell."""
    return [place for place in order if entries[place].answer is not None or not entries[place].choices]


def _alike(order: Sequence[int], key: Callable[[int], Hashable]) -> Iterator[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for place in order:
        groups.setdefault(key(place), []).append(place)
    return (places for places in groups.values() if len(places) > 1)


def _firsts(
    entries: Sequence[Entry], places: Sequence[int], *, apart: bool = False
) -> Iterator[tuple[int, int]]:
    """Each place with the first of every split up to its own: enough to know who has a twin where.

    Where `apart`, items of one split that share a group do not count.
    """
    def kin(one: int, other: int) -> bool:
        return share_group(entries[one], entries[other])

    first: dict[str, list[int]] = {}
    for place in places:
        for split, known in first.items():
            for other in known:
                if split != entries[place].split or not (apart and kin(other, place)):
                    yield other, place
                    break
        known = first.setdefault(entries[place].split, [])
        if len(known) < KNOWN and not (apart and any(kin(other, place) for other in known)):
            known.append(place)


KNOWN = 4
"""So many items of a split, of different groups, stand for all that say the same."""


def share_group(one: Entry, other: Entry) -> bool:
    """Whether two items share a picture, a sentence, a movie; the one who wrote them does not count."""
    return any(
        not set(names).isdisjoint(other.groups.get(kind, ()))
        for kind, names in one.groups.items()
        if kind not in SHARED
    )

