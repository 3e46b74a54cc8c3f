"""Groups across splits: a movie, a picture or a sentence that models learn from and are tested on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from commonsight.audit.leakage.entries import Entry

KEPT_APART = ("movie", "image", "picture", "url", "set", "sentence", "group")
"""Kinds that splits must not share: an item more of the same is no new item."""
SHARED = ("half", "category", "question_type", "genre", "writer")
"""Kinds that are meant to be in every split. Who wrote an item is told, but is no leak by itself."""
MANY = 20
"""A kind of which there are fewer, and that is in neither list, is a category and may be shared."""


class Crossing(NamedTuple):
    """What two splits share of one kind of group."""

    kind: str
    first: str
    second: str
    names: int
    """How many groups are in both."""
    of: int
    """How many groups the second has."""
    places: tuple[int, ...]
    """The items of the second whose group is in the first."""


def group_kinds(
    entries: Sequence[Entry], kept_apart: Sequence[str], shared: Sequence[str]
) -> dict[str, bool]:
    """The kinds of groups that there are, and whether splits must not share them."""
    names: dict[str, set[str]] = {}
    for entry in entries:
        for kind, found in entry.groups.items():
            names.setdefault(kind, set()).update(found)
    return {
        kind: kind in kept_apart or (kind not in shared and len(found) >= MANY)
        for kind, found in names.items()
    }


def crossings(entries: Sequence[Entry], kind: str, pairs: Sequence[tuple[str, str]]) -> list[Crossing]:
    """What each pair of splits shares of this kind."""
    holders: dict[str, dict[str, list[int]]] = {}
    for place, entry in enumerate(entries):
        for name in entry.groups.get(kind, ()):
            holders.setdefault(entry.split, {}).setdefault(name, []).append(place)
    found = []
    for first, second in pairs:
        here, there = holders.get(first, {}), holders.get(second, {})
        both = [name for name in there if name in here]
        places = sorted({place for name in both for place in there[name]})
        found.append(Crossing(kind, first, second, len(both), len(there), tuple(places)))
    return found


def ids_twice(entries: Sequence[Entry]) -> dict[str, tuple[str, ...]]:
    """Ids that several items have, with the splits that these are in."""
    splits: dict[str, list[str]] = {}
    for entry in entries:
        splits.setdefault(entry.id, []).append(entry.split)
    return {name: tuple(found) for name, found in splits.items() if len(found) > 1}
