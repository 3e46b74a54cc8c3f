"""A quick judge and a slow one: who sees what, and that what nobody has seen does not win for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.fakes import MatrixBlocks
from commonsight.build.matching.narrow import NarrowRelevance, NarrowSimilarity
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.rounds import match_rounds
from commonsight.build.matching.scorers import Scores
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError


def bucket_of(count: int, texts: int | None = None) -> list[Pair]:
    """Responses are numbers; with `texts`, only so many different ones."""
    return [
        Pair(f"p{n}", f"image{n}", (), TaggedText.plain(f"{n}?"), TaggedText.plain(str(n % (texts or count))))
        for n in range(count)
    ]


class Table:
    """Relevance and similarity by a table; it remembers which pairs it was asked for one by one."""

    def __init__(self, matrix: Scores, name: str = "table") -> None:
        self.matrix, self.name = matrix, name
        self.asked: list[tuple[int, int]] = []

    def fit(self, pairs: Sequence[Pair], *, seed: int) -> Table:
        del pairs, seed
        return self

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> MatrixBlocks:
        del bucket, remap
        return MatrixBlocks(self.matrix)


class RelevanceTable(Table):
    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        said = [int(str(text.tokens[0])) for text in responses]
        found = [(int(query.id[1:]), place) for query, place in zip(queries, said, strict=True)]
        self.asked += found
        return np.array([self.matrix[place] for place in found], np.float32)


class SimilarityTable(Table):
    def score(self, ones: Sequence[Pair], others: Sequence[Pair]) -> Scores:
        found = [(int(one.id[1:]), int(other.id[1:])) for one, other in zip(ones, others, strict=True)]
        self.asked += found
        return np.array([self.matrix[place] for place in found], np.float32)


def chances(n: int, seed: int, *, low: float = 0.01) -> Scores:
    return np.random.default_rng(seed).uniform(low, 1, (n, n)).astype(np.float32)


def narrowed(quick: Scores, slow: Scores, count: int) -> tuple[Scores, RelevanceTable]:
    judge = RelevanceTable(np.log(slow))
    model = NarrowRelevance(RelevanceTable(np.log(quick)), judge, count)
    pairs = bucket_of(len(quick))
    return model.fit(pairs, seed=0).weigh(pairs).rows(np.arange(len(quick))), judge


# --- relevance ---------------------------------------------------------------------------------------------


def test_the_slow_judge_sees_the_best_of_rows_and_columns_and_each_own() -> None:
    quick, slow = chances(30, 1), chances(30, 2)
    rows, judge = narrowed(quick, slow, 4)
    seen = set(judge.asked)
    assert len(seen) == len(judge.asked)  # each once
    others = quick.copy()
    np.fill_diagonal(others, 0)
    assert seen >= {(n, n) for n in range(30)}
    assert seen >= {(n, int(best)) for n in range(30) for best in np.argsort(-others[n])[:4]}
    assert seen >= {(int(best), n) for n in range(30) for best in np.argsort(-others[:, n])[:4]}
    assert len(seen) <= 30 * (4 + 4 + 1)
    for query, response in seen:
        assert rows[query, response] == np.log(slow)[query, response]


@given(
    st.integers(5, 14), st.integers(1, 6), st.integers(0, 10_000), st.sampled_from([1e-9, 1e-3, 0.4, 0.98])
)
def test_what_was_not_seen_never_beats_what_was(n: int, count: int, seed: int, low: float) -> None:
    quick, slow = chances(n, seed), chances(n, seed + 1, low=low) * np.float32(0.5)
    rows, judge = narrowed(quick, slow, count)
    assert np.isfinite(rows).all()
    assert rows.max() <= 0
    if n <= count:
        assert (rows == np.log(slow)).all()
        return
    seen = np.zeros((n, n), bool)
    seen[tuple(np.array(judge.asked).T)] = True
    lowest_of_query = np.where(seen, rows, np.inf).min(axis=1)
    lowest_of_response = np.where(seen, rows, np.inf).min(axis=0)
    for query, response in np.argwhere(~seen):
        assert rows[query, response] <= min(lowest_of_query[query], lowest_of_response[response])
        assert rows[query, response] <= np.log(quick)[query, response]  # never raised


def test_what_was_not_seen_keeps_its_order() -> None:
    n = 40
    quick, slow = chances(n, 1), np.full((n, n), 1e-4, np.float32)  # the slow judge finds all of it poor
    rows, judge = narrowed(quick, slow, 5)
    for query in range(n):
        unseen = [place for place in range(n) if (query, place) not in set(judge.asked)]
        lowered = rows[query, unseen] - np.log(quick)[query, unseen]
        np.testing.assert_allclose(lowered, lowered[0], atol=1e-5)
        assert rows[query, unseen].max() == pytest.approx(np.log(1e-4), abs=1e-5)


def test_a_modest_quick_judge_is_not_touched() -> None:
    n = 40
    quick, slow = chances(n, 1) * np.float32(0.1), np.full((n, n), 0.5, np.float32)
    rows, judge = narrowed(quick, slow, 5)
    seen = np.zeros((n, n), bool)
    seen[tuple(np.array(judge.asked).T)] = True
    assert (rows[~seen] == np.log(quick)[~seen]).all()


def test_responses_that_read_alike_take_nobodys_place() -> None:
    pairs = bucket_of(40, texts=8)
    quick = chances(40, 1)
    for one in range(40):
        for other in range(40):
            if one % 8 == other % 8:
                quick[one, other] = 0.999  # the quick judge likes the query's own words best
    judge = RelevanceTable(np.log(chances(8, 2)))
    judge.matrix = np.log(np.tile(chances(8, 2), (5, 5)))
    rows = NarrowRelevance(RelevanceTable(np.log(quick)), judge, 6).fit(pairs, seed=0).weigh(pairs)
    rows.rows(np.arange(40))
    others = [(query, said) for query, said in judge.asked if query % 8 != said]
    assert len(others) >= 40 * 6
    assert len(judge.asked) - len(others) == 40  # of its own only itself


def test_matching_with_few_seen_is_nearly_as_good_as_with_all() -> None:
    """Judges that mostly agree: the slow one's own word on what was chosen, seen or not."""
    n, rng = 200, np.random.default_rng(0)
    truth = rng.normal(0, 2, (n, n))
    slow = (-np.logaddexp(0, -truth)).astype(np.float32)
    quick = (-np.logaddexp(0, -(truth + rng.normal(0, 1, (n, n))))).astype(np.float32)
    pairs, alike = bucket_of(n), MatrixBlocks(np.eye(n, dtype=np.float32))

    def worth(matrix: Scores) -> float:
        found = match_rounds(pairs, MatrixBlocks(matrix), alike, trade=0.1).responses
        return float(np.exp(np.take_along_axis(slow, found, axis=1)).mean())

    rows, judge = narrowed(np.exp(quick), np.exp(slow), 20)
    assert len(judge.asked) < 0.25 * n * n
    assert worth(slow) > worth(rows) > worth(quick)
    assert worth(rows) > 0.98 * worth(slow)


