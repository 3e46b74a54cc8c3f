"""Folds and rows: groups stay whole, and no borrowed text is learned from that is held out."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.blind.lists import Listing, balanced, folded, softmax
from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText


def cases_of(items: list[Item]) -> Cases:
    return fakes.subject_of(items).cases["choose"]


def item(number: int, choices: list[str], gold: int, *, movie: str = "m", fold: str | None = None) -> Item:
    labels = ("person", "person")
    return Item(
        f"i{number}", "val", (Scene(f"{number}.png", tuple(Region(label) for label in labels)),),
        {"question": TaggedText.parse("what is [person1] up to ?", labels)},
        tuple(TaggedText.parse(text, labels) for text in choices), Pick(gold),
        groups={"movie": movie, "image": str(number)},
        provenance={} if fold is None else {"match_fold": fold},
    )  # fmt: skip


def test_parts_are_alike_in_size_and_keep_groups_whole() -> None:
    codes = np.repeat(np.arange(30), np.arange(1, 31))
    parts = balanced(codes, 5, seed=1)
    sizes = np.bincount(parts)
    assert sizes.max() - sizes.min() <= 2
    assert all(len(set(parts[codes == code])) == 1 for code in range(30))
    assert balanced(codes, 5, seed=1).tolist() == parts.tolist()
    even = np.repeat(np.arange(30), 4)
    assert balanced(even, 5, seed=1).tolist() != balanced(even, 5, seed=2).tolist()


def test_few_groups_make_fewer_parts_and_one_group_makes_finer_ones() -> None:
    items = fakes.clean_items(120, 1)
    three = [structs.replace(i, groups={**i.groups, "movie": f"m{at % 3}"}) for at, i in enumerate(items)]
    found = folded(cases_of(three), 5, 0)
    assert (found.parts, len(set(found.of))) == (3, 3)
    assert "only 3" in found.note
    one = [structs.replace(i, groups={**i.groups, "movie": "m"}) for i in items]
    finer = folded(cases_of(one), 5, 0)
    assert finer.parts == 5
    assert "clusters were kept whole" in finer.note
    with pytest.raises(CannotMeasure, match="at least two items"):
        folded(cases_of(items[:1]), 5, 0)


def test_match_folds_are_the_parts_where_movies_lie_within_them() -> None:
    items = fakes.clean_items(120, 1)
    folds = [
        structs.replace(i, provenance={"match_fold": f"f{int(i.groups['movie'][5:]) % 3}"}) for i in items
    ]
    found = folded(cases_of(folds), 5, 0)
    assert found.parts == 3
    assert "Match folds" in found.note
    by_fold = {(case.lent, part) for case, part in zip(cases_of(folds), found.of.tolist(), strict=True)}
    assert len(by_fold) == 3
    torn = [structs.replace(i, provenance={"match_fold": f"f{at % 7}"}) for at, i in enumerate(items)]
    assert "Match folds" not in folded(cases_of(torn), 5, 0).note


def test_long_texts_of_the_held_out_part_are_not_learned_from() -> None:
    cases = cases_of([
        item(0, ["[person1] is looking for a cab .", "dog"], 0),
        item(1, ["[person2] is looking for a cab .", "dog"], 1),
        item(2, ["she will pay the bill .", "dog"], 0),
    ])  # fmt: skip
    listing = Listing(cases)
    assert listing.long.tolist() == [0, -1, 0, -1, 1, -1]  # whoever is pointed to, the text is the same
    held = np.array([True, False, False])
    # Item 1 has lost its wrong choice, so that nothing is left to compare; "dog" is short and stays.
    assert listing.to_learn(held).tolist() == [False, False, False, False, True, True]
    lists = listing.lists(listing.to_learn(held))
    assert (lists.starts.tolist(), lists.right.tolist(), lists.sizes.tolist()) == ([0], [True, False], [2])


def test_chances_add_up_to_one_in_every_list() -> None:
    found = softmax(np.array([0.0, 0.0, 1000.0, 0.0, 5.0]), np.array([0, 2, 4]))
    np.testing.assert_allclose(found, [0.5, 0.5, 1.0, 0.0, 1.0], atol=1e-12)
