"""Groups by likeness: every picture once, even sizes, alike, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from commonsight.build.imaging.sets import clusters as clusters_module
from commonsight.build.imaging.sets.cells import middles, nearest_cells
from commonsight.build.imaging.sets.clusters import clusters, even_sizes
from commonsight.build.imaging.sets.exchange import begun, exchanged
from commonsight.build.imaging.sets.near import near_doubles
from commonsight.build.imaging.sets.neighbours import neighbours
from commonsight.build.imaging.sets.vectors import Some, cosines, mean_cosine, unit


def _clouds(groups: int, each: int, *, dim: int = 32, spread: float = 0.15) -> NDArray[np.float16]:
    """Vectors around so many middles, shuffled."""
    rng = np.random.default_rng(4)
    middle = unit(rng.standard_normal((groups, dim)))
    rows = np.repeat(middle, each, axis=0) + spread * rng.standard_normal((groups * each, dim))
    return rng.permutation(rows).astype(np.float16)


@given(st.integers(1, 500), st.integers(1, 20))
def test_sizes_are_even_and_as_few_as_can_be(pictures: int, size: int) -> None:
    sizes = even_sizes(pictures, size)
    assert sum(sizes) == pictures
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-pictures // size)


@given(st.integers(0, 60), st.integers(2, 9), st.integers(0, 3))
def test_every_picture_is_in_one_cluster(pictures: int, size: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).standard_normal((pictures, 5)).astype(np.float16)
    groups = clusters(vectors, size=size, seed=seed)
    assert sorted(int(place) for group in groups for place in group) == list(range(pictures))
    assert sorted(map(len, groups)) == sorted(even_sizes(pictures, size) if pictures else [])


def test_few_and_many_pictures_are_grouped_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = _clouds(100, 8)
    monkeypatch.setattr(clusters_module, "DENSE", 64)  # so that rounds are what groups them
    groups = clusters(vectors, size=4, seed=1)
    assert sorted(int(place) for group in groups for place in group) == list(range(800))
    within = np.mean([mean_cosine(cosines(vectors, group)) for group in groups])
    rng = np.random.default_rng(0)
    by_chance = np.mean([mean_cosine(cosines(vectors, rng.permutation(800)[:4])) for _ in range(200)])
    assert by_chance < 0.1
    assert within > 0.52  # two of one cloud have 1 / (1 + 32 * 0.15 ** 2) = 0.58
    assert _greedy(vectors) - within < 0.02


def _greedy(vectors: NDArray[np.float16]) -> float:
    """The straightforward way: all with all, each free picture with the three free ones nearest to it."""
    similarity = cosines(vectors, np.arange(len(vectors)))
    free = np.ones(len(vectors), bool)
    means = []
    while free.any():
        one = int(np.flatnonzero(free)[0])
        order = [int(place) for place in np.argsort(-similarity[one]) if free[place] and place != one][:3]
        group = np.array([one, *order])
        free[group] = False
        means.append(mean_cosine(similarity[np.ix_(group, group)]))
    return float(np.mean(means))


def test_the_same_seed_gives_the_same_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters_module, "DENSE", 64)
    vectors = _clouds(50, 8)
    first, again = (clusters(vectors, size=4, seed=7) for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))


def test_pictures_that_are_all_the_same_are_grouped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters_module, "DENSE", 16)
    for vectors in (np.ones((101, 3), np.float16), np.zeros((101, 3), np.float16)):
        groups = clusters(vectors, size=4, seed=0)
        assert sorted(int(place) for group in groups for place in group) == list(range(101))


def test_exchanging_never_makes_groups_less_alike_and_keeps_their_sizes() -> None:
    vectors = _clouds(6, 8)
    similarity = cosines(vectors, np.arange(48))
    before = np.random.default_rng(2).permutation(np.repeat(np.arange(12), 4))
    after = exchanged(similarity, before)
    assert np.array_equal(np.bincount(after), np.bincount(before))

    def worth(group_of: NDArray[np.int64]) -> float:
        return float(similarity[group_of[:, None] == group_of[None, :]].sum())

    assert worth(after) > worth(before) + 20
    assert worth(exchanged(similarity, after)) == worth(after)


def test_a_group_begins_with_the_odd_one_out() -> None:
    vectors = np.array([[1, 0], [1, 0.1], [1, 0.2], [-1, 0.1], [-0.9, 0.3], [1, 0.15]], np.float32)
    group_of = begun(cosines(vectors, np.arange(6)), [2, 2, 2])
    assert group_of[3] == group_of[4] == 0


def test_neighbours_of_few_are_exact_and_of_many_nearly_so() -> None:
    vectors = _clouds(60, 20)
    exact = neighbours(vectors, 10, seed=0)
    similarity = cosines(vectors, np.arange(1200))
    np.fill_diagonal(similarity, -np.inf)
    assert np.allclose(exact.cosines, -np.sort(-similarity, axis=1)[:, :10], atol=1e-6)
    assert np.allclose(similarity[np.arange(1200)[:, None], exact.places], exact.cosines, atol=1e-6)
    cells = neighbours(vectors, 10, seed=0, exact=100)
    shared = [len({*one} & {*other}) for one, other in zip(exact.places, cells.places, strict=True)]
    assert np.mean(shared) > 8.5
    assert (cells.places != np.arange(1200)[:, None]).all()
    again = neighbours(vectors, 10, seed=0, exact=100)
    assert np.array_equal(cells.places, again.places)


def test_where_there_are_fewer_neighbours_it_says_so() -> None:
    found = neighbours(np.eye(3, dtype=np.float32), 5, seed=0)
    assert (found.places[:, 2:] == -1).all()
    assert np.isneginf(found.cosines[:, 2:]).all()
    assert neighbours(np.zeros((1, 3), np.float32), 5, seed=0).places.tolist() == [[-1] * 5]


def test_cells_hold_what_is_near_their_middles() -> None:
    vectors = _clouds(5, 30, spread=0.02)
    found = middles(vectors, 5, np.random.default_rng(3))
    near = nearest_cells(vectors, found, 2)
    assert near.shape == (150, 2)
    assert (near[:, 0] != near[:, 1]).all()
    exact = (unit(vectors) @ found.T).argmax(axis=1)
    assert np.array_equal(near[:, 0], exact)


def test_some_rows_are_those_at_their_places() -> None:
    vectors = np.arange(20, dtype=np.float32).reshape(10, 2)
    some = Some(vectors, np.array([3, 5, 7]))
    assert len(some) == 3
    assert some[np.array([2, 0])].tolist() == [[14, 15], [6, 7]]


def test_a_vector_of_no_length_is_like_nothing() -> None:
    assert cosines(np.array([[0, 0], [1, 0]], np.float32), np.arange(2)).tolist() == [[0, 0], [0, 1]]


words = st.integers(0, 2**64 - 1)


@given(st.lists(words, max_size=30), st.integers(0, 8), st.data())
def test_near_doubles_are_those_that_all_with_all_would_find(
    hashes: list[int], distance: int, data: st.DataObject
) -> None:
    for place in range(len(hashes)):  # without this, hardly two would ever be near
        if place and data.draw(st.booleans()):
            bits = data.draw(st.lists(st.integers(0, 63), max_size=distance + 1))
            hashes[place] = hashes[data.draw(st.integers(0, place - 1))]
            for bit in bits:
                hashes[place] ^= 1 << bit
    expected: dict[int, int] = {}
    for place, one in enumerate(hashes):
        for before in range(place):
            if before not in expected and (one ^ hashes[before]).bit_count() <= distance:
                expected[place] = before
                break
    assert near_doubles(hashes, distance) == expected


def test_a_chain_of_small_changes_is_not_one_picture() -> None:
    assert near_doubles([0b0, 0b1, 0b11], 1) == {1: 0}
