"""Pairs side by side are what they are among all pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.scorers import paired
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.build.matching.similarity_pairs import dot_products, row_products
from commonsight.text.encoders import HashedEncoder

WORDS = ("person", "two", "three", "red", "blue", "not", "dogs", "walks", "the", "is", "happy", "sad")
TEXTS = st.one_of(st.text(max_size=12), st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))


@given(st.lists(TEXTS, min_size=1, max_size=9), st.data())
def test_pairs_are_what_rows_say(texts: list[str], data: st.DataObject) -> None:
    blocks = EmbeddedSimilarity(HashedEncoder()).weigh_texts(texts)
    places = st.lists(st.tuples(*[st.integers(0, len(texts) - 1)] * 2), max_size=30)
    ones, others = np.array(data.draw(places), np.int64).reshape(-1, 2).T
    whole = blocks.rows(np.arange(len(texts)))
    found = blocks.pairs(ones, others)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, whole[ones, others], atol=5e-5)
    np.testing.assert_array_equal(paired(whole.__getitem__, ones, others), whole[ones, others])


def test_products_of_many_rows() -> None:
    from scipy.sparse import csr_array

    rng = np.random.default_rng(1)
    left, right = np.where(rng.random((2, 700, 40)) < 0.1, rng.random((2, 700, 40)), 0).astype(np.float32)
    left[3], right[5] = 0, 0
    a, b = rng.integers(0, 700, (2, 50_000))
    wanted = (left[a] * right[b]).sum(axis=1)
    np.testing.assert_allclose(row_products(csr_array(left), csr_array(right), a, b), wanted, atol=1e-5)
    np.testing.assert_allclose(dot_products(left, a, b), (left[a] * left[b]).sum(axis=1), atol=1e-5)


def test_rows_are_asked_for_once_in_blocks() -> None:
    matrix = np.arange(600 * 600, dtype=np.float32).reshape(600, 600)
    asked: list[int] = []

    def rows(wanted: np.ndarray) -> np.ndarray:
        asked.extend(wanted.tolist())
        return matrix[wanted]

    ones, others = np.random.default_rng(2).integers(0, 600, (2, 5000))
    np.testing.assert_array_equal(paired(rows, ones, others), matrix[ones, others])
    assert len(asked) == len(set(asked)) == len(set(ones.tolist()))
