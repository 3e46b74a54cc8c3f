"""What a browser posts of a form, as the nested answers that the form asks for.

The name of an input is its path in the answers: `triplets.0.question`. What was left empty is not there;
nothing is checked here, and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from commonsight.collect.forms import how_many
from commonsight.collect.protocol import Field

_ENTRY = re.compile(r"[0-9]{1,4}")
_NUMBER = re.compile(r"[0-9]{1,6}")


class Posted(NamedTuple):
    """What a browser posted."""

    answers: dict[str, Any]
    places: dict[str, str]
    """Where entries of lists stand on the page, which may have gaps: `pairs.1` may be `pairs.4` there."""

    def place(self, path: str) -> str:
        """The name on the page of what the answers have at this path."""
        head = path
        while head:
            if head in self.places:
                return self.places[head] + path[len(head) :]
            head = head.rpartition(".")[0]
        return path


def read_form(form: Iterable[Field], posted: Iterable[tuple[str, str]], scope: str = "") -> Posted:
    """The answers in what was posted. Names that the form does not have are left out."""
    by_name: dict[str, list[str]] = {}
    for name, value in posted:
        by_name.setdefault(name, []).append(value.replace("\r\n", "\n"))
    places: dict[str, str] = {}
    return Posted(_read(form, by_name, scope, scope, places), places)


def _read(
    form: Iterable[Field], by_name: Mapping[str, list[str]], prefix: str, shown: str, places: dict[str, str]
) -> dict[str, Any]:
    """The answers of one form or one entry: `prefix` is its path in the answers, `shown` that on the page."""
    answers: dict[str, Any] = {}
    for field in form:
        name = f"{shown}{field.name}"
        values = [value for value in by_name.get(name, ()) if value.strip()]
        if field.kind in ("text", "tagged", "choice", "rating"):
            if values:
                answers[field.name] = values[-1]
        elif field.kind in ("texts", "group"):
            entries = _read_entries(field, by_name, f"{prefix}{field.name}", name, places)
            if entries:
                answers[field.name] = entries
        elif values:
            answers[field.name] = [_number(each) for each in values] if field.kind == "boxes" else values
    return answers


def _read_entries(
    field: Field, by_name: Mapping[str, list[str]], path: str, name: str, places: dict[str, str]
) -> list[Any]:
    """Entries in the order of the page; those in which nothing was said are left out."""
    kept: list[Any] = []
    for number in _numbers(by_name, name):
        here, there = f"{path}.{len(kept)}", f"{name}.{number}"
        inside: dict[str, str] = {}
        value: Any = next((each for each in by_name.get(there, ()) if each.strip()), None)
        if field.kind == "group":
            value = _read(field.parts, by_name, f"{here}.", f"{there}.", inside)
        if value:
            places.update({here: there, **inside})
            kept.append(value)
    return kept


def _numbers(by_name: Mapping[str, list[str]], name: str) -> list[str]:
    """Which entries the page has: `triplets.4.question` is one of entry 4."""
    start = len(name) + 1
    numbers = (each[start:].partition(".")[0] for each in by_name if each.startswith(f"{name}."))
    return [number for number in dict.fromkeys(numbers) if _ENTRY.fullmatch(number)]


def _number(value: str) -> int | str:
    """A box by its number; anything else stays as it is, for the form's check to refuse."""
    return int(value) if _NUMBER.fullmatch(value) else value


def grown(form: Iterable[Field], answers: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The answers with one more entry, still empty, in the list at a path: for pages without scripts."""
    name, _, rest = path.partition(".")
    field = next((each for each in form if each.name == name and each.kind in ("texts", "group")), None)
    if field is None:
        return dict(answers)
    least = max(1, how_many(field)[0])
    said = list(answers.get(name) or ())
    blank: Any = {} if field.kind == "group" else ""
    said += [blank] * (least - len(said))
    number, _, inner = rest.partition(".")
    if not rest:
        said.append(blank)
    elif _ENTRY.fullmatch(number) and int(number) < len(said) and isinstance(said[int(number)], Mapping):
        said[int(number)] = grown(field.parts, said[int(number)], inner)
    return {**answers, name: said}


def without(posted: Iterable[tuple[str, str]], path: str) -> list[tuple[str, str]]:
    """What was posted, less one entry of a list."""
    return [(name, value) for name, value in posted if name != path and not name.startswith(f"{path}.")]


def field_at(form: Iterable[Field], path: str) -> Field | None:
    """The field at a path, whichever entry of a group it is in."""
    name, *rest = [part for part in path.split(".") if not _ENTRY.fullmatch(part)] or [""]
    found = next((field for field in form if field.name == name), None)
    if found is None or not rest:
        return found
    return field_at(found.parts, ".".join(rest))
