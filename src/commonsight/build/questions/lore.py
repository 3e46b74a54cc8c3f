"""What questions can say about things of a name: the knowledge graph, seen from the objects.

Knowledge is never complete. If a fork is known to lift food and nothing is said of the spoon beside it, the
spoon may lift food all the same; so whatever shares a category with something that is known to fit counts as
doubtful, and no question may hang on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from commonsight.graph.knowledge import BLANK, CATEGORY, VISION, Knowledge, Query

FORWARD = frozenset((
    "IsA-Taxonomy", "UsedFor", "CapableOf", "AtLocation", "HasProperty", "HasA", "ReceivesAction", "MadeFrom",
))  # fmt: skip
"""Relations whose heads are objects, of which the tail is said: "is used for cutting food"."""
REVERSE = frozenset(("UsedFor", "CapableOf", "HasPrerequisite", "HasSubevent", "MadeFrom"))
"""Relations of which an object in the tail can be sought: "that cutting food requires"."""
EVENTS = frozenset(("HasPrerequisite", "HasSubevent"))
"""Relations whose heads are events."""


PEOPLE = frozenset(("person", "people", "human", "someone", "man", "woman", "child"))
"""Names of people. What everybody knows of people tells none of them from the others."""


class Told(Struct, frozen=True, gc=False):
    """Something that is known of a thing: the query it answers, and what else must be seen for it."""

    query: Query
    vision: str | None


class About(NamedTuple):
    """All that is known of a thing: by itself, and together with something else that must be seen."""

    alone: tuple[Told, ...]
    together: tuple[Told, ...]
    seen_with: Mapping[str, Sequence[int]]
    """What must be seen for these: to each such thing their positions."""
    is_person: bool
    categories: tuple[str, ...]
    """The everyday categories that may stand for it in a question."""


class Lore:
    """What is known, by the names of things. Whatever is looked up is kept: names come again and again."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._by_node: dict[str, list[Told]] = {}
        for query, fillers in knowledge.queries.items():
            if sayable(query) and self._familiar(query):
                for filler in fillers:
                    if filler.blank not in PEOPLE:
                        self._by_node.setdefault(filler.blank, []).append(Told(query, filler.vision))
        self._about: dict[str, About] = {}
        self._near: dict[str, frozenset[str]] = {}
        self._close: dict[Query, frozenset[str]] = {}
        queries = sorted({told.query for known in self._by_node.values() for told in known})
        self.told = tuple(Told(query, knowledge.queries[query][0].vision) for query in queries)
        """All that is known of anything."""

    def about(self, name: str) -> About:
        """What is known of a thing, by its name or by a category above it."""
        known = self._about.get(name)
        if known is None:
            known = self._about[name] = self._find(name)
        return known

    def _find(self, name: str) -> About:
        somebody = self.is_person(name)
        kinds = sorted(self.knowledge.kinds(name))
        told: dict[Told, None] = {}
        if not somebody:
            told = dict.fromkeys(each for kind in kinds for each in self._by_node.get(kind, ()))
        seen_with: dict[str, list[int]] = {}
        together = tuple(each for each in told if each.vision is not None)
        for place, each in enumerate(together):
            seen_with.setdefault(each.vision or "", []).append(place)
        return About(
            tuple(each for each in told if each.vision is None),
            together,
            seen_with,
            somebody,
            tuple(kind for kind in kinds if kind != name),
        )

    def is_person(self, name: str) -> bool:
        """Whether a name is that of somebody, not of something."""
        return not PEOPLE.isdisjoint(self.knowledge.kinds(name))

    def _familiar(self, query: Query) -> bool:
        """Whether what a reverse query speaks of is an everyday thing or event, not "a glass roof"."""
        if not query.reverse or query.relation in EVENTS or VISION in query.head.split():
            return True
        return query.head in self.knowledge.parents and not self.is_person(query.head)

    def doubtful(self, name: str, query: Query) -> bool:
        """Whether a thing is close to some that answer a query, so that it may answer it as well.

        Of a thing that belongs to no category nothing is known, so it may answer anything.
        """
        near = self.nearest(name)
        return len(near) == 1 or not near.isdisjoint(self.close_to(query))

    def close_to(self, query: Query) -> frozenset[str]:
        """All that answers a query, and what that belongs to."""
        known = self._close.get(query)
        if known is None:
            fillers = self.knowledge.queries.get(query, ())
            known = self._close[query] = frozenset().union(*(self.nearest(each.blank) for each in fillers))
        return known

    def nearest(self, name: str) -> frozenset[str]:
        """A name and what it belongs to directly."""
        known = self._near.get(name)
        if known is None:
            known = self._near[name] = frozenset((name, *self.knowledge.parents.get(name, ())))
        return known


def sayable(query: Query) -> bool:
    """Whether there are words for a query: an object of which something is said, or that an event needs."""
    if query.relation == CATEGORY:
        return False  # categories stand for objects; they are not asked about
    if _beside_and(query):
        return False
    if not query.reverse:
        return query.head == BLANK and query.relation in FORWARD and query.tail != VISION
    if query.relation in EVENTS:
        return VISION not in query.head.split() and VISION not in query.tail.split()
    whole_tail = query.tail == BLANK
    return query.relation in REVERSE and whole_tail == (query.relation == "MadeFrom")


def _beside_and(query: Query) -> bool:
    """Whether BLANK is one of several things: nothing can be missing from "carrying money and keys"."""
    words = [*query.head.split(), ".", *query.tail.split()]
    at = words.index(BLANK)
    return bool({"and", "or"} & {*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]})
