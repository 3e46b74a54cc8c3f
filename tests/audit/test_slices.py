"""Slices of runs: labels by hand, gaps with their test, and no cry over clean runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure, RunAnswers, Setting
from commonsight.audit.runside.fakes import guessed, with_runs
from commonsight.audit.runside.slices import Slices, gap
from commonsight.audit.runside.slices_labels import (
    answer_frequency,
    answer_kind,
    count_words,
    item_labels,
    slices_of,
)
from commonsight.benchmarks import find
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())


def asked(number: int, split: str, answers: tuple[str, ...]) -> Item:
    item = fakes.clean_items(1, number)[0]
    return structs.replace(item, id=f"{split}{number}", split=split, direct_answers=answers)


def test_answer_frequency_in_training() -> None:
    train = [asked(n, "train", ("cat", "dog")) for n in range(6)]
    val = [asked(90, "val", ("Cat", "cat", "dog")), asked(91, "val", ("bird",))]
    subject = fakes.subject_of([*train, *val])
    cases = Cases("choose", "", "pick", [case for case in subject.cases["choose"] if case.split == "val"])
    found = answer_frequency(subject, cases)
    assert found.labels == [("6-10",), ("0",)]
    assert "in the training split" in found.note


def test_answer_frequency_among_the_others() -> None:
    items = [asked(n, "val", ("cat", "cat", "dog")) for n in range(3)] + [asked(9, "val", ("owl", "owl"))]
    subject = fakes.subject_of(items)
    found = answer_frequency(subject, subject.cases["choose"])
    assert found.labels == [("1-5",)] * 3 + [("0",)]  # cat: 6 times, 2 of them the item's own
    assert found.found == ["0", "1-5"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("Yes", "yes"), ("False", "false"), ("two", "number"), ("1,000.5", "number"), ("cat", "one word"),
     ("black cat", "several words"), (None, "several words")],
)  # fmt: skip
def test_kinds_of_answers(answer: str | None, kind: str) -> None:
    assert answer_kind(answer) == kind


def test_words_are_counted_in_either_notation() -> None:
    assert count_words(TaggedText(("Why", "is", (3,), "pointing", "?"))) == 4
    assert count_words(TaggedText.plain("What is the dog trying to catch?")) == 7
    assert count_words(TaggedText(())) == 0


def test_fields_of_an_item_become_labels() -> None:
    item = structs.replace(
        fakes.clean_items(1, 1)[0],
        scenes=(Scene("i.png", (Region("cup"),) * 8),),
        program=Program((Step("Initial"), Step("Find"), Step("Verify"))),
        groups={"movie": "m", "image": "i", "category": "mood"},
        extra={
            "sub_graph": {"relations": [1, 2], "attributes": [3], "knowledge_items": [], "name": "graph"},
            "knowledge_type": ["Visual", "Commonsense", "Visual"], "difficult": True,
            "answer_types": ["a", "b"], "scores": [1, 2], "nothing": None,
        },
    )  # fmt: skip
    assert item_labels(item) == {
        "category": ("mood",), "knowledge_type": ("Visual", "Commonsense"), "difficult": ("yes",),
        "functions": ("3",), "graph_size": ("3-4",), "objects": ("7-9",),
    }  # fmt: skip


def test_names_are_no_slices() -> None:
    items = [structs.replace(item, extra={"note": item.id}) for item in fakes.clean_items(60, 1)]
    subject = fakes.subject_of(items)
    assert "note" not in {found.name for found in slices_of(subject, subject.cases["choose"])}


def pointing(number: int) -> Item:
    """A question that an answer and an object answer; every other one rests on much."""
    rests = {"relations": [1] * (number % 40)}
    return Item(
        f"q{number}",
        "val",
        (),
        {"question": TaggedText.plain("Which one is it?")},
        gold=Grounded("cup", 1),
        target=(1,),
        groups={"image": str(number), "question_type": "QueryObjKG" if number % 2 else "QueryObjSG"},
        extra={"sub_graph": rests},
    )


def test_answers_and_what_they_point_to_are_told_apart() -> None:
    """CRIC's Figures 11 and 12: each of three metrics, also by sizes of which there are many."""
    items = [pointing(number) for number in range(80)]
    odd = np.arange(80) % 2 == 1
    scores = {"answer": odd * 1.0, "grounding": ~odd * 1.0, "final": np.zeros(80)}
    run = RunAnswers("run", tuple(item.id for item in items), scores)
    subject = fakes.subject_of(items, find("cric").task("answer"))
    (section,) = Slices(least=2).measure(with_runs(subject, run), SETTING)
    assert "answer, grounding, final" in section.about
    titles = [table.title for table in section.tables]
    by_type = ["By question type", "By question type: grounding", "By question type: final"]
    assert [title for title in titles if "question type" in title] == by_type
    assert section.figures["run.question_type.QueryObjKG"].value == 1.0
    assert section.figures["run.grounding.question_type.QueryObjKG"].value == 0.0
    assert section.figures["run.grounding.question_type.QueryObjSG"].value == 1.0
    sizes = next(table for table in section.tables if table.title == "By graph size: grounding")
    assert [row[:2] for row in sizes.rows] == [
        ("0", 2), ("1-2", 4), ("3-4", 4), ("5-6", 4), ("7-9", 6), ("10-14", 10), ("15+", 50)
    ]  # fmt: skip
    assert len({plot.name for plot in section.plots}) == len(section.plots)


