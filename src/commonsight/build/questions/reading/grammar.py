"""Noun phrases and clauses: every way in which the words from some place on can be one.

Each way has a cost; what is unusual in English costs more. A clause without "and" belongs to the nearest
noun, or at a cost to one before it. "And" joins clauses about one noun, the outer one first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from commonsight.build.questions.form import Having, Known, Referent, Related
from commonsight.build.questions.reading.lexicon import Words
from commonsight.build.questions.reading.parts import (
    CONTACT,
    REDUCED,
    REWORDED,
    SECOND,
    STACKED,
    UNLIKE,
    Noun,
    Part,
    with_clause,
)
from commonsight.build.questions.reading.phrases import MARKS, Phrases, follow
from commonsight.build.questions.reading.relations import follows_be, is_finite, meaning
from commonsight.build.questions.reading.verbs import (
    ADVERBS,
    ARTICLES,
    FRAMES,
    MODES,
    PICTURES,
    RELATIVES,
    Mode,
)

MOST = 48
"""The most ways that one noun phrase is read in; the cheapest are kept."""


class _Subject(NamedTuple):
    """Who does it, in a clause about something else: an object, or the head of some knowledge."""

    start: int
    end: int
    cost: float
    noun: Referent | None = None
    tails: Mapping[str, Phrases] = {}
    seen: Referent | None = None


class Grammar:
    """One sentence while it is read. What was found at a place is kept, as many ways lead there."""

    def __init__(self, tokens: Sequence[str], words: Words) -> None:
        self.tokens = (*tokens, "", "", "")  # so that one may look a few words ahead
        self.size = len(tokens)
        self.words = words
        self._nouns: dict[int, list[Noun]] = {}
        self._rests: dict[tuple[Mode, int], list[Part]] = {}
        self._subjects: dict[int, list[_Subject]] = {}

    def the(self, at: int) -> list[Noun]:
        """The red cup …"""
        return self.nouns(at + 1) if self.tokens[at] == "the" else []

    def nouns(self, at: int) -> list[Noun]:
        """Red cup that is on the table."""
        known = self._nouns.get(at)
        if known is None:
            self._nouns[at] = []  # no noun phrase is its own part
            known = self._nouns[at] = self._read_nouns(at)
        return known

    def _read_nouns(self, at: int) -> list[Noun]:
        found = list(self._heads(at, (), 0.0))
        for noun in found:  # it grows while it is gone through
            if len(found) < 4 * MOST:
                found += self._grown(noun)
        return sorted(found, key=lambda noun: noun.cost)[:MOST]

    def _heads(self, at: int, attributes: tuple[str, ...], cost: float) -> Iterator[Noun]:
        """A noun with what stands before it."""
        for text, end in self._texts(at):
            for sense, named in enumerate(self.words.nouns.get(text, ())):
                yield Noun(Referent(*named, attributes), end, cost + SECOND * sense)
            attribute = self.words.attributes.get(text)
            if attribute is not None:
                after = end + (self.tokens[end] in ("and", ","))
                yield from self._heads(after, (*attributes, attribute), cost + 0.05)

    def _texts(self, at: int) -> Iterator[tuple[str, int]]:
        """One word, two words and so on."""
        text = ""
        for end in range(at + 1, min(at + self.words.longest, self.size) + 1):
            text = f"{text} {self.tokens[end - 1]}" if text else self.tokens[end - 1]
            yield text, end

    def _grown(self, noun: Noun) -> Iterator[Noun]:
        """The same with one clause more."""
        if noun.end >= self.size:
            return
        first = self.tokens[noun.end]
        after = self.past_picture(noun.end)
        if after != noun.end:
            yield noun._replace(end=after)
        if noun.told and first == "and":
            begun = self.tokens[noun.end + 1]
            cost = UNLIKE if begun in RELATIVES and begun != noun.begun else 0.0
            for part in self._joined(noun.end + 1):
                yield with_clause(noun, part, cost, joined=1)
        for part in self._modifiers(noun.end):
            yield with_clause(noun, part, STACKED if noun.told else 0.0, begun=first)

    def past_picture(self, at: int) -> int:
        """Where one is after "in the picture", which says nothing."""
        first, the, what = self.tokens[at : at + 3]
        return at + 3 if first in ("in", "on", "of") and the == "the" and what in PICTURES else at

    def _modifiers(self, at: int) -> Iterator[Part]:
        """That is on the table; on the table; that the man is holding."""
        token = self.tokens[at]
        if token in RELATIVES:
            yield from self.finite(at + 1)
            yield from self.gapped(at + 1)
        elif token == "the":
            yield from (part._replace(cost=part.cost + CONTACT) for part in self.gapped(at))
        else:
            for part in self.rest("be", at):
                if _stands_alone(part, self.tokens, at):
                    cost = REDUCED if isinstance(part.says, Known) else 0.0
                    yield part._replace(cost=part.cost + cost)

    def _joined(self, at: int) -> Iterator[Part]:
        """What may follow "and": the same, but also "red", "can cut food"."""
        if self.tokens[at] in RELATIVES:
            yield from self._modifiers(at)
        else:
            yield from self.rest("be", at)
            yield from self.finite(at)

    def finite(self, at: int) -> list[Part]:
        """Is on the table; can cut food; has a handle: said of what is described."""
        at = self._past_adverbs(at)
        token = self.tokens[at]
        mode = MODES.get(token)
        if mode is not None:
            return self.rest(mode, at + 1)
        return self.rest("do", at) if is_finite(token) else []

    def gapped(self, at: int) -> Iterator[Part]:
        """The man is holding …; a fork can be used for lifting …: what is described is missing."""
        for subject in self.subjects(at):
            end = self._past_adverbs(subject.end)
            mode = MODES.get(self.tokens[end])
            if mode is not None:
                yield from self.rest_of(subject, mode, end + 1)
            elif is_finite(self.tokens[end]):
                yield from self.rest_of(subject, "do", end)

    def subjects(self, at: int) -> list[_Subject]:
        """Who may do something to what is described."""
        known = self._subjects.get(at)
        if known is None:
            known = [_Subject(at, noun.end, noun.inside, noun.referent) for noun in self.the(at)]
            known += [
                _Subject(at, told.end, told.cost, tails=told.at.tails, seen=told.seen)
                for told in follow(self.words.phrases.heads, at, self)
                if told.at.tails
            ]
            self._subjects[at] = known
        return known

    def rest_of(self, subject: _Subject, mode: Mode, at: int, *, filled: bool = False) -> Iterator[Part]:
        """What follows the verb of a clause about something else, which is `filled` in or missing."""
        if subject.noun is not None and not filled:
            for predicate, end in self._predicates(mode, at):
                yield Part(Related(predicate, subject.noun, is_subject=False), end, subject.cost)
        if subject.tails:
            for part in self._knowledge(subject.tails, mode, at, filled):
                if isinstance(part.says, Known):
                    query = part.says.query
                    cost = part.cost + subject.cost + self._reworded(query.head, subject.start)
                    yield part._replace(says=Known(query, subject.seen or part.says.seen), cost=cost)

    def rest(self, mode: Mode, at: int) -> list[Part]:
        """What follows the verb of a clause about what is described."""
        known = self._rests.get((mode, at))
        if known is None:
            self._rests[mode, at] = []
            known = self._rests[mode, at] = list(self._read_rest(mode, at))
        return known

    def _read_rest(self, mode: Mode, at: int) -> Iterator[Part]:
        yield from self._knowledge(self.words.phrases.forward, mode, at, False)
        if mode == "can":
            return
        yield from self._attributes(mode, at)
        for predicate, end in self._predicates(mode, at):
            for noun in self.the(end):
                yield Part(Related(predicate, noun.referent), noun.end, noun.inside)

    def _attributes(self, mode: Mode, at: int) -> Iterator[Part]:
        """Red; a child; wearing a red top; have brown hair."""
        is_verb = self.tokens[at] in ("wearing", "have", "has")
        if mode != "be" and not is_verb:
            return
        start = at + is_verb
        start += self.tokens[start] in ARTICLES
        for text, end in self._texts(start):
            attribute = self.words.attributes.get(text)
            if attribute is not None and (mode == "be" or text.endswith("hair")):
                end += self.tokens[end] in ("clothes", "clothing")
                yield Part(Having(attribute), end, 0.0)

    def _predicates(self, mode: Mode, at: int) -> Iterator[tuple[str, int]]:
        """Predicates of the scene that these words say."""
        fits = follows_be if mode == "be" else is_finite
        if mode == "can" or not fits(self.tokens[at]):
            return
        text = ""
        for end in range(at + 1, min(at + self.words.longest + 2, self.size) + 1):
            text = f"{text} {self.tokens[end - 1]}" if text else self.tokens[end - 1]
            for predicate in self.words.predicates.get(meaning(text), ()):
                if not text.endswith((" a", " the")):
                    yield predicate, end

    def _knowledge(self, tails: Mapping[str, Phrases], mode: Mode, at: int, filled: bool) -> Iterator[Part]:
        """Phrases of knowledge, by the verbs that lead to them."""
        start = self._past_adverbs(at)
        first = self.tokens[start]
        if mode == "can" and first == "be":
            yield from self._knowledge(tails, "be", start + 1, filled)
        if first == "likely" and self.tokens[start + 1] == "to":
            yield from self._knowledge(tails, "can", start + 2, filled)
        for word in (first, ""):
            for frame in FRAMES[mode].get(word, ()):
                end = start + len(frame.words)
                phrases = tails.get(frame.relation)
                if phrases is not None and self.tokens[start:end] == frame.words:
                    cost = 0.0 if start > at else frame.cost  # "usually" tells of knowledge
                    for told in follow(phrases, end, self, filled=filled):
                        for query in told.at.queries:
                            more = told.cost + self._reworded(query.tail, end)
                            yield Part(Known(query, told.seen), told.end, cost + more, told.filler)

    def _reworded(self, phrase: str, at: int) -> float:
        """What it costs if a phrase has its first word in another form than the sentence."""
        word = phrase.split(maxsplit=1)[0]
        return 0.0 if word in MARKS or word in self.tokens[at : at + 2] else REWORDED

    def _past_adverbs(self, at: int) -> int:
        while self.tokens[at] in ADVERBS:
            at += 1
        return at


def _stands_alone(part: Part, tokens: Sequence[str], at: int) -> bool:
    """Whether it can follow a noun without "that is": on the table, used for cutting; not "red"."""
    if isinstance(part.says, Known):
        return tokens[at] in ("used", "made", "found", "needed", "required")
    return isinstance(part.says, Related) or tokens[at] == "wearing"
