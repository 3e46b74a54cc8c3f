"""Edits that keep what a choice says."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.edits.edited import edited, edited_items, key
from commonsight.audit.edits.kinds import KINDS, Asked, Tokens, asked_of, full_stop
from commonsight.audit.edits.pieces import apart, together
from commonsight.core.answer import Pick
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText, Token

ONE = Asked((0,), None)
PAIR = Asked(None, (0, 1))


def pieces(text: str) -> Tokens:
    """Words by blanks; `#0` is a tag and `#0+1` one of two."""
    def piece(word: str) -> Token:
        return tuple(int(part) for part in word[1:].split("+")) if word.startswith("#") else word

    return tuple(piece(word) for word in text.split())


@pytest.mark.parametrize(
    ("kind", "asked", "before", "after"),
    [
        ("pronoun to tag", ONE, "She is leaving .", "#0 is leaving ."),
        ("pronoun to tag", PAIR, "They are leaving .", "#0+1 are leaving ."),
        ("pronoun to tag", PAIR, "She is leaving .", None),
        ("pronoun to tag", ONE, "She sees #1 .", None),
        ("tag to they", ONE, "#0 is leaving .", "They are leaving ."),
        ("tag to they", ONE, "#0 will leave .", "They will leave ."),
        ("tag to they", ONE, "#0 is tired and wants to go .", None),
        ("tag to they", ONE, "#0 opens the door .", None),
        ("tag to they", ONE, "#0 is opening her mail .", None),
        ("tag to they", ONE, "#0 is a maid .", None),
        ("tag to they", ONE, "#1 is leaving .", None),
        ("contraction undone", ONE, "She doesn't know .", "She does not know ."),
        ("contraction undone", ONE, "Can't she ?", "Cannot she ?"),
        ("contraction undone", ONE, "She's gone .", None),
        ("contraction done", ONE, "She is not here .", "She isn't here ."),
        ("contraction done", ONE, "It is not only him .", None),
        ("contraction done", ONE, "Yes they are .", None),
        ("synonym", ONE, "A couch .", "A sofa ."),
        ("synonym", ONE, "Because of #1 .", None),
        ("synonym", ONE, "He ran because he saw #1 .", "He ran since he saw #1 ."),
        ("synonym", ONE, "She is trying to sleep", "She is attempting to sleep"),
        ("will to going to", ONE, "#0 will step forward .", "#0 is going to step forward ."),
        ("will to going to", ONE, "#0+1 will step forward .", "#0+1 are going to step forward ."),
        ("will to going to", ONE, "#0 will not step .", None),
        ("will to going to", ONE, "#0 will slowly step .", None),
        ("reorder", ONE, "#0 and #1 are friends .", "#1 and #0 are friends ."),
        ("reorder", ONE, "He looks at #0 and #1 is angry .", None),
        ("reorder", ONE, "He is cold and hungry .", "He is hungry and cold ."),
        ("reorder", ONE, "He is cold and hungry , too .", None),
        ("filler", ONE, "Yes , she is .", None),
        ("filler", ONE, "She seems tired .", None),
        ("filler", ONE, "Leaving the house .", None),
    ],
)
def test_each_kind_fits_where_it_should(kind: str, asked: Asked, before: str, after: str | None) -> None:
    changed = KINDS[kind](pieces(before), asked, random.Random(0))
    assert changed == (None if after is None else pieces(after))


def test_fillers_stand_before_a_whole_sentence() -> None:
    changed = KINDS["filler"](pieces("She is leaving ."), ONE, random.Random(0))
    assert changed is not None
    assert changed[-4:] == ("she", "is", "leaving", ".")
    assert len(changed) > 4


def test_an_article_follows_its_noun() -> None:
    rng = random.Random(0)
    assert KINDS["synonym"](("He", "is", "a", "kid", "."), ONE, rng) == ("He", "is", "a", "child", ".")
    assert KINDS["synonym"](("It", "is", "an", "effort"), ONE, rng) is None


def test_the_full_stop_comes_and_goes() -> None:
    assert full_stop(pieces("Home .")) == ("Home",)
    assert full_stop(("Home",)) == ("Home", ".")
    assert full_stop(("Home", "!")) == ("Home", "!")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Why is #0 here ?", Asked((0,), None)),
        ("Why are #0+1 here ?", Asked(None, (0, 1))),
        ("Why is #0 with #1 ?", Asked(None, None)),
        ("Why is #0 ' s mother here ?", Asked(None, None)),
        ("Why does #0 hate him ?", Asked(None, None)),
        ("What is #2 for ?", Asked(None, None)),
        ("Why is #9 here ?", Asked(None, None)),
    ],
)
def test_who_is_asked_about_is_never_guessed(question: str, asked: Asked) -> None:
    assert asked_of(item_of(question, "a", "b")) == asked


def item_of(question: str, *choices: str) -> Item:
    scene = Scene("a.png", (Region("person"), Region("person"), Region("cup")))
    texts = tuple(TaggedText(pieces(choice)) for choice in choices)
    return Item("a", "val", (scene,), {"question": TaggedText(pieces(question))}, texts, Pick(0))


TOKENS: st.SearchStrategy[Token] = st.one_of(
    st.sampled_from(("She", "is", "not", "doesn", "'", "t", "n't", "'s", "s", "and", ".", ",", "3.5", "")),
    st.lists(st.integers(0, 2), min_size=1, max_size=2).map(tuple),
)
TEXTS = st.lists(TOKENS, max_size=9).map(lambda tokens: TaggedText(tuple(tokens)))


@given(TEXTS)
def test_a_text_comes_back_as_it_was_or_is_left_alone(text: TaggedText) -> None:
    found = apart(text)
    assert found is None or together(found) == text


@pytest.mark.parametrize("text", ["can't do it.", "She said so", "3.5 metres", "", "well - known"])
def test_plain_texts_too(text: str) -> None:
    found = apart(TaggedText.plain(text))
    assert found is None or together(found) == TaggedText.plain(text)


@given(st.lists(TEXTS, min_size=2, max_size=4, unique_by=key), st.integers(0, 99))
def test_edited_items_are_sound_and_their_choices_differ(texts: list[TaggedText], seed: int) -> None:
    item = structs.replace(item_of("Why is #0 here ?"), choices=tuple(texts))
    before = faults(item)
    changed = edited(item, random.Random(seed))
    assert len({key(text) for text in changed.item.choices}) == len(texts)
    assert len(list(faults(changed.item))) <= len(list(before))
    assert changed.item.gold == item.gold
    for edit in changed.edits:
        assert texts[edit.place] != changed.item.choices[edit.place]


def test_edits_are_written_down_and_the_same_for_the_same_seed() -> None:
    item = item_of("Why is #0 here ?", "She is not well .", "#1 will help .", "Sleeping")
    items = [structs.replace(item, id=f"i{number}") for number in range(20)]
    once, again = list(edited_items(items, 7)), list(edited_items(reversed(items), 7))
    assert once == again[::-1]
    assert once != list(edited_items(items, 8))
    first = once[0].provenance
    assert first["edit_seed"] == 7
    assert {edit["place"] for edit in first["edits"]} == {0, 1, 2}
    assert all(edit["before"] != edit["after"] and edit["kinds"] for edit in first["edits"])
    assert len({str(item.choices) for item in once}) > 5


def test_edits_do_not_know_which_choice_is_right() -> None:
    item = item_of("Why is #0 here ?", "She is not well .", "#1 will help .", "Sleeping")
    other = structs.replace(item, gold=Pick(2))
    assert edited(item, random.Random(3)).edits == edited(other, random.Random(3)).edits


def test_rationales_to_choose_from_are_edited_and_others_left_alone() -> None:
    rationales = (TaggedText(("She", "is", "ill", ".")), TaggedText(("It", "is", "late", ".")))
    item = structs.replace(item_of("Why is #0 here ?", "a", "b"), rationales=rationales)
    assert edited(item, random.Random(0)).item.rationales == rationales
    changed = edited(structs.replace(item, rationale_gold=1), random.Random(0))
    assert all(new != old for new, old in zip(changed.item.rationales, rationales, strict=True))
    assert {edit.field for edit in changed.edits} == {"choices", "rationales"}


def test_clean_items_survive_editing() -> None:
    for item in edited_items(fakes.clean_items(50, seed=1), 0):
        assert not list(faults(item))
