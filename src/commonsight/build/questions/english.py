"""Questions in English: descriptions, clauses and frames, several wordings of each, put together by grammar.

Two kinds of components (CRIC, section 3): frames that ask for one element of a relation or of knowledge, and
clauses that decorate an object. A clause is said in three ways (after "that", after "what", with the verb in
front of its subject), so it is kept in parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from msgspec import Struct

from commonsight.build.questions.form import Having, Known, Question, Referent, Related
from commonsight.build.questions.lore import EVENTS
from commonsight.build.questions.predicates import said
from commonsight.build.questions.wordings import (
    EXISTS,
    LOCATION_AT,
    LOCATION_ON,
    PERSONS,
    QUERY_ATTRIBUTE,
    QUERY_OBJECT,
    Verb,
    attributed,
    verbs,
)
from commonsight.core.inflect import an, article, is_mass, is_plural
from commonsight.graph.attributes import attribute_type
from commonsight.graph.knowledge import BLANK, VISION, Query
from commonsight.graph.programs import ANY

BEFORE = ("size", "age", "shape", "length", "pattern", "color", "material")
"""Types of attributes that stand before a noun, in this order; all others follow it."""
PERSON = "person"
GAP = "___"
"""Where the described object is missing in a clause of which it is not the subject."""


class Clause(Struct, frozen=True, gc=False):
    """A clause in parts: who (None: the described object itself), and the verb with what follows."""

    subject: str | None
    verb: Verb
    bare: bool = False
    """Whether it can stand without "that is"."""


class English:
    """Says questions; which of several wordings is left to the dice."""

    def __call__(self, question: Question, rng: Random) -> str:
        """The question as one sentence."""
        said_first = _Speaker(rng).question(question)
        if "  " in said_first or said_first[-1] == " ":
            said_first = " ".join(said_first.split())
        return f"{said_first[0].upper()}{said_first[1:]}?"


class _Speaker:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._depth = 0
        """How many descriptions the one that is being said stands in."""

    def pick(self, wordings: tuple[str, ...]) -> str:
        return wordings[int(self._rng.random() * len(wordings))]

    def question(self, question: Question) -> str:
        if question.type == "QueryAtt":
            assert question.asks is not None
            return self._ask_attribute(question.asks, question.subject)
        assert question.says is not None
        if question.asks is not None:
            return self._ask_object(question)
        return self._is_there(question) if question.exists else self._is_it(question)

    def _ask_attribute(self, kind: str, subject: Referent) -> str:
        return self.pick(QUERY_ATTRIBUTE[kind]).format(the=self.the(subject))

    def _ask_object(self, question: Question) -> str:
        assert question.says is not None
        noun = self.noun(question.subject)
        what = self.pick(QUERY_OBJECT["object" if noun == ANY else "noun"]).format(noun=noun)
        clause = self.clause(question.says)
        verb = clause.verb
        if clause.subject is None:
            return f"{what} {verb.plain}"
        return f"{what} {verb.auxiliary} {clause.subject} {verb.rest.replace(GAP, '')}"

    def _is_there(self, question: Question) -> str:
        subject, says = question.subject, question.says
        if isinstance(says, Having):
            subject = Referent(
                subject.name, subject.is_category, (*subject.attributes, says.attribute), subject.clauses
            )
        elif says is not None:
            subject = Referent(
                subject.name, subject.is_category, subject.attributes, (*subject.clauses, says)
            )
        return self.pick(EXISTS).format(some=self.some(subject))

    def _is_it(self, question: Question) -> str:
        the, says = self.the(question.subject), question.says
        assert says is not None
        clause = self.clause(says)
        verb = clause.verb
        if clause.subject is None:
            return f"{verb.auxiliary} {the} {verb.rest}"
        return f"{verb.auxiliary} {clause.subject} {verb.rest.replace(GAP, the)}"

    def the(self, referent: Referent) -> str:
        """The red cup that is on the table."""
        return f"the {self.noun(referent)}"

    def some(self, referent: Referent) -> str:
        """A red cup that is on the table; any food that is sweet."""
        return f"{_core(referent.name, referent.attributes).some} {self.noun(referent)}"

    def noun(self, referent: Referent) -> str:
        """Red cup that is on the table."""
        core = _core(referent.name, referent.attributes)
        if not (referent.clauses or core.after):
            return core.words
        clauses, many = [*core.after], core.many
        self._depth += 1
        clauses += [self.clause(each, many) for each in referent.clauses]
        self._depth -= 1
        return f"{core.words} {self._joined(clauses, referent.name == PERSON)}"

    def _joined(self, clauses: list[Clause], somebody: bool) -> str:
        """One clause: on the table. Several: that is on the table and that can cut food.

        With several, the longest comes last and every one begins alike, but unlike those within another
        clause: so it is clear what each is said of.
        """
        that = "who" if somebody else "which" if self._depth else "that"
        if len(clauses) == 1:
            only = clauses[0]
            return only.verb.rest if only.bare and self._rng.random() < 0.5 else self._relative(only, that)
        clauses.sort(key=_heaviness)
        return " and ".join([self._relative(clause, that) for clause in clauses])

    def _relative(self, clause: Clause, that: str) -> str:
        """That is on the table; that the man is holding."""
        verb = clause.verb
        if clause.subject is None:
            return f"{that} {verb.plain}"
        return f"{that} {clause.subject} {verb.plain.replace(GAP, '')}"

    def clause(self, says: Related | Known | Having, many: bool = False) -> Clause:
        """A clause in parts."""
        if isinstance(says, Related):
            return self._related(says, many)
        if isinstance(says, Known):
            return self._known(says, many)
        return Clause(None, attributed(says.attribute, many))

    def _related(self, says: Related, many: bool) -> Clause:
        other = self.the(says.other)
        if says.is_subject:
            way = said(says.predicate, many)
            assert way is not None, says.predicate
            return Clause(
                None, Verb(way.auxiliary, f"{way.rest} {other}", f"{way.plain} {other}"), bare=way.bare
            )
        way = said(says.predicate, is_plural(says.other.name))
        assert way is not None, says.predicate
        return Clause(other, Verb(way.auxiliary, f"{way.rest} {GAP}", f"{way.plain} {GAP}"))

    def _known(self, says: Known, many: bool) -> Clause:
        ways = _ways(says.query, many)
        way = ways[int(self._rng.random() * len(ways))]
        if says.seen is None:
            return way
        seen, verb = self.the(says.seen), way.verb
        return Clause(
            None if way.subject is None else _put(way.subject, VISION, seen),
            Verb(verb.auxiliary, _put(verb.rest, VISION, seen), _put(verb.plain, VISION, seen)),
        )


class _Core(Struct, frozen=True, gc=False):
    """A noun with the attributes before it, and what is said of it by those that follow."""

    words: str
    after: tuple[Clause, ...]
    many: bool
    some: str
    """What says that it is any such thing: a, an or any."""


@lru_cache(maxsize=1 << 16)
def _core(name: str, attributes: tuple[str, ...]) -> _Core:
    before, after = _placed(attributes)
    many = is_plural(name)
    clauses = tuple(Clause(None, attributed(word, many)) for word in after)
    words = " ".join((*before, name))
    return _Core(words, clauses, many, "any" if many or is_mass(name) else an(words))


@lru_cache(maxsize=1 << 16)
def _ways(query: Query, many: bool) -> tuple[Clause, ...]:
    """All ways to say a piece of knowledge; what must be seen for it is left open."""
    head, relation, tail = query
    if not query.reverse:
        return tuple(Clause(None, verb) for verb in _verbs(relation, _tail(relation, tail), many))
    happens = relation in EVENTS and head.split()[0].endswith("ing")  # else a thing: a bus
    if not happens and VISION not in head.split() and not (is_mass(head) or is_plural(head)):
        head = f"{article(head)} {head}"
    ways = _verbs(relation, _put(tail, BLANK, GAP), is_plural(head), reverse=True)
    return tuple(Clause(head, verb) for verb in ways)


def _verbs(relation: str, tail: str, many: bool, *, reverse: bool = False) -> Iterator[Verb]:
    for way in verbs(relation, many, reverse):
        yield Verb(way.auxiliary, f"{way.rest} {tail}".strip(), f"{way.plain} {tail}".strip())


def _heaviness(clause: Clause) -> tuple[bool, int]:
    """What has a clause within it is heavier than what has none, whatever its length."""
    said_whole = f"{clause.subject or ''} {clause.verb.plain}"
    may = any(map(said_whole.__contains__, _BEGINNINGS))  # words are looked at only where it may be so
    return may and not _BEGINNINGS.isdisjoint(said_whole.split()), len(said_whole)


_BEGINNINGS = frozenset(("that", "which", "who"))


def _put(text: str, mark: str, words: str) -> str:
    return " ".join(words if word == mark else word for word in text.split())


def _placed(attributes: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Attributes that stand before the noun, in their order, and those that follow it."""
    before: list[tuple[int, str]] = []
    after: list[str] = []
    for attribute in attributes:
        kind = attribute_type(attribute)
        if kind in BEFORE and attribute not in PERSONS:
            before.append((BEFORE.index(kind), attribute))
        else:
            after.append(attribute)
    return [attribute for _, attribute in sorted(before)], after


def _tail(relation: str, tail: str) -> str:
    """What a relation is to, with the article or the preposition that it needs."""
    if relation == "AtLocation":
        return f"{_preposition(tail)} {_indefinite(tail)}"
    return _indefinite(tail) if relation == "HasA" else tail


def _indefinite(noun: str) -> str:
    first = noun.split()[0]
    if first in _DETERMINED or first in _NUMBERS:
        return noun
    return noun if is_mass(noun) or is_plural(noun) else f"{article(noun)} {noun}"


_DETERMINED = ("a", "an", "the", "its", "many", "some", "no", VISION)
_NUMBERS = ("two", "three", "four", "five", "six", "eight", "ten", "one")


def _preposition(place: str) -> str:
    last = place.split()[-1]
    return "on" if last in LOCATION_ON else "at" if last in LOCATION_AT else "in"
