"""The five types of questions, each made from one object or relation of a scene.

A maker tries once, with the dice of the scope, and gives a form or nothing. What it gives has exactly one
object that it can be about (yes-no questions about existence: at least one, or surely none), also if whatever
is doubtful were true. Its program is not longer than the scope's manner allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from commonsight.build.questions.answers import names
from commonsight.build.questions.form import Having, Known, Question, QuestionType, Referent, Related, Wrong
from commonsight.build.questions.scope import Room, Scope
from commonsight.build.questions.steps import functions_of
from commonsight.build.questions.wordings import QUERY_ATTRIBUTE
from commonsight.graph.attributes import attribute_type, exclusive, values
from commonsight.graph.knowledge import Query
from commonsight.graph.sets import Objects, positions

MOST_TRUE = 5
"""How many things are named, of which knowledge that was said wrongly does hold."""
LAST = 1
"""Every program ends with one function that is no part of a description: Recognition or Verify."""


def query_object_by_knowledge(scope: Scope) -> Question | None:
    """What utensil can cut food?"""
    place = scope.one_of(scope.known)
    if place is None:
        return None
    kind, label = scope.kind_of(place), scope.region(place).label
    if names(kind[0], label):
        return None  # what plant: the potted plant
    found = _by_knowledge(scope, place, kind, Room(scope.most - LAST, answer=label))
    if found is None:
        return None
    subject, known = found
    return Question("QueryObjKG", subject, known, kind[0])


def query_attribute(scope: Scope) -> Question | None:
    """What color is the utensil that can cut food?"""
    place = scope.one_of(scope.colorful)
    if place is None:
        return None
    shown = scope.shown[place]
    asked = scope.one_of([kind for kind in shown if kind in QUERY_ATTRIBUTE])
    if asked is None:
        return None
    room = Room(scope.most - LAST, without=asked, answer=shown[asked])
    found = _by_knowledge(scope, place, scope.kind_of(place), room)
    return None if found is None else Question("QueryAtt", _with(*found), asks=asked)


def query_object_by_relation(scope: Scope) -> Question | None:
    """What is next to the object that can hold drinks?"""
    asks = scope.one_of(scope.askable)
    if asks is None:
        return None
    kind, label = scope.kind_of(asks.place), scope.region(asks.place).label
    if names(kind[0], label):
        return None
    left = scope.most - LAST - 1 - kind[1]  # Relate is the one
    found = _by_knowledge(scope, asks.other, scope.kind_of(asks.other), Room(left, answer=label))
    if found is None:
        return None
    other = _with(*found)
    lead = scope.sets.subjects_of if asks.is_subject else scope.sets.objects_of
    led = lead(1 << asks.other, asks.predicate)
    left += kind[1] - functions_of(other)
    if not asks.is_subject:  # What that is on the table is the man who … holding?
        left = min(left, kind[1] + 1)
    asked = scope.tell_apart(asks.place, kind, led, Room(left, asks.predicate, label, joined=True))
    if asked is None:
        return None
    says = Related(asks.predicate, other, asks.is_subject)
    return Question("QueryObjSG", asked.referent, says, kind[0])


def verify_knowledge(scope: Scope) -> Question | None:
    """Can the object on the table cut food? Is there a utensil that can cut food?"""
    no, exists = scope.chance(scope.manner.no), scope.chance(scope.manner.exists)
    place = scope.one_of(scope.things_only if no else scope.known)
    if place is None:
        return None
    kind, left = scope.kind_of(place), scope.most - LAST
    if no:
        known = _false_of(scope, scope.called(kind) if exists else 1 << place, left - kind[1])
    else:
        known = scope.known_of(place, kind[0], left - kind[1])
    if known is None or (known.query.reverse and known.seen is not None):
        return None  # the last: Can the fork lift the food? could be about either
    subject = Referent(*kind)
    if not exists:
        described = scope.tell_apart(place, kind, scope.sets.everything, Room(left - _functions(known)))
        if described is None or _other_material(known, described.referent.attributes):
            return None
        subject = described.referent
    wrong = _wrong_knowledge(scope, known) if no else None
    return Question("VerifyKG", subject, known, exists=exists, wrong=wrong)


def verify_attribute(scope: Scope) -> Question | None:
    """Is the utensil that can cut food silver? Is there a silver utensil that can cut food?"""
    place, no = scope.one_of(scope.colorful), scope.chance(scope.manner.no)
    if place is None:
        return None
    kind_asked = scope.one_of(tuple(scope.shown[place]))
    if kind_asked is None:
        return None
    if scope.chance(scope.manner.exists):
        return _is_there(scope, place, kind_asked, no)
    room = Room(scope.most - LAST - 1, without=kind_asked)  # the one is the Find of what is said
    found = _by_knowledge(scope, place, scope.kind_of(place), room)
    if found is None:
        return None
    own = scope.shown[place][kind_asked]
    if not no:
        return Question("VerifyAtt", _with(*found), Having(own))
    said = scope.one_of(_others(scope, kind_asked, (own,)))
    if said is None:
        return None
    return Question("VerifyAtt", _with(*found), Having(said), wrong=Wrong("attribute", said, (own,)))


def _is_there(scope: Scope, place: int, kind_asked: str, no: bool) -> Question | None:
    kind = scope.kind_of(place)
    known = scope.known_of(place, kind[0], scope.most - LAST - 1 - kind[1])
    if known is None:
        return None
    subject = Referent(*kind, clauses=(known,))
    if not no:
        own = scope.shown[place][kind_asked]
        return Question("VerifyAtt", subject, Having(own), exists=True)
    possible = scope.called(kind) & (scope.fit(known) | scope.doubtful(known.query))
    shown = [scope.shown[each].get(kind_asked) for each in positions(possible)]
    true = tuple(dict.fromkeys(value for value in shown if value is not None))
    said = None if None in shown else scope.one_of(_others(scope, kind_asked, true))
    if said is None:  # also if some color is not told, as it may be any
        return None
    return Question("VerifyAtt", subject, Having(said), exists=True, wrong=Wrong("attribute", said, true))


def _by_knowledge(
    scope: Scope, place: int, kind: tuple[str, bool], room: Room
) -> tuple[Referent, Known] | None:
    """An object described by something known of it, with details until it is the only one."""
    known = scope.known_of(place, kind[0], room.functions - kind[1])
    if known is None or (room.answer is not None and _mentions(known.query, room.answer)):
        return None
    left = Room(room.functions - _functions(known), room.without, room.answer, room.joined)
    described = scope.tell_apart(place, kind, scope.fit(known), left)
    if described is None:
        return None
    others, attributes = described.fits & ~(1 << place), described.referent.attributes
    if others and others & scope.doubtful(known.query):
        return None
    if attributes and not known_words(known.query.tail).isdisjoint(attributes):
        return None  # the leather bag that is made from leather
    if _other_material(known, attributes):
        return None
    return described.referent, known


def _other_material(known: Known, attributes: Sequence[str]) -> bool:
    """Whether this would be the metal bench that is made from wood: what is usual is not what is seen."""
    made = known.query.relation == "MadeFrom"
    return made and any(attribute_type(attribute) == "material" for attribute in attributes)


@lru_cache(maxsize=1 << 16)
def _mentions(query: Query, answer: str) -> bool:
    return names(" ".join(query), answer)


def _functions(known: Known) -> int:
    return 1 if known.seen is None else 1 + functions_of(known.seen)


@lru_cache(maxsize=1 << 16)
def known_words(text: str) -> frozenset[str]:
    """The words of a phrase of knowledge."""
    return frozenset(text.split())


def _with(referent: Referent, known: Known) -> Referent:
    clauses = (*referent.clauses, known)
    return Referent(referent.name, referent.is_category, referent.attributes, clauses)


def _others(scope: Scope, kind: str, shown: tuple[str, ...]) -> tuple[str, ...]:
    """Attributes of a type that none of these can be; those that the scene shows mislead best."""
    others = _excluded(kind, shown)
    having = scope.sets.having
    return tuple(each for each in others if each in having) or others


@lru_cache(maxsize=1 << 16)
def _excluded(kind: str, shown: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in values(kind) if all(exclusive(each, own) for own in shown))


def _false_of(scope: Scope, objects: Objects, functions: int) -> Known | None:
    """Something that is known of other things, and surely does not hold of these."""
    if not objects or objects & scope.people:
        return None
    told = scope.one_of(scope.lore.told)
    known = None if told is None else scope.clause(told, None, functions)
    if known is None or objects & (scope.fit(known) | scope.doubtful(known.query)):
        return None
    return known


def _wrong_knowledge(scope: Scope, known: Known) -> Wrong:
    fillers = scope.lore.knowledge.queries[known.query]
    true = tuple(dict.fromkeys(filler.blank for filler in fillers))[:MOST_TRUE]
    return Wrong("knowledge", " ".join(known.query), true)


MAKERS: Mapping[QuestionType, Callable[[Scope], Question | None]] = {
    "QueryObjKG": query_object_by_knowledge,
    "QueryObjSG": query_object_by_relation,
    "QueryAtt": query_attribute,
    "VerifyKG": verify_knowledge,
    "VerifyAtt": verify_attribute,
}
