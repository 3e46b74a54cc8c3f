"""Concrete nouns that word vectors hold to be like another.

The paper takes every one whose cosine exceeds 0.35 among Google's word2vec vectors, of 300 numbers. In
shorter vectors far more words pass that mark, so that only the nearest are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.queries.nouns import CONCRETE, Noun, shipped_nouns
from commonsight.core.inflect import plural
from commonsight.text.vectors import WordVectors
from commonsight.text.wordnet import WordNet

COSINE = 0.35
MOST = 10


class Near(NamedTuple):
    """A word, and how near it is."""

    word: str
    cosine: float


class SimilarWords:
    """The nearest of a fixed set of words, by the cosine of their vectors."""

    def __init__(
        self, vectors: WordVectors, words: Iterable[str], *, least: float = COSINE, most: int = MOST
    ) -> None:
        self._vectors, self._least, self._most = vectors, least, most
        found = {word: _vector(vectors, word) for word in dict.fromkeys(words)}
        known = {word: vector for word, vector in found.items() if vector is not None}
        self.words: Sequence[str] = list(known)
        self._rows: NDArray[np.float64] = np.array([*known.values()], np.float64)  # (word, dim), of length 1

    def of(self, noun: Noun, name: str) -> list[Near]:
        """The words nearest to a name, the nearest first; none that is a name of the same thing."""
        vector = _vector(self._vectors, name)
        if vector is None or not self.words:
            return []
        cosines = np.round(self._rows @ vector, 6)
        same = {form for own in noun.names for form in (own.casefold(), plural(own.casefold()))}
        near = [
            Near(word, float(own)) for word, own in zip(self.words, cosines, strict=True) if own > self._least
        ]
        near.sort(key=lambda one: (-one.cosine, one.word))
        return [one for one in near if one.word not in same][: self._most]


def concrete_words(nouns: Iterable[Noun], wordnet: WordNet | None) -> list[str]:
    """Nouns that a photograph can show: WordNet's, or else the given objects and those of the shipped list.

    Of WordNet they are the common single words whose first meaning is such a thing: of rare words, vectors
    tell next to nothing.
    """
    if wordnet is None:
        objects = [noun for noun in (*nouns, *shipped_nouns()) if noun.kind == "object"]
        return list(dict.fromkeys(name.casefold() for noun in objects for name in noun.names))
    common = (entry for entry in wordnet.entries() if entry.met and entry.lemma.isalpha())
    return [entry.lemma for entry in common if wordnet.synset(entry.offsets[0]).kind in CONCRETE]


def vocabulary(nouns: Iterable[Noun], words: Iterable[str]) -> set[str]:
    """Every spelling that may be looked up: the words, the names, and the parts of both."""
    whole = {text for noun in nouns for name in noun.names for text in _spellings(name)}
    whole |= {text for word in words for text in _spellings(word)}
    return whole | {part for text in whole for part in text.split()}


def _spellings(name: str) -> tuple[str, ...]:
    low = name.lower()
    return tuple(dict.fromkeys((low, low.replace(" ", "_"), low.replace("-", " "))))


def _vector(vectors: WordVectors, name: str) -> NDArray[np.float64] | None:
    """The vector of a name, of length 1; of several words the mean, if all are known."""
    found = next((hit for text in _spellings(name) if (hit := vectors.lookup(text)) is not None), None)
    if found is None:
        parts = [vectors.lookup(part) for part in name.lower().replace("-", " ").split()]
        known = [part for part in parts if part is not None]
        if not known or len(known) < len(parts):
            return None
        found = np.mean(known, axis=0)
    exact = np.asarray(found, np.float64)
    length = float(np.linalg.norm(exact))
    return exact / length if length else None
