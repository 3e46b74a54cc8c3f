"""Answers become a page and the page's form becomes the same answers again, whatever the form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_forms import forms_of

from commonsight.collect.forms import checked, complaints
from commonsight.collect.protocol import Field, Option
from commonsight.errors import Complaint
from commonsight.web.collect.forms_view import field_views
from commonsight.web.collect.posted_form import read_form
from commonsight.web.site import page_templates

LABELS = ("person", "dog", "person", "teddy bear")
PICTURE = {
    "picture": "0" * 64 + ".png", "width": 60, "height": 40, "alt": "a room",
    "regions": [{"label": label, "box": [n, n, n + 9, n + 9]} for n, label in enumerate(LABELS)],
}  # fmt: skip
PAYLOAD = {"scene": PICTURE, "premises": ["[person1] waits.", "It rains."], "pairs": [[PICTURE, PICTURE]] * 4}
OPTIONS = (Option("yes", "Yes", "y"), Option("no", "No"), Option("both", "Both", "2"))
TEMPLATE = (
    '{% from "collect/work_fields.html" import field with context %}'
    '<form action="/x" method="post">{% for each in views %}{{ field(each, "/similar") }}{% endfor %}</form>'
)
PAGES = page_templates("Test", {}).env


def drawn(form: tuple[Field, ...], answers: dict[str, Any], told: tuple[Complaint, ...] = ()) -> str:
    """The form as a page has it."""
    return PAGES.from_string(TEMPLATE).render(views=field_views(form, PAYLOAD, answers, told))


def posted(page: str) -> list[tuple[str, str]]:
    """What a browser sends of it."""
    (form,) = forms_of(page)
    return form.pairs


LETTERS = st.characters(codec="utf-8", exclude_characters="\r\x00", exclude_categories=("Cs",))
TEXT = st.text(LETTERS, min_size=1, max_size=30).filter(lambda text: text.strip() != "")
LINE = TEXT.filter(lambda text: "\n" not in text)


@st.composite
def asked(draw: st.DrawFn, depth: int = 0) -> tuple[Field, Any]:
    """A field, and something that one may say to it (None for nothing)."""
    kinds = ["text", "tagged", "choice", "choices", "rating", "texts", "boxes"]
    kind = draw(st.sampled_from(kinds + (["group"] if depth < 2 else [])))
    if kind in ("text", "tagged"):
        return Field("", kind, "Say", about="scene", warn=True, similar=2), draw(st.none() | TEXT)
    if kind in ("choice", "rating"):
        if draw(st.booleans()):
            field = Field("", kind, "Choose", options=OPTIONS[:1], options_from="premises", about="scene")
            return field, draw(st.sampled_from((None, "0", "1", "yes")))
        return Field("", kind, "Choose", options=OPTIONS), draw(st.sampled_from((None, "yes", "no", "both")))
    if kind == "choices":
        chosen = draw(st.sets(st.sampled_from("0123")))
        return Field("", kind, "Choose", options_from="pairs"), sorted(chosen) or None
    if kind == "boxes":
        return Field("", kind, "Point", about="scene"), sorted(draw(st.sets(st.integers(0, 3)))) or None
    if kind == "texts":
        field = Field("", kind, "Write", least=draw(st.integers(0, 2)))
        return field, draw(st.lists(LINE, max_size=4)) or None
    parts = draw(forms(depth + 1))
    group = Field("", "group", "Again", parts=parts.form, least=draw(st.integers(0, 2)))
    answers = draw(st.lists(st.just(parts.answers), max_size=3)) if parts.answers else []
    return group, answers or None


class Case:
    """A form with answers to it."""

    def __init__(self, form: tuple[Field, ...], answers: dict[str, Any]) -> None:
        self.form, self.answers = form, answers

    def __repr__(self) -> str:
        return f"Case({self.form!r}, {self.answers!r})"


@st.composite
def forms(draw: st.DrawFn, depth: int = 0) -> Case:
    """A form, and answers to some of it."""
    pairs = draw(st.lists(asked(depth), min_size=1, max_size=4))
    form = tuple(replace(field, name=f"f{n}") for n, (field, _) in enumerate(pairs))
    return Case(form, {f"f{n}": value for n, (_, value) in enumerate(pairs) if value is not None})


@given(forms())
def test_a_form_comes_back_as_it_was_drawn(case: Case) -> None:
    assert read_form(case.form, posted(drawn(case.form, case.answers))).answers == case.answers


@given(forms())
def test_every_place_of_the_answers_is_on_the_page(case: Case) -> None:
    page = drawn(case.form, case.answers)
    read = read_form(case.form, posted(page))
    for path in read.places:
        assert f'name="{read.place(path)}"' in page


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("f0", "f1", "x")), inner),
    max_leaves=8,
)


@given(forms(), st.dictionaries(st.sampled_from(("f0", "f1", "f2", "other")), ODD))
def test_a_draft_of_any_shape_can_be_drawn(case: Case, draft: dict[str, Any]) -> None:
    assert "<form" in drawn(case.form, draft)


NAMES = st.from_regex(r"(f[0-3]|csrf|do)(\.([0-9]{1,7}|__0__|x)(\.f[0-3])?){0,3}\.?", fullmatch=True)


@given(forms(), st.lists(st.tuples(NAMES, st.text(max_size=8)), max_size=20))
def test_whatever_is_posted_can_be_read_and_checked(case: Case, sent: list[tuple[str, str]]) -> None:
    read = read_form(case.form, sent)
    assert set(read.answers) <= {field.name for field in case.form}
    for complaint in complaints(case.form, PAYLOAD, read.answers):
        assert read.place(complaint.field)


TRIPLETS = (
    Field("triplets", "group", "Triplet", least=1, most=3, parts=(
        Field("question", "tagged", "Question", about="scene", least_words=3),
        Field("reasons", "texts", "Reasons", required=False, most=4),
        Field("sure", "choice", "Sure?", options=OPTIONS),
    )),
)  # fmt: skip


def test_entries_with_gaps_close_up_and_keep_their_place_on_the_page() -> None:
    """The second of three was removed on the page, and in the third the first reason is empty."""
    read = read_form(TRIPLETS, [
        ("triplets.0", ""), ("triplets.0.question", "Why is [person1] here?"), ("triplets.0.sure", "yes"),
        ("triplets.2", ""), ("triplets.2.question", "What?"), ("triplets.2.reasons.0", " "),
        ("triplets.2.reasons.3", "I see it"), ("triplets.5", ""), ("triplets.5.question", "  "),
    ])  # fmt: skip
    assert read.answers == {"triplets": [
        {"question": "Why is [person1] here?", "sure": "yes"}, {"question": "What?", "reasons": ["I see it"]},
    ]}  # fmt: skip
    assert read.place("triplets.1.question") == "triplets.2.question"
    assert read.place("triplets.1.reasons.0") == "triplets.2.reasons.3"
    assert read.place("triplets.0") == "triplets.0"
    assert read.place("elsewhere.1") == "elsewhere.1"
    told = {read.place(each.field) for each in complaints(TRIPLETS, PAYLOAD, read.answers)}
    assert told == {"triplets.2.question", "triplets.2.sure"}


def test_complaints_stand_at_their_fields() -> None:
    answers = {"triplets": [{"question": "Why?"}, {"question": "Why is it so late?", "sure": "no"}]}
    told = tuple(complaints(TRIPLETS, PAYLOAD, answers))
    (view,) = field_views(TRIPLETS, PAYLOAD, answers, told)
    first, second = view.entries
    assert [bool(each.complaints) for each in first.fields] == [True, False, True]
    assert not any(each.complaints for each in second.fields)
    assert view.has_complaints
    page = drawn(TRIPLETS, answers, told)
    assert 'aria-invalid="true"' in page
    assert "at least 3 words; here there is 1" in page


def test_a_group_offers_as_many_entries_as_it_takes() -> None:
    (view,) = field_views(TRIPLETS, PAYLOAD, {"triplets": [{}, {}]})
    assert [entry.path for entry in view.entries] == ["triplets.0", "triplets.1"]
    assert view.blank is not None
    assert view.blank.fields[1].blank is not None
    assert view.blank.fields[1].blank.path == "triplets.__0__.reasons.__1__"
    (view,) = field_views(TRIPLETS, PAYLOAD, {"triplets": [{}] * 9})
    assert len(view.entries) == 3


def test_what_was_not_said_is_not_there() -> None:
    form = (Field("a", "text", "A"), Field("b", "choices", "B", options=OPTIONS), *TRIPLETS)
    assert read_form(form, posted(drawn(form, {}))).answers == {}


def test_lines_end_as_they_were_written() -> None:
    form = (Field("a", "text", "A"),)
    assert read_form(form, [("a", "one\r\ntwo\n")]).answers == {"a": "one\ntwo\n"}


def test_boxes_that_are_no_numbers_are_left_for_the_check_to_refuse() -> None:
    form = (Field("b", "boxes", "B", about="scene"),)
    answers = read_form(form, [("b", "3"), ("b", "x"), ("b", "9" * 5000)]).answers
    assert answers["b"][:2] == [3, "x"]
    assert complaints(form, PAYLOAD, answers)
    assert checked(form, PAYLOAD, read_form(form, [("b", "3"), ("b", "0")]).answers) == {"b": [0, 3]}


def test_options_have_keys_and_letters() -> None:
    form = (
        Field("own", "choice", "Own", options=OPTIONS),
        Field("pair", "choices", "Pairs", options_from="pairs"),
        Field("premise", "choice", "Premise", options_from="premises", options=OPTIONS[:1], about="scene"),
    )
    own, pair, premise = field_views(form, PAYLOAD, {"pair": ["1", "3"]})
    assert [option.key for option in own.options] == ["y", "", "2"]
    assert [option.key for option in pair.options] == ["a", "b", "c", "d"]
    assert [option.chosen for option in pair.options] == [False, True, False, True]
    assert pair.options[2].entry == "pairs.2"
    assert [option.key for option in premise.options] == ["1", "2", "y"]
    assert premise.options[0].pieces[0].regions == (0,)


@pytest.mark.parametrize(
    ("said", "asked"), [("no", True), ("yes", False), (None, False), (["yes", "no"], True)]
)
def test_a_field_is_asked_only_if_another_says_so(said: Any, asked: bool) -> None:
    form = (
        Field("good", "choice", "Good?", options=OPTIONS),
        Field("why", "text", "Why not?", only_if=("good", "no")),
    )
    _, why = field_views(form, PAYLOAD, {"good": said})
    assert why.asked is asked
    assert why.only_if == ("good", "no")


def test_a_text_begins_with_what_it_starts_from() -> None:
    form = (
        Field("caption", "text", "Caption", starts_from="first"),
        Field("pick", "choice", "Premise", options_from="premises"),
        Field("premise", "tagged", "As it is here", about="scene", starts_from="pick"),
    )
    payload = PAYLOAD | {"first": "A start."}
    caption, _, premise = field_views(form, payload, {})
    assert (caption.text, caption.follows) == ("A start.", "")
    assert (premise.text, premise.follows) == ("", "pick")
    assert field_views(form, payload, {"caption": "Mine."})[0].text == "Mine."


def test_what_workers_wrote_never_becomes_markup() -> None:
    form = (Field("a", "tagged", "A <b>", about="scene"), Field("t", "texts", "T"))
    page = drawn(form, {"a": "</textarea><script>alert(1)</script>", "t": ['"><img src=x>']})
    assert "<script>" not in page
    assert "<img" not in page
    assert "A <b>" not in page
