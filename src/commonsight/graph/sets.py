"""A scene as sets of its objects: what programs are executed on.

A set is a whole number with one bit for each region, so that filtering, joining and asking whether anything
is left are single operations, however many objects there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from commonsight.core.scene import Region, Scene
from commonsight.graph.knowledge import Filler, Knowledge, Query

Objects = int
"""A set of regions: bit i stands for the region at position i."""


Edge = tuple[int, str, int]
"""A relation: the id of its subject, the predicate, the id of its object."""
Lead = dict[Objects, Objects]
"""One predicate: from each object that has it, as a set of one, to all that it leads to."""


class SceneSets:
    """The objects of a scene by name, by attribute, by category and by relation."""

    def __init__(self, scene: Scene, knowledge: Knowledge) -> None:
        self.scene = scene
        self.everything: Objects = (1 << len(scene.regions)) - 1
        self.named: dict[str, Objects] = {}
        self.having: dict[str, Objects] = {}
        self.of_kind: dict[str, Objects] = {}
        """By name and by every category above it."""
        for position, region in enumerate(scene.regions):
            own = 1 << position
            self.named[region.label] = self.named.get(region.label, 0) | own
            for attribute in region.attributes:
                self.having[attribute] = self.having.get(attribute, 0) | own
        for name, objects in self.named.items():
            for kind in knowledge.kinds(name):
                self.of_kind[kind] = self.of_kind.get(kind, 0) | objects
        self._objects: dict[str, Lead] = {}
        self._subjects: dict[str, Lead] = {}
        for relation in scene.relations:
            subject, other = 1 << relation.subject, 1 << relation.object
            lead = self._objects.setdefault(relation.predicate, {})
            lead[subject] = lead.get(subject, 0) | other
            lead = self._subjects.setdefault(relation.predicate, {})
            lead[other] = lead.get(other, 0) | subject
        self.fitted: dict[tuple[Query, Objects | None], Objects] = {}
        """What answers the queries that were put so far. This and what follows saves time, as questions about
        a scene go the same ways again and again."""
        self._fillers: dict[Query, tuple[Filler, ...]] = {}
        self.ids: Callable[[Objects], tuple[int, ...]] = _Ids(scene.regions).__getitem__
        """The source's own ids of a set's objects, or their positions where it gives none."""
        self.names: Callable[[Objects], tuple[str, ...]] = _Names(self.named).__getitem__
        """What a set's objects are called, each name once."""
        self._edges: dict[tuple[str, Objects, Objects], tuple[Edge, ...]] = {}

    def fillers(self, query: Query, knowledge: Knowledge) -> tuple[Filler, ...]:
        """Of all that answers a query, what the scene shows."""
        known = self._fillers.get(query)
        if known is None:
            of_kind = self.of_kind
            known = self._fillers[query] = tuple([
                filler
                for filler in knowledge.queries.get(query, ())
                if filler.blank in of_kind and (filler.vision is None or filler.vision in of_kind)
            ])
        return known

    def objects_of(self, subjects: Objects, predicate: str) -> Objects:
        """What any of these stands in this relation to."""
        return _led(self._objects.get(predicate), subjects)

    def subjects_of(self, objects: Objects, predicate: str) -> Objects:
        """What stands in this relation to any of these."""
        return _led(self._subjects.get(predicate), objects)

    def edges(self, predicate: str, subjects: Objects, objects: Objects) -> tuple[Edge, ...]:
        """The relations between these, by the ids of their ends."""
        key = predicate, subjects, objects
        known = self._edges.get(key)
        if known is None:
            ids = self.ids
            known = self._edges[key] = tuple([
                (ids(subject)[0], predicate, other)
                for subject, led in self._objects.get(predicate, {}).items()
                if subject & subjects
                for other in ids(led & objects)
            ])
        return known


class _Ids(dict[Objects, tuple[int, ...]]):
    """The ids of every set that was looked up so far."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._own = [place if region.id is None else region.id for place, region in enumerate(regions)]

    def __missing__(self, objects: Objects) -> tuple[int, ...]:
        own, found, left = self._own, list[int](), objects
        while left:
            lowest = left & -left
            found.append(own[lowest.bit_length() - 1])
            left ^= lowest
        ids = self[objects] = tuple(found)
        return ids


class _Names(dict[Objects, tuple[str, ...]]):
    """The names of every set that was looked up so far."""

    def __init__(self, named: dict[str, Objects]) -> None:
        self._named = named

    def __missing__(self, objects: Objects) -> tuple[str, ...]:
        found = self[objects] = tuple([name for name, own in self._named.items() if own & objects])
        return found


def positions(objects: Objects) -> Iterator[int]:
    """The regions of a set, in order."""
    while objects:
        lowest = objects & -objects
        yield lowest.bit_length() - 1
        objects ^= lowest


def _led(lead: Lead | None, objects: Objects) -> Objects:
    if lead is None:
        return 0
    if not objects & (objects - 1):  # none, or one
        return lead.get(objects, 0)
    found = 0
    for one, led in lead.items():
        if one & objects:
            found |= led
    return found
