"""The phrases of the knowledge graph, arranged so that a sentence can be followed word by word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from commonsight.build.questions.form import Referent
from commonsight.build.questions.reading.parts import SEEN, Noun
from commonsight.build.questions.reading.verbs import ARTICLES
from commonsight.core.inflect import base
from commonsight.graph.knowledge import BLANK, VISION, Query

MARKS = frozenset((BLANK, VISION))


class Phrases:
    """All phrases that go on from here, by their next word; and what it means if one ends here."""

    __slots__ = ("next", "queries", "tails")

    def __init__(self) -> None:
        self.next: dict[str, Phrases] = {}
        self.queries: list[Query] = []
        """Queries whose tail ends here."""
        self.tails: dict[str, Phrases] = {}
        """If a head ends here: its tails, by relation."""

    def after(self, text: str) -> Phrases:
        """Where one gets by a whole phrase, which is added if it is new."""
        at = self
        for number, word in enumerate(text.split()):
            key = word if word in MARKS else lemma(word) if number == 0 else word.lower()
            at = at.next.setdefault(key, Phrases())
        return at


@lru_cache(maxsize=100_000)
def lemma(word: str) -> str:
    """The first word of a phrase in any form: what is used "for cutting" is used "to cut"."""
    return base(word.lower())


class Phrasebook:
    """The queries of a knowledge graph: those that seek their head by relation, the others by their head."""

    def __init__(self, queries: Iterable[Query]) -> None:
        self.forward: dict[str, Phrases] = {}
        self.heads = Phrases()
        for query in queries:
            if not query.reverse:
                if query.head == BLANK:
                    self.forward.setdefault(query.relation, Phrases()).after(query.tail).queries.append(query)
            else:
                tails = self.heads.after(query.head).tails.setdefault(query.relation, Phrases())
                tails.after(query.tail).queries.append(query)


class Told(NamedTuple):
    """A phrase that was followed to its end, and what stands in its open places."""

    at: Phrases
    end: int
    cost: float = 0.0
    seen: Referent | None = None
    filler: Referent | None = None


class Sentence(Protocol):
    """The words to follow, and the descriptions of objects among them."""

    tokens: tuple[str, ...]

    def the(self, at: int) -> list[Noun]: ...


def follow(
    phrases: Phrases, at: int, sentence: Sentence, *, first: bool = True, filled: bool = False
) -> Iterator[Told]:
    """Every phrase that the words from here on are. What is sought is missing there, or `filled` in."""
    if phrases.queries or phrases.tails:
        yield Told(phrases, at)
    ahead, token = phrases.next, sentence.tokens[at]
    if VISION in ahead:
        for noun in sentence.the(at):
            for told in follow(ahead[VISION], noun.end, sentence, first=False, filled=filled):
                yield told._replace(seen=noun.referent, cost=told.cost + noun.inside + SEEN)
    if BLANK in ahead and not filled:
        yield from follow(ahead[BLANK], at, sentence, first=False)
    elif BLANK in ahead:
        for noun in sentence.the(at):
            for told in follow(ahead[BLANK], noun.end, sentence, first=False):
                yield told._replace(filler=noun.referent, cost=told.cost + noun.inside)
    then = ahead.get(lemma(token) if first else token) if token else None
    if then is not None:
        yield from follow(then, at + 1, sentence, first=False, filled=filled)
    if token in ARTICLES:
        yield from follow(phrases, at + 1, sentence, first=first, filled=filled)
