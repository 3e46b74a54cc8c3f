"""One scene while it is asked about: its objects, and how each can be told from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import TypeVar

from msgspec import Struct

from commonsight.build.questions.answers import names, own_attributes
from commonsight.build.questions.details import Details, End
from commonsight.build.questions.form import Known, Referent, Related
from commonsight.build.questions.lore import Lore, Told
from commonsight.build.questions.predicates import said
from commonsight.build.questions.steps import Outcomes
from commonsight.core.scene import Region
from commonsight.graph.execute import fitting
from commonsight.graph.knowledge import Query
from commonsight.graph.programs import ANY
from commonsight.graph.sets import Objects, SceneSets, positions

T = TypeVar("T")

PERSON = "person"
LEADING = 2
"""Functions that a relation takes: Find and Relate; one more, And, if it is joined with another."""
MOST_SEEN = 4
"""The most functions for an object that knowledge speaks of."""


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


class Askable(Struct, frozen=True, gc=False):
    """An object that can be asked for by its relation to another."""

    place: int
    predicate: str
    other: int
    is_subject: bool


class Described(Struct, frozen=True, gc=False):
    """A description of one object among some, and all objects of the scene that it fits."""

    referent: Referent
    fits: Objects


class Room(Struct, frozen=True, gc=False):
    """What a description may take: so many functions, and what must not be said in it."""

    functions: int
    without: str | None = None
    """A type of attribute that is asked for, or a predicate that is."""
    answer: str | None = None
    """The name that is asked for."""
    joined: bool = False
    """Whether the program has a relation already that another one is joined with."""


class Scope:
    """A scene, what is known, and the dice."""

    def __init__(self, sets: SceneSets, lore: Lore, rng: Random, manner: Manner) -> None:
        self.sets, self.lore, self.rng, self.manner = sets, lore, rng, manner
        self.outcomes = Outcomes(sets, lore.knowledge)
        self.regions = sets.scene.regions
        self.things = [lore.about(region.label) for region in self.regions]
        """What is known of each object."""
        self.most = manner.functions[1]
        """The most functions of a program."""
        self._random = rng.random
        self._here: dict[int, tuple[Told, ...]] = {}
        self._doubtful: dict[Query, Objects] = {}

    def region(self, place: int) -> Region:
        """The region at a position."""
        return self.regions[place]

    def chance(self, share: float) -> bool:
        """True so often."""
        return self._random() < share

    def one_of(self, things: Sequence[T]) -> T | None:
        """Any of these, if there is any."""
        return things[int(self._random() * len(things))] if things else None

    @cached_property
    def things_only(self) -> list[int]:
        """The objects that are nobody, by position."""
        return [place for place, thing in enumerate(self.things) if not thing.is_person]

    @cached_property
    def colorful(self) -> list[int]:
        """The objects of which an attribute can be asked, as something is known of them."""
        return [place for place in self.known if self.shown[place]]

    @cached_property
    def known(self) -> list[int]:
        """The objects of which something is known. Nobody is among them: see `Lore`."""
        return [place for place, thing in enumerate(self.things) if thing.alone or thing.together]

    @cached_property
    def people(self) -> Objects:
        """All that are somebody."""
        return sum(1 << place for place, thing in enumerate(self.things) if thing.is_person)

    @cached_property
    def shown(self) -> list[Mapping[str, str]]:
        """For each object the types of attributes of which it shows exactly one, and that one."""
        return [own_attributes(region.attributes) for region in self.regions]

    @cached_property
    def details(self) -> Details:
        """All that the scene says of each object, by attributes and by relations to others."""
        return Details(self.sets, self._ends)

    @cached_property
    def _ends(self) -> dict[int, dict[End, None]]:
        """The relations of each object."""
        ends: dict[int, dict[End, None]] = {}
        for relation in self.sets.scene.relations:
            subject, predicate, other = relation.subject, relation.predicate, relation.object
            if subject != other:
                ends.setdefault(subject, {})[predicate, other, True] = None
                ends.setdefault(other, {})[predicate, subject, False] = None
        return ends

    @cached_property
    def askable(self) -> list[Askable]:
        """Relations of which one end can be asked for, as something is known of the other."""
        known = set(self.known)
        found = []
        for place, ends in self._ends.items():
            if self.regions[place].label == PERSON:  # who is a person is no question
                continue
            for predicate, other, is_subject in ends:
                way = said(predicate)
                if other in known and way is not None and (is_subject or way.verbal):
                    found.append(Askable(place, predicate, other, is_subject))
        return found

    def kind_of(self, place: int) -> tuple[str, bool]:
        """What to call an object without its name: a category, or "object"; nobody is called an object."""
        thing = self.things[place]
        if thing.is_person:
            return (PERSON, self.regions[place].label != PERSON)
        if self._random() < self.manner.categories:
            category = self.one_of(thing.categories)
            if category is not None and category not in self.sets.named:  # else it would be taken for a name
                return category, True
        return ANY, False

    def called(self, kind: tuple[str, bool]) -> Objects:
        """All objects that may be called so."""
        name, is_category = kind
        if name == ANY:
            return self.sets.everything
        return (self.sets.of_kind if is_category else self.sets.named).get(name, 0)

    def tell_apart(self, place: int, kind: tuple[str, bool], among: Objects, room: Room) -> Described | None:
        """A description by a kind and details that fits one object only among these."""
        own, fits = 1 << place, self.called(kind)
        attributes: list[str] = []
        clauses: list[Related] = []
        left, most = list(self.details[place]), self.manner.details[-1]
        wanted, given = self.one_of(self.manner.details) or 0, 0
        functions, joined = room.functions - kind[1], room.joined
        found = kind[0] == PERSON and not kind[1]  # whether there is a Find, in which attributes have room
        random, without, answer = self._random, room.without, room.answer
        rest = fits & among
        while left and given < most and (given < wanted or rest != own):
            at = int(random() * len(left))  # shuffled only as far as it is looked at
            detail, left[at] = left[at], left[-1]
            del left[-1]
            says, holds = detail.says, detail.holds
            if detail.topic == without or (given >= wanted and not rest & ~holds):
                continue  # must not be said, or says nothing new of those that are left
            cost = 1 - found if type(says) is str else LEADING + joined
            if cost > functions or (answer is not None and names(detail.named, answer)):
                continue
            rest &= holds
            fits &= holds
            functions -= cost
            given += 1
            if type(says) is Related:
                clauses.append(says)
                joined = True
            elif type(says) is str:
                attributes.append(says)
                found = True
        if rest != own:
            return None
        return Described(Referent(*kind, tuple(attributes), tuple(clauses)), fits)

    def known_of(self, place: int, kind: str, functions: int) -> Known | None:
        """Something that everybody knows of an object, perhaps with another object of the scene in it.

        Nothing that what the object is called says already: no tool that is a kind of tool.
        """
        alone = self.things[place].alone
        if self._random() < self.manner.multi_hop:
            alone = self._together(place) or alone
        told = self.one_of(alone)
        if told is None or kind in (told.query.head, told.query.tail):
            return None
        return self.clause(told, place, functions)

    def _together(self, place: int) -> tuple[Told, ...]:
        """What is known of an object together with others, where one of those is in the scene."""
        known = self._here.get(place)
        if known is None:
            of_kind, others, thing = self.sets.of_kind, ~(1 << place), self.things[place]
            here: list[int] = []
            for name, places in thing.seen_with.items():
                if name in of_kind and of_kind[name] & others:
                    here += places
            known = self._here[place] = tuple([thing.together[at] for at in sorted(here)])
        return known

    def clause(self, told: Told, place: int | None, functions: int) -> Known | None:
        """Knowledge as a clause. What must be seen for it is described without its name."""
        if told.vision is None:
            return Known(told.query)
        seen = self.sets.of_kind.get(told.vision, 0)
        other = self.one_of(tuple(positions(seen if place is None else seen & ~(1 << place))))
        if other is None:
            return None
        # not by the object that the knowledge is said of: the thing that can clean what the thing is in
        own = None if place is None else self.regions[place].label
        room = Room(min(functions - 1, MOST_SEEN), answer=own)
        described = self.tell_apart(other, self.kind_of(other), self.sets.everything, room)
        if described is None or not (described.referent.clauses or described.referent.attributes):
            return None
        return Known(told.query, described.referent)

    def fit(self, known: Known) -> Objects:
        """All objects of which a clause of knowledge holds."""
        seen = None if known.seen is None else self.meant(known.seen)
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

    def doubtful(self, query: Query) -> Objects:
        """All objects that may answer a query, whether or not they are known to."""
        known = self._doubtful.get(query)
        if known is None:
            known, near = self._near
            close = self.lore.close_to(query)
            for name, objects in near.items():
                if name in close:
                    known |= objects
            self._doubtful[query] = known
        return known

    @cached_property
    def _near(self) -> tuple[Objects, dict[str, Objects]]:
        """The objects that belong to no category; and all, by their names and direct categories."""
        unknown, near = 0, dict[str, Objects]()
        for label, objects in self.sets.named.items():
            names_near = self.lore.nearest(label)
            for name in names_near:
                near[name] = near.get(name, 0) | objects
            if len(names_near) == 1:
                unknown |= objects
        return unknown, near