def test_a_gap_by_hand() -> None:
    values = np.array([1, 1, 0, 0, 0, 1], float)
    inside = np.array([1, 1, 1, 0, 0, 0], bool)
    found = gap(values, inside, np.arange(6))
    assert found.difference == pytest.approx(1 / 3)
    # Each side: sum of squared residuals 2/3 over 9; both together times 6/5; z = (1/3) / 0.4216.
    assert found.p_value == pytest.approx(0.4292, abs=1e-3)
    together = gap(np.repeat(values, 4), np.repeat(inside, 4), np.repeat(np.arange(6), 4))
    assert together.p_value == pytest.approx(found.p_value)
    assert gap(values, np.ones(6, bool), np.arange(6)).p_value == 1.0


def test_a_weak_spot_is_named() -> None:
    items = fakes.clean_items(400, seed=5)
    items = [
        structs.replace(item, groups={**item.groups, "category": "hard" if n % 4 == 0 else "easy"})
        for n, item in enumerate(items)
    ]
    skill = np.where(np.arange(400) % 4 == 0, 0.4, 0.8)
    runs = [guessed(items, skill, seed, f"run{seed}") for seed in (1, 2)]
    (section,) = Slices().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    (found,) = section.findings
    assert (found.code, found.level) == ("weak-slice", "note")
    assert len(found.items) == 100
    assert -0.55 < (found.value or 0) < -0.25
    table = next(table for table in section.tables if table.title == "By category")
    assert [row[:2] for row in table.rows] == [("easy", 300), ("hard", 100)]
    figure = section.figures["run1.category.hard"]
    assert figure.k == sum(runs[0].scores["accuracy"][::4])
    assert figure.n == 100


def test_even_runs_have_no_weak_spot() -> None:
    for seed in range(10):
        items = fakes.clean_items(300, seed)
        runs = [guessed(items, 0.6, seed + n, f"run{n}") for n in range(2)]
        (section,) = Slices().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
        assert section.findings == ()


def test_without_runs_it_says_so() -> None:
    items = fakes.clean_items(30, seed=1)
    with pytest.raises(CannotMeasure, match="Give runs with --run"):
        Slices().measure(fakes.subject_of(items), SETTING)
    other = guessed([structs.replace(item, id=f"x{item.id}") for item in items], 0.5, 1)
    with pytest.raises(CannotMeasure, match="No run was scored on at least 20 labelled items"):
        Slices().measure(with_runs(fakes.subject_of(items), other), SETTING)


def test_length_and_frequency_bins_are_one_place() -> None:
    slices = find("cric").scoring.slices
    item = structs.replace(fakes.clean_items(1, 1)[0], texts={"question": TaggedText.plain("one two three")})
    assert slices["question_length"](item) == ("1-7",)


def test_a_file_beside_the_items_sorts_them_too() -> None:
    items = fakes.clean_items(60, seed=1)
    kinds = {item.id: ("visual",) if at % 2 else ("physical",) for at, item in enumerate(items)}
    subject = replace(fakes.subject_of(items), slices={"knowledge": lambda item: kinds[item.id]})
    (section,) = Slices().measure(with_runs(subject, guessed(items, 0.5, 1)), SETTING)
    table = next(table for table in section.tables if table.title == "By knowledge")
    assert [row[:2] for row in table.rows] == [("physical", 30), ("visual", 30)]
    assert "Table 7" in table.note
