"""Rounds of matching: who gets which response, and why."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.assign import needed
from commonsight.build.matching.fakes import MatrixBlocks
from commonsight.build.matching.rounds import SURELY, Dense, Judged, Rounds, Sparse, keys, match_rounds
from commonsight.build.matching.values import Pair, normalised
from commonsight.core.text import TaggedText
from commonsight.errors import InputError


def bucket(texts: Sequence[str], images: Sequence[str] | None = None) -> list[Pair]:
    named = images or [f"image{place}" for place in range(len(texts))]
    query = TaggedText.plain("Why?")
    return [
        Pair(f"p{place}", image, (), query, TaggedText(tuple(text.split())))
        for place, (text, image) in enumerate(zip(texts, named, strict=True))
    ]


def distinct(n: int) -> list[Pair]:
    return bucket([f"response {place}" for place in range(n)])


def relevance_of(n: int, seed: int) -> np.ndarray:
    return -np.random.default_rng(seed).exponential(1.0, (n, n)).astype(np.float32)


def similarity_of(n: int, seed: int) -> np.ndarray:
    half = np.triu(np.random.default_rng(seed).random((n, n), dtype=np.float32), 1)
    return half + half.T + np.eye(n, dtype=np.float32)


def rounds_of(
    pairs: Sequence[Pair],
    relevance: np.ndarray,
    similarity: np.ndarray,
    trade: float,
    *,
    rounds: int = 3,
    same_image: bool = False,
    dense_most: int = 4000,
) -> Rounds:
    return match_rounds(
        pairs,
        MatrixBlocks(relevance.astype(np.float32)),
        MatrixBlocks(similarity.astype(np.float32)),
        trade=trade,
        rounds=rounds,
        same_image=same_image,
        dense_most=dense_most,
        candidates=len(pairs),
    )


@given(st.integers(4, 12), st.integers(0, 1000), st.sampled_from([0.0, 0.01, 0.1, 1.0]))
def test_every_response_is_used_once_a_round(n: int, seed: int, trade: float) -> None:
    found = rounds_of(distinct(n), relevance_of(n, seed), similarity_of(n, seed + 1), trade)
    assert found.responses.shape == (n, 3)
    assert found.exact
    for column in found.responses.T:
        assert sorted(column) == list(range(n))
    # With its own query each response is used 1 + 3 times, and no query has one twice.
    assert np.bincount(found.responses.ravel(), minlength=n).tolist() == [3] * n
    for query, given_ in enumerate(found.responses.tolist()):
        assert len({query, *given_}) == 4


@given(st.integers(3, 5), st.integers(0, 1000), st.sampled_from([0.0, 0.1, 2.0]))
def test_each_round_is_the_best_there_is(n: int, seed: int, trade: float) -> None:
    relevance, similarity = relevance_of(n, seed), similarity_of(n, seed + 1)
    found = rounds_of(distinct(n), relevance, similarity, trade, rounds=2)
    had = [[query] for query in range(n)]
    for number in range(2):
        weights = np.full((n, n), -np.inf)
        for query, own in enumerate(had):
            for response in set(range(n)) - set(own):
                alike = max(float(similarity[mine, response]) for mine in own)
                weights[query, response] = relevance[query, response] + trade * np.log(max(1 - alike, SURELY))
        best = max(sum(weights[q, r] for q, r in enumerate(order)) for order in permutations(range(n)))
        chosen = found.responses[:, number]
        assert weights[np.arange(n), chosen].sum() == pytest.approx(best, abs=1e-3)
        assert found.weights[number] == pytest.approx(best, abs=1e-3)
        for own, response in zip(had, chosen.tolist(), strict=True):
            own.append(response)


def wanting(n: int, first: dict[int, float]) -> np.ndarray:
    """Query 0 has wishes, all others none."""
    relevance = np.full((n, n), -1.0)
    relevance[0] = -9.0
    for response, value in first.items():
        relevance[0, response] = value
    return relevance


def twins(n: int, one: int, other: int, value: float) -> np.ndarray:
    similarity = np.zeros((n, n))
    similarity[one, other] = similarity[other, one] = value
    return similarity


def test_later_rounds_look_at_all_that_was_given() -> None:
    # Responses 1 and 2 mean the same, and neither is like query 0's own. It wants 1, then 2, then 3.
    wishes = wanting(12, {1: -0.1, 2: -0.2, 3: -0.5, 4: -0.6})
    blind = rounds_of(distinct(12), wishes, np.zeros((12, 12)), 1.0)
    assert blind.responses[0].tolist() == [1, 2, 3]
    seeing = rounds_of(distinct(12), wishes, twins(12, 1, 2, 0.99), 1.0)
    assert seeing.responses[0].tolist() == [1, 3, 4]  # the third round still remembers the first


def test_lambda_trades_relevance_against_similarity() -> None:
    # Response 1 is the most relevant to query 0, and says what its own says.
    wishes, alike = wanting(5, {1: -0.1, 2: -1.0}), twins(5, 0, 1, 0.9)
    bold = rounds_of(distinct(5), wishes, alike, 0.1, rounds=1)
    careful = rounds_of(distinct(5), wishes, alike, 1.0, rounds=1)
    assert bold.responses[0, 0] == 1  # -0.1 + 0.1 log 0.1 = -0.33 is more than -1
    assert careful.responses[0, 0] == 2  # -0.1 + log 0.1 = -2.4 is less


def test_certain_similarity_is_dear_but_finite() -> None:
    none, all_alike = (MatrixBlocks(np.full((3, 3), value, np.float32)) for value in (0, 1))
    block = Judged(none, all_alike, 0.5, keys(distinct(3))).weights(np.arange(3), np.arange(3)[:, None])
    assert np.isneginf(np.diag(block)).all()
    assert block[0, 1] == pytest.approx(0.5 * np.log(SURELY))


def test_weights_come_in_blocks_that_make_the_whole() -> None:
    had = np.stack((np.arange(7), np.roll(np.arange(7), 1)), axis=1)
    relevance, similarity = MatrixBlocks(relevance_of(7, 1)), MatrixBlocks(similarity_of(7, 2))
    judged = Judged(relevance, similarity, 0.1, keys(distinct(7)))
    whole = judged.weights(np.arange(7), had)
    parts = [judged.weights(part, had) for part in (np.arange(3), np.arange(3, 7))]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    np.testing.assert_array_equal(relevance.rows(np.arange(7)), relevance_of(7, 1))  # left as it was


@given(st.sets(st.sampled_from("abcdefghijkl"), max_size=12), st.integers(0, 99))
def test_nobody_gets_what_reads_like_what_it_has(doubled: set[str], seed: int) -> None:
    # No text is there more than twice, so that at least half of all stay allowed: there is always a way.
    pairs = bucket([*"abcdefghijkl", *(f"{text.upper()} !" for text in sorted(doubled))])
    n = len(pairs)
    found = rounds_of(pairs, relevance_of(n, seed), similarity_of(n, seed), 0.1)
    for query, given_ in enumerate(found.responses.tolist()):
        read = [normalised(pairs[place].response) for place in (query, *given_)]
        assert len(set(read)) == 4


def test_one_image_lends_itself_nothing_unless_allowed() -> None:
    images = [f"image{place // 2}" for place in range(10)]
    pairs = bucket([f"response {place}" for place in range(10)], images)
    relevance = np.full((10, 10), -5.0)
    for place in range(10):
        relevance[place, place ^ 1] = -0.1  # each would rather have its neighbour's
    apart = rounds_of(pairs, relevance, np.zeros((10, 10)), 0.1)
    for query, given_ in enumerate(apart.responses.tolist()):
        assert images[query] not in {images[place] for place in given_}
    together = rounds_of(pairs, relevance, np.zeros((10, 10)), 0.1, same_image=True)
    assert together.responses[:, 0].tolist() == [place ^ 1 for place in range(10)]


def test_the_sparse_way_keeps_all_promises() -> None:
    n = 60
    pairs = bucket([f"r{place // 3}" for place in range(n)], [f"i{place // 4}" for place in range(n)])
    relevance, similarity = relevance_of(n, 3), similarity_of(n, 4)
    dense = rounds_of(pairs, relevance, similarity, 0.1)
    sparse = rounds_of(pairs, relevance, similarity, 0.1, dense_most=10)
    assert dense.exact
    assert not sparse.exact
    assert sparse.weights[0] == pytest.approx(dense.weights[0], abs=1e-2)
    for column in sparse.responses.T:
        assert sorted(column) == list(range(n))
    for query, given_ in enumerate(sparse.responses.tolist()):
        assert len({place // 3 for place in (query, *given_)}) == 4
        assert query // 4 not in {place // 4 for place in given_}


def test_the_same_input_gives_the_same_rounds() -> None:
    one, other = (rounds_of(distinct(30), relevance_of(30, 1), similarity_of(30, 2), 0.1) for _ in range(2))
    np.testing.assert_array_equal(one.responses, other.responses)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(InputError, match=r"lambda must not be negative, but is -0\.1"):
        rounds_of(distinct(5), np.zeros((5, 5)), np.zeros((5, 5)), -0.1)
    alike = bucket(["same"] * 5)
    for pairs in (alike, distinct(3), bucket(list("abcde"), ["one"] * 5)):
        n = len(pairs)
        with pytest.raises(InputError, match="no way to give every query a response"):
            rounds_of(pairs, np.zeros((n, n)), np.zeros((n, n)), 0.1)


def crowded(n: int) -> list[Pair]:
    """Few texts, some of them very common, and images of several."""
    common = [f"common {place % 3}" for place in range(n // 2)]
    rare = [f"rare {place}" for place in range(n - len(common))]
    return bucket([*common, *rare], [f"i{place // 4}" for place in range(n)])


def weighed(pairs: Sequence[Pair], seed: int) -> Judged:
    """Responses that read alike weigh alike."""
    n = len(pairs)
    texts = keys(pairs).texts
    relevance = relevance_of(n, seed)[:, texts]
    similarity = similarity_of(n, seed + 1)[texts][:, texts]
    return Judged(MatrixBlocks(relevance), MatrixBlocks(similarity), 0.1, keys(pairs))


def test_the_sparse_way_comes_close_in_every_round_though_texts_repeat() -> None:
    pairs = crowded(600)
    judged = weighed(pairs, 1)
    sparse, dense = Sparse(judged, 60), Dense(judged)
    had = np.arange(len(pairs))[:, None]
    for turn in range(3):
        if turn:
            sparse.give(had)
            dense.give(had)
        found, best = sparse.match(had), dense.match(had)
        assert judged.rules(had).pairs(np.arange(len(pairs)), found.response).all()
        weights = judged.weights(np.arange(len(pairs)), had)
        for each in (found, best):
            assert sorted(each.response) == list(range(len(pairs)))
            own = weights[np.arange(len(pairs)), each.response].sum(dtype=np.float64)
            assert each.weight == pytest.approx(own, rel=1e-5)
        assert best.weight >= found.weight - 1e-3
        assert best.weight - found.weight <= 0.01 * abs(best.weight)
        had = np.concatenate((had, found.response[:, None]), axis=1)


class Counting:
    """Scores in memory, and how often rows of them were asked for."""

    def __init__(self, matrix: np.ndarray) -> None:
        self._matrix, self.asked = matrix, 0

    def __len__(self) -> int:
        return len(self._matrix)

    def rows(self, wanted: np.ndarray) -> np.ndarray:
        self.asked += len(wanted)
        return self._matrix[wanted]

    def pairs(self, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        return self._matrix[ones, others]


@pytest.mark.parametrize("dense_most", [0, 400])
def test_all_pairs_are_judged_once(dense_most: int) -> None:
    n = 300
    relevance, similarity = Counting(relevance_of(n, 1)), Counting(similarity_of(n, 2))
    found = match_rounds(
        distinct(n), relevance, similarity, trade=0.1, dense_most=dense_most, candidates=30
    )
    assert found.exact == bool(dense_most)
    assert (relevance.asked, similarity.asked) == (n, n)


def test_the_memory_decides_whether_not_what() -> None:
    n = 120
    relevance, similarity = MatrixBlocks(relevance_of(n, 1)), MatrixBlocks(similarity_of(n, 2))
    for dense_most in (0, 400):
        least = needed(n, dense_most=dense_most)
        rich, poor = (
            match_rounds(
                distinct(n), relevance, similarity, trade=0.1, dense_most=dense_most, memory=memory
            )
            for memory in (1 << 40, least)
        )
        np.testing.assert_array_equal(rich.responses, poor.responses)
        with pytest.raises(InputError, match=r"Matching 120 at once takes about .* --memory"):
            match_rounds(
                distinct(n), relevance, similarity, trade=0.1, dense_most=dense_most, memory=least - 1
            )


MEASURED = """
import re, sys
from pathlib import Path

