"""A form as a page has it: fields with what was said so far, what is wrong with it, and how it can be chosen.

The name of an input is its path in the answers: `triplets.0.question`. Complaints carry the same paths, so
each is told at its field. `posted_form` reads back what a browser makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from commonsight.collect.forms import how_many
from commonsight.collect.protocol import Field, Payload, labels_of
from commonsight.core.text import Piece
from commonsight.errors import Complaint
from commonsight.web.collect.shows_view import first_picture, is_picture, letter, tagged

A_LINE = 8
"""Words that fit a line."""
AN_OPTION = 32
"""Characters that fit beside other options."""


@dataclass(frozen=True)
class OptionView:
    """One thing to choose."""

    value: str
    pieces: tuple[Piece, ...]
    """Its label, cut at tags."""
    key: str
    """The key that chooses it, where there is one left."""
    chosen: bool
    entry: str = ""
    """What of the payload it stands for, where it is not one of the field's own."""


class Entry(NamedTuple):
    """One of several texts, or one round of a group."""

    path: str
    text: str = ""
    fields: tuple[FieldView, ...] = ()
    complaints: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """For anchors and labels."""
        return id_of(self.path)


@dataclass(frozen=True)
class FieldView:
    """One field with what was said so far."""

    field: Field
    path: str
    text: str = ""
    options: tuple[OptionView, ...] = ()
    entries: tuple[Entry, ...] = ()
    blank: Entry | None = None
    """What another entry looks like, for pages that add one by themselves."""
    complaints: tuple[str, ...] = ()
    about: str = ""
    """What its picture is called on the page."""
    names: tuple[str, ...] = ()
    """Of the boxes that its tags may point to: `person4`."""
    follows: str = ""
    """The path of the choice whose chosen text it begins with."""
    only_if: tuple[str, str] | None = None
    """The path and the value without which it is not asked."""
    asked: bool = True

    @property
    def id(self) -> str:
        """For anchors and labels."""
        return id_of(self.path)

    @property
    def least(self) -> int:
        """How many of several there must be."""
        return how_many(self.field)[0]

    @property
    def most(self) -> int:
        """How many of several there may be."""
        return how_many(self.field)[1]

    @property
    def is_short(self) -> bool:
        """Whether a line is enough to write in."""
        return self.field.most_words is not None and self.field.most_words <= A_LINE

    @property
    def has_long_options(self) -> bool:
        """Whether its options need a line each."""
        return any(len("".join(each.text for each in option.pieces)) > AN_OPTION for option in self.options)

    @property
    def has_complaints(self) -> bool:
        """Whether it, or anything in it, must be changed."""
        return bool(self.complaints) or any(
            entry.complaints or any(each.has_complaints for each in entry.fields) for entry in self.entries
        )


class _Around(NamedTuple):
    """What every field of a form is drawn with."""

    payload: Payload
    complaints: Mapping[str, Sequence[str]]
    scope: str = ""
    depth: int = 0


def field_views(
    form: Iterable[Field],
    payload: Payload,
    answers: Mapping[str, Any],
    complaints: Iterable[Complaint] = (),
    scope: str = "",
) -> tuple[FieldView, ...]:
    """The form's fields. Answers may be a draft: unfinished, or not even of the right shape.

    Where a page has several forms of one kind, the names in each begin with its `scope`: `samples.0.`.
    """
    told: dict[str, list[str]] = {}
    for complaint in complaints:
        told.setdefault(complaint.field, []).append(complaint.message)
    return _views(form, answers, scope, _Around(payload, told, scope))


def _views(
    form: Iterable[Field], answers: Mapping[str, Any], prefix: str, around: _Around
) -> tuple[FieldView, ...]:
    return tuple(_view(field, answers, prefix, around) for field in form)


def _view(field: Field, answers: Mapping[str, Any], prefix: str, around: _Around) -> FieldView:
    path, value = f"{prefix}{field.name}", answers.get(field.name)
    only_if = (f"{prefix}{field.only_if[0]}", field.only_if[1]) if field.only_if else None
    entries, blank = _entries(field, path, value, around)
    return FieldView(
        field,
        path,
        text=value if isinstance(value, str) else _first_text(field, answers, around.payload),
        options=_options(field, value, around),
        about=_about(field, around),
        entries=entries,
        blank=blank,
        complaints=tuple(around.complaints.get(path, ())),
        names=tuple(f"{label}{n + 1}" for n, label in enumerate(labels_of(around.payload, field.about))),
        follows=_follows(field, prefix, around.payload),
        only_if=only_if,
        asked=_is_asked(field, answers),
    )


