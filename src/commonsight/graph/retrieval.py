"""Facts that may answer a question: items of knowledge whose head or tail has one of its words.

The first step of CRIC's heuristic retrieval (section 4.1, Memory-VQA). Words are looked up in an index, so
that a question costs no more however much there is to know. Which facts come first is our own: the paper does
not say, and any fact about "dough and cheese" has a word of any question with an "and".
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import nsmallest
from math import log
from pathlib import Path

from msgspec import Struct

from commonsight.core.program import Program, Step
from commonsight.errors import Problem, fail
from commonsight.graph.conceptnet import is_unknown_relation
from commonsight.graph.knowledge import RELATIONS, KnowledgeItem
from commonsight.graph.load import load_knowledge

LOOKED_AT = 4096
"""Heads and tails that are weighed for a question, those with its rarest words first."""
_HUMP = re.compile(r"[A-Z][a-z]*")


class Fact(Struct, frozen=True, gc=False):
    """An item of knowledge to be read."""

    head: str
    relation: str
    tail: str
    words: tuple[str, ...]
    """All of it, the relation spelled out: laptop at location desk."""

    def __str__(self) -> str:
        return f"{self.head}, {self.relation}, {self.tail}"


def fact_of(item: KnowledgeItem) -> Fact:
    """The item in lower case, as questions are read."""
    head, tail = item.head.text.lower(), item.tail.text.lower()
    spelled = (part.lower() for part in _HUMP.findall(item.relation))
    return Fact(head, item.relation, tail, (*head.split(), *spelled, *tail.split()))


class FactIndex:
    """Facts, found by their words."""

    def __init__(self, items: Iterable[KnowledgeItem]) -> None:
        self.facts = tuple(map(fact_of, items))
        self._sides: dict[str, list[int]] = {}
        """Where a word is said: twice the place of a fact for its head, and one more for its tail."""
        for side, words in enumerate(self._said()):
            for word in words:
                self._sides.setdefault(word, []).append(side)
        count = 2 * len(self.facts)
        self._weights = {word: log(1 + count / len(found)) for word, found in self._sides.items()}
        self._whole = array("d", (sum(map(self._weights.__getitem__, words)) for words in self._said()))

    def _said(self) -> Iterator[Iterable[str]]:
        """The words of all heads and tails, each once, in their order."""
        sides = (side for fact in self.facts for side in (fact.head, fact.tail))
        return (dict.fromkeys(side.split()) for side in sides)

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def digest(self) -> str:
        """What is known, wherever it was read."""
        told = hashlib.sha256()
        for fact in self.facts:
            told.update(f"{fact.relation}\t{fact.head}\t{fact.tail}\n".encode())
        return told.hexdigest()

    @property
    def name(self) -> str:
        """For provenance."""
        return f"{len(self):,} facts@{self.digest[:12]}"

    def about(self, words: Iterable[str], most: int) -> tuple[Fact, ...]:
        """Facts with any of these words, at most so many: first those that are said best, and of such as are
        said as well, those that were read first."""
        fits = self._fits(words)
        best = nsmallest(most, fits, key=lambda place: (-fits[place], place))
        return tuple(self.facts[place] for place in best)

    def _fits(self, words: Iterable[str]) -> dict[int, float]:
        """How well facts with any of these words are said: the better of head and tail counts, by how much
        its words that are said weigh, times their share of all its words. Rare words weigh more."""
        said: dict[int, float] = {}
        known = {word for word in words if word in self._sides}
        for word in sorted(known, key=lambda word: (len(self._sides[word]), word)):
            if len(said) >= LOOKED_AT:
                break
            for side in self._sides[word]:
                said[side] = said.get(side, 0.0) + self._weights[word]
        fits: dict[int, float] = {}
        for side, weight in said.items():
            fits[side // 2] = max(fits.get(side // 2, 0.0), weight * weight / self._whole[side])
        return fits


def read_facts(paths: Sequence[Path]) -> FactIndex:
    """All that files say, with our own additions, as `build questions` has it.

    A broken line is an error. Relations that we do not know are left out, and categories may go in a circle:
    whoever reads facts one by one does not mind.
    """
    loaded = load_knowledge(paths, on_problem=_fail_if_broken, on_circle=lambda _: None)
    return FactIndex(loaded.knowledge.items)


def _fail_if_broken(problem: Problem) -> None:
    if not is_unknown_relation(problem):
        fail(problem)


def relations_sought(program: Program | None) -> tuple[str, ...]:
    """The relations that a program's steps look up in the knowledge graph, in order, each once."""
    steps = () if program is None else program.steps
    found = (relation for step in steps if _looks_up(step) for relation in _relations(step))
    return tuple(dict.fromkeys(found))


def _looks_up(step: Step) -> bool:
    """Files write `Find KG`, `Find_KG` or `find_kg`, and likewise its reverse."""
    return step.function.lower().replace(" ", "_").startswith("find_kg")


def _relations(step: Step) -> Iterable[str]:
    said = step.extra.get("text_input", ()) if step.text_input is None else step.text_input
    return (word for word in _flat(said) if word in RELATIONS)


def _flat(said: object) -> Iterable[str]:
    """Published programs nest what a step is given."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, list | tuple):
        for part in said:
            yield from _flat(part)
