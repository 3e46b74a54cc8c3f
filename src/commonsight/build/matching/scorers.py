"""The two doors through which matching judges texts: relevance and similarity.

Behind them may stand anything from word counts to a fine-tuned transformer. All pairs of a bucket are asked
for, so a scorer first sees the bucket as a whole and can prepare what it needs once per text, not per pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.remap import Remap
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText

Rows = NDArray[np.int64]
Scores = NDArray[np.float32]


class RelevanceBlocks(Protocol):
    """log P_rel of every query of a bucket with every response of it."""

    def __len__(self) -> int: ...

    def rows(self, queries: Rows) -> Scores:
        """log P_rel of these queries with all responses: (queries, responses). Never positive."""
        ...


class FittedRelevance(Protocol):
    """A relevance model that has been trained, on folds other than those it judges."""

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> RelevanceBlocks:
        """All pairs of a bucket; who looks at tags sees each response as this remaps it to the query.

        By default that is the paper's way.
        """
        ...

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """log P_rel of each query with the response beside it, whose tags are the query's own objects."""
        ...


class RelevanceModel(Protocol):
    """How likely a response is to be the one that was given to a query."""

    @property
    def name(self) -> str:
        """For provenance: what it is and what it was made from."""
        ...

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedRelevance:
        """Learn to tell a query's actual response from a random, remapped one."""
        ...


class SimilarityBlocks(Protocol):
    """P_sim of every response of a bucket with every other."""

    def __len__(self) -> int: ...

    def rows(self, responses: Rows) -> Scores:
        """P_sim of these responses with all, in [0, 1]: the greater of both directions of entailment."""
        ...

    def pairs(self, ones: Rows, others: Rows) -> Scores:
        """P_sim of each response with the one beside it; `paired` does it where there is no quicker way."""
        ...


class SimilarityModel(Protocol):
    """How likely two responses are to mean the same, or one to follow from the other."""

    @property
    def name(self) -> str:
        """For provenance."""
        ...

    def weigh(self, bucket: Sequence[Pair]) -> SimilarityBlocks:
        """All pairs of a bucket's responses."""
        ...


ROWS_AT_ONCE = 256


def paired(rows: Callable[[Rows], Scores], ones: Rows, others: Rows) -> Scores:
    """Scores of each with the one beside it, from rows of scores with all, each row asked for once."""
    scores = np.empty(len(ones), np.float32)
    wanted, place = np.unique(ones, return_inverse=True)
    order = np.argsort(place, kind="stable")
    for start in range(0, len(wanted), ROWS_AT_ONCE):
        block = rows(wanted[start : start + ROWS_AT_ONCE])
        some = order[slice(*np.searchsorted(place[order], (start, start + ROWS_AT_ONCE)))]
        scores[some] = block[place[some] - start, others[some]]
    return scores


def worded(text: TaggedText, objects: Sequence[str]) -> str:
    """A text with every tag as the class of its object: what scorers that do not look at tags read."""
    return text.render(lambda index: objects[index])
