"""Vocabularies of answers: the paper's rules on items made by hand, and on the real validation file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks.aokvqa import AOKVQA
from commonsight.build.vocabulary import (
    LARGE,
    SPECIALISED,
    Rule,
    answer_vocabulary,
    read_vocabulary,
    right_answer,
    write_vocabulary,
)
from commonsight.core.answer import FreeText, Given, Grounded, Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import InputError
from commonsight.store.native import read_native


def item(number: int, choices: str, gold: Given | None, answers: str) -> Item:
    texts = tuple(TaggedText.plain(choice) for choice in choices.split(","))
    return Item(str(number), "train", choices=texts, gold=gold, direct_answers=tuple(answers.split(",")))


ITEMS = [
    item(1, "sea,lake,pond,puddle", Pick(0), "sea,sea,sea,water"),
    item(2, "lake,river,pond,pond", Pick(1), "river,water,water"),
    item(3, "hot,cold,pond,lake", Pick(1), "cold,water,chilly"),
    item(4, "red,blue,green,sea", Pick(3), "sea,chilly"),
]


def test_right_choices_are_in_and_others_that_three_questions_have() -> None:
    # pond twice in one question is one question, as is an answer that many people gave
    assert answer_vocabulary(ITEMS) == ("cold", "lake", "pond", "river", "sea", "water")
    assert answer_vocabulary(ITEMS[::-1]) == answer_vocabulary(ITEMS)


@pytest.mark.parametrize(
    ("rule", "answers"),
    [
        (Rule(correct=False), ("lake", "pond", "water")),
        (Rule(choices=None), ("cold", "river", "sea", "water")),
        (Rule(choices=None, answers=None), ("cold", "river", "sea")),
        (Rule(correct=False, choices=None, answers=4), ()),
        (SPECIALISED, ("chilly", "sea", "water")),
    ],
)
def test_every_part_of_the_rule_can_be_told(rule: Rule, answers: tuple[str, ...]) -> None:
    assert answer_vocabulary(ITEMS, rule) == answers


def test_items_without_labels_give_their_choices_alone() -> None:
    unlabelled = [item(number, "a,b", None, "") for number in range(3)]
    assert answer_vocabulary(unlabelled, Rule(answers=None)) == ("a", "b")


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        (Pick(1), "b"),
        (Pick(7), None),
        (FreeText("c"), "c"),
        (Grounded("d", 3), "d"),
        (Verdict(True), "True"),
        (None, None),
    ],
)
def test_what_is_right_in_words(gold: Given | None, text: str | None) -> None:
    assert right_answer(item(1, "a,b", gold, "")) == text


WRITABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\ufeff")


@given(st.lists(st.text(WRITABLE), min_size=1))
def test_a_vocabulary_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, answers: list[str]
) -> None:
    path = tmp_path_factory.mktemp("vocabulary") / "answers.csv"
    write_vocabulary(path, answers)
    assert read_vocabulary(path) == tuple(answers)


def test_lines_may_end_as_windows_has_it(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_bytes(b"red\r\ngreen\r\n\r\nblue\r\n")
    assert read_vocabulary(tmp_path / "answers.csv") == ("red", "green", "", "blue")
    with pytest.raises(InputError, match=r"An answer has two lines"):
        write_vocabulary(tmp_path / "others.csv", ["red\r"])


def test_an_answer_of_two_lines_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"An answer has two lines \('a\\nb'\)"):
        write_vocabulary(tmp_path / "answers.csv", ["a\nb"])
    assert not list(tmp_path.iterdir())


def test_an_empty_file_is_no_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_bytes(b"")
    with pytest.raises(InputError, match=r"answers\.csv: the file holds no records"):
        read_vocabulary(tmp_path / "answers.csv")


@pytest.mark.real_data
def test_the_rule_on_the_real_validation_file(data_dir: Path) -> None:
    items = list(read_native(AOKVQA.native, [data_dir / "aokvqa" / "aokvqa_v1p0_val.json"]))
    large, special = answer_vocabulary(items, LARGE), answer_vocabulary(items, SPECIALISED)
    right = {right_answer(one) for one in items}
    assert right <= set(large)
    assert len(special) == 763
    three = answer_vocabulary(items, Rule(correct=False, choices=None))
    assert (len(three), set(three) <= set(large)) == (366, True)
    assert len(large) == len(right | set(three) | set(answer_vocabulary(items, Rule(False, 3, None))))
    # the published one is of the training split, and has an answer to nearly every question here
    published = set(read_vocabulary(data_dir / "aokvqa" / "large_vocab_train.csv"))
    assert sum(not published.isdisjoint(one.direct_answers) for one in items) == 1_121
