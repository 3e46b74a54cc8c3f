"""All rounds at once, where one after another comes to no end."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest

from commonsight.build.matching.fakes import MatrixBlocks
from commonsight.build.matching.joint import match_jointly
from commonsight.build.matching.rounds import Dense, Judged, _one_by_one, keys, match_rounds
from commonsight.build.matching.scorers import Scores
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.errors import InputError


def crowded(seed: int) -> tuple[list[Pair], Scores]:
    """A small bucket full of doubles, two responses an image, and relevance by lot."""
    rng = random.Random(seed)
    n, texts = rng.randint(8, 14), rng.randint(4, 6)
    said = [TaggedText.plain(f"t{rng.randrange(texts)}") for _ in range(n)]
    bucket = [Pair(f"p{k}", f"i{k // 2}", (), TaggedText.plain("?"), text) for k, text in enumerate(said)]
    return bucket, np.log(np.random.default_rng(seed).random((n, n), np.float32))


def test_rounds_are_found_where_greedy_ones_are_not() -> None:
    rescued = 0
    for seed in range(120):
        bucket, relevance = crowded(seed)
        similar = MatrixBlocks(np.zeros_like(relevance))
        judged = Judged(MatrixBlocks(relevance), similar, 0.1, keys(bucket))
        try:
            _one_by_one(Dense(judged), len(bucket), 3)
        except InputError:
            try:
                found = match_rounds(bucket, MatrixBlocks(relevance), similar, trade=0.1)
            except InputError:
                continue
            rescued += 1
            _check(bucket, found.responses)
    assert rescued > 1


def _check(bucket: list[Pair], given: np.ndarray) -> None:
    assert all(sorted(column) == list(range(len(bucket))) for column in given.T.tolist())
    for query, row in enumerate(given.tolist()):
        assert len({str(bucket[place].response.tokens) for place in (query, *row)}) == 4
        assert bucket[query].image not in {bucket[place].image for place in row}


@pytest.mark.parametrize("seed", range(6))
def test_there_is_nothing_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = np.log(rng.random((5, 5), np.float32))
    weights[np.eye(5, dtype=bool) | (rng.random((5, 5)) < 0.15)] = -np.inf
    texts = np.array([0, 1, 2, 3, 3])
    best = -np.inf
    allowed = [p for p in permutations(range(5)) if np.isfinite(weights[range(5), p]).all()]
    for one in allowed:
        for other in allowed:
            if (texts[list(one)] != texts[list(other)]).all():
                best = max(best, float(weights[range(5), one].sum() + weights[range(5), other].sum()))
    if not np.isfinite(best):
        with pytest.raises(InputError, match="no way to give every query"):
            match_jointly(weights, texts, 2)
        return
    found = match_jointly(weights, texts, 2)
    assert sum(each.weight for each in found) == pytest.approx(best, abs=1e-5)
    assert found[0].weight >= found[1].weight - 1e-6


def test_where_nothing_is_allowed_it_is_told() -> None:
    with pytest.raises(InputError, match="no way to give every query"):
        match_jointly(np.full((3, 3), -np.inf, np.float32), np.arange(3), 1)
