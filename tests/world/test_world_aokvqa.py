"""Knowledge questions about drawn scenes: every label is derived again, and the texts look like people's."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import numpy as np
import pytest
from msgspec import json, structs

from commonsight.benchmarks.aokvqa import AOKVQA
from commonsight.core.answer import Pick
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.store.native import read_native, write_native
from commonsight.world.aokvqa import check, items, questions
from commonsight.world.aokvqa.alike import ALIKE, BECAUSE_ALIKE
from commonsight.world.aokvqa.answers import variants
from commonsight.world.aokvqa.concluded import all_sayings, answer_of, cause_of
from commonsight.world.aokvqa.physics import BEHAVIOURS
from commonsight.world.aokvqa.sayings import BECAUSE, SAYINGS
from commonsight.world.aokvqa.tables import CLUES, SHAPES
from commonsight.world.aokvqa.topics import SHARES, TOPICS
from commonsight.world.aokvqa.view import View, describe
from commonsight.world.aokvqa.wordings import WHY_ASKS, WORDINGS
from commonsight.world.aokvqa.words import articles, counted
from commonsight.world.cast import movie
from commonsight.world.facts import Fact, Proof, seen
from commonsight.world.knowledge import read_knowledge
from commonsight.world.logic import conclude
from commonsight.world.model import Actor, Look, Prop, Spot, Stage
from commonsight.world.plan import plan_scene, scene_rng
from commonsight.world.rules import RULES, VOCABULARY
from commonsight.world.things import THINGS
from commonsight.world.voices import voices

SCENES = 240
A_SCENE = 3
CREW = voices(5, 40)


class Made(NamedTuple):
    """A scene and the items made of it."""

    stage: Stage
    facts: frozenset[Fact]
    proofs: tuple[Proof, ...]
    items: list[Item]


def make(number: int, limit: int = A_SCENE) -> Made:
    film = movie(number // 4)
    stage = plan_scene(film, number, scene_rng(11, film, number))
    facts = seen(stage)
    proofs = conclude(facts, RULES)
    rng = random.Random(f"11:{number}")
    made = items(stage, facts, proofs, read_knowledge(), CREW, rng, limit, image_id=number, split="val")
    return Made(stage, facts, proofs, made)


@cache
def world() -> tuple[Made, ...]:
    return tuple(make(number) for number in range(SCENES))


def all_items() -> list[Item]:
    return [item for made in world() for item in made.items]


def text(tagged: TaggedText) -> str:
    return str(tagged.tokens[0])


def answer(item: Item) -> str:
    assert isinstance(item.gold, Pick)
    return text(item.choices[item.gold.index])


def topic(item: Item) -> str:
    return str(item.provenance["form"]["topic"])


# --- labels ---------------------------------------------------------------------------------------------


def test_every_label_is_derived_again() -> None:
    checked = 0
    for made in world():
        for item in made.items:
            assert check(item, made.facts, made.proofs, read_knowledge()), item
            checked += 1
    assert checked > 0.9 * SCENES * A_SCENE


@pytest.mark.slow
def test_ten_thousand_labels_are_derived_again() -> None:
    for number in range(2500):
        made = make(number, 4)
        assert all(check(item, made.facts, made.proofs, read_knowledge()) for item in made.items)


def test_the_check_refuses_other_labels_scenes_and_evidence() -> None:
    for made in world()[:60]:
        for item in made.items:
            assert isinstance(item.gold, Pick)
            moved = structs.replace(item, gold=Pick((item.gold.index + 1) % 4))
            assert not check(moved, made.facts, made.proofs, read_knowledge())
            assert not check(item, (), (), read_knowledge())
            form = item.provenance["form"]
            twice = structs.replace(item, choices=(item.choices[item.gold.index],) * 4)
            assert not check(twice, made.facts, made.proofs, read_knowledge())
            gone = made.facts - {tuple(fact) for fact in form["evidence"]}
            assert not check(item, gone, (), read_knowledge())


def test_wrong_choices_are_wrong_by_another_way() -> None:
    """Without asking the topics: what a wrong choice says is neither seen nor concluded of the subject."""
    for made in world():
        for item in made.items:
            form, wrong = item.provenance["form"], {text(choice) for choice in item.choices} - {answer(item)}
            kind = {"place": "at", "when": "time"}.get(topic(item), topic(item))
            if kind in SAYINGS:
                said = {
                    answer_of(proof.fact)
                    for proof in made.proofs
                    if proof.fact[0] == kind and set(form["subject"]) <= set(proof.fact[1:])
                }
                assert not wrong & said, item
            if topic(item) == "behaviour":
                row, names = BEHAVIOURS[form["subject"][0]], {prop.name for prop in made.stage.props}
                assert not wrong & names & set(row.yes), item
            if topic(item) == "material":
                assert made.stage.prop(form["subject"][0]).material[:4] not in {word[:4] for word in wrong}


def test_a_form_survives_json() -> None:
    made = world()[0]
    for item in made.items:
        again = structs.replace(item, provenance=json.decode(json.encode(item.provenance)))
        assert check(again, made.facts, made.proofs, read_knowledge())


def test_marked_mistakes_are_wrong_and_rare() -> None:
    marks = Counter(how for item in all_items() for how in item.provenance["direct_answers"])
    assert 0 < marks["mistake"] < 0.06 * marks.total()
    assert 0 < marks["odd"] < 0.08 * marks.total()
    false = mean(bool(item.provenance["false_rationales"]) for item in all_items())
    assert 0 < false < 0.2


# --- the shape of an item --------------------------------------------------------------------------------


def test_items_have_no_faults_and_say_that_they_are_drawn() -> None:
    for item in all_items():
        assert not list(faults(item))
        assert item.provenance["drawn"] is True
        assert len(item.choices) == len({text(choice) for choice in item.choices}) == 4
        assert len(item.direct_answers) == 10
        assert answer(item) in item.direct_answers
        assert len(item.rationales) == 3
        assert item.extra["knowledge_type"] in SHARES


def test_items_are_read_back_from_the_native_file(tmp_path: Path) -> None:
    made = all_items()[:60]
    write_native(AOKVQA.native, made, tmp_path / "native")
    read = read_native(AOKVQA.native, [tmp_path / "native" / "aokvqa_v1p0_val.json"])
    for item, again in zip(made, read, strict=True):
        assert again == structs.replace(item, provenance=again.provenance)


def test_the_same_seed_gives_the_same_items() -> None:
    assert make(3).items == make(3).items


def test_questions_keep_to_the_limit_and_ask_a_topic_once() -> None:
    for made in world()[:20]:
        rng = random.Random(1)
        asked = questions(made.stage, made.facts, made.proofs, read_knowledge(), CREW, rng, 8)
        assert len(asked) <= 8
        assert len({question.form["topic"] for question in asked}) == len(asked)


# --- how people write -----------------------------------------------------------------------------------


def test_lengths_are_near_the_papers() -> None:
    made = all_items()
    question = mean(len(text(item.texts["question"]).split()) for item in made)
    said = mean(len(answer(item).split()) for item in made)
    reason = mean(len(text(line).split()) for item in made for line in item.rationales)
    print(f"words: question {question:.2f} (8.8), answer {said:.2f} (1.3), rationale {reason:.2f} (11.0)")
    assert abs(question - 8.8) < 0.8
    assert abs(said - 1.3) < 0.2
    assert abs(reason - 11.0) < 1.0


def test_kinds_of_knowledge_have_roughly_the_papers_shares() -> None:
    made = all_items()
    counts = Counter(item.extra["knowledge_type"] for item in made)
    print({kind: round(counts[kind] / len(made), 3) for kind in SHARES})
    for kind, share in SHARES.items():
        assert abs(counts[kind] / len(made) - share) < 0.08


def test_the_right_choice_stands_anywhere() -> None:
    places = Counter(item.gold.index for item in all_items() if isinstance(item.gold, Pick))
    for place in range(4):
        assert 0.19 < places[place] / places.total() < 0.31


def test_direct_answers_have_a_long_tail() -> None:
    made = all_items()
    modes = [Counter(item.direct_answers).most_common(1)[0] for item in made]
    shares = Counter(count for _, count in modes)
    agree = mean(said == answer(item) for (said, _), item in zip(modes, made, strict=True))
    distinct = mean(len(set(item.direct_answers)) for item in made)
    hard = mean(item.extra["difficult_direct_answer"] for item in made)
    print(f"mode {mean(count for _, count in modes):.2f}, {sorted(shares.items())}")
    print(f"the mode is the choice {agree:.2f}, distinct {distinct:.2f}, difficult {hard:.3f}")
    assert 4.4 < mean(count for _, count in modes) < 6.0
    assert agree > 0.42
    assert 3.8 < distinct < 5.5
    assert 0.005 < hard < 0.12
    for item, (_, count) in zip(made, modes, strict=True):
        assert item.extra["difficult_direct_answer"] == (count < 3)


def test_there_are_many_wordings() -> None:
    made = all_items()
    asked = {text(item.texts["question"]) for item in made}
    reasons = {text(line) for item in made for line in item.rationales}
    print(f"{len(asked)} questions and {len(reasons)} rationales differ in {len(made)} items")
    assert len(asked) > 0.6 * len(made)
    assert len(reasons) > 0.7 * 3 * len(made)


def test_texts_are_whole_sentences() -> None:
    for item in all_items():
        question = text(item.texts["question"])
        assert re.fullmatch(r"[A-Z].*\?", question), question
        for line in item.rationales:
            assert re.fullmatch(r"[A-Z].*\.", text(line)), text(line)
        assert not re.search(r"[{}]|\ba [aeio]|  ", " ".join((question, *map(text, item.rationales))))


# --- what the question alone gives away ------------------------------------------------------------------

BLIND = ("feels", "doing", "next", "wants", "worn by", "painted", "material", "occupation", "dressed for")
"""Topics whose answer only the picture can tell."""


def centroid_picks(train: list[Item], test: list[Item]) -> float:
    """How often the choice whose questions look most like this one is the right one."""
    vocabulary: dict[str, int] = {}
    rows: dict[str, list[list[int]]] = defaultdict(list)
    for item in train:
        words = [vocabulary.setdefault(word, len(vocabulary)) for word in _words(item)]
        rows[f"{topic(item)}:{answer(item)}"].append(words)
    centroids = {
        key: _bag([word for row in found for word in row], len(vocabulary)) for key, found in rows.items()
    }
    right = 0
    for item in test:
        bag = _bag([vocabulary[word] for word in _words(item) if word in vocabulary], len(vocabulary))
        keys = [f"{topic(item)}:{text(choice)}" for choice in item.choices]
        scores = [float(bag @ centroids[key]) if key in centroids else 0.0 for key in keys]
        assert isinstance(item.gold, Pick)
        best = [place for place, score in enumerate(scores) if score == max(scores)]
        right += (item.gold.index in best) / len(best)
    return right / len(test)


def prior_picks(train: list[Item], test: list[Item]) -> float:
    """How often the choice that is right most often elsewhere is the right one."""
    counts = Counter(f"{topic(item)}:{answer(item)}" for item in train)
    right = 0.0
    for item in test:
        scores = [counts[f"{topic(item)}:{text(choice)}"] for choice in item.choices]
        best = [place for place, score in enumerate(scores) if score == max(scores)]
        assert isinstance(item.gold, Pick)
        right += (item.gold.index in best) / len(best)
    return right / len(test)


def _words(item: Item) -> list[str]:
    return re.findall(r"[a-z]+", text(item.texts["question"]).lower())


def _bag(words: list[int], size: int) -> np.ndarray:
    bag = np.bincount(np.array(words, dtype=np.int64), minlength=size).astype(np.float64)
    return bag / (np.linalg.norm(bag) or 1.0)


def test_the_question_alone_does_not_give_the_answer_away() -> None:
    blind = [item for item in all_items() if topic(item) in BLIND]
    half = len(blind) // 2
    by_words = (centroid_picks(blind[:half], blind[half:]) + centroid_picks(blind[half:], blind[:half])) / 2
    by_prior = (prior_picks(blind[:half], blind[half:]) + prior_picks(blind[half:], blind[:half])) / 2
    print(
        f"{len(blind)} questions: words alone {by_words:.3f}, most common answer {by_prior:.3f}, chance 0.25"
    )
    assert by_words < 0.4
    assert by_prior < 0.4, "wrong choices are less usual than right ones: count usual.tsv anew"


# --- tables ----------------------------------------------------------------------------------------------


def test_every_conclusion_has_a_saying() -> None:
    for kind in SAYINGS:
        if kind != "happened":
            missing = [fact for fact in VOCABULARY[kind] if not answer_of(fact)]
            # What has no saying is not asked about, which does no harm as long as it is little.
            assert len(missing) <= 0.05 * len(VOCABULARY[kind]), f"add rows to aokvqa/sayings.py: {missing}"
    told = [fact for fact in VOCABULARY["reason"] if cause_of(fact[2])]  # type: ignore[arg-type]
    assert len(told) > 0.9 * len(VOCABULARY["reason"])


def test_rows_of_answers_alike_speak_of_answers_there_are() -> None:
    known = {said for kind in SAYINGS for said in all_sayings(kind)}
    known |= {row.split("|")[0] for row in BECAUSE.values()}
    unknown = {said for row in (*ALIKE, *BECAUSE_ALIKE) for said in row} - known
    assert len(unknown) < 8, unknown


def test_tables_speak_of_things_there_are() -> None:
    assert set(SHAPES) <= set(THINGS)
    for names in CLUES.values():
        assert set(names) <= set(THINGS)
    for name, row in BEHAVIOURS.items():
        assert set(row.yes) | set(row.no) <= set(THINGS), name
        assert not set(row.yes) & set(row.no), name


def test_every_topic_has_its_wordings() -> None:
    assert set(TOPICS) - {"why"} == set(WORDINGS)
    assert all(len(wording.asks) >= 3 for wording in WORDINGS.values())
    assert all(len(asks) >= 3 for asks in WHY_ASKS.values())


def test_articles() -> None:
    assert articles("a apple and a uniform on a scissors") == "an apple and a uniform on scissors"
    assert counted("four wheels") == "four wheels"
    assert counted("engine") == "an engine"
    assert "sofa" not in variants("wood")


# --- a scene by hand -------------------------------------------------------------------------------------


def by_hand() -> Stage:
    calm = Look("#f3d3b3", "brown", "short", "red", "blue")
    police = Look("#f3d3b3", "brown", "short", "blue", "blue", outfit="police uniform", hat="police cap")
    return Stage(
        "hand", "m", "street",
        (Actor(1, "a", calm, holds=3), Actor(2, "b", police, pose="walking")),
        (Prop(3, "apple", "red"), Prop(4, "bench", "brown", material="wooden"), Prop(5, "vase", "blue", on=6),
         Prop(6, "dining table", "white")),
        {entity: Spot(x, 0.4) for entity, x in ((1, 0.2), (2, 0.8), (3, 0.2), (4, 0.6), (5, 0.4), (6, 0.4))},
    )  # fmt: skip


def test_right_and_wrong_of_a_scene_by_hand() -> None:
    facts = seen(by_hand())
    view = View(
        facts, conclude(facts, RULES), (("UsedFor", "vase", "flowers"), ("UsedFor", "bench", "sitting"))
    )
    assert set(TOPICS["occupation"].right(view, (2,))) == {"police officer"}
    assert "doctor" in TOPICS["occupation"].wrong(view, (2,))
    assert set(TOPICS["material"].right(view, (4,))) == {"wood"}
    assert set(TOPICS["used for"].right(view, (5,))) == {"flowers"}
    assert set(TOPICS["used for"].wrong(view, (5,))) == {"sitting"}
    assert set(TOPICS["behaviour"].right(view, ("break",))) == {"vase"}
    assert "wine glass" in TOPICS["behaviour"].wrong(view, ("break",))  # it would break, but is not there
    assert "vase" not in TOPICS["behaviour"].wrong(view, ("break",))
    assert set(TOPICS["worn by"].right(view, ("outfit", "police uniform"))) == {"blue"}


def test_descriptions_fit_one_and_hide_what_they_must() -> None:
    view = View(seen(by_hand()), (), ())
    found = {describe(view, 5, ("name", "clue", "category"), random.Random(seed)) for seed in range(30)}
    assert None not in found
    for words in found:
        assert words is not None
        assert "vase" not in words.text
        assert view.meant(words.form) == [5]
