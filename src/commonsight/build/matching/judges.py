"""Cross-fitting: who judges a query has not learned from it (VCR, appendix C, relevance model details).

A fold is judged by a model that was fitted on the other folds. Where there is one fold only, it is cut in two
halves, and each is judged by a model of the other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.remap import Remap
from commonsight.build.matching.scorers import FittedRelevance, RelevanceBlocks, Rows, Scores
from commonsight.build.matching.values import Annotation, Pair
from commonsight.core.text import TaggedText


def half_of(annotations: Sequence[Annotation], seed: int) -> frozenset[str]:
    """The ids of about half of the annotations: no group in both halves, or at least no image."""
    shared = next(names for names in _shared(annotations) if len(set(names)) > 1)
    sizes = Counter(shared)
    order = sorted(sizes)
    random.Random(f"{seed}:halves").shuffle(order)
    first: set[str] = set()
    taken = 0
    for name in sorted(order, key=lambda name: -sizes[name]):
        if 2 * taken + sizes[name] <= len(annotations) or not first:
            first.add(name)
            taken += sizes[name]
    return frozenset(
        annotation.id for annotation, name in zip(annotations, shared, strict=True) if name in first
    )


def _shared(annotations: Sequence[Annotation]) -> Iterator[list[str]]:
    """What annotations may have in common, the widest first."""
    yield [annotation.group for annotation in annotations]
    yield [annotation.image or annotation.id for annotation in annotations]
    yield [annotation.id for annotation in annotations]


class Judges(NamedTuple):
    """One model for all queries of a fold, or two of which each judges those that the other learned from."""

    models: tuple[FittedRelevance, ...]
    first: frozenset[str]
    """Whom the first of two judges; the second judges the others."""

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> RelevanceBlocks:
        """All pairs of a bucket."""
        blocks = [model.weigh(bucket, remap) for model in self.models]
        return blocks[0] if len(blocks) == 1 else CrossedBlocks(blocks, self._which(bucket))

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """Each query with the response beside it."""
        if len(self.models) == 1:
            return self.models[0].score(queries, responses)
        which = self._which(queries)
        scores = np.zeros(len(queries), np.float32)
        for number, model in enumerate(self.models):
            own = np.flatnonzero(which == number).tolist()
            if own:
                scores[own] = model.score([queries[i] for i in own], [responses[i] for i in own])
        return scores

    def _which(self, queries: Sequence[Pair]) -> NDArray[np.int64]:
        return np.array([0 if query.id in self.first else 1 for query in queries], np.int64)


class CrossedBlocks:
    """Scores of two models, each query's from the one that may judge it."""

    def __init__(self, blocks: Sequence[RelevanceBlocks], which: NDArray[np.int64]) -> None:
        self._blocks, self._which = blocks, which

    def __len__(self) -> int:
        return len(self._which)

    def rows(self, queries: Rows) -> Scores:
        """log P_rel of these queries with all responses."""
        scores = np.zeros((len(queries), len(self)), np.float32)
        for number, block in enumerate(self._blocks):
            own = np.flatnonzero(self._which[queries] == number)
            if len(own):
                scores[own] = block.rows(queries[own])
        return scores
