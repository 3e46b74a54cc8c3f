"""Matched annotations as items: balanced positions, true provenance, and VCR's own files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.benchmarks import find
from commonsight.build.matching.fakes import WordRelevance, WordSimilarity
from commonsight.build.matching.folds import folded
from commonsight.build.matching.items import matched_items, positions, refuse_other_splits, text_record
from commonsight.build.matching.recipe import Matched, Recipe, Wrong
from commonsight.build.matching.run import MatchRun, run_matching
from commonsight.build.matching.values import Annotation
from commonsight.core.answer import Pick
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.store.native import read_native, write_native

RECIPE = Recipe(seed=2, folds=4)


def annotation(number: int) -> Annotation:
    return Annotation(
        f"a{number}",
        f"movie{number % 8}",
        ("person", "cup"),
        TaggedText(("Why", "is", (0,), "here", "?")),
        TaggedText(((0,), "wants", (1,), str(number), ".")),
        TaggedText(((0,), "holds", (1,), str(number), ".")),
        f"movie{number % 8}/{number}.jpg",
        extra={"answer_likelihood": "likely", "img_id": f"i{number}", "writer": "w1", "drawn": True},
    )


ANNOTATIONS = [annotation(number) for number in range(103)]


def matched(folder: Path, annotations: list[Annotation] = ANNOTATIONS, recipe: Recipe = RECIPE) -> MatchRun:
    return run_matching(annotations, recipe, WordRelevance(), WordSimilarity(), folder / "spool")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> MatchRun:
    return matched(tmp_path_factory.mktemp("items"))


@pytest.fixture(scope="module")
def items(result: MatchRun) -> list[Item]:
    return list(matched_items(result.matched, result.recipe))


def test_items_are_sound_and_keep_the_right_choices(items: list[Item]) -> None:
    by_id = {each.id: each for each in ANNOTATIONS}
    assert {item.id for item in items} == set(by_id)
    for item in items:
        assert not [*faults(item)]
        assert isinstance(item.gold, Pick)
        assert item.rationale_gold is not None
        assert item.choices[item.gold.index] == by_id[item.id].answer
        assert item.rationales[item.rationale_gold] == by_id[item.id].rationale
        assert item.texts == {"question": by_id[item.id].question}
        assert item.groups == {"movie": by_id[item.id].group, "image": f"i{item.id[1:]}"}
        assert item.scenes[0].image == by_id[item.id].image
        assert item.extra == {"answer_likelihood": "likely", "drawn": True}


def test_provenance_names_the_sources(items: list[Item]) -> None:
    places = {(item.provenance["match_fold"], item.provenance["match_index"]): item for item in items}
    assert len(places) == len(items)
    for item in items:
        told = item.provenance
        assert told["match_fold"].startswith(f"{item.split}-")
        assert told["writer"] == "w1"
        assert told["matching"]["relevance"] == "shared words"
        for part, label in (("answer", item.gold.index), ("rationale", item.rationale_gold)):  # type: ignore[union-attr]
            assert sorted(told[f"{part}_match_iter"]) == [0, 1, 2, 3]
            assert told[f"{part}_match_iter"].index(0) == label
            assert told[f"{part}_sources"][label] == told["match_index"]
        for choice, source in zip(item.choices, told["answer_sources"], strict=True):
            lender = places[told["match_fold"], source]
            assert choice.tokens[3] == lender.id[1:]  # the number in the text


def test_positions_are_as_even_as_can_be(items: list[Item]) -> None:
    for split in ("train", "val", "test"):
        own = [item for item in items if item.split == split]
        for labels in ([item.gold.index for item in own], [item.rationale_gold for item in own]):  # type: ignore[union-attr]
            counts = Counter(labels)
            assert len(counts) == 4
            assert max(counts.values()) - min(counts.values()) <= 1


def _entry(number: int, fold: str) -> Matched:
    return Matched(ANNOTATIONS[number % 100], fold, number, Wrong((), ()))


@given(st.lists(st.sampled_from(["train-0", "train-1", "train-2", "val-0"]), max_size=60), st.integers(0, 9))
def test_positions_are_even_in_every_split_and_fold(folds: list[str], seed: int) -> None:
    entries = [_entry(number, fold) for number, fold in enumerate(folds)]
    found = positions(entries, 4, str(seed))
    assert found == positions(entries, 4, str(seed))
    for of in ("fold", "split"):
        for name in {getattr(entry, of) for entry in entries}:
            counts = Counter(p for p, entry in zip(found, entries, strict=True) if getattr(entry, of) == name)
            assert max(counts.values()) - min(counts[place] for place in range(4)) <= 1


def test_the_order_does_not_tell_the_round(items: list[Item]) -> None:
    orders = {tuple(turn for turn in item.provenance["answer_match_iter"] if turn) for item in items}
    assert len(orders) == 6


def test_native_files_give_the_items_back(items: list[Item], tmp_path: Path) -> None:
    native = find("vcr").native
    files = write_native(native, items, tmp_path)
    assert set(files) == {"train.jsonl", "val.jsonl", "test.jsonl"}
    read = {item.id: item for item in read_native(native, [tmp_path / name for name in files])}
    for item in items:
        back = read[item.id]
        assert native.from_item(back) == native.from_item(item)
        for field in ("split", "texts", "choices", "gold", "rationales", "rationale_gold", "groups"):
            assert getattr(back, field) == getattr(item, field)
    record = json.loads((tmp_path / "val.jsonl").read_text().splitlines()[0])
    assert record["match_fold"] == "val-0"
    assert len(record["answer_sources"]) == 4


def test_without_rationales_the_items_have_none(tmp_path: Path) -> None:
    bare = [structs.replace(each, rationale=None) for each in ANNOTATIONS]
    found = matched(tmp_path, bare)
    for item in matched_items(found.matched, found.recipe):
        assert item.rationales == ()
        assert item.rationale_gold is None
        assert "rationale_sources" not in item.provenance


def test_texts_of_any_task_stay_as_they_were_written(tmp_path: Path) -> None:
    told = [
        Annotation(
            f"t{n}",
            f"g{n % 4}",
            (),
            TaggedText(("Well", "?")),
            TaggedText(("Odd", "spacing", str(n))),
            extra={"context_orig": "Well  ?", "response_orig": f"Odd   spacing,{n}", "mood": "good"},
        )
        for n in range(40)
    ]
    found = matched(tmp_path, told, structs.replace(RECIPE, mode="generic"))
    for item in matched_items(found.matched, found.recipe):
        assert item.texts == {"context": TaggedText.plain("Well  ?")}
        assert item.scenes == ()
        assert all(str(choice.tokens[0]).startswith("Odd   spacing,") for choice in item.choices)
        record = text_record(item)
        assert record["choices"][record["label"]] == f"Odd   spacing,{item.id[1:]}"
        assert record["mood"] == "good"
        assert "response_orig" not in record


def test_an_id_that_says_another_split_is_refused() -> None:
    told = [structs.replace(each, id=f"train-{n}") for n, each in enumerate(ANNOTATIONS)]
    with pytest.raises(InputError, match=r"Annotation train-\d+ is in fold .*, and its id says train\."):
        refuse_other_splits(folded(told, count=4))
    refuse_other_splits(folded([structs.replace(each, split="train") for each in told], count=4))
