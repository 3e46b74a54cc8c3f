"""METEOR (Banerjee and Lavie, 2005; Lavie and Agarwal, 2007): words that a text shares with a reference.

Words match as they are, then by their stems, then as synonyms; fewer, longer runs of matches score more. Of
several references the best counts. It is computed by nltk, with its numbers (alpha 0.9, beta 3, gamma 0.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import MissingExtra


class Synonyms(Protocol):
    """What knows which words mean the same."""

    @property
    def name(self) -> str:
        """What to call it where a score is told."""
        ...

    def of(self, word: str) -> frozenset[str]:
        """All single words that share a meaning with a word in lower case."""
        ...


class _Lemma(NamedTuple):
    word: str

    def name(self) -> str:
        return self.word


class _Meaning(NamedTuple):
    words: tuple[_Lemma, ...]

    def lemmas(self) -> tuple[_Lemma, ...]:
        return self.words


class _AsCorpus:
    """Synonyms in the form in which nltk asks its own WordNet; without any, no word has one."""

    def __init__(self, synonyms: Synonyms | None) -> None:
        self._synonyms = synonyms

    def synsets(self, word: str) -> list[_Meaning]:
        words = frozenset() if self._synonyms is None else self._synonyms.of(word)
        return [_Meaning(tuple(map(_Lemma, sorted(words))))] if words else []


def meteor(
    texts: Sequence[str], references: Sequence[Sequence[str]], synonyms: Synonyms | None = None
) -> NDArray[np.float64]:
    """Of each text, in [0, 1]; without `synonyms` words match by form and stem alone."""
    tokenized, scored = _nltk()
    known: Any = _AsCorpus(synonyms)
    found = [
        scored([tokenized(one) for one in several], tokenized(text), wordnet=known)
        for text, several in zip(texts, references, strict=True)
    ]
    return np.array(found, np.float64)


def matching_told(synonyms: Synonyms | None) -> str:
    """How words match, for whoever reads the score."""
    third = f"synonyms ({synonyms.name})" if synonyms else "no synonyms: there is no WordNet"
    return f"METEOR: words, stems, {third}; nltk's tokens of a whole text"


def _nltk() -> tuple[Any, Any]:
    try:
        from nltk.tokenize import NLTKWordTokenizer
        from nltk.translate.meteor_score import meteor_score
    except ImportError as error:
        raise MissingExtra("nltk", "nlp") from error
    return NLTKWordTokenizer().tokenize, meteor_score
