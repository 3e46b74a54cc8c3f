"""Choosing, weeding and wording knowledge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.graph import wording
from commonsight.graph.conceptnet import UNNATURAL, Triple
from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.select import Rules, Selection, Selector, select


def _selected(*triples: tuple[str, str, str], **options: object) -> Selection:
    return select((Triple(*triple) for triple in triples), Selector(**options))  # type: ignore[arg-type]


def _texts(selection: Selection) -> list[tuple[str, str, str]]:
    return [(item.relation, item.head.text, item.tail.text) for item in selection.items]


@pytest.mark.parametrize(
    ("relation", "tail", "worded"),
    [
        ("UsedFor", "lift food", "lifting food"),
        ("UsedFor", "holding your drinks", "holding liquid"),
        ("UsedFor", "contain liquid", "holding liquid"),
        ("CapableOf", "climbing hills", "climb hills"),
        ("CapableOf", "barks", "bark"),
        ("ReceivesAction", "eat", "eaten"),
        ("ReceivesAction", "be cooked", "cooked"),
        ("ReceivesAction", "wear on head", "worn on the head"),
        ("HasSubevent", "wash dish", "washing dishes"),
        ("HasPrerequisite", "buy food", "buying food"),
        ("UsedFor", "ride horse", "riding a horse"),
        ("UsedFor", "clean floor", "cleaning the floor"),
        ("UsedFor", "go to school", "going to school"),
        ("HasA", "four leg", "four legs"),
        ("AtLocation", "the kitchen", "kitchen"),
        ("AtLocation", "live room", "living room"),
    ],
)
def test_one_wording_by_relation(relation: str, tail: str, worded: str) -> None:
    (item,) = _selected((relation, "spoon", tail), things={"horse"}).items
    assert (item.relation, item.tail.text) == (relation, worded)


def test_being_made_or_found_becomes_its_own_relation() -> None:
    found = _selected(
        ("ReceivesAction", "shirt", "make from cotton"), ("ReceivesAction", "oven", "find in kitchen")
    )
    assert _texts(found) == [("MadeFrom", "shirt", "cotton"), ("AtLocation", "oven", "kitchen")]


@pytest.mark.parametrize(
    ("triple", "reason"),
    [
        (("Desires", "person", "own house"), "relation unnatural for vision: Desires"),
        (("CapableOf", "dog", "bite you"), "first or second person"),
        (("CapableOf", "dog", "not fly"), "denial"),
        (("IsA", "train", "heavy than car"), "comparison"),
        (("UsedFor", "gun", "kill animal"), "unfit for questions"),
        (("UsedFor", "very long name of one thing", "eat"), "too long"),
        (("UsedFor", "fork", "eat food with other people at home today"), "too long"),
        (("UsedFor", "fork", "metal"), "tail is no event"),
        (("CapableOf", "dog", "be tired"), "a state, not an event"),
        (("HasProperty", "dog", "animal"), "tail is no property"),
        (("HasProperty", "garden", "satisfy"), "tail is no property"),
        (("IsA", "dog", "what people like"), "a sentence"),
        (("AtLocation", "something", "kitchen"), "names nothing"),
        (("IsA", "dog", "the dog"), "says the same twice"),
        (("UsedFor", "read book", "learn"), "head is an event"),
        (("HasA", "piano", "88 key"), "number"),
        (("IsA", "kraków", "city"), "not plain English"),
    ],
)
def test_noise_is_dropped_for_a_reason(triple: tuple[str, str, str], reason: str) -> None:
    selection = _selected(triple)
    assert selection.items == ()
    assert list(selection.dropped) == [reason]
    assert selection.dropped[reason].count == 1
    assert selection.dropped[reason].examples == [f"<{triple[1]}, {triple[0]}, {triple[2]}>"]


def test_what_was_written_by_hand_is_never_dropped() -> None:
    triple = Triple("UsedFor", "wheelchair", "moving people who cannot walk", trusted=True)
    (item,) = select([triple], Selector()).items
    assert item.tail.text == "moving people who cannot walk"


def test_items_are_about_the_scenes() -> None:
    triples = [
        ("UsedFor", "fork", "lift food"), ("AtLocation", "quark", "atom"),
        ("UsedFor", "key", "open bottles"), ("IsA", "forks", "utensil"),
        ("HasSubevent", "clean house", "use broom"),
    ]  # fmt: skip
    found = _selected(*triples, concepts=["forks", "bottle", "broom"])
    heads = [item.head.text for item in found.items]
    assert "fork" in heads
    assert "cleaning the house" in heads
    assert "key" in heads
    assert found.dropped["no concept of the scenes"].examples == ["<quark, AtLocation, atom>"]


def test_a_name_that_the_scenes_use_stays() -> None:
    triple = ("UsedFor", "fridge", "cool food")
    assert _selected(triple).items[0].head.text == "refrigerator"
    assert _selected(triple, concepts=["fridge"]).items[0].head.text == "fridge"


def test_everyday_categories_and_taxonomy() -> None:
    found = _selected(("IsA", "cat", "animal"), ("IsA", "cat", "feline"), everyday={"animal"})
    assert _texts(found) == [("IsA", "cat", "animal"), ("IsA-Taxonomy", "cat", "feline")]


def test_what_says_the_same_is_merged() -> None:
    found = _selected(
        ("UsedFor", "cup", "hold liquid"),
        ("UsedFor", "the cup", "holding liquids"),
        ("UsedFor", "cups", "hold water"),
    )
    assert len(found.items) == 1
    assert found.merged == 2


def test_relations_and_weights_can_be_chosen() -> None:
    rules = Rules(relations=("IsA",), unnatural=UNNATURAL | {"HasA"}, least_weight=0.5)
    triples = [
        Triple("UsedFor", "a", "eat"), Triple("HasA", "dog", "tail"), Triple("IsA", "dog", "animal", 0.1),
        Triple("IsA", "cat", "animal", 2.0),
    ]  # fmt: skip
    found = select(triples, Selector(rules=rules))
    assert [item.head.text for item in found.items] == ["cat"]
    assert set(found.dropped) == {
        "relation not asked for: UsedFor", "relation unnatural for vision: HasA", "weight too low",
    }  # fmt: skip


def test_negative_weights_say_that_something_is_not_so() -> None:
    assert select([Triple("IsA", "cat", "animal", -1.0)], Selector()).items == ()


def test_a_report_shows_some_of_many() -> None:
    dropped = _selected(*[("Desires", f"dog {n}", "sleep") for n in range(9)]).dropped
    assert dropped["relation unnatural for vision: Desires"].count == 9
    assert len(dropped["relation unnatural for vision: Desires"].examples) == 3


def test_shipped_rewordings_lead_to_a_wording_that_stays() -> None:
    table = wording.shipped_rewordings()
    assert len(table.events) > 60
    settled = [table.events.get(wording.event_key(better), better) for better in table.events.values()]
    assert settled == list(table.events.values())
    assert not [name for name in table.names.values() if name in table.names]


_PHRASES = st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=5).map(" ".join).filter(str.strip)
_WORDS = st.sampled_from(
    ["dog", "the", "eat", "holding", "be", "of", "water", "red", "in", "to", "your", "who"]
)
_SAID = st.lists(_WORDS, min_size=1, max_size=5).map(" ".join)


@given(st.sampled_from(RELATIONS), _PHRASES | _SAID, _PHRASES | _SAID, st.booleans())
def test_any_triple_is_kept_or_dropped(relation: str, head: str, tail: str, trusted: bool) -> None:
    triple = Triple(relation, " ".join(head.split()), " ".join(tail.split()), trusted=trusted)
    selection = select([triple], Selector())
    assert len(selection.items) + len(selection.dropped) == 1
    if trusted:
        assert selection.items
