"""Answers fit the form or are told why not; whatever is sent, nothing else happens."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.collect.forms import (
    LONGEST_TEXT,
    checked,
    clean_text,
    complaints,
    draft_of,
    word_count,
)
from commonsight.collect.protocol import Field, Option
from commonsight.errors import Complaint, InvalidAnswers

PAYLOAD = {
    "picture": {"picture": "x.png", "regions": [{"label": "person"}, {"label": "dog"}, {"label": "person"}]},
    "pairs": [["a", "b"], ["c", "d"], ["e", "f"]],
}
YES_NO = (Option("yes", "Yes"), Option("no", "No"))
TRIPLET = (
    Field("question", "tagged", "Question", about="picture", least_words=4),
    Field("kind", "choice", "Kind", options=YES_NO),
    Field("why", "text", "Why", only_if=("kind", "no"), most_words=3),
)
FORM = (
    Field("title", "text", "Title", required=False, most_words=5),
    Field("likely", "rating", "Likely", options=YES_NO),
    Field("two", "choices", "Two pairs", options_from="pairs", least=2, most=2),
    Field("who", "boxes", "Who", about="picture", required=False),
    Field("wrong", "texts", "Wrong", least=2, most=3, required=False),
    Field("triplets", "group", "Triplets", parts=TRIPLET, least=1, most=3),
)
GOOD = {
    "title": "  A dog ",
    "likely": "yes",
    "two": ["2", "0"],
    "who": [2, 0, 2],
    "wrong": ["one", "  ", "two"],
    "triplets": [{"question": "Why is [person1] running away ?", "kind": "yes", "why": "never asked"}, {}],
    "unknown": 4,
}


def _told(answers: Any, form: Any = FORM, **options: Any) -> dict[str, str]:
    return {one.field: one.message for one in complaints(form, PAYLOAD, answers, **options)}


def test_good_answers_are_cleaned() -> None:
    assert checked(FORM, PAYLOAD, GOOD) == {
        "title": "A dog",
        "likely": "yes",
        "two": ["0", "2"],
        "who": [0, 2],
        "wrong": ["one", "two"],
        "triplets": [{"question": "Why is [person1] running away ?", "kind": "yes"}],
    }


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        ({"likely": None}, "likely", "Choose one."),
        ({"likely": "maybe"}, "likely", "Choose one of what is offered."),
        ({"likely": ["yes"]}, "likely", "Choose one of what is offered."),
        ({"two": ["0"]}, "two", "Choose at least 2; here there is 1."),
        ({"two": ["0", "1", "2"]}, "two", "Choose at most 2; here there are 3."),
        ({"two": ["0", "3"]}, "two", "Choose from what is offered."),
        ({"two": [0, 1]}, "two", "Choose from what is offered."),
        ({"two": "0"}, "two", "Send a list here."),
        ({"two": []}, "two", "Choose at least 2."),
        ({"who": [3]}, "who", "Choose from the boxes of the picture."),
        ({"who": [True]}, "who", "Choose from the boxes of the picture."),
        ({"wrong": ["one"]}, "wrong", "Write at least 2; here there is 1."),
        ({"wrong": ["one", 2]}, "wrong.1", "Write a text here."),
        ({"title": "one two three four five six"}, "title", "Write at most 5 words; here there are 6."),
        ({"title": "x" * (LONGEST_TEXT + 1)}, "title", "This is too long. Write at most 5,000 characters."),
        ({"triplets": []}, "triplets", "Give at least 1."),
        ({"triplets": [{"kind": "yes"}]}, "triplets.0.question", "Write something here."),
        ({"triplets": [{}, {"question": "Why?"}]}, "triplets.1.kind", "Choose one."),
        (
            {"triplets": [{"question": "Why is [person2] here?", "kind": "yes"}]},
            "triplets.0.question",
            "[person2] is no box of the picture. Write its tags as they are: [person1] ….",
        ),
        (
            {"triplets": [{"question": "Why is [person1 here now?", "kind": "yes"}]},
            "triplets.0.question",
            "[person1 here now? is no box of the picture. Write its tags as they are: [person1] ….",
        ),
        ({"triplets": [{"question": "Why so [dog2] ?", "kind": "no"}]}, "triplets.0.why", "Write something"),
        ({"triplets": ["x"]}, "triplets.0", "Answer the form's fields, each by its name."),
        ({"triplets": [{"kind": "yes"}] * 201}, "triplets", "These are too many: send at most 200."),
    ],
)
def test_what_is_wrong_is_told_where_it_is(change: dict[str, Any], path: str, says: str) -> None:
    told = _told(GOOD | change)
    assert told[path].startswith(says)
    with pytest.raises(InvalidAnswers) as raised:
        checked(FORM, PAYLOAD, GOOD | change)
    assert path in {one.field for one in raised.value.complaints}


def test_a_form_that_is_not_finished_misses_nothing_yet() -> None:
    assert _told({}, partial=True) == {}
    assert _told({"wrong": ["one"], "triplets": [{"kind": "no"}]}, partial=True) == {}
    assert "triplets.0.question" in _told({"triplets": [{"question": "Why?"}]}, partial=True)
    assert _told("nonsense", partial=True) == {"": "Answer the form's fields, each by its name."}


def test_rules_over_the_form_see_cleaned_and_whole_answers_only() -> None:
    def no_dogs(_: Any, answers: Any) -> list[Complaint]:
        return [Complaint("title", "No dogs.")] if "dog" in answers["title"] + answers["likely"] else []

    assert _told({"title": "A dog"}, checks=(no_dogs,), partial=True) == {}
    assert _told(GOOD, checks=(no_dogs,), partial=True) == {"title": "No dogs."}
    assert _told(GOOD, checks=(no_dogs,)) == {"title": "No dogs."}
    assert _told(GOOD | {"likely": None}, checks=(no_dogs,)) == {"likely": "Choose one."}
    with pytest.raises(InvalidAnswers, match="title: No dogs"):
        checked(FORM, PAYLOAD, GOOD, (no_dogs,))


def test_a_field_may_depend_on_one_that_comes_later_or_on_itself() -> None:
    late = (Field("why", "text", "Why", only_if=("kind", "no")), Field("kind", "choice", "", options=YES_NO))
    assert checked(late, {}, {"kind": "yes", "why": "x"}) == {"kind": "yes"}
    assert checked(late, {}, {"why": " x", "kind": "no"}) == {"why": "x", "kind": "no"}
    circle = (
        Field("a", "text", "", required=False, only_if=("b", "x")),
        Field("b", "text", "", required=False, only_if=("a", "x")),
    )
    assert checked(circle, {}, {"a": "x", "b": "x"}) == {}


def test_choices_that_need_not_be_any() -> None:
    any_of = (Field("any", "choices", "Any", options=YES_NO, least=0),)
    assert checked(any_of, {}, {}) == {}
    assert checked(any_of, {}, {"any": ["no"]}) == {"any": ["no"]}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0), ("Why is [person4] pointing?", 4), ("[person1, person2]'s dog", 2), ("yes ! ?", 1),
        ("[person1][dog2]", 2), ("it's a 4x4, no?", 4), ("日本 語", 2), ("[", 0), ("a ] b", 2),
    ],
)  # fmt: skip
def test_words_are_counted_as_people_count_them(text: str, count: int) -> None:
    assert word_count(text) == count


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" a\r\nb\rc ", "a\nb\nc"), ("a\0b\x1b[31m", "ab[31m"), ("\u202eabc", "abc"), ("\u200b \u200d", ""),
        ("cafe\u0301", "caf\u00e9"), ("\ud800", ""), ("👩\u200d🚀", "👩\u200d🚀"), ("\ufeffx", "x"),
    ],
)  # fmt: skip
def test_texts_are_kept_as_they_can_be_seen(text: str, kept: str) -> None:
    assert clean_text(text) == kept


NAMES = [field.name for field in (*FORM, *TRIPLET)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=12)
    | st.sampled_from(["yes", "no", "0", "2", "Why is [dog2] here now?", "[person1]", "\ud800", "\0"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(NAMES) | st.text(), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip
NEARLY = st.fixed_dictionaries(
    {},
    optional={
        "title": st.text(st.characters(), max_size=20) | JSON,
        "likely": st.sampled_from(["yes", "no"]) | JSON,
        "two": st.lists(st.sampled_from("0123"), max_size=4) | JSON,
        "who": st.lists(st.integers(-1, 4), max_size=4) | JSON,
        "wrong": st.lists(st.text(st.characters(), max_size=5), max_size=4) | JSON,
        "triplets": st.lists(
            st.fixed_dictionaries(
                {"question": st.sampled_from(["Why is [dog2] here now?", " a b c d "]) | JSON},
                optional={"kind": st.sampled_from(["yes", "no"]), "why": st.text(max_size=6) | JSON},
            )
            | JSON,
            max_size=3,
        ),
    },
)


@given(NEARLY | JSON)
def test_whatever_is_sent_is_cleaned_for_good_or_complained_about(answers: Any) -> None:
    try:
        cleaned = checked(FORM, PAYLOAD, answers)
    except InvalidAnswers:
        assert all(_told(answers).values())
        assert _told(answers)
        return
    assert _told(answers) == {} == _told(answers, partial=True)
    assert checked(FORM, PAYLOAD, cleaned) == cleaned
    assert checked(FORM, PAYLOAD, json.loads(json.dumps(cleaned))) == cleaned
    json.dumps(cleaned, ensure_ascii=False, allow_nan=False).encode()


@given(NEARLY, JSON, JSON)
def test_whatever_is_shown_answers_fit_or_do_not(answers: Any, picture: Any, pairs: Any) -> None:
    """Payloads come from files that people write."""
    for shown in (picture, {"regions": picture}, {"regions": [picture, {"label": pairs}]}):
        payload = {"picture": shown, "pairs": pairs}
        told = complaints(FORM, payload, answers)
        if not told:
            cleaned = checked(FORM, payload, answers)
            assert checked(FORM, payload, cleaned) == cleaned


@given(st.text(st.characters()))
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    kept = clean_text(text)
    assert clean_text(kept) == kept
    assert "\0" not in kept
    kept.encode()


@given(JSON)
def test_any_draft_is_kept_or_refused(draft: Any) -> None:
    try:
        kept = draft_of(draft)
    except InvalidAnswers:
        assert not isinstance(draft, dict)
        return
    text = json.dumps(kept, ensure_ascii=False, allow_nan=False)
    assert "\0" not in text
    assert json.loads(text) == kept == draft_of(kept)


def test_a_draft_has_its_limits() -> None:
    deep: Any = "x"
    for _ in range(50):
        deep = [deep]
    for much in ({"a": "x" * 300_000}, {"a": [1] * 100_000}, {"a": deep}):
        with pytest.raises(InvalidAnswers, match="too much"):
            draft_of(much)


def test_a_tag_with_thousands_of_digits_is_no_tag() -> None:
    answers = GOOD | {"triplets": [{"question": f"Why is [person{'9' * 4500}] here?", "kind": "yes"}]}
    assert "is no box" in _told(answers)["triplets.0.question"]
