"""Each kind of warning: given where it should be, at the right field, and not where all is well."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from choosing_protocol import FINISH, WRITE, item_of, phrase, record_data

from commonsight.collect.protocol import Record
from commonsight.runs.watching.drafts import draft_of
from commonsight.runs.watching.learning import learn
from commonsight.runs.watching.looking import Eyes, warnings
from commonsight.runs.watching.values import Learned, Standout, Telling, Usual, Warning_
from commonsight.text.encoders import HashedEncoder

ENCODER = HashedEncoder(64)
NOTHING = Learned()
LONGER = "She wants to go outside because she is late for her train to the hills."
FINE = {
    "question": "Why does the woman open the door?", "right": "She wants to go outside.",
    "wrong": ["The lamp is too bright.", "Music plays in the kitchen.", "A horse eats her bread."],
}  # fmt: skip


def _told(
    entry: dict[str, Any], learned: Learned = NOTHING, earlier: Sequence[tuple[str, float]] = ()
) -> list[Warning_]:
    draft = draft_of(WRITE, {}, {"questions": [entry]})
    return warnings(learned, "write", draft, Eyes(ENCODER, lambda *_: earlier))


def test_a_good_draft_and_an_empty_one_are_left_alone() -> None:
    assert _told(FINE) == []
    assert _told({}) == []
    assert warnings(Learned(), "write", draft_of(WRITE, {}, {}), Eyes(ENCODER, lambda *_: ())) == []


# --- length ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "how"), [(3, ""), (6, ""), (9, ""), (17, ""), (18, "longer"), (60, "longer")]
)
def test_a_text_much_longer_than_usual(words: int, how: str) -> None:
    usual = {("write", ("questions", "question")): Usual(50, 5.0, 7.0, 9.0)}
    told = _told({"question": " ".join(["word"] * words)}, Learned(usual=usual))
    assert [one.kind for one in told] == (["length"] if how else [])
    if how:
        assert told[0].field == "questions.0.question"
        assert f"much longer than what is written here otherwise: {words} words" in told[0].message
        assert "most have 5 to 9" in told[0].message


def test_a_text_much_shorter_than_usual() -> None:
    usual = {("write", ("questions", "question")): Usual(50, 12.0, 15.0, 20.0)}
    (told,) = _told({"question": "Why so?"}, Learned(usual=usual))
    assert "much shorter" in told.message


def test_a_right_choice_that_is_much_longer_than_the_others() -> None:
    (told,) = _told(FINE | {"right": LONGER})
    assert (told.field, told.kind) == ("questions.0.right", "length")
    assert "15 words against 5, 5, 5" in told.message


def test_a_wrong_choice_that_is_much_shorter_than_the_others() -> None:
    (told,) = _told(FINE | {"wrong": [*FINE["wrong"][:2], "No."]})
    assert (told.field, told.kind) == ("questions.0.wrong.2", "length")
    assert "The wrong choice is much shorter" in told.message


def test_lengths_are_not_compared_before_all_is_written() -> None:
    entry = FINE | {"right": LONGER}
    assert _told(entry | {"wrong": []}) == []


def test_a_right_choice_that_stands_out_as_others_did() -> None:
    standout = Standout("length", "words", 1.0, "the choice with the most words", 0.61, 0.25)
    entry = FINE | {"right": "She only wants to go outside."}
    (told,) = _told(entry, Learned(standouts=(standout,)))
    assert (told.field, told.kind) == ("questions.0.right", "length")
    assert "right one in 61% of all cases, where guessing gets 25%" in told.message
    assert _told(FINE, Learned(standouts=(standout,))) == [], "all have five words"


def test_who_adds_wrong_choices_is_told_at_their_own_field() -> None:
    payload = {"question": "Why?", "right": "She wants to go outside with all of her friends now.",
               "wrong": ["The lamp is bright.", "Music plays."]}  # fmt: skip
    draft = draft_of(FINISH, payload, {"more": "A horse eats."})
    (told,) = warnings(Learned(), "finish", draft, Eyes(ENCODER, lambda *_: ()))
    assert told.field == "more"
    assert "The right choice is much longer" in told.message


# --- likeness ----------------------------------------------------------------------------------------------


def test_an_answer_that_repeats_the_question() -> None:
    (told,) = _told(FINE | {"right": "The woman does open the door."})
    assert (told.field, told.kind) == ("questions.0.right", "likeness")
    assert "“Why does the woman open the door?”" in told.message


def test_a_wrong_choice_that_says_what_the_right_one_says() -> None:
    told = _told(FINE | {"wrong": ["She wants to go outside.", *FINE["wrong"][1:]]})
    assert [(one.field, one.kind) for one in told] == [("questions.0.wrong.0", "likeness")]


def test_short_answers_are_only_compared_by_their_letters() -> None:
    entry = {"question": "What is it?", "right": "dog", "wrong": ["cat", "Dog.", "hound"]}
    assert [(one.field, one.kind) for one in _told(entry)] == [("questions.0.wrong.1", "likeness")]


def test_two_questions_may_have_the_same_short_answers() -> None:
    one, other = ({"question": asked, "right": "dog", "wrong": ["cat", "cow", "owl"]} for asked in
                  ("What is on the sofa?", "Which animal barks at the gate?"))  # fmt: skip
    draft = draft_of(WRITE, {}, {"questions": [one, other]})
    assert warnings(Learned(), "write", draft, Eyes(ENCODER, lambda *_: ())) == []


def test_two_questions_of_one_task_that_are_the_same() -> None:
    entries = {"questions": [FINE, {"question": "Why does the woman open that door?"}]}
    draft = draft_of(WRITE, {}, entries)
    (told,) = warnings(Learned(), "write", draft, Eyes(ENCODER, lambda *_: ()))
    assert (told.field, told.kind) == ("questions.1.question", "likeness")


def test_an_earlier_text_that_says_the_same() -> None:
    earlier = [("Why does a woman open the door?", 0.97), ("What colour is the door?", 0.8)]
    told = _told({"question": FINE["question"]}, earlier=earlier)
    assert [(one.field, one.kind) for one in told] == [("questions.0.question", "likeness")]
    assert "“Why does a woman open the door?”" in told[0].message
    assert _told({"question": FINE["question"]}, earlier=earlier[1:]) == []
    assert _told({"right": "A dog."}, earlier=[("A dog.", 1.0)]) == [], "short answers recur by right"


# --- words -------------------------------------------------------------------------------------------------

TELLING = {"always": Telling(True, 0.96, 0.75, 41), "to go": Telling(False, 0.6, 0.25, 30)}


def test_words_that_lean_to_the_side_they_stand_on() -> None:
    entry = FINE | {"wrong": ["The lamp always is bright.", *FINE["wrong"][1:]]}
    told = _told(entry, Learned(telling=TELLING))
    assert [(one.field, one.kind) for one in told] == [
        ("questions.0.right", "telling-word"), ("questions.0.wrong.0", "telling-word"),
    ]  # fmt: skip
    assert "“to go” gives it away: of 30 choices with it so far, 60% were right, where 25%" in told[0].message
    assert "“always” gives it away: of 41 choices with it so far, 96% were wrong" in told[1].message


def test_words_on_the_other_side_are_welcome() -> None:
    wrong = ["He likes to go out.", *FINE["wrong"][1:]]
    entry = FINE | {"right": "She always sings there now.", "wrong": wrong}
    assert _told(entry, Learned(telling=TELLING)) == []


# --- the blind model ---------------------------------------------------------------------------------------


def _careful(draw: random.Random) -> str:
    return f"perhaps {phrase(draw, 4)}"


def test_a_right_choice_that_is_told_without_the_question() -> None:
    data = record_data(1, 80, right=_careful)
    items = [item for key, one in data.items() for item in item_of(Record(key, one))]
    learned = learn(items, {}, ENCODER)._replace(telling={}, standouts=())
    wrong = ["dog cat man hill field", "train hill boat cup lamp", "letter phone coat lamp door"]
    (told,) = _told({"question": "What?", "right": "perhaps dog cat man street", "wrong": wrong}, learned)
    assert (told.field, told.kind) == ("questions.0.right", "blind-model")
    assert "sees only the choices" in told.message
    assert "guessing gets 25%" in told.message
    swapped = {"question": "What?", "right": wrong[0], "wrong": ["perhaps dog cat man street", *wrong[1:]]}
    assert _told(swapped, learned) == []


def test_one_warning_of_a_kind_for_a_field() -> None:
    standout = Standout("length", "words", 1.0, "the choice with the most words", 0.61, 0.25)
    usual = {("write", ("questions", "right")): Usual(50, 3.0, 4.0, 5.0)}
    entry = FINE | {"right": LONGER}
    told = _told(entry, Learned(usual=usual, standouts=(standout,)))
    assert [(one.field, one.kind) for one in told] == [("questions.0.right", "length")]
