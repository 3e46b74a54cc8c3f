"""Names have numbers, and what training never saw has none of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import KNOWN, asks, drawn
from msgspec import structs

from commonsight.core.answer import FreeText
from commonsight.core.benchmark import Ask
from commonsight.core.text import TaggedText
from commonsight.graph.retrieval import Fact
from commonsight.models.features.examples import WHOLE, example_of
from commonsight.models.features.reading import WordReading
from commonsight.models.features.vocabulary import (
    PADDING,
    UNKNOWN,
    Vocabularies,
    Vocabulary,
    known_share,
    numbered,
    vocabularies,
)

FEW = Ask(
    "1",
    "da",
    (),
    {"question": TaggedText.plain("Where?")},
    "text",
    gold=FreeText("sea"),
    answers=("sea", "sea", "river", "sea", "sea", "moon"),
)

@given(several=st.lists(asks(), min_size=1, max_size=4))
def test_every_word_and_label_of_training_is_known(several: list[Ask]) -> None:
    examples = [example_of(ask) for ask in several]
    found = vocabularies(examples)
    for vocabulary in (found.words, found.labels):
        numbers = vocabulary.numbers()
        assert sorted(numbers.values()) == list(range(2, len(vocabulary)))
    said = [text.words for example in examples for text in (example.query, *example.responses)]
    assert {word for words in said for word in words} == set(found.words.names)
    assert {seen.label for example in examples for seen in example.objects} == set(found.labels.names)
    assert known_share(said, found.words) == 1


def test_frequent_names_come_first_and_ties_by_name() -> None:
    examples = [structs.replace(example, facts=()) for example in drawn(40)]
    found = vocabularies(examples)
    counts = [
        sum(text.words.count(name) for example in examples for text in (example.query, *example.responses))
        for name in found.words.names
    ]
    order = list(zip([-count for count in counts], found.words.names, strict=True))
    assert order == sorted(order)
    assert vocabularies(examples[::-1]) == found


def test_what_a_fact_says_counts_once() -> None:
    fact = Fact("zebra", "IsA", "animal", ("zebra", "is", "a", "animal"))
    examples = [structs.replace(example, facts=(fact,)) for example in drawn(9)]
    assert {"zebra", "animal"} <= set(vocabularies(examples).words.names)
    assert "zebra" not in vocabularies(examples, at_least=2).words.names


def test_rare_words_can_be_left_out() -> None:
    examples = drawn(4)
    every, frequent = vocabularies(examples), vocabularies(examples, at_least=3)
    assert 0 < len(frequent.words) < len(every.words)
    assert frequent.words.names == every.words.names[: len(frequent.words.names)]
    assert frequent.labels == every.labels  # labels are never left out


def test_the_whole_picture_is_known_even_where_there_was_none() -> None:
    assert vocabularies([]).labels.names == (WHOLE,)
    assert vocabularies([]).words.names == ()


def test_what_is_unknown_has_the_number_of_unknown_things() -> None:
    known = Vocabularies(Vocabulary(KNOWN.words.names[:3]), Vocabulary((WHOLE,)))
    batch = WordReading(known).batch(drawn(5))
    assert batch.responses is not None
    assert batch.seen is not None
    words = batch.responses.ids[batch.responses.mask]
    assert (words >= UNKNOWN).all()
    assert (words == UNKNOWN).any()
    assert (batch.responses.ids[~batch.responses.mask] == PADDING).all()
    assert (batch.seen.classes[:, 0] == 2).all()
    there = batch.seen.mask[:, 1:]
    assert (batch.seen.classes[:, 1:][there] == UNKNOWN).all()
    assert (batch.seen.classes[:, 1:][~there] == PADDING).all()


def test_how_many_words_are_known() -> None:
    known = Vocabulary(("a", "b"))
    assert known_share([("a", "b"), ("c", "a")], known) == 0.75
    assert known_share([], known) == 0


def test_answers_are_numbered_and_unheard_ones_are_never_right() -> None:
    examples = [
        structs.replace(example, gold=None, answer=answer)
        for example, answer in zip(drawn(4), ("no", "red", "no", "cup"), strict=True)
    ]
    known = vocabularies(examples[:3]).answers
    assert known == ("no", "red")
    assert [example.gold for example in numbered(examples, known)] == [0, 1, 0, None]
    assert numbered(drawn(2), known) == drawn(2)


def test_what_people_said_is_counted_by_place() -> None:
    asked = example_of(FEW, named=True)
    (one,) = numbered([asked], ("cold", "river", "sea"))
    assert (one.gold, one.times) == (2, ((1, 1), (2, 4)))
    assert one.rights() == {1: pytest.approx(1 / 3), 2: 1.0}


def test_a_single_answer_may_count_as_everybodys() -> None:
    asked = example_of(structs.replace(FEW, answers=()), named=True)
    (alone,), (several,) = numbered([asked], ("sea",)), numbered([asked], ("sea",), several=True)
    assert (alone.times, several.times) == ((), ((0, 3),))
    assert alone.rights() == several.rights() == {0: 1.0}


def test_choices_that_are_scored_have_their_places() -> None:
    asked = structs.replace(example_of(FEW, named=True), choices=("sea", "moon"))
    (one,) = numbered([asked], ("cold", "sea"))
    assert one.places == (1, -1)
