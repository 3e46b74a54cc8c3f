"""Aligning detections: a response of one image speaks of another's objects."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.matching.habits import Habits
from commonsight.build.matching.remap import Remap, remapped, respoken
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText, Token

LABELS = ("person", "cup", "dog", "dining table")


def pair(objects: tuple[str, ...], query: tuple[Token, ...] = (), response: tuple[Token, ...] = ()) -> Pair:
    return Pair("q", "image", objects, TaggedText(query), TaggedText(response))


def remap(
    tokens: tuple[Token, ...], labels: tuple[str, ...], query: Pair, seed: int = 0
) -> tuple[Token, ...]:
    return remapped(TaggedText(tokens), labels, query, random.Random(seed)).tokens


def test_classes_are_respected() -> None:
    query = pair(("cup", "person", "dog"))
    assert remap(((0,), "feeds", (1,)), ("person", "dog"), query) == ((1,), "feeds", (2,))


def test_the_same_tag_stays_the_same_object() -> None:
    query = pair(("person",) * 5)
    for seed in range(20):
        first, _, second = remap(((1,), "and", (1,)), ("cup", "person"), query, seed)
        assert first == second


def test_different_tags_stay_different_while_there_are_enough() -> None:
    for seed in range(40):
        query = pair(("person", "cup", "person", "person"), ((0,), "?"))
        tokens = remap(((0,), (1,), (2,)), ("person",) * 3, query, seed)
        assert sorted(tokens) == [(0,), (2,), (3,)]


def test_with_too_few_two_become_one() -> None:
    query = pair(("person",))
    assert remap(((0,), "kisses", (1,)), ("person", "person"), query) == ((0,), "kisses", (0,))
    assert remap(((0, 1), "kiss"), ("person", "person"), query) == ((0,), "kiss")


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ((("It", "is", "on", (3,))), ("It", "is", "on", "the", "dining", "table")),
        (("the", (2,), "barks"), ("the", "dog", "barks")),
        (("His", (2,), "barks"), ("His", "dog", "barks")),
        (((2, 1), "fall"), ("the", "dog", "and", "the", "cup", "fall")),
        (((2, 4), "bark"), ("the", "dog", "bark")),
        (((0, 2), "run"), ((0,), "and", "the", "dog", "run")),
        (((), "nothing"), ((), "nothing")),
    ],
)
def test_what_the_image_does_not_have_becomes_words(
    tokens: tuple[Token, ...], said: tuple[Token, ...]
) -> None:
    assert remap(tokens, (*LABELS, "dog"), pair(("person",))) == said


def test_a_reference_to_several_stays_one() -> None:
    (found, _) = remap(((0, 1), "dance"), ("person", "person"), pair(("person", "cup", "person")))
    assert set(found) == {0, 2}


@pytest.mark.parametrize("mentioned", [0.0, 0.3, 0.5, 1.0])
def test_mentioned_objects_are_preferred_with_the_stated_probability(mentioned: float) -> None:
    query = pair(("person",) * 10, ("Why", (3,), "?"), ((7,), "must"))
    rng = random.Random(5)
    draws = 4000
    text = TaggedText(((0,),))
    found = Counter(
        remapped(text, ("person",), query, rng, mentioned=mentioned).tokens[0] for _ in range(draws)
    )
    share = (found[(3,)] + found[(7,)]) / draws
    assert share == pytest.approx(mentioned + (1 - mentioned) * 2 / 10, abs=0.03)
    if mentioned < 1:
        assert len(found) == 10
    assert found[(3,)] == pytest.approx(found[(7,)], abs=0.06 * draws)


def test_the_same_seed_gives_the_same_text() -> None:
    query = pair(("person",) * 6)
    tokens = ((0,), "sees", (1,))
    assert remap(tokens, ("person",) * 2, query, 3) == remap(tokens, ("person",) * 2, query, 3)
    assert len({remap(tokens, ("person",) * 2, query, seed) for seed in range(30)}) > 5


def test_several_stay_in_order() -> None:
    query = pair(("person",) * 6)
    for seed in range(30):
        (token,) = remap(((0, 1, 2),), ("person",) * 3, query, seed)
        assert token == tuple(sorted(token))
    assert len({remap(((2, 0),), ("person",) * 3, query, seed)[0] for seed in range(60)}) > 15


def spoken(*responses: tuple[Token, ...], objects: tuple[str, ...]) -> Habits:
    return Habits.of([pair(objects, (), response) for response in responses])


NOTHING_KNOWN = Habits.of([])


def test_objects_are_drawn_as_often_as_people_speak_of_their_number() -> None:
    habits = spoken(*[((0,),)] * 300, *[((2,),)] * 100, objects=("person",) * 4)
    query, rng = pair(("person",) * 4), random.Random(2)
    sixth = TaggedText(((5,),))  # there is no sixth person in the query's image
    found = Counter(respoken(sixth, ("person",) * 6, query, rng, habits).tokens[0] for _ in range(2000))
    assert found[(0,)] / 2000 == pytest.approx(0.75, abs=0.03)
    assert found[(1,)] + found[(3,)] < 30


@pytest.mark.parametrize("mentioned", [0.0, 1.0])
def test_a_thing_stays_what_it_is_where_it_can(mentioned: float) -> None:
    query = pair(("person", "cup", "cup", "person"), ((1,), (0,)))
    for seed in range(10):
        new = respoken(
            TaggedText(((2,), "and", (0,))), ("person", "dog", "cup"), query, random.Random(seed),
            NOTHING_KNOWN, mentioned=mentioned,
        )  # fmt: skip
        assert new.tokens == ((2,), "and", (0,))


@pytest.mark.parametrize("mentioned", [0.0, 0.4, 1.0])
def test_a_person_becomes_one_that_is_mentioned_or_stays(mentioned: float) -> None:
    query, rng = pair(("person",) * 4, ((3,), "?")), random.Random(4)
    text = TaggedText(((1,),))
    found = Counter(
        respoken(text, ("person",) * 2, query, rng, NOTHING_KNOWN, mentioned=mentioned).tokens[0]
        for _ in range(2000)
    )
    assert found[(3,)] / 2000 == pytest.approx(mentioned, abs=0.04)
    assert found[(1,)] == 2000 - found[(3,)]


def test_another_of_the_class_is_taken_before_another_thing() -> None:
    query = pair(("person", "cup", "dog"))
    for seed in range(10):
        new = respoken(TaggedText(((2,),)), ("x", "x", "cup"), query, random.Random(seed), NOTHING_KNOWN)
        assert new.tokens == ((1,),)


def test_where_the_class_is_not_there_another_thing_that_is_spoken_of_stands_in() -> None:
    objects = ("person", "tree", "cup", "person")
    habits = spoken(*[((0,), "drinks", (2,))] * 2000, objects=objects)
    for seed in range(20):
        new = respoken(TaggedText(((0,),)), ("dog",), pair(objects), random.Random(seed), habits)
        assert new.tokens == ((2,),)
    alone = respoken(TaggedText(((0,),)), ("dog",), pair(("person",)), random.Random(0), habits)
    assert alone.tokens == ("the", "dog")
    nobody = respoken(TaggedText(((0,),)), ("person",), pair(("cup",)), random.Random(0), habits)
    assert nobody.tokens == ("the", "person")


def test_a_bucket_is_remapped_as_in_the_paper_where_habits_are_not_known() -> None:
    lender = Pair("r", "other", ("person",) * 9, TaggedText(()), TaggedText(((8,), "waits")))
    query = Pair("q", "image", ("person",) * 9, TaggedText(()), TaggedText(()))
    told = {str(seed): Remap([query, lender], str(seed))(0, 1).tokens[0] for seed in range(60)}
    assert len(set(told.values())) > 6
    assert told["7"] == Remap([query, lender], "7")(0, 1).tokens[0]
    kept = {Remap([query, lender], str(seed), NOTHING_KNOWN)(0, 1).tokens[0] for seed in range(60)}
    assert kept == {(8,)}



def references(count: int) -> st.SearchStrategy[tuple[Token, ...]]:
    indices = st.lists(st.integers(0, count - 1), max_size=3).map(tuple) if count else st.just(())
    return st.lists(st.one_of(st.sampled_from(("the", "is", "near")), indices), max_size=8).map(tuple)


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[Token, ...], tuple[str, ...], Pair]:
    own, other = (tuple(draw(st.lists(st.sampled_from(LABELS), max_size=6))) for _ in range(2))
    query = pair(other, draw(references(len(other))), draw(references(len(other))))
    return draw(references(len(own))), own, query


@given(cases(), st.integers(0, 99))
def test_any_response_fits_any_query(
    case: tuple[tuple[Token, ...], tuple[str, ...], Pair], seed: int
) -> None:
    tokens, labels, query = case
    new = remapped(TaggedText(tokens), labels, query, random.Random(seed))
    referred = {labels[tag] for tag in TaggedText(tokens).references()}
    for place in new.references():
        assert 0 <= place < len(query.objects)
        assert query.objects[place] in referred
    for label in referred:
        tags = {tag for tag in TaggedText(tokens).references() if labels[tag] == label}
        now = {place for place in new.references() if query.objects[place] == label}
        assert len(now) == min(len(tags), query.objects.count(label))
    assert all(len(set(token)) == len(token) for token in new.tokens if isinstance(token, tuple))
