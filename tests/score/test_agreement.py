"""Agreement: textbook examples by hand, limits, and what must hold of any votes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.score.agreement import (
    MOST_VALUES,
    agreement,
    ballots,
    most_votes,
    pairwise_agreement,
)

OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
"""Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: missing votes are dots."""


def by_item(observers: Sequence[str]) -> list[list[str]]:
    return [[vote for vote in votes if vote != "."] for votes in zip(*observers, strict=True)]


def test_krippendorffs_own_example_with_missing_votes() -> None:
    found = agreement(ballots(by_item(OBSERVERS)))
    assert found.alpha.value == pytest.approx(0.743, abs=5e-4)
    assert (found.items, found.votes, found.left_out) == (11, 40, 1)


FLEISS = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip
"""Ten subjects, fourteen raters, five categories: the worked example of Fleiss' kappa, 0.210."""


def test_the_worked_example_of_fleiss() -> None:
    votes = [[value for value, times in enumerate(row) for _ in range(times)] for row in FLEISS]
    found = agreement(ballots(votes))
    assert found.kappa.value == pytest.approx(0.210, abs=5e-4)
    assert found.percent.value == pytest.approx(0.378, abs=5e-4)
    assert found.alpha.value == pytest.approx(1 - (1 - found.kappa.value) * (1 - 1 / 140))


def test_agreement_by_hand() -> None:
    # Pairs that agree: 1 of 3, 3 of 3, 0 of 1. Votes: a 1+3+1, b 2+0+1.
    found = agreement(ballots([["a", "b", "b"], ["a", "a", "a"], ["a", "b"], ["b"], []]))
    assert found.percent.value == pytest.approx((1 / 3 + 1 + 0) / 3)
    chance = (5 / 8) ** 2 + (3 / 8) ** 2
    assert found.kappa.value == pytest.approx((4 / 9 - chance) / (1 - chance))
    assert found.alpha.value == pytest.approx(1 - 7 * (3 * 2 / 3 + 0 + 2) / (5 * 3 + 3 * 5))
    assert (found.items, found.votes, found.left_out) == (3, 8, 2)


def test_each_item_alone() -> None:
    cast = ballots([["a", "b", "b"], [], ["a"], ["c", "c"]])
    np.testing.assert_allclose(pairwise_agreement(cast), [1 / 3, np.nan, np.nan, 1])
    assert most_votes(cast).tolist() == [2, 0, 1, 2]


@pytest.mark.parametrize("votes", [[], [[]], [["a"]], [["a"], ["b"]]])
def test_no_pairs_of_votes_measure_nothing(votes: list[list[str]]) -> None:
    found = agreement(ballots(votes))
    assert found.alpha.value is found.kappa.value is found.percent.value is None
    assert found.left_out == len(votes)


def test_votes_that_are_all_alike_leave_alpha_undefined() -> None:
    found = agreement(ballots([["a", "a"], ["a", "a", "a"]]))
    assert found.alpha.value is None
    assert found.kappa.value is None
    assert found.percent.value == 1


def test_one_cluster_has_no_interval() -> None:
    votes = ballots([["a", "a"], ["b", "b"], ["a", "b"]])
    assert agreement(votes, ["x", "x", "x"]).alpha.low is None
    assert agreement(votes, ["x", "y", "z"]).alpha.low is not None


def test_very_many_values_have_no_interval_but_a_value() -> None:
    found = agreement(ballots([[f"v{n}", f"v{n}"] for n in range(MOST_VALUES + 1)]))
    assert found.alpha.value == 1
    assert found.alpha.low is None


def noisy(items: int, seed: int, error: float = 0.1, raters: int = 5) -> list[list[bool]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.5
    return (truth[:, None] ^ (rng.random((items, raters)) < error)).tolist()


def test_intervals_cover_what_more_items_show() -> None:
    true_alpha = agreement(ballots(noisy(100_000, 1))).alpha.value
    assert true_alpha is not None
    hits = 0
    for seed in range(40):
        found = agreement(ballots(noisy(150, seed + 10)), seed=seed, resamples=400).alpha
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= true_alpha <= found.high
    assert hits >= 34


def test_clusters_of_copies_widen_the_interval() -> None:
    votes = noisy(200, 3)
    copied = [row for row in votes for _ in range(4)]
    alone = agreement(ballots(copied)).alpha
    together = agreement(ballots(copied), [at // 4 for at in range(800)]).alpha
    assert together.value == alone.value
    assert together.high - together.low > 1.5 * (alone.high - alone.low)  # type: ignore[operator]


def test_the_same_seed_gives_the_same_interval() -> None:
    votes = ballots(noisy(100, 5))
    assert agreement(votes, seed=4) == agreement(votes, seed=4)


votes_of = st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=12)


@given(votes_of, st.permutations("abc"))
def test_names_of_values_and_order_of_items_do_not_matter(votes: list[list[str]], names: list[str]) -> None:
    renamed = [[names["abc".index(vote)] for vote in reversed(cast)] for cast in reversed(votes)]
    one, other = agreement(ballots(votes), resamples=20), agreement(ballots(renamed), resamples=20)
    for name in ("alpha", "kappa", "percent"):
        first, second = getattr(one, name).value, getattr(other, name).value
        assert first == pytest.approx(second) if first is not None else second is None


@given(votes_of)
def test_agreement_stays_in_its_bounds(votes: list[list[str]]) -> None:
    found = agreement(ballots(votes), resamples=20)
    if found.percent.value is not None:
        assert 0 <= found.percent.value <= 1
    for measure in (found.alpha, found.kappa, found.percent):
        if measure.value is not None and measure.low is not None and measure.high is not None:
            assert measure.low <= measure.value <= measure.high <= 1 + 1e-12
