"""The five types of questions, each made from one object or relation of a scene.

A maker tries once, with the dice of the scope, and gives a form or nothing. What it gives has exactly one
object that it can be about (yes-no questions about existence: at least one, or surely none), also if whatever
is doubtful were true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from msgspec import structs

from commonsight.build.questions.form import Having, Known, Question, QuestionType, Referent, Related, Wrong
from commonsight.build.questions.lore import Told
from commonsight.build.questions.scope import LEADING, PERSON, Scope
from commonsight.build.questions.wordings import QUERY_ATTRIBUTE
from commonsight.graph.attributes import NUMBER, attribute_type, exclusive, only_value, values
from commonsight.graph.sets import Objects, positions

UNASKED = frozenset((NUMBER,))
"""Types of attributes that are not asked for: counts belong to captions, not to single objects."""
MOST_TRUE = 5
"""How many things are named, of which knowledge that was said wrongly does hold."""


def query_object_by_knowledge(scope: Scope) -> Question | None:
    """What utensil can cut food?"""
    place = scope.any_place()
    if scope.region(place).label == PERSON:
        return None  # who is a person is no question
    kind = scope.kind_of(place)
    found = _by_knowledge(scope, place, kind)
    if found is None:
        return None
    subject, known = found
    return Question("QueryObjKG", subject, known, kind[0])


def query_attribute(scope: Scope) -> Question | None:
    """What color is the utensil that can cut food?"""
    place = scope.any_place()
    asked = scope.one_of([kind for kind in own_attributes(scope, place) if kind in QUERY_ATTRIBUTE])
    if asked is None:
        return None
    found = _by_knowledge(scope, place, scope.kind_of(place), without=asked)
    return None if found is None else Question("QueryAtt", _with(*found), asks=asked)


def query_object_by_relation(scope: Scope) -> Question | None:
    """What is next to the object that can hold drinks?"""
    asks = scope.one_of(scope.askable)
    if asks is None:
        return None
    found = _by_knowledge(scope, asks.other, scope.kind_of(asks.other), budget=LEADING)
    if found is None:
        return None
    lead = scope.sets.subjects_of if asks.is_subject else scope.sets.objects_of
    kind = scope.kind_of(asks.place)
    led = lead(1 << asks.other, asks.predicate)
    asked = scope.tell_apart(asks.place, kind, led, without=asks.predicate, budget=LEADING)
    if asked is None or (asked.referent.clauses and not asks.is_subject):
        return None  # the last: What that is on the table is the man who … holding?
    says = Related(asks.predicate, _with(*found), asks.is_subject)
    return Question("QueryObjSG", asked.referent, says, kind[0])


def verify_knowledge(scope: Scope) -> Question | None:
    """Can the object on the table cut food? Is there a utensil that can cut food?"""
    place, no = scope.any_place(), scope.chance(scope.manner.no)
    kind = scope.kind_of(place)
    if scope.chance(scope.manner.exists):
        known = _false_of(scope, scope.called(kind)) if no else scope.known_of(place, kind[0])
        subject, exists = Referent(*kind), True
    else:
        described = scope.tell_apart(place, kind, scope.sets.everything)
        known = _false_of(scope, 1 << place) if no else scope.known_of(place, kind[0])
        if described is None:
            return None
        subject, exists = described.referent, False
    if known is None or (known.query.reverse and known.seen is not None):
        return None  # the last: Can the fork lift the food? could be about either
    wrong = _wrong_knowledge(scope, known) if no else None
    return Question("VerifyKG", subject, known, exists=exists, wrong=wrong)


def verify_attribute(scope: Scope) -> Question | None:
    """Is the utensil that can cut food silver? Is there a silver utensil that can cut food?"""
    place, no = scope.any_place(), scope.chance(scope.manner.no)
    own = own_attributes(scope, place)
    kind_asked = scope.one_of(tuple(own))
    if kind_asked is None:
        return None
    if scope.chance(scope.manner.exists):
        return _is_there(scope, place, kind_asked, no)
    found = _by_knowledge(scope, place, scope.kind_of(place), without=kind_asked)
    if found is None:
        return None
    if not no:
        return Question("VerifyAtt", _with(*found), Having(own[kind_asked]))
    said = scope.one_of(_others(scope, kind_asked, (own[kind_asked],)))
    if said is None:
        return None
    wrong = Wrong("attribute", said, (own[kind_asked],))
    return Question("VerifyAtt", _with(*found), Having(said), wrong=wrong)


def _is_there(scope: Scope, place: int, kind_asked: str, no: bool) -> Question | None:
    kind = scope.kind_of(place)
    known = scope.known_of(place, kind[0])
    if known is None:
        return None
    subject = Referent(*kind, clauses=(known,))
    possible = scope.called(kind) & scope.fit(known)
    own = own_attributes(scope, place)[kind_asked]
    if not no:
        return Question("VerifyAtt", subject, Having(own), exists=True)
    possible |= scope.doubtful(known, scope.called(kind))
    shown = [own_attributes(scope, each).get(kind_asked) for each in positions(possible)]
    true = tuple(dict.fromkeys(value for value in shown if value is not None))
    said = None if None in shown else scope.one_of(_others(scope, kind_asked, true))
    if said is None:  # also if some color is not told, as it may be any
        return None
    return Question("VerifyAtt", subject, Having(said), exists=True, wrong=Wrong("attribute", said, true))


def _by_knowledge(
    scope: Scope,
    place: int,
    kind: tuple[str, bool],
    *,
    without: str | None = None,
    budget: int | None = None,
) -> tuple[Referent, Known] | None:
    """An object described by something known of it, with details until it is the only one."""
    known = scope.known_of(place, kind[0])
    if known is None:
        return None
    described = scope.tell_apart(place, kind, scope.fit(known), without=without, budget=budget)
    if described is None:
        return None
    if not {*described.referent.attributes}.isdisjoint(known.query.tail.split()):
        return None  # the leather bag that is made from leather
    others = scope.meant(described.referent) & ~(1 << place)
    return None if scope.doubtful(known, others) else (described.referent, known)


def _with(referent: Referent, known: Known) -> Referent:
    return structs.replace(referent, clauses=(*referent.clauses, known))


def own_attributes(scope: Scope, place: int) -> Mapping[str, str]:
    """The types of attributes of which an object shows exactly one, and that one."""
    return _only_ones(scope.region(place).attributes)


@lru_cache(maxsize=1 << 16)
def _only_ones(shown: tuple[str, ...]) -> Mapping[str, str]:
    kinds = dict.fromkeys(map(attribute_type, shown))
    found = {kind: only_value(kind, shown) for kind in kinds if kind is not None and kind not in UNASKED}
    return {kind: value for kind, value in found.items() if value is not None}


def _others(scope: Scope, kind: str, shown: Sequence[str]) -> list[str]:
    """Attributes of a type that none of these can be; those that the scene shows mislead best."""
    here = [each for each in scope.sets.having if attribute_type(each) == kind]
    known = [each for each in here if all(exclusive(each, own) for own in shown)]
    return known or [each for each in values(kind) if all(exclusive(each, own) for own in shown)]


def _false_of(scope: Scope, objects: Objects) -> Known | None:
    """Something that is known of other things, and surely does not hold of these."""
    if not objects:
        return None
    query = scope.one_of(scope.lore.queries)
    if query is None:
        return None
    people = (scope.lore.is_person(scope.region(place).label) for place in positions(objects))
    if any(people):
        return None
    vision = scope.lore.knowledge.queries[query][0].vision
    known = scope.clause(Told(query, vision), None)
    if known is None or scope.fit(known) & objects or scope.doubtful(known, objects):
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
