"""What someone said in a form, to read: each field by its label, options by theirs, tags as drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from commonsight.collect.protocol import Field, Payload, labels_of
from commonsight.web.collect.forms_view import FieldView, field_views
from commonsight.web.collect.shows_view import Line, humane, tagged


def said_lines(form: Iterable[Field], payload: Payload, answers: Mapping[str, Any]) -> tuple[Line, ...]:
    """The answers, in the order of the form; then whatever it does not ask for (any more)."""
    form = tuple(form)
    lines = [line for view in field_views(form, payload, answers) for line in _lines(view, answers, payload)]
    known = {field.name for field in form}
    lines += [Line(humane(name), (tagged(said, ()),)) for name, said in answers.items() if name not in known]
    return tuple(lines)


def _lines(view: FieldView, answers: Mapping[str, Any], payload: Payload) -> list[Line]:
    field, said = view.field, answers.get(view.field.name)
    if said is None or not view.asked:
        return []
    if field.kind == "group" and isinstance(said, list | tuple):
        return [
            Line(f"{field.label} {number}, {inner.label.lower()}", inner.texts)
            for number, entry in enumerate(said, 1)
            if isinstance(entry, Mapping)
            for inner in said_lines(field.parts, payload, entry)
        ]
    if view.options:
        return [Line(field.label, tuple(option.pieces for option in view.options if option.chosen))]
    labels = labels_of(payload, field.about)
    texts = said if isinstance(said, list | tuple) else (said,)
    return [Line(field.label, tuple(tagged(each, labels) for each in texts))]
