"""Items as an audit sees them."""

from __future__ import annotations

from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.cases import plain, shared_groups
from commonsight.core.text import TaggedText


def test_a_pick_has_its_choices_and_its_right_answer() -> None:
    items = fakes.clean_items(40, seed=1)
    cases = fakes.subject_of(items).cases["choose"]
    assert cases.kind == "pick"
    assert len(cases) == 40
    for case, said in zip(cases, cases.said, strict=True):
        assert case.gold is not None
        assert case.answer == said[case.gold]
    assert cases.sizes.tolist() == [4] * 40


def test_groups_are_the_widest_that_all_share() -> None:
    items = fakes.clean_items(40, seed=1)
    assert shared_groups(items) == ("movie",)
    torn = [structs.replace(items[0], groups={"image": "a"}), *items[1:]]
    assert shared_groups(torn) == ("image",)
    assert shared_groups([structs.replace(items[0], groups={})]) == ()


def test_hidden_labels_are_left_out_of_the_labelled() -> None:
    items = fakes.clean_items(30, seed=1)
    hidden = [structs.replace(item, gold=item.gold if at % 3 else None) for at, item in enumerate(items)]
    cases = fakes.subject_of(hidden).cases["choose"]
    assert (len(cases), len(cases.labelled)) == (30, 20)
    assert cases.gold.tolist().count(-1) == 10


def test_tags_are_words_even_where_the_object_is_not_known() -> None:
    text = TaggedText(((0,), "gives", (1,), "a", (5,)))
    assert plain(text, ("person", "dog")) == "person1 gives dog2 a object6"