def test_scores_are_the_slow_judges() -> None:
    judge = RelevanceTable(np.log(chances(6, 2)))
    pairs = bucket_of(6)
    fitted = NarrowRelevance(RelevanceTable(np.log(chances(6, 1))), judge, 2).fit(pairs, seed=0)
    assert fitted.score(pairs[:1], [pairs[3].response])[0] == judge.matrix[0, 3]


def test_any_rows_in_any_order() -> None:
    pairs = bucket_of(20)
    model = NarrowRelevance(RelevanceTable(np.log(chances(20, 1))), RelevanceTable(np.log(chances(20, 2))), 3)
    blocks = model.fit(pairs, seed=0).weigh(pairs)
    assert len(blocks) == 20
    every = blocks.rows(np.arange(20))
    assert (blocks.rows(np.array([7, 2, 7])) == every[[7, 2, 7]]).all()


# --- similarity --------------------------------------------------------------------------------------------


def _symmetric(n: int, seed: int) -> Scores:
    matrix = chances(n, seed)
    np.fill_diagonal(matrix, 1)
    return np.maximum(matrix, matrix.T)


def test_the_most_similar_are_seen_once_and_hold_in_both_orders() -> None:
    pairs, quick, slow = bucket_of(30), _symmetric(30, 1), SimilarityTable(_symmetric(30, 2))
    blocks = NarrowSimilarity(Table(quick), slow, 3).weigh(pairs)
    assert len(blocks) == 30
    rows = blocks.rows(np.arange(30))
    assert (rows == rows.T).all()
    seen = {frozenset(pair) for pair in slow.asked}
    assert len(seen) == len(slow.asked)
    others = quick.copy()
    np.fill_diagonal(others, 0)
    assert seen >= {frozenset((n, int(best))) for n in range(30) for best in np.argsort(-others[n])[:3]}
    for one in range(30):
        for other in range(30):
            expected = slow.matrix if frozenset((one, other)) in seen else quick
            assert rows[one, other] == expected[one, other]
    assert (blocks.rows(np.array([4, 4, 1])) == rows[[4, 4, 1]]).all()
    ones, others = (side.ravel() for side in np.indices((30, 30)))
    assert (blocks.pairs(ones, others) == rows.ravel()).all()
    assert len(blocks.pairs(ones[:0], others[:0])) == 0