def _about(field: Field, around: _Around) -> str:
    """The picture of a field's tags. Options that are texts of the payload may point to its only picture."""
    named = field.about or (first_picture(around.payload) if field.options_from else "")
    return f"{around.scope}{named}" if named else ""


def _is_asked(field: Field, answers: Mapping[str, Any]) -> bool:
    if field.only_if is None:
        return True
    said = answers.get(field.only_if[0])
    return field.only_if[1] in (said if isinstance(said, list | tuple) else (said,))


def _first_text(field: Field, answers: Mapping[str, Any], payload: Payload) -> str:
    """What one begins with: a text of the payload, as long as nothing at all was said."""
    first = payload.get(field.starts_from)
    return first if isinstance(first, str) and field.name not in answers else ""


def _follows(field: Field, prefix: str, payload: Payload) -> str:
    is_choice = field.starts_from and not isinstance(payload.get(field.starts_from), str)
    return f"{prefix}{field.starts_from}" if is_choice else ""


def _entries(field: Field, path: str, value: Any, around: _Around) -> tuple[tuple[Entry, ...], Entry | None]:
    if field.kind not in ("texts", "group"):
        return (), None
    said = list(value) if isinstance(value, list | tuple) else []
    least, most = how_many(field)
    count = min(most, max(len(said), least, 1))
    said += [None] * (count - len(said))
    entries = tuple(_entry(field, f"{path}.{n}", each, around) for n, each in enumerate(said[:count]))
    return entries, _entry(field, f"{path}.__{around.depth}__", None, around)


def _entry(field: Field, path: str, value: Any, around: _Around) -> Entry:
    complaints = tuple(around.complaints.get(path, ()))
    if field.kind == "texts":
        return Entry(path, value if isinstance(value, str) else "", complaints=complaints)
    said = value if isinstance(value, Mapping) else {}
    parts = _views(field.parts, said, f"{path}.", around._replace(depth=around.depth + 1))
    return Entry(path, fields=parts, complaints=complaints)


def _options(field: Field, value: Any, around: _Around) -> tuple[OptionView, ...]:
    payload = around.payload
    chosen = {str(each) for each in (value if isinstance(value, list | tuple) else (value,))}
    if field.kind == "boxes":
        names = enumerate(labels_of(payload, field.about))
        return tuple(
            OptionView(str(n), (Piece(f"{label}{n + 1}", (n,)),), "", str(n) in chosen) for n, label in names
        )
    entries = payload.get(field.options_from) if field.options_from else None
    several = entries if isinstance(entries, list | tuple) else ()
    labels = labels_of(payload, field.about or first_picture(payload))
    place = f"{around.scope}{field.options_from}"
    numbered = tuple(
        _numbered(f"{place}.{n}", n, each, labels, str(n) in chosen) for n, each in enumerate(several)
    )
    taken = {option.key for option in field.options}
    return numbered + tuple(
        OptionView(
            option.value, (Piece(option.label),), option.key or _digit(n, taken), option.value in chosen
        )
        for n, option in enumerate(field.options, len(numbered))
    )


def _numbered(place: str, position: int, entry: Any, labels: Sequence[str], chosen: bool) -> OptionView:
    """An option that is an entry of the payload: a text as it is, a picture or a pair by its letter."""
    is_pair = isinstance(entry, list | tuple) or (isinstance(entry, Mapping) and "left" in entry)
    if is_picture(entry) or is_pair:
        label = f"{'Pair' if is_pair else 'Picture'} {letter(position)}"
        return OptionView(str(position), (Piece(label),), letter(position).lower(), chosen, place)
    return OptionView(str(position), tagged(entry, labels), _digit(position, ()), chosen, place)


def _digit(position: int, taken: Iterable[str]) -> str:
    key = str(position + 1)
    return key if position < 9 and key not in taken else ""


def id_of(path: str) -> str:
    """What the input or the group at a path is called on the page."""
    return "f-" + path.replace(".", "-")


def labelled(views: Iterable[FieldView]) -> Iterator[tuple[str, str]]:
    """Every path of a form as it is drawn where something may be told, with what people call it."""
    for view in views:
        yield view.path, view.field.label
        for entry in view.entries:
            yield entry.path, view.field.label
            yield from labelled(entry.fields)


def pointed_at(views: Iterable[FieldView]) -> set[str]:
    """The pictures whose boxes a form asks for, by tags or by choosing."""
    found: set[str] = set()
    for view in views:
        if view.field.kind in ("tagged", "boxes"):
            found.add(view.about)
        for entry in view.entries:
            found |= pointed_at(entry.fields)
    return found
