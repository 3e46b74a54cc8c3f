"""What a scene says of its objects: attributes, and relations to others. Whatever is found is kept."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from commonsight.build.questions.form import Referent, Related
from commonsight.build.questions.predicates import said
from commonsight.graph.attributes import attribute_type, same
from commonsight.graph.sets import Objects, SceneSets

End = tuple[str, int, bool]
"""A relation seen from one of its objects: the predicate, the other, and whether this one is the subject."""


class Detail(Struct, frozen=True, gc=False):
    """Something that can be said of an object, and all objects that it holds of."""

    says: str | Related
    """An attribute, or a relation."""
    holds: Objects
    topic: str
    """The type of attribute, or the predicate."""
    named: str
    """The words in it that may be an answer."""


class Simple(dict[int, Referent | None]):
    """Each object by its name, with one attribute where the name is not enough; None if even that is."""

    def __init__(self, sets: SceneSets) -> None:
        self._sets = sets

    def __missing__(self, place: int) -> Referent | None:
        found = self[place] = self._find(place)
        return found

    def _find(self, place: int) -> Referent | None:
        sets, own = self._sets, 1 << place
        region = sets.scene.regions[place]
        alike = sets.named[region.label]
        if alike == own:
            return Referent(region.label)
        for attribute in region.attributes:
            if attribute_type(attribute) is not None and alike & sets.having[attribute] == own:
                return Referent(region.label, attributes=(attribute,))
        return None


class ByRelation(dict[End, Detail | None]):
    """What a relation says of all that have it, however many that are; None if it cannot be said well."""

    def __init__(self, sets: SceneSets) -> None:
        self._sets, self._simple = sets, Simple(sets)

    def __missing__(self, end: End) -> Detail | None:
        found = self[end] = self._find(*end)
        return found

    def _find(self, predicate: str, other: int, is_subject: bool) -> Detail | None:
        way, referent = said(predicate), self._simple[other]
        if way is None or referent is None or not (is_subject or way.strands):
            return None
        lead = self._sets.subjects_of if is_subject else self._sets.objects_of
        attributes = referent.attributes
        named = f"{referent.name} {attributes[0]}" if attributes else referent.name
        return Detail(Related(predicate, referent, is_subject), lead(1 << other, predicate), predicate, named)


class Details(dict[int, tuple[Detail, ...]]):
    """All that the scene says of each object, by attributes and by relations to others."""

    def __init__(self, sets: SceneSets, ends: dict[int, dict[End, None]]) -> None:
        self._sets, self._ends, self._by_relation = sets, ends, ByRelation(sets)

    def __missing__(self, place: int) -> tuple[Detail, ...]:
        having = self._sets.having
        attributes = sayable(self._sets.scene.regions[place].attributes)
        related: Iterable[Detail | None] = map(self._by_relation.__getitem__, self._ends.get(place, ()))
        found = self[place] = (
            *[Detail(attribute, having[attribute], kind, attribute) for attribute, kind in attributes],
            *filter(None, related),
        )
        return found


@lru_cache(maxsize=1 << 16)
def sayable(attributes: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The attributes that have a type, with it; of those that say the same, the first."""
    found: list[tuple[str, str]] = []
    seen: list[str] = []
    for attribute in dict.fromkeys(attributes):
        kind = None if any(same(attribute, other) for other in seen) else attribute_type(attribute)
        seen.append(attribute)
        if kind is not None:
            found.append((attribute, kind))
    return tuple(found)
