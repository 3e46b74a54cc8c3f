"""A scene as sets of its objects: what programs are executed on.

A set is a whole number with one bit for each region, so that filtering, joining and asking whether anything
is left are single operations, however many objects there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from commonsight.core.scene import Scene
from commonsight.graph.knowledge import Knowledge, Query

Objects = int
"""A set of regions: bit i stands for the region at position i."""


class Edge(NamedTuple):
    """A relation: two sets of one object each."""

    subject: Objects
    object: Objects


class SceneSets:
    """The objects of a scene by name, by attribute, by category and by relation."""

    def __init__(self, scene: Scene, knowledge: Knowledge) -> None:
        self.scene = scene
        self.everything: Objects = (1 << len(scene.regions)) - 1
        self.named: dict[str, Objects] = {}
        self.having: dict[str, Objects] = {}
        self.of_kind: dict[str, Objects] = {}
        """By name and by every category above it."""
        self.related: dict[str, list[Edge]] = {}
        for position, region in enumerate(scene.regions):
            own = 1 << position
            self.named[region.label] = self.named.get(region.label, 0) | own
            for attribute in region.attributes:
                self.having[attribute] = self.having.get(attribute, 0) | own
        for name, objects in self.named.items():
            for kind in knowledge.kinds(name):
                self.of_kind[kind] = self.of_kind.get(kind, 0) | objects
        for relation in scene.relations:
            edge = Edge(1 << relation.subject, 1 << relation.object)
            self.related.setdefault(relation.predicate, []).append(edge)
        self.fitted: dict[tuple[Query, Objects | None], Objects] = {}
        """What answers the queries that were put so far. This and what follows saves time, as questions about
        a scene go the same ways again and again."""
        self._ids: dict[Objects, tuple[int, ...]] = {}
        self._objects_of: dict[tuple[Objects, str], Objects] = {}
        self._subjects_of: dict[tuple[Objects, str], Objects] = {}

    def objects_of(self, subjects: Objects, predicate: str) -> Objects:
        """What any of these stands in this relation to."""
        known = self._objects_of.get((subjects, predicate))
        if known is None:
            known = 0
            for subject, other in self.related.get(predicate, ()):
                if subject & subjects:
                    known |= other
            self._objects_of[subjects, predicate] = known
        return known

    def subjects_of(self, objects: Objects, predicate: str) -> Objects:
        """What stands in this relation to any of these."""
        known = self._subjects_of.get((objects, predicate))
        if known is None:
            known = 0
            for subject, other in self.related.get(predicate, ()):
                if other & objects:
                    known |= subject
            self._subjects_of[objects, predicate] = known
        return known

    def ids(self, objects: Objects) -> tuple[int, ...]:
        """The source's own ids of these objects, or their positions where it gives none."""
        known = self._ids.get(objects)
        if known is None:
            regions = self.scene.regions
            known = self._ids[objects] = tuple(
                position if (own := regions[position].id) is None else own for position in positions(objects)
            )
        return known


def positions(objects: Objects) -> Iterator[int]:
    """The regions of a set, in order."""
    while objects:
        lowest = objects & -objects
        yield lowest.bit_length() - 1
        objects ^= lowest
