"""`commonsight build adversarial`: every PMR item once more, its wrong actions the right ones of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks.pmr import BORROWED
from commonsight.build.matching.values import normalised
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.store.dataset import read_dataset
from commonsight.world.make import Plan, make_world

QUICK = ("--scorer", "words", "--workers", 1, "--folds", 2)


@pytest.fixture(scope="module")
def pmr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adversarial") / "world"
    make_world(folder, Plan(60, 5, ("pmr",)), progress=lambda units, _: units)
    return folder / "pmr"


def right(item: Item) -> TaggedText:
    assert isinstance(item.gold, Pick)
    return item.choices[item.gold.index]


def test_every_item_has_its_like_with_actions_of_others(run: Any, pmr: Path, tmp_path: Path) -> None:
    told = run("build", "adversarial", pmr, "--out", tmp_path / "mixed", *QUICK)
    assert told.code == 0, told.err
    before = {item.id: item for item in read_dataset(pmr)}
    both = list(read_dataset(tmp_path / "mixed"))
    assert f": {len(both)} items in two halves (" in told.out
    original = [item for item in both if item.groups["half"] == "ori"]
    adversarial = [item for item in both if item.groups["half"] == "adv"]
    assert {item.id: item for item in original} == before
    assert len({item.id for item in both}) == 2 * len(before)
    lenders = {(item.provenance["match_fold"], item.provenance["match_index"]): item for item in adversarial}
    for item, own in zip(adversarial, original, strict=True):
        assert (item.texts, item.scenes, item.split) == (own.texts, own.scenes, own.split)
        assert right(item) == right(own)
        assert len({normalised(choice) for choice in item.choices}) == 4
        for choice, source in zip(item.choices, item.provenance["answer_sources"], strict=True):
            lender = lenders[item.provenance["match_fold"], source]
            assert lender.split == item.split
            assert (lender is item) == (choice == right(item))
            assert len(set(normalised(choice).split()) & set(normalised(right(lender)).split())) >= 3
        assert sorted(item.extra["answer_types"]) == ["Action-True", *[BORROWED] * 3]
    assert not (tmp_path / ".mixed.matching").exists()


def test_the_same_seed_gives_the_same_halves_and_made_again_the_same(
    run: Any, pmr: Path, tmp_path: Path
) -> None:
    for name, source in (("a", pmr), ("b", tmp_path / "a")):  # the adversarial half of both is left out
        assert run("build", "adversarial", source, "--out", tmp_path / name, *QUICK).code == 0
    first, second = (list(read_dataset(tmp_path / name)) for name in ("a", "b"))
    assert first == second


def test_both_halves_can_be_trained_and_tested_on(run: Any, pmr: Path, tmp_path: Path) -> None:
    assert run("build", "adversarial", pmr, "--out", tmp_path / "mixed", *QUICK).code == 0
    told = run(
        "train-grid", "lstm", tmp_path / "mixed", "--epochs", 1, "--seeds", 1, "--test-split", "val",
        "--threads", 1, "--features", tmp_path / "features", "--out", tmp_path / "grid",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert all(part in (tmp_path / "grid" / "grid.md").read_text("utf-8") for part in ("Ori", "Adv", "Mix"))


def test_what_cannot_be_done_is_told(run: Any, drawn_world: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ((tmp_path,), "is not a dataset"),
        ((drawn_world / "vcr",), "vcr has no adversarial half"),
    ):
        told = run("build", "adversarial", *arguments, "--out", tmp_path / "x", *QUICK)
        assert told.code == 2
        assert message in told.err.replace("\n", " ")
        assert not (tmp_path / "x").exists()
