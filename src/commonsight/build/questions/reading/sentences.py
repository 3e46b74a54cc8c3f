"""Whole questions: which kind it is, what it is about, and what it says of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from commonsight.build.questions.form import Clause, Known, Question, QuestionType, Referent, Related
from commonsight.build.questions.reading.grammar import Grammar
from commonsight.build.questions.reading.lexicon import Words
from commonsight.build.questions.reading.parts import Noun
from commonsight.build.questions.reading.verbs import ARTICLES, ATTRIBUTE_NOUNS, HOW, LOOKS, MODES
from commonsight.graph.attributes import attribute_types

LONGEST = 80
"""Sentences of more words than this are not read."""
_DETERMINERS = ARTICLES | {"any", "some"}
_ENDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "material": ((), ("made", "of"), ("made", "from")),
    "expression": ((), ("in",)),
}
"""What may stand at the end of a question for an attribute, where anything may."""
_ACTIONS = ("pose", "activity")
"""What "doing" may ask for."""


class Reading(Struct, frozen=True):
    """One way to understand a question; the cheaper the likelier."""

    question: Question
    cost: float


def read(text: str, words: Words) -> list[Reading]:
    """All ways to understand a question, the likeliest first; none if it is no question that we know."""
    tokens = text.strip().rstrip("?").lower().replace(", ", " , ").split()
    if not 2 < len(tokens) <= LONGEST:
        return []
    found: dict[Question, float] = {}
    for reading in _Sentence(Grammar(tokens, words)).readings():
        if reading.cost < found.get(reading.question, float("inf")):
            found[reading.question] = reading.cost
    ranked = sorted(found.items(), key=lambda each: each[1])
    return [Reading(question, cost) for question, cost in ranked]


@cache
def _asked_nouns() -> dict[str, str]:
    return {kind: kind for kind in attribute_types()} | dict(ATTRIBUTE_NOUNS)


class _Sentence:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.tokens = grammar.tokens
        self.size = grammar.size

    def readings(self) -> Iterator[Reading]:
        first, second = self.tokens[0], self.tokens[1]
        if first in ("what", "which", "who"):
            yield from self._asks_attribute()
            yield from self._asks_object()
        elif first == "how":
            yield from self._asks_how()
        elif first in ("is", "are") and second == "there":
            yield from self._asks_existence()
        elif first in MODES:
            yield from self._asks_whether()

    def _is_end(self, at: int) -> bool:
        return at == self.size or self.grammar.past_picture(at) == self.size

    def _asks_existence(self) -> Iterator[Reading]:
        if self.tokens[2] not in _DETERMINERS:
            return
        for noun in self.grammar.nouns(3):
            if self._is_end(noun.end):
                yield Reading(Question(_verifies(noun.referent), noun.referent, exists=True), noun.cost)

    def _asks_whether(self) -> Iterator[Reading]:
        """Is the cup red? Can the knife cut food? Does cutting food require the knife?"""
        mode = MODES[self.tokens[0]]
        for noun in self.grammar.the(1):
            for part in self.grammar.rest(mode, noun.end):
                if self._is_end(part.end):
                    yield _verified(noun.referent, part.says, noun.cost + part.cost)
        for subject in self.grammar.subjects(1):
            for part in self.grammar.rest_of(subject, mode, subject.end, filled=True):
                if self._is_end(part.end) and part.filler is not None:
                    yield _verified(part.filler, part.says, part.cost)

    def _asks_object(self) -> Iterator[Reading]:
        """What utensil is on the plate? What is the man holding?"""
        grammar = self.grammar
        start = 1
        if self.tokens[1] in ("type", "kind", "sort") and self.tokens[2] == "of":
            start = 3
        nouns = [*grammar.nouns(start)]
        if start == 1:
            nouns.append(Noun(Referent(), grammar.past_picture(1), 0.0))
        for noun in nouns:
            for part in grammar.finite(noun.end):
                if self._is_end(part.end):
                    yield _recognised(noun.referent, part.says, noun.cost + part.cost)
            mode = MODES.get(self.tokens[noun.end])
            if mode is None:
                continue
            for subject in grammar.subjects(noun.end + 1):
                for part in grammar.rest_of(subject, mode, subject.end):
                    if self._is_end(part.end):
                        yield _recognised(noun.referent, part.says, noun.cost + part.cost)

    def _asks_attribute(self) -> Iterator[Reading]:
        """What color is the cup? What is the color of the cup? What is the cup made of?"""
        for at, kind in self._kinds(1):
            verb = self.tokens[at]
            if verb in ("is", "are"):
                yield from self._about(kind, at + 1, *_ENDS.get(kind, ((),)))
            elif verb in ("do", "does"):
                yield from self._about(kind, at + 1, ("have",))
        if self.tokens[1] not in ("is", "are"):
            return
        yield from self._about("material", 2, ("made", "of"), ("made", "from"), ("made", "out", "of"))
        for number, kind in enumerate(_ACTIONS):
            yield from self._about(kind, 2, ("doing",), cost=0.1 * number)
        if self.tokens[2] == "the":
            for at, kind in self._kinds(3):
                if self.tokens[at] == "of":
                    yield from self._about(kind, at + 1, ())

    def _asks_how(self) -> Iterator[Reading]:
        if self.tokens[1] in ("do", "does"):
            yield from self._about("expression", 2, *((verb,) for verb in sorted(LOOKS)))
        kind = HOW.get(self.tokens[1])
        if kind is not None and self.tokens[2] in ("is", "are"):
            yield from self._about(kind, 3, ())

    def _kinds(self, at: int) -> Iterator[tuple[int, str]]:
        """A noun for a type of attribute, and where it ends."""
        for end in range(at + 1, min(at + 4, self.size)):
            kind = _asked_nouns().get(" ".join(self.tokens[at:end]))
            if kind is not None:
                yield end, kind

    def _about(self, kind: str, at: int, *ends: tuple[str, ...], cost: float = 0.0) -> Iterator[Reading]:
        """The attribute of a described object, with any of these words at the end of the question."""
        for noun in self.grammar.the(at):
            if self.tokens[noun.end : self.size] in ends:
                question = Question("QueryAtt", noun.referent, asks=kind)
                yield Reading(question, noun.cost + cost)


def _verifies(referent: Referent) -> QuestionType:
    known = any(isinstance(clause, Known) for clause in referent.clauses)
    return "VerifyAtt" if referent.attributes or not known else "VerifyKG"


def _verified(referent: Referent, says: Clause, cost: float) -> Reading:
    return Reading(Question("VerifyKG" if isinstance(says, Known) else "VerifyAtt", referent, says), cost)


def _recognised(referent: Referent, says: Clause, cost: float) -> Reading:
    kind: QuestionType = "QueryObjSG" if isinstance(says, Related) else "QueryObjKG"
    return Reading(Question(kind, referent, says, referent.name), cost)
