"""Ways of asking, their keys, and that whatever is turned is turned back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.benchmarks import find
from commonsight.core.answer import Pick, Unparsed, Verdict
from commonsight.core.benchmark import Ask
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.runs.variants import Key, Variants, other_scenes, rotated, turned_back
from commonsight.store.native import read_native


def vcr_item(fixtures_dir: Path) -> Item:
    return next(read_native(find("vcr").native, [fixtures_dir / "vcr" / "val.jsonl"]))


@given(
    st.builds(
        Key,
        st.sampled_from(("mc", "q2a", "qa2r")),
        st.none() | st.integers(0, 9),
        st.integers(0, 9),
        st.integers(0, 99),
    )
)
def test_a_key_is_read_back(key: Key) -> None:
    assert Key.parse(str(key)) == key


@pytest.mark.parametrize("text", ["", "@1", "mc~", "mc#x", "mc@1@2"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no task of a run"):
        Key.parse(text)


def test_plain_is_one_question_under_the_tasks_own_name(fixtures_dir: Path) -> None:
    item = vcr_item(fixtures_dir)
    asked = list(Variants().of(item, find("vcr").task("q2a")))
    assert [(str(key), ask.choices) for key, ask in asked] == [("q2a", item.choices)]


def test_every_answer_may_be_given_and_the_right_one_is_asked_once(fixtures_dir: Path) -> None:
    item = vcr_item(fixtures_dir)
    assert isinstance(item.gold, Pick)
    asked = dict(Variants(given="all").of(item, find("vcr").task("qa2r")))
    wrong = [place for place in range(4) if place != item.gold.index]
    assert [str(key) for key in asked] == ["qa2r", *(f"qa2r@{place}" for place in wrong)]
    for key, ask in asked.items():
        place = item.gold.index if key.given is None else key.given
        assert ask.texts["given_answer"] == item.choices[place]


def test_where_the_right_answer_is_hidden_all_are_given(fixtures_dir: Path) -> None:
    item = structs.replace(vcr_item(fixtures_dir), gold=None)
    asked = dict(Variants(given="all").of(item, find("vcr").task("qa2r")))
    assert [str(key) for key in asked] == ["qa2r@0", "qa2r@1", "qa2r@2", "qa2r@3"]


def test_a_models_own_answer_is_given_unless_it_is_right(fixtures_dir: Path) -> None:
    item = vcr_item(fixtures_dir)
    assert isinstance(item.gold, Pick)
    task, own = find("vcr").task("qa2r"), (item.gold.index + 1) % 4
    assert list(Variants().with_given(item, task, item.gold.index)) == []
    [(key, ask)] = Variants().with_given(item, task, own)
    assert str(key) == f"qa2r@{own}"
    assert ask.texts["given_answer"] == item.choices[own]


def test_the_right_choice_stands_everywhere_once(fixtures_dir: Path) -> None:
    item = vcr_item(fixtures_dir)
    asked = list(Variants(circular=True).of(item, find("vcr").task("q2a")))
    assert [str(key) for key, _ in asked] == ["q2a", "q2a~1", "q2a~2", "q2a~3"]
    golds = [ask.gold.index for _, ask in asked if isinstance(ask.gold, Pick)]
    assert sorted(golds) == [0, 1, 2, 3]
    for key, ask in asked:
        assert isinstance(ask.gold, Pick)
        assert turned_back(ask.gold, key.turned, 4) == item.gold


@given(st.integers(2, 6), st.data())
def test_turning_a_pick_back_finds_the_same_text(count: int, data: st.DataObject) -> None:
    turned, place = data.draw(st.integers(0, count - 1)), data.draw(st.integers(0, count - 1))
    choices = tuple(TaggedText.plain(str(number)) for number in range(count))
    ask = rotated(Ask("a", "t", (), {}, "pick", choices, Pick(0)), turned)
    back = turned_back(Pick(place), turned, count)
    assert isinstance(back, Pick)
    assert choices[back.index] == ask.choices[place]
    assert ask.choices[(0 - turned) % count] == choices[0]


def test_what_is_no_pick_is_not_turned() -> None:
    assert turned_back(Verdict(True), 1, 4) == Verdict(True)
    assert turned_back(Unparsed("?"), 1, 4) == Unparsed("?")


def test_texts_may_be_left_out_and_epochs_counted(fixtures_dir: Path) -> None:
    item = vcr_item(fixtures_dir)
    asked = list(Variants(choices_only=True, epochs=2).of(item, find("vcr").task("q2a")))
    assert [str(key) for key, _ in asked] == ["q2a", "q2a#1"]
    assert all(not ask.texts for _, ask in asked)
    ((_, ask),) = Variants(without=("question",)).of(item, find("vcr").task("q2a"))
    assert "question" not in ask.texts


def test_another_picture_is_never_ones_own(fixtures_dir: Path) -> None:
    task = find("nlvr2").task("verify")
    items = read_native(find("nlvr2").native, [fixtures_dir / "nlvr2" / "dev.json"])
    asks = [task.ask(item) for item in items]
    rng = random.Random(0)
    for ask in asks:
        shown = other_scenes(ask, asks, rng)
        assert {scene.image for scene in shown.scenes}.isdisjoint(scene.image for scene in ask.scenes)
        assert shown.texts == ask.texts
    with pytest.raises(UsageError, match="different pictures"):
        other_scenes(asks[0], asks[:1], rng)
