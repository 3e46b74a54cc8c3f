"""What the probe of choices is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.audit import fakes
from commonsight.audit.cases import Case
from commonsight.audit.choices import alike as choices_alike
from commonsight.audit.choices.alike import likeness
from commonsight.audit.choices.form import odd_ones
from commonsight.audit.choices.gender import clash
from commonsight.audit.choices.pairs import one_letter_apart, related_choices
from commonsight.audit.choices.tags import bad_tags, spelled_tags
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText, Token
from commonsight.text.encoders import HashedEncoder
from commonsight.text.pronouns import pronoun_genders


def texts(*said: str) -> list[TaggedText]:
    return [TaggedText.plain(text) for text in said]


@pytest.mark.parametrize(
    ("one", "other", "kinship"),
    [
        ("A dog.", "a dog", "same"),
        ("a dog", "the dogs", "forms"),
        ("two cats", "2 cats", "forms"),
        ("Dog bites man.", "Man bites dog.", "order"),
        ("a skateboard", "a skateborad", "spelling"),
        ("a green hat", "a red hat", None),
        ("cat", "car", None),
        ("10000", "10001", None),
        ("", "", None),
        ("", "dog", None),
    ],
)
def test_how_two_choices_are_related(one: str, other: str, kinship: str | None) -> None:
    found = [related.kinship for related in related_choices(texts(one, other), (one, other))]
    assert found == ([] if kinship is None else [kinship])


def test_choices_that_differ_by_their_tags_alone() -> None:
    tagged = [TaggedText(((0,), "waves", ".")), TaggedText(((1,), "waves", ".")), TaggedText(("He", "waves"))]
    (found,) = related_choices(tagged, ("person1 waves.", "person2 waves.", "He waves"))
    assert found == (0, 1, "tags")


def test_one_letter_apart() -> None:
    slips = ("wether", "weathr", "weathers", "waether", "weatger")
    assert all(one_letter_apart("weather", word) and one_letter_apart(word, "weather") for word in slips)
    assert not any(one_letter_apart("weather", word) for word in ("weather", "whether", "father"))


def case(given_tokens: tuple[Token, ...], labels: tuple[str, ...]) -> Case:
    return Case("a", "val", TaggedText(given_tokens), (), None, None, labels, (), "a", "a")


@pytest.mark.parametrize(
    ("tokens", "trouble"),
    [
        (("Why", "is", (0, 1), "here", "?"), []),
        (("Why", "is", (2,), "here", "?"), ["beyond"]),
        (("Why", "is", (-1,), "here", "?"), ["beyond"]),
        (("Why is [person5] here?",), ["absent"]),
        (("Why", "is", "[", "person5", "]", "here"), ["absent"]),
        (("Why is [dog1] here?",), ["other label"]),
        (("Why is [Person1] here?",), ["as words"]),
        (("Why is person1 near dog2 and dog7?",), ["as words", "as words", "absent"]),
        (("Why is covid19 here, in 1999?",), []),
        ((), []),
    ],
)
def test_tags_that_do_not_stand(tokens: tuple[Token, ...], trouble: list[str]) -> None:
    asked = case(tokens, ("person", "dog"))
    bare = spelled_tags([asked])
    assert bare is not None
    assert [bad.trouble for bad in bad_tags(asked, bare)] == trouble


def test_without_objects_there_are_no_tags_to_look_for() -> None:
    assert spelled_tags([case(("person1",), ())]) is None


@given(st.lists(st.text() | st.tuples(st.integers(-3, 3))), st.lists(st.text(), max_size=3))
def test_any_text_is_read_for_tags(tokens: list[Token], labels: list[str]) -> None:
    asked = case(tuple(tokens), tuple(labels))
    bare = spelled_tags([asked])
    beyond = [index for index in asked.given.references() if not 0 <= index < len(labels)]
    if bare is not None:
        found = [bad.spelled for bad in bad_tags(asked, bare) if bad.trouble == "beyond"]
        assert found == [f"[{index}]" for index in beyond]


def test_genders_of_a_text() -> None:
    assert pronoun_genders("She gives him hers.") == {"female", "male"}
    assert pronoun_genders("Himself!") == {"male"}
    assert pronoun_genders("The theme is here.") == set()


def test_choices_that_clash_with_the_question() -> None:
    said = ("He waves.", "She waves.", "They wave.", "She hugs him.")
    found = clash("Why is her hat red?", said, 1)
    assert found is not None
    assert found.clashing == (True, False, False, False)
    assert found.guess == pytest.approx(1 / 3)
    assert not found.alone
    alone = clash("Why is her hat red?", ("He waves.", "His.", "Yes.", "Him!"), 2)
    assert alone is not None
    assert (alone.guess, alone.alone) == (1.0, True)
    wrong = clash("Why is her hat red?", ("He waves.", "Yes."), 0)
    assert wrong is not None
    assert (wrong.guess, wrong.alone) == (0.0, False)
    none_left = clash("Why is her hat red?", ("He waves.", "His."), 0)
    assert none_left is not None
    assert none_left.guess == 0.5
    assert clash("Why is the hat red?", said, 1) is None
    assert clash("Does she like him?", said, 1) is None


def test_the_odd_one_in_form() -> None:
    def odd(*said: str) -> dict[str, int]:
        return odd_ones(texts(*said), said)

    assert odd("red", "blue", "GREEN") == {"capitals": 2, "start": 2}
    assert odd("red.", "blue", "green.") == {"end": 1}
    assert odd("four", "5", "six") == {"number": 1}
    assert odd("red", "BLUE", "GREEN", "pink") == {}
    assert odd("red", "BLUE") == {}
    assert odd("", "blue", "green") == {}


def test_a_tag_at_the_start_has_no_capital() -> None:
    tagged = [TaggedText(((0,), "waves", ".")), *texts("He waves.", "She waves.")]
    assert odd_ones(tagged, ("person1 waves.", "He waves.", "She waves.")) == {}


def test_likeness_within_items_is_what_the_judge_says(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = fakes.subject_of(fakes.clean_items(30, seed=3)).cases["choose"]
    judge = EmbeddedSimilarity(HashedEncoder())
    whole = likeness(cases, judge, common=0.0)
    assert whole.shape == (30, 4)
    assert np.isnan(whole).sum() == 30  # the right choice is not compared with itself
    said, right = cases.said[7], int(cases.gold[7])
    for at in set(range(4)) - {right}:
        ways = judge.entails([said[right], said[at]], [said[at], said[right]])
        assert whole[7, at] == pytest.approx(ways.max(), abs=1e-4)
    monkeypatch.setattr(choices_alike, "ITEMS_AT_ONCE", 7)
    assert np.allclose(likeness(cases, judge, common=0.0), whole, atol=1e-4, equal_nan=True)


def test_pairs_with_little_in_common_are_not_judged() -> None:
    said = ("a dog runs home", "a dog sleeps at home", "cats never sing songs", "sofa")
    item = Item("a", "val", texts={}, choices=tuple(texts(*said)), gold=Pick(0))
    cases = fakes.subject_of([item]).cases["choose"]
    judged = ~np.isnan(likeness(cases, EmbeddedSimilarity(HashedEncoder())))
    assert judged.tolist() == [[False, True, False, True]]
