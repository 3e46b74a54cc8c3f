"""Shortcuts: every plant is found, and nothing where there is none."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.listwise import rows_of
from commonsight.audit.probe import Setting
from commonsight.audit.shortcuts.alone import fit
from commonsight.audit.shortcuts.features import FEATURES, columns_of
from commonsight.audit.shortcuts.picks import balance_of
from commonsight.audit.shortcuts.probe import Shortcuts
from commonsight.audit.shortcuts.texts import seen
from commonsight.audit.values import Finding, Section
from commonsight.core.answer import Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())
PROBE = Shortcuts()


def measured(items: list[Item], task: str = "choose") -> Section:
    subject = fakes.subject_of(items, fakes.CHOOSE if task == "choose" else fakes.VERIFY)
    (section,) = PROBE.measure(subject, SETTING)
    return section


def warnings(section: Section) -> dict[str, Finding]:
    return {finding.code: finding for finding in section.findings if finding.level == "warning"}


def test_what_is_seen_in_a_text() -> None:
    told = ((0,), "doesn", "'", "t", "like", "her", "three", "wonderful", "dogs", ",", (2, 3), ".")
    text = seen(TaggedText(told))
    assert text.words == ("does", "n't", "like", "her", "three", "wonderful", "dogs")
    assert text.stems == {"lik", "thre", "wonderful", "dog"}
    assert text.tags == (0, 2, 3)
    assert text.pronouns == {"she"}
    assert (text.marks, text.commas, text.stopped) == (2, 1, True)
    assert (text.negations, text.numbers, text.describing, text.whole) == (1, 1, 1, False)
    assert seen(TaggedText.plain("All of these")).whole
    assert seen(TaggedText(())).words == ()


def test_features_by_hand() -> None:
    question = TaggedText(("Why", "is", (0,), "holding", "her", "cup", "?"))
    choices = (
        TaggedText(((0,), "holds", "her", "cup", ".")),
        TaggedText(((1,), "is", "not", "happy")),
        TaggedText(("all", "of", "these")),
    )
    scene = Scene("a.png", (Region("person"), Region("person")))
    item = Item("a", "val", (scene,), {"question": question}, choices, Pick(0), groups={"image": "a"})
    columns = columns_of(rows_of(fakes.subject_of([item]).cases["choose"]))
    assert set(columns) == {feature.name for feature in FEATURES}
    assert columns["words"].tolist() == [4, 4, 3]
    assert columns["shared words"].tolist() == [2, 0, 0]
    assert columns["shared tags"].tolist() == [1, 0, 0]
    assert columns["new tags"].tolist() == [0, 1, 0]
    assert columns["shared pronouns"].tolist() == [1, 0, 0]
    assert columns["negations"].tolist() == [0, 1, 0]
    assert columns["all of these"].tolist() == [0, 0, 1]
    assert columns["full stop"].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("plant", "code"),
    [
        (fakes.longer_answer, "length-shortcut"),
        (fakes.first_position, "position-shortcut"),
        (fakes.repeated_tag, "tag-overlap-shortcut"),
    ],
)
def test_plants_are_found_with_the_items_behind_them(plant: fakes.Plant, code: str) -> None:
    clean = fakes.clean_items(1000, seed=2)
    items = fakes.planted(clean, plant, 0.3, seed=2)
    found = warnings(measured(items))
    assert {code, "shortcuts-alone"} <= set(found)
    assert ("label-balance" in found) == (plant is fakes.first_position)
    assert not set(found) - {code, "shortcuts-alone", "label-balance", "tag-count-shortcut"}
    changed = {after.id for before, after in zip(clean, items, strict=True) if before != after}
    behind = found[code].items
    assert len(set(behind)) == len(behind)
    assert len(changed & set(behind)) / len(behind) > len(changed) / len(items)
    assert found[code].remedy


@pytest.mark.parametrize("seed", range(2))
def test_a_clean_set_raises_no_warning(seed: int) -> None:
    assert not warnings(measured(fakes.clean_items(400, seed)))
    assert not warnings(measured(fakes.clean_verdicts(400, seed), "verify"))


@pytest.mark.slow
@pytest.mark.parametrize("count", [200, 1000])
def test_no_clean_set_raises_a_warning(count: int) -> None:
    for seed in range(50):
        assert not warnings(measured(fakes.clean_items(count, seed)))
        assert not warnings(measured(fakes.clean_verdicts(count, seed), "verify"))


def test_long_sentences_that_are_false_are_found() -> None:
    items = [
        structs.replace(item, texts={"sentence": TaggedText((*item.texts["sentence"].tokens, *["x"] * 6))})
        if item.gold == Verdict(value=False) and at % 3
        else item
        for at, item in enumerate(fakes.clean_verdicts(800, seed=1))
    ]
    assert {"length-shortcut", "shortcuts-alone"} <= set(warnings(measured(items, "verify")))


def test_one_answer_that_is_much_commoner_is_found() -> None:
    rng = random.Random(0)
    clean = fakes.clean_verdicts(400, seed=1)
    items = [structs.replace(item, gold=Verdict(value=rng.random() < 0.8)) for item in clean]
    found = warnings(measured(items, "verify"))
    assert set(found) == {"label-balance"}
    assert found["label-balance"].value == pytest.approx(0.8, abs=0.05)


def test_chi_square_by_hand() -> None:
    found = balance_of([30, 20, 10, 20], [20.0] * 4)
    assert found.statistic == 10.0
    assert found.p == pytest.approx(0.018566, abs=1e-6)


def test_the_conditional_logit_finds_the_weights_it_was_made_with() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(4 * 3000, 2))
    scores = inputs @ [1.0, -2.0] + rng.gumbel(size=len(inputs))
    right = (scores.reshape(-1, 4) == scores.reshape(-1, 4).max(axis=1, keepdims=True)).ravel()
    assert fit(inputs, np.full(3000, 4), right) == pytest.approx([1.0, -2.0], abs=0.1)


def test_the_same_seed_gives_the_same_section() -> None:
    items = fakes.planted(fakes.clean_items(200, seed=1), fakes.longer_answer, 0.5, seed=1)
    assert measured(items) == measured(items)


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (fakes.clean_items(5, seed=1), "only 5 items"),
        ([structs.replace(item, gold=None) for item in fakes.clean_items(30, seed=1)], "only 0 items"),
        (
            [structs.replace(one, choices=one.choices[:1], gold=Pick(0)) for one in fakes.clean_items(30, 1)],
            "only 0 items",
        ),
    ],
    ids=["five items", "no labels", "one choice"],
)
def test_what_cannot_be_measured_is_said(items: list[Item], why: str) -> None:
    section = measured(items)
    assert section.findings == ()
    assert why in section.skipped[0]


def test_odd_input_is_measured_all_the_same() -> None:
    items = fakes.clean_items(60, seed=1)
    empty = [structs.replace(item, choices=(TaggedText(()),) * 4) for item in items]
    assert "shortcuts-alone" not in warnings(measured(empty))
    far = [structs.replace(item, choices=(TaggedText(((99,), "x")), *item.choices[1:])) for item in items]
    assert measured(far).figures["alone"].n == 60
    uneven = [
        structs.replace(one, choices=one.choices[: 2 + at % 3], gold=Pick(0)) for at, one in enumerate(items)
    ]
    assert "position-shortcut" in warnings(measured(uneven))
    one_movie = [structs.replace(item, groups={"movie": "m"}) for item in items]
    assert not warnings(measured(one_movie))


def test_constant_labels_and_open_answers_are_said() -> None:
    items = [structs.replace(item, gold=Verdict(value=True)) for item in fakes.clean_verdicts(40, seed=1)]
    assert "every answer is 'True'" in measured(items, "verify").skipped[0]