import numpy as np

from commonsight.build.matching.rounds import match_rounds
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText


def status(name):
    return int(re.search(rf"^{name}:\\s+(\\d+) kB$", Path("/proc/self/status").read_text(), re.M)[1]) * 1024


class Products:
    def __init__(self, n, seed):
        self._left, self._right = np.random.default_rng(seed).normal(0, 0.3, (2, n, 16)).astype(np.float32)

    def __len__(self):
        return len(self._left)

    def rows(self, wanted):
        return -np.abs(self._left[wanted] @ self._right.T)


class Unlike(Products):
    def rows(self, wanted):
        return np.minimum(-super().rows(wanted), 0.9)

    def pairs(self, ones, others):
        return np.minimum(np.abs((self._left[ones] * self._right[others]).sum(axis=1)), 0.9)


n, dense_most = map(int, sys.argv[1:])
bucket = [Pair(str(k), str(k), (), TaggedText(("q",)), TaggedText((f"r{k}",))) for k in range(n)]
few = bucket[:50]
match_rounds(few, Products(50, 1), Unlike(50, 2), trade=0.1, dense_most=0)  # imports
match_rounds(few, Products(50, 1), Unlike(50, 2), trade=0.1)
judges = Products(n, 1), Unlike(n, 2)
before = status("VmRSS")
match_rounds(bucket, *judges, trade=0.1, dense_most=dense_most)
print(status("VmHWM") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(("n", "dense_most"), [(1500, 4000), (3000, 0)])
def test_a_matching_takes_no_more_memory_than_it_says(n: int, dense_most: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(n), str(dense_most)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) <= needed(n, dense_most=dense_most) + 40 * 1024**2
