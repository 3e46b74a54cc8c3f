"""What everybody knows, as items that questions can be made from and answered with.

An item relates two phrases. Objects of a picture meet an item by its nodes: "fork" meets <fork, UsedFor,
lifting food> by name, and an apple meets its "food" because an apple is a food.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from commonsight.graph.phrase import Phrase

RELATIONS = (
    "IsA", "IsA-Taxonomy", "UsedFor", "CapableOf", "AtLocation", "HasProperty", "HasA", "HasPrerequisite",
    "ReceivesAction", "HasSubevent", "MadeFrom",
)  # fmt: skip
"""The eleven relations of CRIC (Figure 4 (a))."""
CATEGORY = "IsA"
"""Everyday categories: they stand for objects in questions, and what is known of them holds for members."""


class KnowledgeItem(Struct, frozen=True, gc=False):
    """One piece of knowledge."""

    relation: str
    head: Phrase
    tail: Phrase


BLANK = "BLANK"
"""Stands in a query for what is sought."""
VISION = "VISION"
"""Stands in a query for objects of the picture that another step has found."""


class Query(NamedTuple):
    """An item with one object left open, and perhaps another to be seen: <BLANK, CapableOf, climb VISION>."""

    head: str
    relation: str
    tail: str

    @property
    def reverse(self) -> bool:
        """Whether it is the tail that is sought in."""
        return self.head != BLANK and BLANK not in self.head.split()


class Filler(Struct, frozen=True, gc=False):
    """What a query is answered by: the object for BLANK, given the one for VISION."""

    blank: str
    vision: str | None


def asked(item: KnowledgeItem) -> Iterator[tuple[Query, Filler]]:
    """Every query that an item answers, and its answer."""
    places = [(0, n) for n in range(len(item.head.nodes))] + [(1, n) for n in range(len(item.tail.nodes))]
    for blank in places:
        for vision in (None, *places):
            if vision == blank:
                continue
            words: tuple[dict[int, str], dict[int, str]] = ({}, {})
            words[blank[0]][blank[1]] = BLANK
            if vision is not None:
                words[vision[0]][vision[1]] = VISION
            query = Query(item.head.put(words[0]), item.relation, item.tail.put(words[1]))
            yield query, Filler(_node(item, blank), None if vision is None else _node(item, vision))


def _node(item: KnowledgeItem, place: tuple[int, int]) -> str:
    side, number = place
    return (item.tail if side else item.head).nodes[number].name


class Knowledge:
    """All items, with the categories that follow from them."""

    def __init__(self, items: Iterable[KnowledgeItem]) -> None:
        self.items = tuple(items)
        self._above: dict[str, frozenset[str]] = {}

    @cached_property
    def parents(self) -> Mapping[str, tuple[str, ...]]:
        """The categories that each name is said to belong to directly."""
        found: dict[str, dict[str, None]] = {}
        for item in self.items:
            if item.relation == CATEGORY:
                found.setdefault(item.head.text, {})[item.tail.text] = None
        return {name: tuple(above) for name, above in found.items()}

    def kinds(self, name: str) -> frozenset[str]:
        """A name and every category above it. Cycles do no harm here; readers report them."""
        known = self._above.get(name)
        if known is None:
            seen, left = {name}, [name]
            while left:
                for above in self.parents.get(left.pop(), ()):
                    if above not in seen:
                        seen.add(above)
                        left.append(above)
            known = self._above[name] = frozenset(seen)
        return known

    @cached_property
    def queries(self) -> Mapping[Query, tuple[Filler, ...]]:
        """Every question that can be put to an item, with all that answers it, whichever item says so."""
        found: dict[Query, dict[Filler, None]] = {}
        for item in self.items:
            for query, filler in asked(item):
                found.setdefault(query, {})[filler] = None
        return {query: tuple(fillers) for query, fillers in found.items()}
