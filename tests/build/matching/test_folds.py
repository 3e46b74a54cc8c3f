"""Folds: groups stay whole, sizes are even, stated splits are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.folds import fold_names, folded
from commonsight.build.matching.values import Annotation
from commonsight.core.text import TaggedText
from commonsight.errors import InputError


def annotations(sizes: Sequence[int], splits: Mapping[int, str] | None = None) -> list[Annotation]:
    """So many annotations of each group, the groups' taking turns."""
    text = TaggedText.plain("text")
    stated = splits or {}
    numbered = [(place, group) for group, size in enumerate(sizes) for place in range(size)]
    return [
        Annotation(f"g{group}-{place}", f"g{group}", (), text, text, split=stated.get(group))
        for place, group in sorted(numbered)
    ]


def groups_of(folds: dict[str, list[Annotation]]) -> dict[str, set[str]]:
    return {name: {annotation.group for annotation in members} for name, members in folds.items()}


def test_the_paper_has_eleven_folds() -> None:
    assert fold_names() == (*(f"train-{number}" for number in range(9)), "val-0", "test-0")


def test_with_fewer_than_three_all_are_for_training() -> None:
    assert fold_names(1) == ("train-0",)
    assert fold_names(2) == ("train-0", "train-1")
    assert fold_names(3) == ("train-0", "val-0", "test-0")
    with pytest.raises(ValueError, match="at least one fold"):
        fold_names(0)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=40), st.integers(1, 11), st.integers(0, 3))
def test_nothing_is_lost_or_torn(sizes: list[int], count: int, seed: int) -> None:
    given_ = annotations(sizes)
    folds = folded(given_, count=count, seed=seed)
    assert sorted(a.id for members in folds.values() for a in members) == sorted(a.id for a in given_)
    groups = list(groups_of(folds).values())
    assert sum(map(len, groups)) == len(set().union(*groups)) == len(sizes)
    # The smallest fold always takes the next group, so folds never differ by more than the largest group.
    totals = [len(members) for members in folds.values()]
    assert max(totals) - min(totals) <= max(sizes)


def test_folds_are_of_even_size() -> None:
    sizes = [len(members) for members in folded(annotations([3, 1, 2, 5, 4] * 40)).values()]
    assert len(sizes) == 11
    assert max(sizes) - min(sizes) <= 1


def test_members_keep_the_order_they_came_in() -> None:
    given_ = annotations([4, 4, 4, 4])
    place = {annotation.id: number for number, annotation in enumerate(given_)}
    for members in folded(given_, count=2).values():
        places = [place[annotation.id] for annotation in members]
        assert places == sorted(places)


def test_the_seed_decides_and_nothing_else() -> None:
    given_ = annotations([2] * 60)
    once = groups_of(folded(given_, seed=1))
    assert once == groups_of(folded(given_, seed=1))
    assert once == groups_of(folded(given_[::-1], seed=1))
    assert once != groups_of(folded(given_, seed=2))


def test_with_few_groups_training_comes_first() -> None:
    assert list(folded(annotations([5]))) == ["train-0"]
    assert list(folded(annotations([5, 4]))) == ["train-0", "train-1"]


def test_stated_splits_are_kept() -> None:
    splits = {0: "val", 1: "val", 2: "test", **dict.fromkeys(range(3, 30), "train")}
    groups = groups_of(folded(annotations([2] * 30, splits)))
    assert groups["val-0"] == {"g0", "g1"}
    assert groups["test-0"] == {"g2"}
    training = {name: members for name, members in groups.items() if name.startswith("train-")}
    assert len(training) == 9
    assert all(len(members) == 3 for members in training.values())


def test_an_unknown_split_gets_a_fold_of_its_own() -> None:
    groups = groups_of(folded(annotations([2, 2, 2], {0: "extra", 1: "train", 2: "train"})))
    assert groups["extra-0"] == {"g0"}


def test_groups_without_a_split_go_anywhere() -> None:
    groups = groups_of(folded(annotations([1] * 22, {0: "val"})))
    assert "g0" in groups["val-0"]
    assert all(len(members) == 2 for members in groups.values())


@pytest.mark.parametrize(
    ("second", "told"), [("val", r"\(train, val\)"), (None, r"\(none, train\)")], ids=["two", "one-and-none"]
)
def test_a_group_in_two_splits_is_an_error(second: str | None, told: str) -> None:
    text = TaggedText.plain("text")
    torn = [
        Annotation("a", "movie", (), text, text, split="train"),
        Annotation("b", "movie", (), text, text, split=second),
    ]
    with pytest.raises(InputError, match=f"Group movie is in more than one split {told}.*the same split"):
        folded(torn)
