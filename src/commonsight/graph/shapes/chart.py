"""Every way to read a sentence that the grammar allows, the likeliest first.

A chart over the sentence's words: what a phrase may mean is built from what its parts may mean. Any word may
be skipped, at a price that depends on the word, so that odd sentences are read as well as they can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from commonsight.graph.shapes.combine import Made
from commonsight.graph.shapes.grammar import LIFTS, RULES
from commonsight.graph.shapes.lexicon import Entry, Lexicon, lexicon
from commonsight.graph.shapes.programs import Form
from commonsight.graph.shapes.words import words_of

BEAM = 8
"""Meanings of one category that are kept for a phrase."""
READINGS = 60
"""Programs that are kept for a sentence."""
LIFTED = 3
"""How often a phrase may change its category without another word."""

SKIPPED, UNKNOWN = -1.5, -0.7
"""What it costs to skip a word that means something, and one that is unknown, before anything is learned."""

ARTICLES = ("a", "an", "another", "some")
ARTICLE_AS_NUMBER = -1.0
"""That "a block" means exactly one, before anything is learned."""

Weights = Mapping[str, float]


class Phrase(NamedTuple):
    """What some words may mean, and how one comes to that."""

    category: str
    meaning: Any
    features: tuple[str, ...]
    score: float


class Reading(NamedTuple):
    """A program that a sentence may mean."""

    program: Form
    features: tuple[str, ...]
    score: float


_BY_LEFT = {left: [rule for rule in RULES if rule.left == left] for left in {rule.left for rule in RULES}}
_BY_KIND = {of: [lift for lift in LIFTS if lift.of == of] for of in {lift.of for lift in LIFTS}}

PRIORS = {f"rule:{rule.name}": rule.prior for rule in RULES}
PRIORS |= {f"rule:{lift.name}": lift.prior for lift in LIFTS}


def prior(feature: str, known: Lexicon) -> float:
    """A feature's weight before anything is learned."""
    if feature.startswith("skip:"):
        return SKIPPED if feature[5:] in known.words else UNKNOWN
    if feature.startswith("number:") and feature.endswith(":a:1:=="):
        return ARTICLE_AS_NUMBER
    return PRIORS.get(feature) or known.priors.get(feature, 0.0)


Cell = dict[str, dict[Any, Phrase]]
"""The best phrase for each category and meaning."""


class _Chart:
    def __init__(self, words: list[str], weights: Weights, known: Lexicon) -> None:
        self.words, self.weights, self.known = words, weights, known
        self.cells: dict[tuple[int, int], Cell] = {}

    def weight(self, features: Iterable[str]) -> float:
        total = 0.0
        for feature in features:
            learned = self.weights.get(feature)
            total += prior(feature, self.known) if learned is None else learned
        return total

    def fill(self) -> Cell:
        count = len(self.words)
        for width in range(1, count + 1):
            for start in range(count - width + 1):
                end = start + width
                cell = _kept(self._phrases(start, end))
                self._lift(cell)
                self.cells[start, end] = _cut(cell)
        return self.cells.get((0, count), {})

    def _phrases(self, start: int, end: int) -> Iterator[Phrase]:
        yield from self._words(start, end)
        for middle in range(start + 1, end):
            yield from self._combined(self.cells[start, middle], self.cells[middle, end])
        if end - start > 1:
            yield from self._skipping(self.cells[start, end - 1], self.words[end - 1])
            if start == 0:
                yield from self._skipping(self.cells[1, end], self.words[0])

    def _words(self, start: int, end: int) -> Iterator[Phrase]:
        word = self.words[start]
        if end - start == 1 and word.isdecimal():
            yield Phrase("NUM", (int(word), "digit"), (), 0.0)
        for entry in self.known.by_first.get(word, ()):
            if tuple(self.words[start:end]) == entry.words:
                features = (f"lex:{entry.name}",)
                yield Phrase(entry.category, _meant(entry), features, self.weight(features))

    def _combined(self, lefts: Cell, rights: Cell) -> Iterator[Phrase]:
        for category, ones in lefts.items():
            for rule in _BY_LEFT.get(category, ()):
                for other in rights.get(rule.right, {}).values():
                    for one in ones.values():
                        made = rule.combine(one.meaning, other.meaning)
                        yield from self._made(made, rule.name, (one, other))

    def _made(self, made: Iterable[Made], name: str, parts: tuple[Phrase, ...]) -> Iterator[Phrase]:
        below = tuple(feature for part in parts for feature in part.features)
        score = sum(part.score for part in parts)
        for one in made:
            new = (f"rule:{name}", *one.features)
            yield Phrase(one.category, one.meaning, (*below, *new), score + self.weight(new))

    def _skipping(self, cell: Cell, word: str) -> Iterator[Phrase]:
        feature = f"skip:{word}"
        cost = self.weight((feature,))
        for phrases in cell.values():
            for one in phrases.values():
                yield one._replace(features=(*one.features, feature), score=one.score + cost)

    def _lift(self, cell: Cell) -> None:
        new = [phrase for phrases in cell.values() for phrase in phrases.values()]
        for _ in range(LIFTED):
            lifted = [
                phrase
                for one in new
                for lift in _BY_KIND.get(one.category, ())
                for phrase in self._made(lift.lift(one.meaning), lift.name, (one,))
            ]
            new = [phrase for phrase in lifted if _keep(cell, phrase)]


def _meant(entry: Entry) -> Any:
    if entry.category == "NUM":
        word = entry.words[0]
        return entry.meaning, "a" if word in ARTICLES else word if word == "one" else "word"
    if entry.category == "CMP":
        return entry.meaning, "only" if entry.words == ("only",) else "said"
    if entry.category == "Q":
        return (*entry.meaning, "said")
    return entry.meaning


def _keep(cell: Cell, phrase: Phrase) -> bool:
    """Put a phrase into a cell, unless it is there at no higher price."""
    same = cell.setdefault(phrase.category, {})
    there = same.get(phrase.meaning)
    if there is not None and there.score >= phrase.score:
        return False
    same[phrase.meaning] = phrase
    return True


def _kept(phrases: Iterable[Phrase]) -> Cell:
    cell: Cell = {}
    for phrase in phrases:
        _keep(cell, phrase)
    return cell


def _cut(cell: Cell) -> Cell:
    return {kind: _best(phrases, READINGS if kind == "T" else BEAM) for kind, phrases in cell.items()}


def _best(phrases: dict[Any, Phrase], count: int) -> dict[Any, Phrase]:
    if len(phrases) <= count:
        return phrases
    best = sorted(phrases.values(), key=lambda one: -one.score)[:count]
    return {one.meaning: one for one in best}


def readings(sentence: str, weights: Weights) -> list[Reading]:
    """The programs that a sentence may mean, the likeliest first; none if no part of it can be read."""
    known = lexicon()
    words = words_of(sentence, known)
    cell = _Chart(words, weights, known).fill()
    found = [Reading(one.meaning, one.features, one.score) for one in cell.get("T", {}).values()]
    return sorted(found, key=lambda one: -one.score)
