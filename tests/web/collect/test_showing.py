"""Numbers, times and settings as people read and write them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.desk import SECOND
from commonsight.collect.protocol import Field, Option, Setting
from commonsight.collect.settings import changed_settings
from commonsight.errors import UsageError
from commonsight.web.collect.said_view import said_lines
from commonsight.web.collect.settings_form import PREFIX, read_settings, setting_views
from commonsight.web.collect.showing import away, brief, figure, moment, share, span

SETTINGS = {
    "number": Setting(3, "A number."), "part": Setting(0.5, "A share."), "word": Setting("none", "A word."),
    "strict": Setting(True, "Whether."), "sizes": Setting((1, 2), "Sizes."),
    "names": Setting(("a",), "Names."),
}  # fmt: skip
PROTOCOL = dataclasses.replace(TOY, settings=SETTINGS)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (89, "89 s"), (90, "2 min"), (3600, "60 min"), (5400, "2 h"), (100_000, "28 h"),
     (200_000, "2 days")],
)  # fmt: skip
def test_spans(seconds: float, told: str) -> None:
    assert span(seconds) == told


def test_how_long_ago_and_when() -> None:
    now = 1_700_000_000 * SECOND
    assert away(now, now) == "now"
    assert away(now - 40 * SECOND, now) == "40 s ago"
    assert away(now + 7 * 86_400 * SECOND, now) == "in 7 days"
    assert moment(now) == "2023-11-14 22:13 UTC"


def test_what_is_not_known_is_a_dash() -> None:
    assert (share(None), share(0.256), figure(None), figure(-0.2)) == ("–", "26 %", "–", "-0.20")


@given(st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | st.text(), st.lists))
def test_a_brief_value_is_brief(value: Any) -> None:
    assert len(brief(value, 30)) <= 30


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "number": st.integers(-(2**53), 2**53),
        "part": st.floats(-1e6, 1e6).map(lambda number: round(number, 6)),
        "word": st.from_regex(r"[a-z][a-z .%é-]{0,20}[a-z]", fullmatch=True),
        "strict": st.booleans(),
        "sizes": st.lists(st.integers(-99, 99), max_size=5),
        "names": st.lists(st.from_regex(r"[a-z]{1,9}", fullmatch=True), max_size=5),
    },
)


@given(VALUES)
def test_settings_survive_the_form(settings: dict[str, Any]) -> None:
    changed = changed_settings(PROTOCOL, settings)
    posted = {PREFIX + view.name: view.text for view in setting_views(PROTOCOL, changed)}
    again = changed_settings(PROTOCOL, read_settings(PROTOCOL, posted))
    # An empty list cannot be told from an empty field, which is the paper's own value.
    assert again == {name: value for name, value in changed.items() if value != []}


@given(st.dictionaries(st.sampled_from([PREFIX + name for name in SETTINGS]), st.text(max_size=30)))
def test_nonsense_in_the_form_is_told(posted: dict[str, str]) -> None:
    told, read = "", {}
    try:
        read = read_settings(PROTOCOL, posted)
    except UsageError as error:
        told = str(error)
    assert "The setting '" in told or {PREFIX + name for name in read} == set(posted)


def test_the_form_says_what_was_changed() -> None:
    views = {view.name: view for view in setting_views(PROTOCOL, {"number": 7})}
    assert (views["number"].text, views["number"].default, views["number"].changed) == ("7", "3", True)
    assert (views["sizes"].text, views["sizes"].kind, views["sizes"].changed) == ("1, 2", "list", False)
    assert views["strict"].kind == "bool"


def _told(form: tuple[Field, ...], payload: dict[str, Any], answers: dict[str, Any]) -> list[tuple[str, ...]]:
    lines = said_lines(form, payload, answers)
    return [(line.label, *("".join(piece.text for piece in text) for text in line.texts)) for line in lines]


def test_answers_are_read_by_their_labels() -> None:
    assert _told(VOTE.form, {}, {"good": "yes"}) == [("Is it good?", "Yes")]
    scene = {"picture": {"picture": "x.png", "width": 1, "height": 1, "regions": [{"label": "person"}]}}
    assert _told(WRITE.form, scene, {"question": "Who is [person1]?", "old_field": "kept"}) == [
        ("Your question", "Who is [person1]?"), ("Old field", "kept")
    ]  # fmt: skip


def test_groups_and_lists_are_read_entry_by_entry() -> None:
    form = (
        Field("pairs", "group", "Pair", parts=(
            Field("text", "text", "Text"),
            Field("kinds", "choices", "Kinds", options=(Option("a", "First"), Option("b", "Second"))),
        )),
        Field("more", "texts", "More"),
        Field("unsaid", "text", "Unsaid"),
    )  # fmt: skip
    answers = {"pairs": [{"text": "one", "kinds": ["a", "b"]}, {"text": "two"}, "odd"], "more": ["x", "y"]}
    assert _told(form, {}, answers) == [
        ("Pair 1, text", "one"), ("Pair 1, kinds", "First", "Second"), ("Pair 2, text", "two"),
        ("More", "x", "y"),
    ]  # fmt: skip
