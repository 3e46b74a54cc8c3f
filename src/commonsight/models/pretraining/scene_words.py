"""What a sentence says of a scene: its objects, their attributes, and how they relate, word by word.

A scene graph parse by the rules that also read the knowledge graph's phrases: noun phrases are objects,
adjectives within them attributes, and what stands between two of them relates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from commonsight.graph.aliases import bundled_predicates
from commonsight.graph.attributes import attribute_type
from commonsight.graph.phrase import Node
from commonsight.graph.phrases import parse
from commonsight.graph.tagger import bundled_tagger

Kind = Literal["object", "attribute", "relation"]

_ADJECTIVES = ("JJ", "JJR", "JJS", "CD")
_LINKS = ("IN", "TO", "RP")


class Mention(NamedTuple):
    """Words from `start` up to `end` that are one node of the scene graph."""

    kind: Kind
    start: int
    end: int


def mentions(words: Sequence[str]) -> tuple[Mention, ...]:
    """All nodes of a sentence, in order; marks and commas end a clause, and nothing relates across them."""
    return _mentions(tuple(words))


@lru_cache(maxsize=50_000)
def _mentions(words: tuple[str, ...]) -> tuple[Mention, ...]:
    found = []
    start = 0
    for end in range(len(words) + 1):
        if end == len(words) or not any(letter.isalnum() for letter in words[end]):
            clause = words[start:end]
            found += [Mention(kind, first + start, last + start) for kind, first, last in _of_clause(clause)]
            start = end + 1
    return tuple(sorted(found, key=lambda mention: mention.start))


def _of_clause(words: tuple[str, ...]) -> Iterator[Mention]:
    if not words:
        return
    tags, nodes = bundled_tagger(words), parse(words).nodes
    for node in nodes:
        yield from _of_node(words, tags, node)
    for one, other in pairwise(nodes):
        span = _relation(words, tags, one.end, other.start)
        if span is not None:
            yield Mention("relation", *span)


def _of_node(words: tuple[str, ...], tags: Sequence[str], node: Node) -> Iterator[Mention]:
    """An object's name, as one, and each of its attributes."""
    told = [place for place in range(node.start, node.end) if _tells(words[place], tags[place])]
    yield from (Mention("attribute", place, place + 1) for place in told)
    named = [
        place for place in range(node.start, node.end) if place not in told and tags[place].startswith("NN")
    ]
    if named:
        yield Mention("object", named[0], named[-1] + 1)


def _tells(word: str, tag: str) -> bool:
    return tag in _ADJECTIVES or (attribute_type(word) is not None and not tag.startswith("NN"))


def _relation(words: tuple[str, ...], tags: Sequence[str], start: int, end: int) -> tuple[int, int] | None:
    """The longest known relation between two objects, or else the verbs and prepositions there."""
    for length in range(end - start, 0, -1):
        for first in range(start, end - length + 1):
            if " ".join(words[first : first + length]) in _predicates():
                return first, first + length
    links = [place for place in range(start, end) if tags[place] in _LINKS or tags[place].startswith("VB")]
    return (links[0], links[-1] + 1) if links else None


@cache
def _predicates() -> frozenset[str]:
    return frozenset(word for group in bundled_predicates() for word in group)
