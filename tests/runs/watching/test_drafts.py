"""A draft is read by what its stage declares, in any state that it may be in."""

from __future__ import annotations

from typing import Any

from choosing_protocol import FINISH, WRITE
from hypothesis import given
from hypothesis import strategies as st

from commonsight.runs.watching.drafts import draft_of, watched_paths

REGIONS = [{"label": "person"}, {"label": "dog"}]
PAYLOAD = {"picture": {"picture": "x", "width": 1, "height": 1, "alt": "", "regions": REGIONS}}
ENTRY = {
    "question": "Why is [person1] near [dog2]?", "right": "To play.", "wrong": ["To eat.", "", "To run far."],
    "note": "none of your business",
}  # fmt: skip


def test_texts_are_those_of_watched_fields_with_their_places() -> None:
    draft = draft_of(WRITE, PAYLOAD, {"questions": [ENTRY, {"question": "And?"}]})
    assert [text.field for text in draft.texts] == [
        "questions.0.question", "questions.1.question", "questions.0.right", "questions.0.wrong.0",
        "questions.0.wrong.2",
    ]  # fmt: skip
    first = draft.texts[0]
    assert first.said == "Why is person1 near dog2?"
    assert first.words == 5
    assert list(first.read.references()) == [0, 1]


def test_each_entry_of_a_group_makes_an_item() -> None:
    draft = draft_of(WRITE, PAYLOAD, {"questions": [ENTRY, {"question": "And?", "right": "Yes."}]})
    one, other = draft.items
    assert [text.said for text in one.asked] == ["Why is person1 near dog2?"]
    assert [(choice.text.said, choice.right) for choice in one.choices] == [
        ("To play.", True), ("To eat.", False), ("To run far.", False),
    ]  # fmt: skip
    assert (one.whole, one.right) == (True, 0)
    assert (other.whole, other.right) == (False, 0)


def test_what_the_task_shows_is_part_of_the_item_but_not_the_writers() -> None:
    payload = PAYLOAD | {"question": "Why?", "right": "To play with [dog2].", "wrong": ["To eat.", "To go."]}
    draft = draft_of(FINISH, payload, {"more": "To {see} [dog2]."})
    (item,) = draft.items
    assert [choice.text.field for choice in item.choices] == ["", "", "", "more"]
    assert item.choices[-1].text.said == "To see dog2."
    assert [text.field for text in draft.texts] == ["more"]


def test_fields_that_ask_for_warnings_are_found_in_groups() -> None:
    assert watched_paths(WRITE) == (("questions", "question"), ("questions", "right"), ("questions", "wrong"))


NAMES = st.sampled_from(("questions", "question", "right", "wrong", "more"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, JSON), JSON)
def test_no_draft_is_too_odd_to_be_read(answers: dict[str, Any], right: Any) -> None:
    for stage in (WRITE, FINISH):
        draft = draft_of(stage, PAYLOAD | {"right": right}, answers)
        assert all(text.said.strip() or text.read.tokens for text in draft.texts)
        assert all(text.field for text in draft.texts)
