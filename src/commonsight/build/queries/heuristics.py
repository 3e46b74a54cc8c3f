"""The four heuristics, each from a noun to its queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from msgspec import Struct

from commonsight.build.queries.nouns import Kind, Noun
from commonsight.build.queries.similar import SimilarWords
from commonsight.core.inflect import countable, plural

Heuristic = Literal["quantities", "hypernyms", "similar words", "activities"]
HEURISTICS: tuple[Heuristic, ...] = get_args(Heuristic)

# The paper gives examples only; these words are in the queries that NLVR2's files name, and a few more.
AMOUNTS = ("some", "lots of", "plenty of")
NUMBERS = ("two", "three", "many", "multiple")
GROUPS: dict[Kind, tuple[str, ...]] = {
    "animal": ("group of", "herd of", "pack of"),
    "object": ("group of", "row of", "stack of", "bunch of"),
}
"""Words for many of something together, and of what one says them."""
ACTIVITIES = ("eating", "feeding", "sleeping", "resting", "playing", "swimming", "running", "fighting")


class Query(Struct, frozen=True, omit_defaults=True):
    """What to type into an image search, and how it came about."""

    query: str
    heuristic: Heuristic
    noun: str
    """The thing that is looked for, by its first name."""
    name: str
    """The name of it that was used."""
    added: str
    kind: Kind
    synset: str | None = None
    cosine: float | None = None


def queries(nouns: Iterable[Noun], similar: SimilarWords | None = None) -> Iterator[Query]:
    """All queries of all nouns, each spelling once; without `similar`, none of that heuristic."""
    seen: set[str] = set()
    for noun in nouns:
        for query in _of(noun, similar):
            if query.query.casefold() not in seen:
                seen.add(query.query.casefold())
                yield query


def _of(noun: Noun, similar: SimilarWords | None) -> Iterator[Query]:
    for name in noun.names:
        many = plural(name)
        counted = (*NUMBERS, *GROUPS[noun.kind]) if countable(name) else ()
        for added in (*AMOUNTS, *counted):
            yield _query(noun, name, added, f"{added} {many}", "quantities")
        if noun.kind == "animal":
            for added in ACTIVITIES:
                yield _query(noun, name, added, f"{many} {added}", "activities")
            continue
        for added in noun.hypernyms:
            if not _repeats(name, added):
                yield _query(noun, name, added, f"{name} {added}", "hypernyms")
        for near in [] if similar is None else similar.of(noun, name):
            if not _repeats(name, near.word):
                text = f"{name} {near.word}"
                yield _query(noun, name, near.word, text, "similar words", round(near.cosine, 4))


def _query(
    noun: Noun, name: str, added: str, text: str, heuristic: Heuristic, cosine: float | None = None
) -> Query:
    return Query(text, heuristic, noun.names[0], name, added, noun.kind, noun.synset, cosine)


def _repeats(name: str, added: str) -> bool:
    """Whether one already says the other, as in "beer bottle bottle"."""
    words, others = name.casefold().split(), added.casefold().split()
    return bool({*words, plural(words[-1])} & {*others, plural(others[-1])})
