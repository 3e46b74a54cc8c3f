"""Valid answers to any form, as Hypothesis strategies: what a careful worker could send."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from commonsight.collect.forms import Check, complaints, how_many
from commonsight.collect.protocol import Field, Payload, labels_of

WORDS = ("the", "tall", "cup", "why", "waits", "because", "open", "door", "soon", "after", "rain", "they")
MOST = 3
"""Entries of what may be many: more of them show nothing new."""
_MARKED = re.compile(r"\{[^{}]*\}")


def answers_to(
    form: Sequence[Field], payload: Payload, checks: Sequence[Check] = ()
) -> st.SearchStrategy[dict[str, Any]]:
    """What a form can be answered with; what its checks refuse is not drawn."""
    return _whole(tuple(form), payload).filter(lambda said: not complaints(form, payload, said, checks))


@st.composite
def _whole(draw: st.DrawFn, form: tuple[Field, ...], payload: Payload) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for field in form:
        if field.only_if is not None and said.get(field.only_if[0]) != field.only_if[1]:
            continue
        if field.required or draw(st.booleans()):
            value = draw(_value(field, payload))
            if value is not None:
                said[field.name] = value
    return said


def _value(field: Field, payload: Payload) -> st.SearchStrategy[Any]:
    least, most = how_many(field)
    most = max(least, min(most, MOST))
    if field.kind in ("text", "tagged"):
        return _text(field, payload)
    if field.kind == "texts":
        return st.lists(_text(field, payload), min_size=least, max_size=most)
    if field.kind == "group":
        return st.lists(_whole(field.parts, payload), min_size=least, max_size=most)
    if field.kind == "boxes":
        places = list(range(len(labels_of(payload, field.about))))
        return st.lists(st.sampled_from(places), unique=True, min_size=least, max_size=most)
    options = _options(field, payload)
    if field.kind == "choices":
        chosen = st.lists(st.sampled_from(options), unique=True, min_size=least, max_size=len(options))
        return chosen.map(lambda values: values[: how_many(field)[1]])
    return st.sampled_from(options)


def _options(field: Field, payload: Payload) -> list[str]:
    listed = range(len(payload[field.options_from])) if field.options_from else ()
    return [*(option.value for option in field.options), *map(str, listed)]


@st.composite
def _text(draw: st.DrawFn, field: Field, payload: Payload) -> str:
    """Words with tags and a number, so that few texts are alike; some in brackets where that is asked for."""
    labels = labels_of(payload, field.about) if field.kind == "tagged" else ()
    tags = [f"[{label}{place}]" for place, label in enumerate(labels, 1)]
    count = max(field.least_words, 1)
    words = draw(st.lists(st.sampled_from((*WORDS, *tags)), min_size=count, max_size=count + 2))
    words.append(str(draw(st.integers(0, 10**6))))
    first = _first(field, payload)
    if first is not None:
        return _MARKED.sub("{" + " ".join(words) + "}", first) if _MARKED.search(first) else first
    if field.marks:
        words = ["{" + words[0], words[1] + "}", *words[2:]]
    text = " ".join(words[: field.most_words])
    return f"{draw(st.sampled_from(tags))} {text}" if tags else text


def _first(field: Field, payload: Payload) -> str | None:
    """The text of the payload that one begins with."""
    found = payload.get(field.starts_from)
    return found if isinstance(found, str) else None
