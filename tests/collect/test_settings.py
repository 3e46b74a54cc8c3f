"""A protocol's settings, as a command line, a page or a program gives them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from toy_protocol import TOY

from commonsight.collect.protocol import Setting
from commonsight.collect.settings import MOST, changed_settings, read_settings, read_value
from commonsight.errors import UsageError

DEFAULTS = {
    "count": 3, "share": 0.5, "open": True, "word": "blue", "splits": ("val", "test"), "shares": (8, 1, 1),
    "empty": "", "none": (),
}  # fmt: skip
RICH = replace(TOY, settings={name: Setting(value, "A setting.") for name, value in DEFAULTS.items()})

PLAIN = st.text(st.characters(categories=("L", "N"), max_codepoint=0x2FF), min_size=1, max_size=20)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "count": st.integers(-MOST, MOST),
    "share": st.floats(allow_nan=False, allow_infinity=False, width=32),
    "open": st.booleans(),
    "word": PLAIN,
    "splits": st.lists(PLAIN, max_size=5),
    "shares": st.lists(st.integers(0, 99), max_size=5),
}


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(_written, value)) if isinstance(value, list) else str(value)


@given(st.sampled_from(sorted(VALUES)).flatmap(lambda name: st.tuples(st.just(name), VALUES[name])))
def test_what_is_written_is_read_back(pair: tuple[str, Any]) -> None:
    name, value = pair
    assert read_settings(RICH, [f" {name} = {_written(value)} "]) == {name: value}
    as_default = list(value) == list(DEFAULTS[name]) if isinstance(value, list) else value == DEFAULTS[name]
    assert changed_settings(RICH, {name: value}) == ({} if as_default else {name: value})


@given(st.lists(st.text(), max_size=3))
def test_any_other_text_is_refused_with_a_reason(texts: list[str]) -> None:
    assume(not all(text.partition("=")[0].strip() in DEFAULTS for text in texts))
    with pytest.raises(UsageError, match=r"no setting|twice|of 'toy' is"):
        read_settings(RICH, texts)


@given(st.sampled_from(sorted(DEFAULTS)), st.text())
def test_any_value_is_refused_or_fits(name: str, text: str) -> None:
    try:
        found = read_settings(RICH, [f"{name}={text}"])
    except UsageError:
        return
    assert changed_settings(RICH, found) in ({}, found)
    assert isinstance(found[name], list if isinstance(DEFAULTS[name], tuple) else type(DEFAULTS[name]))


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["count"], "Write name=value"),
        (["speed=3"], "'toy' has no setting 'speed'. It has: count, empty, none, open, share"),
        (["count=3", "count=4"], "given twice"),
        (["count=3.5"], r"is a whole number \(by default 3\), not '3.5'"),
        (["count=99999999999999999"], "is a whole number"),
        (["share=nan"], r"is a number \(by default 0.5\)"),
        (["share=1e999"], "is a number"),
        (["open=yes"], r"is true or false \(by default True\)"),
        (["word=a\x1b[31m"], "is a text"),
        (["word=" + "x" * 1001], "is a text"),
        (["shares=8,one"], r"is a list of whole numbers \(by default \[8, 1, 1\]\), not 'one'"),
    ],
)
def test_a_refusal_says_what_is_wanted(settings: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_settings(RICH, settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", True), ("count", 3.0), ("count", None), ("count", MOST + 1), ("share", math.inf),
        ("share", "0.5"), ("open", 1), ("word", 3), ("splits", "val"), ("splits", [1]), ("shares", [[1]]),
        ("splits", ["x"] * 101), ("word", {"a": 1}),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"The setting '{name}' of 'toy' is"):
        changed_settings(RICH, {name: value})


def test_whole_numbers_are_numbers_too() -> None:
    assert changed_settings(RICH, {"share": 1}) == {"share": 1.0}
    assert read_value(RICH, "share", "1") == 1.0
    assert read_value(RICH, "shares", " ") == []
