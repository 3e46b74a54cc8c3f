"""Drawn PMR records: every label is proved, mistakes are marked, and texts are much like the paper's."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import NamedTuple

import msgspec
import pytest

from commonsight.benchmarks.pmr import ANSWER_TYPES, PMR, PmrRecord
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Source
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.world import pmr, pmr_tables
from commonsight.world.cast import movie
from commonsight.world.draw.compose import render
from commonsight.world.facts import Fact, seen
from commonsight.world.logic import conclude
from commonsight.world.model import Stage
from commonsight.world.plan import plan_scene, scene_rng
from commonsight.world.pmr import Idea, Premise, actions_about, check, items, premises, side_of
from commonsight.world.pmr_looks import View
from commonsight.world.rules import RULES
from commonsight.world.voices import Voice, voices

CREW = voices(3, 24)
CARELESS = tuple(msgspec.structs.replace(voice, mistakes=0.5) for voice in CREW)
MOVIES, SCENES, EACH = 20, 17, 2


class Record(NamedTuple):
    item: Item
    stage: Stage
    facts: frozenset[Fact]


def _scene(number: int, index: int) -> tuple[Stage, frozenset[Fact]]:
    plot = movie(number)
    stage = plan_scene(plot, index, scene_rng(5, plot, index))
    facts = seen(stage)
    return stage, facts | {proof.fact for proof in conclude(facts, RULES)}


def _records(crew: tuple[Voice, ...], numbers: range, scenes: int = SCENES) -> list[Record]:
    made: list[Record] = []
    for number in numbers:
        for at in range(scenes):
            stage, facts = _scene(number, at)
            entities = [actor.id for actor in stage.actors] + [prop.id for prop in stage.props]
            found = items(
                stage, facts, crew, random.Random(f"{number}:{at}"), entities, EACH,
                index={entity: region for region, entity in enumerate(entities)}, first=len(made),
                image=f"{stage.id}.png", image_id=f"val-{number * scenes + at}", split="val",
            )  # fmt: skip
            made.extend(Record(item, stage, facts) for item in found)
    return made


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return _records(CREW, range(MOVIES))


def _mean(values: list[int]) -> float:
    return sum(values) / len(values)


def test_every_label_is_proved(records: list[Record]) -> None:
    assert len(records) >= 600
    wrong = [r.item.id for r in records if check(r.item, r.facts) == bool(r.item.provenance["mistake"])]
    assert wrong == []


def test_mistakes_are_marked_and_provably_wrong() -> None:
    made = _records(CARELESS, range(3))
    found = [record for record in made if record.item.provenance["mistake"]]
    assert {record.item.provenance["mistake"] for record in found} == {"image words", "action"}
    assert not any(check(record.item, record.facts) for record in found)
    assert all(check(r.item, r.facts) for r in made if not r.item.provenance["mistake"])


def test_a_tampered_item_is_not_proved(records: list[Record]) -> None:
    item, _, facts = next(record for record in records if not record.item.provenance["mistake"])
    assert isinstance(item.gold, Pick)
    wrong_label = msgspec.structs.replace(item, gold=Pick((item.gold.index + 1) % 4))
    assert not check(wrong_label, facts)
    assert not check(msgspec.structs.replace(item, choices=item.choices[::-1]), facts)
    assert not check(item, frozenset())


def test_the_picture_shows_what_true_words_rest_on() -> None:
    for number in range(6):
        stage, facts = _scene(number, 0)
        visible = [entity for entity, part in render(stage).visible.items() if part.share >= 0.4]
        for premise in premises(stage, facts, CREW, random.Random(number), visible, 3):
            entities = {
                part for fact in premise.true_words.evidence for part in fact if isinstance(part, int)
            }
            assert premise.true_words.evidence
            assert entities <= set(visible)
            assert set(premise.true_words.evidence) <= seen(stage)


def test_every_category_is_there(records: list[Record]) -> None:
    count = Counter(record.item.groups["category"] for record in records)
    assert set(count) == set(pmr_tables.SHARES)
    assert min(count.values()) >= 0.04 * len(records)


def test_label_positions_are_balanced(records: list[Record]) -> None:
    golds = [record.item.gold for record in records]
    count = Counter(gold.index for gold in golds if isinstance(gold, Pick))
    assert all(0.19 <= count[position] / len(records) <= 0.31 for position in range(4))


def test_lengths_are_near_the_papers(records: list[Record]) -> None:
    """Table 1: 9.5 tokens a premise, 14.4 an action, 1.9 objects a record."""
    texts = [(r.item.texts["premise"], r.item.choices) for r in records]
    assert _mean([len(premise.tokens) for premise, _ in texts]) == pytest.approx(9.5, abs=0.6)
    assert _mean([len(c.tokens) for _, choices in texts for c in choices]) == pytest.approx(14.4, abs=0.8)
    mentioned = [
        len({index for text in (premise, *choices) for index in text.references()})
        for premise, choices in texts
    ]
    assert _mean(mentioned) == pytest.approx(1.9, abs=0.15)


def test_actions_are_varied_and_never_twice_in_a_record(records: list[Record]) -> None:
    assert all(len(set(record.item.choices)) == 4 for record in records)
    some = records[:600]
    assert len({choice for record in some for choice in record.item.choices}) >= 1000
    assert len({record.item.texts["premise"] for record in some}) >= 300


def test_the_words_alone_do_not_tell_the_true_image_words(records: list[Record]) -> None:
    """For each value of the image words: how often it is true, learnt on one half and tried on the other."""
    pairs = [
        tuple((form[side]["kind"], form[side]["value"]) for side in ("true_words", "false_words"))
        for form in (record.item.provenance["form"] for record in records)
    ]
    right = 0.0
    for learnt, tried in ((pairs[::2], pairs[1::2]), (pairs[1::2], pairs[::2])):
        odds = Counter(true for true, _ in learnt)
        odds.subtract(false for _, false in learnt)
        right += sum(1.0 if odds[t] > odds[f] else 0.5 if odds[t] == odds[f] else 0.0 for t, f in tried)
    assert right / len(pairs) < 0.62


def test_an_action_alone_does_not_tell_whether_it_follows(records: list[Record]) -> None:
    forms = [record.item.provenance["form"] for record in records]
    both = {form["follows"] for form in forms} & {form["against"] for form in forms}
    assert len(both) >= 0.8 * len({form["follows"] for form in forms})


def test_items_are_sound_and_say_that_they_are_drawn(records: list[Record]) -> None:
    for item, stage, _ in records:
        assert list(faults(item)) == []
        assert item.provenance["drawn"] is True
        assert item.groups["movie"] == stage.movie
        assert sorted(item.extra["answer_types"]) == sorted(ANSWER_TYPES)
        assert isinstance(item.gold, Pick)
        assert item.extra["answer_types"][item.gold.index] == "Action-True"


def test_the_native_form_gives_the_item_back(records: list[Record]) -> None:
    source = Source("val-ori.jsonl", "val")
    for item, _, _ in records[:100]:
        line = json.loads(json.dumps(PMR.native.from_item(item)))
        again = PMR.native.to_item(msgspec.convert(line, PmrRecord), {}, source)
        assert again == msgspec.structs.replace(item, provenance={})
        assert PMR.native.file_name(again) == "val-ori.jsonl"


def test_provenance_goes_through_json(records: list[Record]) -> None:
    for item, _, facts in records[:50]:
        stored = json.loads(json.dumps(item.provenance))
        again = msgspec.structs.replace(item, provenance=stored)
        assert check(again, facts) == check(item, facts)
        assert isinstance(pmr.from_item(again), Premise)


def test_the_same_seed_gives_the_same_items() -> None:
    assert _records(CREW, range(2), 4) == _records(CREW, range(2), 4)


@pytest.mark.parametrize("category", list(pmr_tables.AXES))
def test_the_tables_are_rich_and_name_each_value_once(category: pmr_tables.Category) -> None:
    axes = pmr_tables.AXES[category]
    values = [value for axis in axes for side in axis.sides for value in side.values.split("|")]
    assert len(values) == len(set(values)) >= 12
    assert all(len(axis.does) >= 3 for axis in axes)
    actions = [action for axis in axes for pair in axis.does for action in pair]
    assert len(actions) == len(set(actions))
    assert all(side_of(category, value)[0] in axes for value in values)


def test_an_unknown_value_is_named() -> None:
    with pytest.raises(ValueError, match="category 'mood' has the value 'purple'"):
        side_of("mood", "purple")


def test_actions_to_a_premise_that_was_given() -> None:
    stage, facts = next(scene for at in range(20) if len((scene := _scene(3, at))[0].actors) > 1)
    everyone = [actor.id for actor in stage.actors]
    view = View(stage, facts, [*everyone, *(prop.id for prop in stage.props)])
    axis, side = side_of("personality", "generous")
    idea = Idea("personality", axis, side, everyone[0], everyone[1])
    careful = msgspec.structs.replace(CREW[0], mistakes=0.0)
    made = actions_about(view, idea, careful, random.Random(1))
    assert made is not None
    assert made.follows in {pair[side] for pair in axis.does}
    assert made.against in {pair[1 - side] for pair in axis.does}
    assert made.true_words.text in made.actions[0]
    assert made.false_words.text in made.actions[2]