def test_small_buckets_are_the_slow_judges_alone() -> None:
    pairs, slow = bucket_of(10), SimilarityTable(_symmetric(10, 2))
    rows = NarrowSimilarity(Table(_symmetric(10, 1)), slow, 10).weigh(pairs).rows(np.arange(10))
    assert (rows == slow.matrix).all()
    assert slow.asked == []


# --- both --------------------------------------------------------------------------------------------------


def test_names_tell_both_judges_and_how_many() -> None:
    quick, slow = RelevanceTable(chances(2, 0), "quick"), RelevanceTable(chances(2, 0), "slow")
    assert NarrowRelevance(quick, slow, 7).name == "slow on the 7 best of quick"
    alike = SimilarityTable(chances(2, 0), "slow")
    assert NarrowSimilarity(quick, alike, 7).name == "slow on the 7 most similar of quick"
    with pytest.raises(UsageError, match=r"would see 0 of each\. Give at least 1"):
        NarrowRelevance(quick, slow, 0)


def test_both_judges_learn_from_the_same_pairs() -> None:
    class Learns(RelevanceTable):
        def fit(self, pairs: Sequence[Pair], *, seed: int) -> Learns:
            self.given = ([pair.id for pair in pairs], seed)
            return self

    quick, slow = Learns(chances(4, 0)), Learns(chances(4, 0))
    NarrowRelevance(quick, slow, 2).fit(bucket_of(4), seed=9)
    assert quick.given == slow.given == (["p0", "p1", "p2", "p3"], 9)


def test_a_common_response_is_not_all_that_is_seen() -> None:
    n = 60
    pairs = [
        Pair(f"p{k}", f"image{k}", (), TaggedText.plain(f"{k}?"), TaggedText.plain("0" if k < 40 else str(k)))
        for k in range(n)
    ]
    quick = chances(n, 1) * np.float32(0.5)
    quick[:, :40] = 0.9  # everybody's favourite, forty times there
    judge = RelevanceTable(np.log(chances(n, 2)))
    NarrowRelevance(RelevanceTable(np.log(quick)), judge, 18).fit(pairs, seed=0).weigh(pairs)
    for query in range(40, n):
        assert len({said for asked, said in judge.asked if asked == query}) > 4
