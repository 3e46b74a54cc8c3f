"""Two judges: a quick one sees all pairs, a slow one only those that the quick one finds best.

A transformer that reads two texts at once cannot see the nine million pairs of a bucket of 3,000 in a
reasonable time. It sees the best of each query and of each response instead, as a matching must place every
response too. Small buckets it sees whole.

What the slow judge has not seen must not win for that reason. For relevance, a pair that it has not seen is
never worth more than any pair of the same query or of the same response that it has: the quick judge's row
is lowered as a whole until its best such pair meets that floor. So its order and its distances stay, nothing
is ever raised, and all are still logarithms of chances. (Without it a sharp slow judge, which gives wrong
responses -6 where the quick one says -2, would drive the matching to the pairs that nobody has looked at.)

Similarity needs no floor: the matching seeks pairs that are *not* similar, and the careless mistake is to
take an unseen pair for different. It keeps the quick judge's chance as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from commonsight.build.matching.candidates import Candidates, Thinned, Weights, best_candidates
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.rounds import keys
from commonsight.build.matching.scorers import (
    FittedRelevance,
    RelevanceBlocks,
    RelevanceModel,
    Rows,
    Scores,
    SimilarityBlocks,
    SimilarityModel,
)
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError

RESCORED = 100
"""How many responses of each query, and queries of each response, the slow judge sees."""
MEMORY = 256 * 1024**2
"""Bytes that looking for the best pairs may take at once."""
SCORED_AT_ONCE = 8192
"""About how many pairs are remapped and handed to the slow judge at once."""


class NarrowRelevance:
    """A quick relevance model for all pairs, and a slow one for the best of them."""

    def __init__(self, quick: RelevanceModel, slow: RelevanceModel, count: int = RESCORED) -> None:
        self._quick, self._slow, self._count = quick, slow, _checked(count)
        self.name = f"{slow.name} on the {count} best of {quick.name}"

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> FittedNarrowRelevance:
        """Both learn from the same pairs."""
        return FittedNarrowRelevance(
            self._quick.fit(pairs, seed=seed), self._slow.fit(pairs, seed=seed), self._count, str(seed)
        )


class FittedNarrowRelevance:
    """Both models, trained."""

    def __init__(self, quick: FittedRelevance, slow: FittedRelevance, count: int, remap_seed: str) -> None:
        self._quick, self._slow, self._count, self._remap_seed = quick, slow, count, remap_seed

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> RelevanceBlocks:
        """All pairs of a bucket; of a small one by the slow model alone."""
        remap = remap if remap is not None else Remap(bucket, self._remap_seed)
        if len(bucket) <= self._count:
            return self._slow.weigh(bucket, remap)
        texts, blocks = keys(bucket).texts, self._quick.weigh(bucket, remap)
        best = best_candidates(_Different(blocks, texts, self._count), self._count, MEMORY)
        seen = _seen(best, len(bucket))
        return NarrowRelevanceBlocks(blocks, seen, self._rescored(bucket, seen, remap), texts)

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        """The slow model's word."""
        return self._slow.score(queries, responses)

    def _rescored(self, bucket: Sequence[Pair], seen: _Seen, remap: Remap) -> Scores:
        scores = np.zeros(len(seen.responses), np.float32)
        for start in range(0, len(scores), SCORED_AT_ONCE):
            part = slice(start, start + SCORED_AT_ONCE)
            places = list(zip(seen.queries[part].tolist(), seen.responses[part].tolist(), strict=True))
            texts = [remap(query, response) for query, response in places]
            scores[part] = self._slow.score([bucket[query] for query, _ in places], texts)
        return scores


class NarrowRelevanceBlocks:
    """log P_rel of all pairs: the slow judge's where it has looked, else the quick one's below a floor."""

    def __init__(self, quick: RelevanceBlocks, seen: _Seen, scores: Scores, texts: Rows) -> None:
        self._quick, self._seen, self._scores, self._texts = quick, seen, scores, texts
        self._lowest_of_query = np.minimum.reduceat(scores, seen.starts[:-1])
        self._lowest_of_response = np.full(len(quick), np.inf, np.float32)
        np.minimum.at(self._lowest_of_response, seen.responses, scores)

    def __len__(self) -> int:
        return len(self._quick)

    def rows(self, queries: Rows) -> Scores:
        """log P_rel of these queries with all responses."""
        scores = self._quick.rows(queries).astype(np.float32, copy=True)
        for row, query in zip(scores, queries.tolist(), strict=True):
            own = self._seen.of(query)
            known = self._seen.responses[own]
            unseen = self._texts != self._texts[query]  # a response that reads like its own is not for it
            unseen[known] = False
            floor = np.minimum(self._lowest_of_response, self._lowest_of_query[query])
            best = row[unseen].max(initial=-np.inf)
            row -= np.maximum(best - floor, np.float32(0))
            np.minimum(row, floor, out=row)  # rounding may leave the best a last bit above
            row[known] = self._scores[own]
        return scores


