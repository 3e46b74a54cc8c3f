"""Questions against their programs: what is made is read back alike, and what is wrong is noticed."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from msgspec import structs

from commonsight.build.questions.consistency import (
    MOST_EXAMPLES,
    Consistency,
    Outcome,
    check_made,
    check_question,
    normalised,
)
from commonsight.build.questions.english import English
from commonsight.build.questions.generate import Made, questions
from commonsight.build.questions.lore import Lore
from commonsight.build.questions.reading import Lexicon
from commonsight.core.scene import Region, Relation, Scene
from commonsight.graph.load import load_knowledge
from commonsight.graph.programs import read

THINGS = (
    "cup", "knife", "fork", "plate", "table", "chair", "dog", "cat", "man", "woman", "car", "bus", "tree",
    "apple", "pizza", "book", "laptop", "shirt", "hat", "bench", "lamp", "bottle", "bicycle", "bed",
)  # fmt: skip
ATTRIBUTES = ("red", "blue", "white", "small", "large", "wooden", "metal", "round", "open", "standing", "old")
PREDICATES = (
    "on", "next to", "holding", "wearing", "behind", "left of", "has", "covering", "sitting on", "under",
)  # fmt: skip


@cache
def lore() -> Lore:
    return Lore(load_knowledge((), THINGS).knowledge)


@cache
def lexicon() -> Lexicon:
    return Lexicon(lore().knowledge)


def any_scene(seed: int) -> Scene:
    rng = Random(seed)
    count = rng.randint(6, 14)
    regions = tuple(
        Region(rng.choice(THINGS), attributes=tuple(rng.sample(ATTRIBUTES, rng.randint(0, 3))))
        for _ in range(count)
    )
    pairs = (rng.sample(range(count), 2) for _ in range(2 * count))
    relations = tuple(Relation(one, rng.choice(PREDICATES), other) for one, other in pairs)
    return Scene(f"{seed}.png", regions, relations)


@cache
def sample() -> tuple[Made, ...]:
    made: list[Made] = []
    for seed in range(80):
        made += questions(any_scene(seed), lore(), English(), Random(seed))
    return tuple(made)


def checked(made: tuple[Made, ...]) -> Consistency:
    consistency = Consistency()
    for each in made:
        consistency.add(each.text, check_made(each, lexicon()))
    return consistency


def test_nearly_all_questions_read_back_as_their_programs() -> None:
    consistency = checked(sample())
    assert consistency.total > 1000
    assert consistency.share >= 0.95, consistency.different + consistency.unread
    assert consistency.exact / consistency.total >= 0.95
    assert consistency.read / consistency.total >= 0.99, consistency.unread
    assert consistency.exact <= consistency.read
    assert consistency.same_answer <= consistency.by_any


def test_a_program_of_another_question_is_noticed() -> None:
    pairs = [
        (one, other)
        for one, other in zip(sample(), sample()[1:], strict=False)
        if one.scene is other.scene and normalised(one.program) != normalised(other.program)
    ]
    exact = [
        check_question(one.text, other.program, other.answer, other.target, one.scene, lexicon()).exact
        for one, other in pairs
    ]
    assert len(exact) > 900
    assert sum(exact) / len(exact) < 0.01


@pytest.mark.parametrize(
    ("was", "is_now"),
    [(" on the ", " under the "), (" left of ", " right of "), ("What color", "What size"), ("red", "blue")],
)
def test_a_wrong_word_is_noticed(was: str, is_now: str) -> None:
    touched = [
        structs.replace(made, text=made.text.replace(was, is_now)) for made in sample() if was in made.text
    ]
    assert len(touched) > 10
    assert not any(check_made(made, lexicon()).exact for made in touched)


KITCHEN = Scene(
    "kitchen.png",
    (
        Region("cup", attributes=("red",), id=10),
        Region("cup", attributes=("blue",), id=11),
        Region("table", id=12),
        Region("shelf", id=13),
        Region("man", id=14),
    ),
    (
        Relation(0, "on", 2),
        Relation(1, "on", 3),
        Relation(4, "next to", 2),
        Relation(4, "behind", 3),
        Relation(2, "next to", 3),
        Relation(0, "next to", 4),
    ),
)


def check(text: str, program: str, answer: str, *target: int) -> Outcome:
    return check_question(text, read(program), answer, target, KITCHEN, lexicon())


COLOR = (
    '[0] Initial(); [1] Find([0], "table"); [2] Relate_Reverse([1], "on"); [3] Find([2], "cup");'
    ' [4] Recognition([3], "color")'
)


def test_answer_and_objects_both_count() -> None:
    text = "What color is the cup on the table?"
    assert check(text, COLOR, "red", 10)[1:5] == (True, True, True, True)
    assert check(text, COLOR, "blue", 10)[1:5] == (False, True, False, False)
    assert check(text, COLOR, "red", 11)[1:5] == (False, True, False, False)
    assert check("What color is the cup on the shelf?", COLOR, "red", 10)[1:5] == (False,) * 4
    assert check("What colour has a cup there?", COLOR, "red", 10) == Outcome(0)


def test_the_picture_decides_where_english_does_not() -> None:
    """By grammar it is the table that is next to the man; but here that is the cup."""
    program = (
        '[0] Initial(); [1] Find([0], "table"); [2] Relate_Reverse([1], "on"); [3] Find([0], "man");'
        ' [4] Relate_Reverse([3], "next to"); [5] And([2], [4]); [6] Find([5], "cup");'
        ' [7] Recognition([6], "color")'
    )
    outcome = check("What color is the cup on the table that is next to the man?", program, "red", 10)
    assert outcome.readings == 2
    assert outcome.exact
    assert outcome.same_answer
    assert not outcome.by_grammar


def test_programs_are_the_same_in_any_order() -> None:
    one = read(
        '[0] Initial(); [1] Find([0], "a"); [2] Relate([1], "on"); [3] Find([0], "b"); [4] Relate([3], "in");'
        ' [5] And([2], [4]); [6] Find([5], "cup", "red", "small"); [7] Verify([6])'
    )
    other = read(
        '[0] Initial(); [1] Find([0], "b"); [2] Relate([1], "in"); [3] Find([0], "a"); [4] Relate([3], "on");'
        ' [5] And([2], [4]); [6] Find([5], "cup", "small", "red"); [7] Verify([6])'
    )
    third = read(
        '[0] Initial(); [1] Find([0], "a"); [2] Relate([1], "in"); [3] Find([0], "b"); [4] Relate([3], "on");'
        ' [5] And([2], [4]); [6] Find([5], "cup", "small", "red"); [7] Verify([6])'
    )
    assert normalised(one) == normalised(other) != normalised(third)


def test_filters_by_knowledge_are_the_same_in_any_order() -> None:
    def filtered(*uses: str) -> object:
        steps = [f'[{n}] Find_KG([{n - 1}], "BLANK", "UsedFor", "{use}")' for n, use in enumerate(uses, 1)]
        return normalised(
            read("; ".join(["[0] Initial()", *steps, f"[{len(uses) + 1}] Verify([{len(uses)}])"]))
        )

    assert filtered("eating", "drinking") == filtered("drinking", "eating") != filtered("eating")


def test_summaries_add_up() -> None:
    one, other = Consistency(), Consistency()
    one.add("Read?", Outcome(2, True, True, True, True))
    for number in range(MOST_EXAMPLES + 5):
        other.add(f"Unread {number}?", Outcome(0))
    other.add("Different?", Outcome(1, by_any=True))
    one.update(other)
    assert (one.total, one.read, one.same_answer, one.exact, one.by_any) == (MOST_EXAMPLES + 7, 2, 1, 1, 2)
    assert one.ambiguous == 1
    assert one.different == ["Different?"]
    assert len(one.unread) == MOST_EXAMPLES
    assert one.share == pytest.approx(1 / one.total)
    assert Consistency().share == 0.0
