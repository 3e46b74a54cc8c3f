"""Scorers that need no model: by a script, or by the words that two texts share.

They stand in for the real ones in tests and wherever speed matters more than judgement.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from commonsight.build.matching.remap import Remap
from commonsight.build.matching.scorers import Rows, Scores, worded
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText

LEAST = 1e-4
"""No probability is taken for less."""

_WORD = re.compile(r"\w+")


class MatrixBlocks:
    """Scores that are in memory already."""

    def __init__(self, matrix: Scores) -> None:
        self._matrix = matrix

    def __len__(self) -> int:
        return len(self._matrix)

    def rows(self, wanted: Rows) -> Scores:
        """These rows of the matrix."""
        return self._matrix[wanted]

    def pairs(self, ones: Rows, others: Rows) -> Scores:
        """These places of the matrix."""
        return self._matrix[ones, others]


Script = Mapping[tuple[str, str], float]
"""A probability for the annotation that asks and the one that lends its response, by their ids."""


class ScriptedRelevance:
    """Relevance by a script; it remembers which annotations each fit saw."""

    name = "scripted"

    def __init__(self, script: Script, otherwise: float = 0.5) -> None:
        self._script, self._otherwise = script, otherwise

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedScript:
        """Nothing to learn."""
        del seed
        return FittedScript(self._script, self._otherwise, frozenset(pair.id for pair in pairs))


class FittedScript:
    """A script, and the ids that it was fitted on."""

    def __init__(self, script: Script, otherwise: float, seen: frozenset[str]) -> None:
        self._script, self._otherwise, self.seen = script, otherwise, seen

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> MatrixBlocks:
        """The script's values of all pairs."""
        del remap
        return MatrixBlocks(np.log(_scripted(self._script, self._otherwise, bucket)))

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """The same for every text: the script knows annotations only."""
        del responses
        return np.full(len(queries), math.log(self._otherwise), np.float32)


class ScriptedSimilarity:
    """Similarity by a script, the same in both directions."""

    name = "scripted"

    def __init__(self, script: Script, otherwise: float = 0.0) -> None:
        self._script, self._otherwise = script, otherwise

    def weigh(self, bucket: Sequence[Pair]) -> MatrixBlocks:
        """The script's values of all pairs."""
        matrix = _scripted(self._script, self._otherwise, bucket)
        return MatrixBlocks(np.maximum(matrix, matrix.T))


def _scripted(script: Script, otherwise: float, bucket: Sequence[Pair]) -> Scores:
    rows = [[script.get((one.id, other.id), otherwise) for other in bucket] for one in bucket]
    return np.array(rows, np.float32).reshape(len(bucket), len(bucket))


class WordRelevance:
    """Relevance by the words that query and response share, rare ones more."""

    name = "shared words"

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedWords:
        """Count in how many responses each word is."""
        del seed
        counts = Counter(word for pair in pairs for word in _words(pair.response, pair.objects))
        return FittedWords(counts, len(pairs))


class FittedWords:
    """How rare each word is."""

    def __init__(self, counts: Counter[str], total: int) -> None:
        self._rarity = {word: math.log((total + 1) / (count + 1)) for word, count in counts.items()}

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> MatrixBlocks:
        """All pairs of a bucket."""
        del remap
        asked = [_words(pair.query, pair.objects) for pair in bucket]
        said = [_words(pair.response, pair.objects) for pair in bucket]
        rows = [[self._log(one, other) for other in said] for one in asked]
        return MatrixBlocks(np.array(rows, np.float32).reshape(len(bucket), len(bucket)))

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """Each query with the response beside it."""
        scored = [
            self._log(_words(query.query, query.objects), _words(response, query.objects))
            for query, response in zip(queries, responses, strict=True)
        ]
        return np.array(scored, np.float32)

    def _log(self, asked: frozenset[str], said: frozenset[str]) -> float:
        # In sorted order: a sum of floats depends on it, and the order of a set on the process.
        shared = sum(self._rarity.get(word, 0.0) for word in sorted(asked & said))
        return math.log(max(LEAST, 1 - math.exp(-0.2 * shared)))


class WordSimilarity:
    """Similarity by the share of words that two responses have in common."""

    name = "shared words"

    def weigh(self, bucket: Sequence[Pair]) -> MatrixBlocks:
        """All pairs of a bucket's responses."""
        said = [_words(pair.response, pair.objects) for pair in bucket]
        rows = [[len(one & other) / max(1, len(one | other)) for other in said] for one in said]
        return MatrixBlocks(np.array(rows, np.float32).reshape(len(bucket), len(bucket)))


def _words(text: TaggedText, objects: Sequence[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(worded(text, objects).lower()))
