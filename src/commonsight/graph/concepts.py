"""A graph of what is known about a dataset's own words, for networks that pass messages along its facts.

KRISP's rule (Marino et al., 2021, section 3.2): of all facts those are kept of which both ends are said in a
question, are an answer, or are what an object can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.retrieval import Fact

_RELATION = {name: place for place, name in enumerate(RELATIONS)}


class Edge(NamedTuple):
    """A fact, by places: of its ends among the nodes, of its relation among all relations."""

    head: int
    relation: int
    tail: int


class ConceptGraph(Struct, frozen=True):
    """Nodes by name, and the facts between them, both sorted: the same facts give the same graph."""

    nodes: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()


def concept_graph(
    facts: Sequence[Fact], questions: Iterable[Sequence[str]], names: Iterable[str]
) -> ConceptGraph:
    """The graph of these facts for questions, word by word in lower case, and names of objects and answers.

    An end of several words is said where they stand in a question one after another. What is said of a thing
    and itself joins nothing.
    """
    ends = Concepts({end for fact in facts for end in (fact.head, fact.tail)})
    meant = {name.lower() for name in names}
    for question in questions:
        meant.update(ends.said(question))
    kept = {
        (fact.head, _RELATION[fact.relation], fact.tail)
        for fact in facts
        if fact.head in meant and fact.tail in meant and fact.head != fact.tail
    }
    nodes = tuple(sorted({end for head, _, tail in kept for end in (head, tail)}))
    places = {node: place for place, node in enumerate(nodes)}
    edges = sorted(Edge(places[head], relation, places[tail]) for head, relation, tail in kept)
    return ConceptGraph(nodes, tuple(edges))


class Concepts:
    """Names of one or more words, found in texts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {tuple(name.split()): name for name in names}
        self._longest = max(map(len, self._names), default=0)

    def said(self, words: Sequence[str]) -> Iterator[str]:
        """Those whose words stand here one after another; one may come twice."""
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + self._longest) + 1):
                name = self._names.get(tuple(words[start:end]))
                if name is not None:
                    yield name