class PairwiseSimilarity(SimilarityModel, Protocol):
    """A similarity model that can be asked for some pairs only."""

    def score(self, ones: Sequence[Pair], others: Sequence[Pair]) -> Scores:
        """P_sim of each response with the one beside it."""
        ...


class NarrowSimilarity:
    """A quick similarity model for all pairs, and a slow one for the most similar of them."""

    def __init__(self, quick: SimilarityModel, slow: PairwiseSimilarity, count: int = RESCORED) -> None:
        self._quick, self._slow, self._count = quick, slow, _checked(count)
        self.name = f"{slow.name} on the {count} most similar of {quick.name}"

    def weigh(self, bucket: Sequence[Pair]) -> SimilarityBlocks:
        """All pairs of a bucket's responses; of a small one by the slow model alone."""
        if len(bucket) <= self._count:
            return self._slow.weigh(bucket)
        blocks = self._quick.weigh(bucket)
        best = best_candidates(_Different(blocks, keys(bucket).texts, self._count), self._count, MEMORY)
        once = np.unique(_numbers(best.queries, best.responses, len(bucket), ordered=False))
        scores = np.zeros(len(once), np.float32)
        for start in range(0, len(once), SCORED_AT_ONCE):
            part = once[start : start + SCORED_AT_ONCE]
            ones, others = ([bucket[place] for place in side.tolist()] for side in divmod(part, len(bucket)))
            scores[start : start + SCORED_AT_ONCE] = self._slow.score(ones, others)
        return NarrowSimilarityBlocks(blocks, once, scores)


class NarrowSimilarityBlocks:
    """P_sim of all pairs: the slow judge's where it has looked, in both orders, else the quick one's."""

    def __init__(self, quick: SimilarityBlocks, once: Rows, scores: Scores) -> None:
        self._once, self._of_once = once, scores
        low, high = divmod(once, len(quick))
        one, other = np.concatenate((low, high)), np.concatenate((high, low))
        order = np.argsort(one, kind="stable")
        self._quick, self._other, self._scores = quick, other[order], np.tile(scores, 2)[order]
        self._starts = np.searchsorted(one[order], np.arange(len(quick) + 1))

    def __len__(self) -> int:
        return len(self._quick)

    def rows(self, responses: Rows) -> Scores:
        """P_sim of these responses with all."""
        scores = self._quick.rows(responses).astype(np.float32, copy=True)
        for row, place in zip(scores, responses.tolist(), strict=True):
            own = slice(self._starts[place], self._starts[place + 1])
            row[self._other[own]] = self._scores[own]
        return scores

    def pairs(self, ones: Rows, others: Rows) -> Scores:
        """P_sim of each response with the one beside it."""
        scores = self._quick.pairs(ones, others).astype(np.float32, copy=True)
        wanted = _numbers(ones, others, len(self), ordered=False)
        places = np.minimum(np.searchsorted(self._once, wanted), len(self._once) - 1)
        seen = self._once[places] == wanted
        scores[seen] = self._of_once[places[seen]]
        return scores


class _Different:
    """Scores of all pairs as weights, without those whose responses read alike: nobody may have them.

    Of many other responses that read alike each query considers a few, lest they be all that is seen.
    """

    def __init__(self, blocks: RelevanceBlocks | SimilarityBlocks, texts: Rows, count: int) -> None:
        self._blocks, self._texts, self._thin = blocks, texts, Thinned(texts, count)

    def __len__(self) -> int:
        return len(self._blocks)

    def block(self, rows: slice) -> Weights:
        queries = np.arange(*rows.indices(len(self)), dtype=np.int64)
        weights = self._blocks.rows(queries).astype(np.float32, copy=True)
        weights[self._texts[queries][:, None] == self._texts[None, :]] = -np.inf
        self._thin(rows.start, weights)
        return weights


class _Seen(NamedTuple):
    """The pairs that the slow judge sees, by query."""

    queries: Rows
    responses: Rows
    starts: Rows

    def of(self, query: int) -> slice:
        return slice(self.starts[query], self.starts[query + 1])


def _seen(best: Candidates, n: int) -> _Seen:
    """The best pairs and each query with its own response, to compare others with."""
    own = np.arange(n, dtype=np.int64)
    pairs = [_numbers(best.queries, best.responses, n), _numbers(own, own, n)]
    queries, responses = divmod(np.unique(np.concatenate(pairs)), n)
    return _Seen(queries, responses, np.searchsorted(queries, np.arange(n + 1)))


def _numbers(ones: Rows, others: Rows, n: int, *, ordered: bool = True) -> Rows:
    """One number for each pair; the same for both orders if the order does not matter."""
    return ones * n + others if ordered else np.minimum(ones, others) * n + np.maximum(ones, others)


def _checked(count: int) -> int:
    if count < 1:
        raise UsageError(f"The slow judge would see {count} of each. Give at least 1.")
    return count
