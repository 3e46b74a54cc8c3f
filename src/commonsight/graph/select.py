"""From triples to knowledge that questions can use: chosen, weeded, worded alike, taken apart.

What we or a user wrote by hand is worded like the rest but never weeded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from msgspec import Struct

from commonsight.core import inflect
from commonsight.graph import wording
from commonsight.graph.conceptnet import UNNATURAL, Triple
from commonsight.graph.knowledge import CATEGORY, RELATIONS, KnowledgeItem
from commonsight.graph.phrase import Phrase
from commonsight.graph.phrases import explained, parse
from commonsight.graph.tagger import Tagger, bundled_tagger, can_be, knowing

EXAMPLES = 3
"""Dropped items that a report shows for each reason."""
TAXONOMY = "IsA-Taxonomy"
_NAMING = frozenset((CATEGORY, TAXONOMY, "AtLocation", "MadeFrom", "HasA"))
"""Relations whose tail names a thing."""
_NO_NAME = frozenset(("PRP", "WP", "WRB", "NNP", "RB", "IN", "TO", "MD", "VBZ"))
_PROPERTY_ENDINGS = ("y", "ent", "ant", "id", "ed")
_EVENT_HEADS = frozenset(("HasPrerequisite", "HasSubevent"))
_PEOPLE = frozenset(("i", "me", "we", "us", "myself", "ourselves", "you", "yourself", "u"))
_CLAUSES = frozenset(("MD", "WRB", "WP", "WDT", "EX", "UH", "VBZ", "VBP", "VBD", "NNP", "NNPS", "PRP"))
"""Tags that only a sentence, or a proper name, has."""
_STATES = frozenset(("be", "seem", "appear", "become", "result", "mean", "want", "need", "like", "exist"))
_AS_IT_IS = wording.Rewordings({}, {})
_DENIALS = frozenset(("not", "never", "no", "without", "n't", "dont", "cant", "doesnt", "cannot"))


class Rules(Struct, frozen=True):
    """What is kept, and how long it may be. The defaults are ours; the paper gives no numbers."""

    relations: tuple[str, ...] = RELATIONS
    unnatural: frozenset[str] = UNNATURAL
    """Relations that no one asks of a picture; one of the eleven may be put here too."""
    least_weight: float = 0.0
    longest_head: int = 4
    longest_tail: int = 6


class Dropped(Struct):
    """How many items one reason took, and some of them."""

    count: int = 0
    examples: list[str] = []


class Selection(NamedTuple):
    """The items, and what became of the rest."""

    items: tuple[KnowledgeItem, ...]
    dropped: dict[str, Dropped]
    merged: int
    phrases: int
    explained: int
    """Distinct phrases among the kept items, and how many of them the rules account for wholly."""


class Selector:
    """Takes triples one by one and keeps what is fit."""

    def __init__(
        self,
        concepts: Collection[str] | None = None,
        everyday: Collection[str] = frozenset(),
        rules: Rules | None = None,
        rewordings: wording.Rewordings | None = None,
        tagger: Tagger = bundled_tagger,
        things: Collection[str] = frozenset(),
    ) -> None:
        self._rules = rules or Rules()
        self._everyday = everyday
        self._concepts = None if concepts is None else frozenset(map(_plain_name, concepts))
        self._things = frozenset(things) | (self._concepts or frozenset())
        self._rewordings = rewordings or wording.shipped_rewordings()
        self._names = self._things.union(map(" ".join, self._rewordings.names.values()))
        words = {word for name in self._concepts or () for word in name.split()}
        self._concept_words = words | {inflect.plural(word) for word in words}
        self._tagger = knowing(self._things, tagger)
        self._unfit = unfit_words()
        self._items: dict[tuple[str, str, str], KnowledgeItem] = {}
        self._dropped: dict[str, Dropped] = {}
        self._merged = 0

    def add(self, triple: Triple) -> None:
        """Keep an item, merge it with one that says the same, or drop it for a reason."""
        reason = self._out_of_place(triple) or self._noise(triple)
        if reason is None:
            item = self._worded(triple)
            reason = item if isinstance(item, str) else self._elsewhere(item)
            if not isinstance(item, str) and reason is None:
                key = (item.relation, wording.event_key(item.head.text), wording.event_key(item.tail.text))
                self._merged += key in self._items
                self._items.setdefault(key, item)
        if reason is not None:
            self._drop(triple, reason)

    def selection(self) -> Selection:
        """What has been kept so far."""
        items = tuple(self._items.values())
        phrases = {phrase.text: phrase for item in items for phrase in (item.head, item.tail)}
        fine = sum(explained(phrase, self._tagger) for phrase in phrases.values())
        return Selection(items, dict(sorted(self._dropped.items())), self._merged, len(phrases), fine)

    def _drop(self, triple: Triple, reason: str) -> None:
        dropped = self._dropped.setdefault(reason, Dropped(0, []))
        dropped.count += 1
        if len(dropped.examples) < EXAMPLES:
            dropped.examples.append(f"<{triple.head}, {triple.relation}, {triple.tail}>")

    def _out_of_place(self, triple: Triple) -> str | None:
        rules = self._rules
        if triple.relation in rules.unnatural:
            return f"relation unnatural for vision: {triple.relation}"
        if triple.relation not in rules.relations:
            return f"relation not asked for: {triple.relation}"
        if triple.weight < 0 or triple.weight < rules.least_weight:
            return "weight too low"
        if self._concepts is not None and not triple.trusted:
            said = f"{triple.head} {triple.tail}".lower().split()
            if self._concept_words.isdisjoint(said):  # a quick look, before anything is parsed
                return "no concept of the scenes"
        return None

    def _noise(self, triple: Triple) -> str | None:
        """Why a phrase that was not written by hand is no good."""
        if triple.trusted:
            return None
        head, tail = triple.head.lower().split(), triple.tail.lower().split()
        said = {*head, *tail}
        if len(head) > self._rules.longest_head or len(tail) > self._rules.longest_tail:
            return "too long"
        if said & _PEOPLE:
            return "first or second person"
        if said & _DENIALS:
            return "denial"
        if "than" in said:
            return "comparison"
        if said & self._unfit:
            return "unfit for questions"
        if not all(word.replace("-", "").replace("'", "").isascii() for word in said):
            return "not plain English"
        return "number" if any(word[0].isdigit() for word in said) else None

    def _worded(self, triple: Triple) -> KnowledgeItem | str:
        head = wording.plain(triple.head, wording.HEAD_LEADING)
        tail = wording.plain(triple.tail)
        if not triple.trusted:
            relation, tail = wording.simpler(triple.relation, tail)
            triple = triple._replace(relation=relation)
            keep = self._concepts or frozenset()
            head = wording.renamed(head, self._rewordings, keep)
            tail = wording.renamed(tail, self._rewordings, keep)
            if head == tail:
                return "says the same twice"
        relation = self._relation(triple, tail)
        first, last = self._head(relation, head, triple), self._tail(relation, tail, triple)
        for phrase in (first, last):
            if isinstance(phrase, str):
                return phrase
        assert not isinstance(first, str)
        assert not isinstance(last, str)
        return KnowledgeItem(relation, first, last)

    def _relation(self, triple: Triple, tail: str) -> str:
        """Everyday categories by the list; what ConceptNet says beyond it is taxonomy."""
        if triple.relation not in (CATEGORY, TAXONOMY):
            return triple.relation
        if tail in self._everyday:
            return CATEGORY
        return triple.relation if triple.trusted else TAXONOMY

    def _head(self, relation: str, text: str, triple: Triple) -> Phrase | str:
        expected = relation in _EVENT_HEADS
        happens = self._happens(text, expected, triple)
        if happens and expected:
            return self._event("HasSubevent", text, triple)
        if triple.trusted:
            return self._parsed(text, None if happens and " " in text else False, whole=True)
        if happens and " " in text:
            return "head is an event"
        return self._named(text)

    def _tail(self, relation: str, text: str, triple: Triple) -> Phrase | str:
        expected = relation in wording.MUST_HAPPEN
        if expected and wording.begins_with_verb(text, True, self._tagger):
            return self._event(relation, text, triple)
        if relation in _EVENT_HEADS and self._happens(text, True, triple):
            return self._event(relation, text, triple)
        if triple.trusted:
            named = relation in _NAMING or relation in _EVENT_HEADS
            return self._parsed(text, False if named else None, whole=relation not in ("HasA", "HasProperty"))
        if expected:
            return "tail is no event"
        if relation == "HasProperty":
            return self._parsed(text, None, False) if self._is_property(text) else "tail is no property"
        return self._named(wording.counted(text), whole=relation != "HasA")

    def _happens(self, text: str, expected: bool, triple: Triple) -> bool:
        """Whether a phrase that may be a name is an event. Written by hand, one alone reads "cooking"."""
        if self._is_name(text) or not wording.begins_with_verb(text, expected, self._tagger):
            return False
        return not triple.trusted or " " in text or text.endswith("ing")

    def _is_property(self, text: str) -> bool:
        first = text.split()[0]
        if self._tagger(text.split())[0] in ("JJ", "RB", "JJR", "VBN") or can_be(first, "JJ"):
            return True
        plain_verb = inflect.is_verb(text) and inflect.base(text) == text  # satisfy is no property
        return " " not in text and text.endswith(_PROPERTY_ENDINGS) and not plain_verb

    def _is_name(self, text: str) -> bool:
        return _plain_name(text) in self._names

    def _event(self, relation: str, text: str, triple: Triple) -> Phrase | str:
        if triple.trusted:
            return self._parsed(wording.event(text, relation, _AS_IT_IS), True, False)
        tags = self._tagger(text.split())[1:]
        if _CLAUSES & set(tags):
            return "a sentence"
        if text.split()[0] in _STATES:
            return "a state, not an event"
        if any(tag in ("VB", "VBG", "VBN") for tag in tags):
            return "more than one event"
        worded = wording.event(text, relation, self._rewordings)
        return self._parsed(wording.with_articles(worded, self._things, self._tagger), True, False)

    def _named(self, text: str, whole: bool = True) -> Phrase | str:
        tags = self._tagger(text.split())
        if _CLAUSES & set(tags[1:]) or tags[0] in _NO_NAME or tags[-1] in _NO_NAME or "JJS" in tags:
            return "a sentence"
        if len(tags) > 3:
            return "too long a name"
        if tags[0] in ("VB", "VBP") and not self._is_name(text):
            return "names nothing"
        phrase = self._parsed(text, False, whole)
        return phrase if phrase.nodes else "names nothing"

    def _parsed(self, text: str, event: bool | None, whole: bool) -> Phrase:
        return parse(text.split(), event=event, whole=whole, names=self._names, tagger=self._tagger)

    def _elsewhere(self, item: KnowledgeItem) -> str | None:
        if self._concepts is None:
            return None
        names = {node.name for phrase in (item.head, item.tail) for node in phrase.nodes}
        names |= {_plain_name(item.head.text), _plain_name(item.tail.text)}
        if item.relation == CATEGORY and item.head.text in self._everyday:
            return None  # between the scenes' things and what is above them
        return None if names & self._concepts else "no concept of the scenes"


def select(triples: Iterable[Triple], selector: Selector) -> Selection:
    """All triples through a selector."""
    for triple in triples:
        selector.add(triple)
    return selector.selection()


@cache
def unfit_words() -> frozenset[str]:
    """Words that keep an item out, from our list."""
    text = (files("commonsight.graph") / "unfit.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _plain_name(name: str) -> str:
    return inflect.singular(name.lower())
