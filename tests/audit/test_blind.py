"""Blind solvers: plants are found, clean sets raise no warning, what cannot be measured is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from commonsight.audit import fakes
from commonsight.audit.blind.probe import Blind
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.values import Section
from commonsight.core.answer import Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder(48), folds=4)
SIGHTS = {"choices", "choices_together", "question", "question_and_choices", "image"}
BASELINES = {"chance", "majority", "most_common", "weighted_random"}


def section(subject: Subject, setting: Setting = SETTING) -> Section:
    [found] = Blind(trees=6).measure(subject, setting)
    return found


def levels(found: Section) -> dict[str, str]:
    return {finding.code: finding.level for finding in found.findings}


@pytest.fixture(scope="module")
def marked() -> Section:
    return section(fakes.subject_of(fakes.planted(fakes.clean_items(240, 5), fakes.watermark, 0.6, 0)))


def test_a_watermark_is_found_with_the_items_behind_it(marked: Section) -> None:
    assert set(marked.figures) == SIGHTS | BASELINES
    assert levels(marked) == {
        "choices-only": "warning", "question-only": "fine", "question-and-choices": "warning",
        "image-only": "fine",
    }  # fmt: skip
    [finding] = [each for each in marked.findings if each.code == "choices-only"]
    items = fakes.planted(fakes.clean_items(240, 5), fakes.watermark, 0.6, 0)
    with_mark = {item.id for item in items if any("indeed" in text.tokens for text in item.choices)}
    first = finding.items[:60]
    assert sum(name in with_mark for name in first) > 50  # six in ten have it, so 36 by luck
    assert finding.value == marked.figures["choices"].value or finding.value == marked.figures[
        "choices_together"
    ].value
    assert finding.limit == pytest.approx(0.27)
    assert finding.remedy


def test_chance_is_exact(marked: Section) -> None:
    chance = marked.figures["chance"]
    assert (chance.value, chance.low, chance.high, chance.interval) == (0.25, 0.25, 0.25, "exact")


def test_the_same_seed_gives_the_same(marked: Section) -> None:
    again = section(fakes.subject_of(fakes.planted(fakes.clean_items(240, 5), fakes.watermark, 0.6, 0)))
    assert again == marked


def test_longer_answers_are_found_by_seeing_the_choices() -> None:
    items = fakes.planted(fakes.clean_items(240, 6), fakes.longer_answer, 0.9, 0)
    found = section(fakes.subject_of(items))
    assert levels(found)["choices-only"] == "warning"
    assert levels(found)["question-only"] == "fine"


def test_the_most_frequent_place_is_a_row_of_its_own() -> None:
    items = fakes.planted(fakes.clean_items(120, 6), fakes.first_position, 1.0, 0)
    found = section(fakes.subject_of(items))
    assert found.figures["majority"].value == 1.0
    assert levels(found)["choices-only"] == "fine"  # the choices themselves tell nothing


def test_a_repeated_tag_is_found_only_with_the_question() -> None:
    found = section(fakes.subject_of(fakes.planted(fakes.clean_items(300, 7), fakes.repeated_tag, 1.0, 0)))
    assert levels(found)["question-and-choices"] == "warning"


def _usual(item: Item, rng: object) -> Item:
    """Each kind of question has its usual answer."""
    del rng
    number = int(item.id.split("-")[1])
    kind, gold = number % 5, number // 5 % 4
    choices = tuple(fakes.WORDS[(kind + 7 * (place - gold)) % len(fakes.WORDS)] for place in range(4))
    return structs.replace(
        item, texts={"question": TaggedText.plain(f"{fakes.WORDS[50 + kind]} {fakes.WORDS[number % 40]} ?")},
        choices=tuple(map(TaggedText.plain, choices)), gold=Pick(gold),
    )  # fmt: skip


def test_a_usual_answer_is_found_by_the_question() -> None:
    items = fakes.planted(fakes.clean_items(240, 8), _usual, 1.0, 0)
    assert levels(section(fakes.subject_of(items)))["question-only"] == "warning"


def test_sentences_that_give_the_verdict_away_are_found_and_balanced_ones_are_not() -> None:
    clean = section(fakes.subject_of(fakes.clean_verdicts(240, 1), fakes.VERIFY))
    assert levels(clean) == {"question-only": "fine"}
    assert clean.figures["question"].value == pytest.approx(0.5)
    told = [
        structs.replace(item, texts={"sentence": TaggedText.plain(
            ("surely " if item.gold == Verdict(True) else "never ") + str(item.texts["sentence"].tokens[0])
        )})
        for item in fakes.clean_verdicts(240, 1)
    ]  # fmt: skip
    found = section(fakes.subject_of(told, fakes.VERIFY))
    assert levels(found) == {"question-only": "warning"}
    assert "neither pictures nor objects" in found.skipped[0]


@pytest.mark.parametrize("seed", range(2))
def test_a_clean_set_raises_no_warning(seed: int) -> None:
    _no_warning(200, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("count", [200, 800])
def test_no_clean_set_of_fifty_raises_a_warning(count: int, seed: int) -> None:
    _no_warning(count, 100 + seed)


def _no_warning(count: int, seed: int) -> None:
    setting = Setting(HashedEncoder(48), seed=seed)
    for items, task in (
        (fakes.clean_items(count, seed), fakes.CHOOSE),
        (fakes.clean_verdicts(count, seed), fakes.VERIFY),
    ):
        found = section(fakes.subject_of(items, task), setting)
        assert "warning" not in levels(found).values()


def matched(count: int, seed: int) -> list[Item]:
    """Every answer is right once and, in one pool, a wrong choice of three others."""
    items = fakes.clean_items(count, seed)
    answers = [item.choices[0] for item in items]
    rng = np.random.default_rng(seed)
    found = []
    for number, item in enumerate(items):
        choices = [answers[(number + shift * 41) % count] for shift in range(4)]
        place = int(rng.integers(4))
        choices[0], choices[place] = choices[place], choices[0]
        found.append(structs.replace(item, choices=tuple(choices), gold=Pick(place)))
    return found


def test_borrowed_choices_do_not_push_solvers_below_chance() -> None:
    shares = [section(fakes.subject_of(matched(400, seed))).figures["choices"].value for seed in range(2)]
    assert 0.2 < float(np.mean([share for share in shares if share is not None])) < 0.3


def test_a_picture_that_gives_the_answer_away_is_found(tmp_path: Path) -> None:
    from PIL import Image

    items = fakes.clean_verdicts(120, 1)
    for item in items:
        bright = 200 if item.gold == Verdict(True) else 40
        for scene in item.scenes:
            Image.new("RGB", (40, 30), (bright, bright, 60)).save(tmp_path / scene.image)
    subject = fakes.subject_of(items, fakes.VERIFY)
    seen = Subject(subject.name, subject.benchmark, subject.title, subject.read, subject.tasks,
                   subject.cluster_of, images=tmp_path)  # fmt: skip
    found = section(seen)
    assert levels(found) == {"question-only": "fine", "image-only": "warning"}
    assert found.figures["image"].value == 1.0


# --- other solvers -----------------------------------------------------------------------------------------


class Cheating:
    """Knows the right choices by heart: a solver from outside, and how it is asked."""

    name = "cheating"

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self.fitted = 0

    def fit(self, asked: Sequence[str], said: Sequence[str], right: Sequence[bool], *, seed: int) -> Cheating:
        assert len(asked) == len(said) == len(right)
        assert seed == SETTING.seed
        self.asked |= set(asked)
        self.fitted += 1
        return self

    def scores(self, asked: Sequence[str], said: Sequence[str]) -> NDArray[np.float64]:
        assert len(asked) == len(said)
        return np.array(["indeed" in text for text in said], np.float64)


def test_a_solver_from_outside_is_tried_and_taken_where_it_is_best() -> None:
    solver = Cheating()
    subject = fakes.subject_of(fakes.planted(fakes.clean_items(120, 5), fakes.watermark, 1.0, 0))
    blind = Blind((solver,), trees=6)
    [found] = blind.measure(subject, SETTING)
    assert found.figures["choices"].value == 1.0
    assert "" in solver.asked  # the choices alone
    assert len(solver.asked) > 1  # with the question
    times = 2 * 2 * SETTING.folds  # by two sights, and once more for each two folds to choose by
    assert solver.fitted == times
    blind.results(subject, subject.cases["choose"].labelled, SETTING)
    assert solver.fitted == times  # what is known is not computed again


# --- bad input ---------------------------------------------------------------------------------------------


def test_five_items_are_too_few() -> None:
    found = section(fakes.subject_of(fakes.clean_items(5, 1)))
    said = "Choose one of four: 5 labelled items are too few to learn from; at least 20 are needed."
    assert found.skipped == (said,)
    assert not found.findings


def test_hidden_labels_leave_nothing_to_measure() -> None:
    hidden = [structs.replace(item, gold=None) for item in fakes.clean_items(40, 1)]
    assert "0 labelled items" in section(fakes.subject_of(hidden)).skipped[0]


def test_one_choice_is_no_choice() -> None:
    single = [structs.replace(i, choices=i.choices[:1], gold=Pick(0)) for i in fakes.clean_items(40, 1)]
    assert "only one choice" in section(fakes.subject_of(single)).skipped[0]


def test_constant_labels_leave_nothing_to_learn() -> None:
    constant = [structs.replace(item, gold=Verdict(True)) for item in fakes.clean_verdicts(40, 1)]
    assert "same answer" in section(fakes.subject_of(constant, fakes.VERIFY)).skipped[0]


@pytest.mark.parametrize("text", [TaggedText(()), TaggedText.plain(""), TaggedText(((9,), (0, 7)))])
def test_empty_texts_and_tags_out_of_range_are_no_clue(text: TaggedText) -> None:
    same = [
        structs.replace(item, texts={"question": text}, choices=(text,) * (2 + at % 3), gold=Pick(at % 2))
        for at, item in enumerate(fakes.clean_items(60, 1))
    ]
    found = section(fakes.subject_of(same))
    assert "warning" not in levels(found).values()
    assert found.figures["chance"].value == pytest.approx(np.mean([1 / 2, 1 / 3, 1 / 4]))
