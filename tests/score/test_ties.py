"""Rankings that claim no more than the data show."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.score.paired import holm, mcnemar, paired_bootstrap
from commonsight.score.ties import RankedRun, TieGroup, letter, maximal_ties, rank


def three_in_a_row() -> np.ndarray:
    """100 items: B loses 6 to A, and C the same 6 and 6 more."""
    scores = np.ones((3, 100))
    scores[1, :6] = 0
    scores[2, :12] = 0
    return scores


def test_a_tie_is_not_transitive() -> None:
    """A~B and B~C, yet A is above C: B belongs to both groups."""
    result = rank(["A", "B", "C"], three_in_a_row(), seed=0, alpha=0.01)
    assert result.runs == (
        RankedRun("A", 1.0, best=1, worst=2, letters=("a",)),
        RankedRun("B", 0.94, best=1, worst=3, letters=("a", "b")),
        RankedRun("C", 0.88, best=2, worst=3, letters=("b",)),
    )
    assert result.groups == (TieGroup("a", ("A", "B")), TieGroup("b", ("B", "C")))
    assert [(c.first, c.second, c.apart) for c in result.comparisons] == [
        ("A", "B", False),
        ("A", "C", True),
        ("B", "C", False),
    ]


def test_the_tests_behind_it_are_mcnemars_and_holms() -> None:
    scores = three_in_a_row()
    result = rank(["A", "B", "C"], scores, seed=0)
    expected = [mcnemar(scores[i], scores[j]).p_value for i, j in combinations(range(3), 2)]
    assert [c.p_value for c in result.comparisons] == expected
    assert [c.adjusted for c in result.comparisons] == holm(expected).tolist()


def test_clusters_can_join_what_items_set_apart() -> None:
    """The twelve items that C loses all come from two images."""
    images = np.arange(100) // 6
    apart = rank(["A", "C"], three_in_a_row()[[0, 2]], seed=0)
    tied = rank(["A", "C"], three_in_a_row()[[0, 2]], images, seed=0)
    assert len(apart.groups) == 2
    assert tied.groups == (TieGroup("a", ("A", "C")),)


def test_drawing_for_all_runs_at_once_is_the_paired_bootstrap() -> None:
    rng = np.random.default_rng(1)
    scores = rng.random((3, 300)) + np.array([[0.0], [0.03], [0.05]])
    labels = np.repeat(np.arange(150), 2)
    result = rank(["z", "y", "x"], scores, labels, seed=5)
    by_name = dict(zip("zyx", scores, strict=True))
    for pair in result.comparisons:
        alone = paired_bootstrap(by_name[pair.first], by_name[pair.second], labels, seed=6, resamples=20_000)
        assert pair.p_value == pytest.approx(alone.p_value, rel=0.3, abs=0.005)


def test_many_runs_can_still_be_told_apart() -> None:
    """Twenty runs are 190 tests: with 2,000 resamples, no bootstrap p-value could survive the correction."""
    rng = np.random.default_rng(2)
    difficulty = rng.random(300)
    scores = np.stack([(difficulty < 0.04 * (run + 1)) * 0.5 for run in range(20)])
    result = rank([f"run {run:02}" for run in range(20)], scores, seed=0)
    assert result.runs[0].name == "run 19"
    assert (result.runs[0].best, result.runs[-1].worst) == (1, 20)
    assert any(pair.apart for pair in result.comparisons)


@given(st.permutations(range(5)), st.booleans())
def test_the_order_of_runs_does_not_matter(order: list[int], partial: bool) -> None:
    rng = np.random.default_rng(3)
    scores = (rng.random((5, 60)) < np.linspace(0.2, 0.9, 5)[:, None]) * (0.5 if partial else 1.0)
    names = ["p", "q", "r", "s", "t"]
    shuffled = rank([names[i] for i in order], scores[order], seed=0)
    assert shuffled == rank(names, scores, seed=0)


def test_equal_means_go_by_name() -> None:
    result = rank(["b", "a"], [[0, 1], [1, 0]], seed=0)
    assert [(run.name, run.best, run.worst) for run in result.runs] == [("a", 1, 2), ("b", 1, 2)]


def test_one_run_and_none() -> None:
    alone = rank(["only"], [[1, 0, 1]], seed=0)
    assert alone.runs == (RankedRun("only", 2 / 3, 1, 1, ("a",)),)
    assert rank([], np.empty((0, 3)), seed=0).groups == ()


@st.composite
def pairs_apart(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    count = draw(st.integers(1, 7))
    pairs = list(combinations(range(count), 2))
    return count, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []


@given(pairs_apart())
def test_groups_are_the_largest_sets_without_a_pair_apart(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    count, apart = drawn
    subsets = chain.from_iterable(combinations(range(count), size) for size in range(1, count + 1))
    tied = [set(subset) for subset in subsets if not any({i, j} <= set(subset) for i, j in apart)]
    largest = [subset for subset in tied if not any(subset < other for other in tied)]
    assert maximal_ties(count, apart) == sorted(tuple(sorted(subset)) for subset in largest)


def test_letters_go_on_after_z() -> None:
    assert [letter(i) for i in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


@pytest.mark.parametrize(
    ("names", "values", "message"),
    [
        (["a", "b"], [[1, 0]], r"shape \(2 runs, items\), not \(1, 2\)"),
        (["a"], [1, 0], r"not \(2,\)"),
        (["a"], [[]], r"not \(1, 0\)"),
        (["a", "a"], [[1], [0]], "run names must differ"),
        (["a"], [[np.nan]], "values must be finite"),
    ],
)
def test_what_cannot_be_ranked(names: list[str], values: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rank(names, values, seed=0)  # type: ignore[arg-type]
