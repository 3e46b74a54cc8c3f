"""One scene while it is asked about: its objects, and how each can be told from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple, TypeVar

from msgspec import Struct

from commonsight.build.questions.form import Having, Known, Referent, Related
from commonsight.build.questions.lore import Lore, Told
from commonsight.build.questions.predicates import said
from commonsight.core.scene import Region, Relation
from commonsight.graph.attributes import attribute_type
from commonsight.graph.execute import fitting
from commonsight.graph.programs import ANY
from commonsight.graph.sets import Objects, SceneSets, positions

T = TypeVar("T")

PERSON = "person"
NARROWING, LEADING = 1, 3
"""Functions that an attribute and a relation take at most: Find; Find, Relate and And."""


class Manner(Struct, frozen=True):
    """How questions are made; the paper gives the number of functions, the other numbers are ours."""

    functions: tuple[int, int] = (2, 7)
    """Fewest and most functions of a program, Initial not counted (Figure 7 (e))."""
    categories: float = 0.6
    """How often a category stands for an object where one could, rather than "object"."""
    multi_hop: float = 0.5
    """How often an object that knowledge speaks of is replaced by a description of it in the picture."""
    details: tuple[int, ...] = (0, 1, 2, 2, 3, 3)
    """How many details are given of an object where it has them, each number as likely as any other; more if
    they are needed to tell it from others, but not more than the last."""
    no: float = 0.5
    """The share of yes-no questions whose answer is no."""
    exists: float = 0.4
    """The share of yes-no questions that ask whether there is such a thing."""


class Detail(NamedTuple):
    """Something that can be said of an object, and all objects that it holds of."""

    says: Having | Related
    holds: Objects


class Askable(NamedTuple):
    """An object that can be asked for by its relation to another."""

    place: int
    predicate: str
    other: int
    is_subject: bool


class Described(NamedTuple):
    """A description, and all objects that it fits."""

    referent: Referent
    fits: Objects


class Scope:
    """A scene, what is known, and the dice."""

    def __init__(self, sets: SceneSets, lore: Lore, rng: Random, manner: Manner) -> None:
        self.sets, self.lore, self.rng, self.manner = sets, lore, rng, manner
        self.regions = sets.scene.regions
        self._details: dict[int, tuple[Detail, ...]] = {}
        self._simple: dict[int, Referent | None] = {}

    @property
    def size(self) -> int:
        """How many objects there are."""
        return len(self.regions)

    def region(self, place: int) -> Region:
        """The region at a position."""
        return self.regions[place]

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.rng.random() < share

    def one_of(self, things: Sequence[T]) -> T | None:
        """Any of these, if there is any."""
        return things[int(self.rng.random() * len(things))] if things else None

    def any_place(self) -> int:
        """Any object."""
        return int(self.rng.random() * len(self.regions))

    def simple(self, place: int) -> Referent | None:
        """The object by its name, with one attribute where the name alone is not enough."""
        if place not in self._simple:
            self._simple[place] = self._find_simple(place)
        return self._simple[place]

    def _find_simple(self, place: int) -> Referent | None:
        region, own = self.regions[place], 1 << place
        alike = self.sets.named[region.label]
        if alike == own:
            return Referent(region.label)
        for attribute in region.attributes:
            if attribute_type(attribute) is not None and alike & self.sets.having[attribute] == own:
                return Referent(region.label, attributes=(attribute,))
        return None

    def details(self, place: int) -> tuple[Detail, ...]:
        """All that the scene says of an object, by attributes and by relations to others."""
        if place not in self._details:
            self._details[place] = tuple(self._find_details(place))
        return self._details[place]

    def _find_details(self, place: int) -> list[Detail]:
        region, sets = self.regions[place], self.sets
        found = [
            Detail(Having(attribute), sets.having[attribute])
            for attribute in region.attributes
            if attribute_type(attribute) is not None
        ]
        for relation in sets.scene.relations:
            if place not in (relation.subject, relation.object):
                continue
            is_subject = relation.subject == place
            if not self.sayable(relation, is_subject):
                continue
            other = relation.object if is_subject else relation.subject
            referent = self.simple(other)
            if referent is not None:
                lead = sets.subjects_of if is_subject else sets.objects_of
                holds = lead(1 << other, relation.predicate)
                found.append(Detail(Related(relation.predicate, referent, is_subject), holds))
        return list(dict.fromkeys(found))

    @cached_property
    def askable(self) -> tuple[Askable, ...]:
        """Relations of which one end can be asked for, as something is known of the other."""
        found = []
        for relation in self.sets.scene.relations:
            for is_subject in (True, False):
                ends = (relation.subject, relation.object)
                place, other = ends if is_subject else ends[::-1]
                known = self.lore.about(self.regions[other].label)
                if (
                    (known.alone or known.together)
                    and self.regions[place].label != PERSON  # who is a person is no question
                    and self.sayable(relation, is_subject, asked=True)
                ):
                    found.append(Askable(place, relation.predicate, other, is_subject))
        return tuple(found)

    def sayable(self, relation: Relation, is_subject: bool, *, asked: bool = False) -> bool:
        """Whether there are good words for a relation, said of its subject or of its object."""
        way = said(relation.predicate)
        if way is None or relation.subject == relation.object:
            return False
        return is_subject or (way.verbal if asked else way.strands)

    def kind_of(self, place: int) -> tuple[str, bool]:
        """What to call an object without its name: a category, or "object"; nobody is called an object."""
        label = self.regions[place].label
        if self.lore.is_person(label):
            return (PERSON, label != PERSON)
        if self.chance(self.manner.categories):
            category = self.one_of(self.lore.categories(label))
            if category is not None and category not in self.sets.named:  # else it would be taken for a name
                return category, True
        return ANY, False

    def called(self, kind: tuple[str, bool]) -> Objects:
        """All objects that may be called so."""
        name, is_category = kind
        if name == ANY:
            return self.sets.everything
        return (self.sets.of_kind if is_category else self.sets.named).get(name, 0)

    def tell_apart(
        self,
        place: int,
        kind: tuple[str, bool],
        among: Objects,
        *,
        without: str | None = None,
        budget: int | None = None,
    ) -> Described | None:
        """A description by a kind and details that fits one object only among these.

        `without` names a type of attribute that must not be mentioned, as it is asked for, or a predicate.
        `budget` is how many functions the details may take.
        """
        own, fits = 1 << place, among & self.called(kind)
        attributes: list[str] = []
        clauses: list[Related] = []
        wanted = self.one_of(self.manner.details) or 0
        left = self.manner.functions[1] if budget is None else budget
        for says, holds in self._shuffled(self.details(place)):
            if without is not None and without == _topic(says):
                continue
            cost = LEADING if isinstance(says, Related) else NARROWING
            if cost > left:
                continue
            given = len(attributes) + len(clauses)
            if given == self.manner.details[-1] or (fits == own and given >= wanted):
                break
            if given >= wanted and fits & holds == fits:
                continue  # says nothing new of those that are left
            fits &= holds
            left -= cost
            if isinstance(says, Having):
                attributes.append(says.attribute)
            else:
                clauses.append(says)
        if fits != own:
            return None
        return Described(Referent(*kind, tuple(attributes), tuple(clauses)), fits)

    def _shuffled(self, things: Sequence[T]) -> Iterator[T]:
        """All of these in any order; dice are thrown only for as many as are looked at."""
        left, random = list(things), self.rng.random
        while left:
            at = int(random() * len(left))
            left[at], last = left[-1], left[at]
            left.pop()
            yield last

    def known_of(self, place: int, kind: str) -> Known | None:
        """Something that everybody knows of an object, perhaps with another object of the scene in it.

        Nothing that what the object is called says already: no tool that is a kind of tool.
        """
        alone, together = self.lore.about(self.regions[place].label)
        if together and self.chance(self.manner.multi_hop):
            here = [told for told in together if self._others(told, place)]
            alone = tuple(here) or alone
        told = self.one_of(alone)
        if told is None or kind in (told.query.head, told.query.tail):
            return None
        return self.clause(told, place)

    def _others(self, told: Told, place: int | None) -> Objects:
        """The objects that knowledge may speak of beside the one it is said of."""
        seen = 0 if told.vision is None else self.sets.of_kind.get(told.vision, 0)
        return seen if place is None else seen & ~(1 << place)

    def clause(self, told: Told, place: int | None) -> Known | None:
        """Knowledge as a clause. What must be seen for it is described without its name."""
        if told.vision is None:
            return Known(told.query)
        other = self.one_of(tuple(positions(self._others(told, place))))
        if other is None:
            return None
        described = self.tell_apart(other, self.kind_of(other), self.sets.everything, budget=LEADING)
        if described is None or not (described.referent.clauses or described.referent.attributes):
            return None
        return Known(told.query, described.referent)

    def fit(self, known: Known, seen: Objects | None = None) -> Objects:
        """All objects of which a clause of knowledge holds."""
        if known.seen is not None and seen is None:
            seen = self.meant(known.seen)
        return fitting(known.query, seen, self.sets, self.lore.knowledge)

    def meant(self, referent: Referent) -> Objects:
        """All objects that a description fits."""
        fits = self.called((referent.name, referent.is_category))
        for attribute in referent.attributes:
            fits &= self.sets.having.get(attribute, 0)
        for clause in referent.clauses:
            if isinstance(clause, Known):
                fits &= self.fit(clause)
            else:
                lead = self.sets.subjects_of if clause.is_subject else self.sets.objects_of
                fits &= lead(self.meant(clause.other), clause.predicate)
        return fits

    def doubtful(self, known: Known, among: Objects) -> Objects:
        """Those of which the clause is not known to hold and may hold all the same."""
        unsaid = among & ~self.fit(known)
        return sum(
            1 << place
            for place in positions(unsaid)
            if self.lore.doubtful(self.regions[place].label, known.query)
        )


def _topic(says: Having | Related) -> str | None:
    return attribute_type(says.attribute) if isinstance(says, Having) else says.predicate
