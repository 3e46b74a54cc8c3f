"""What a worker has written so far, read by what the stage declares: its texts, and the items they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from commonsight.audit.cases import plain
from commonsight.collect.forms import word_count
from commonsight.collect.protocol import Answers, Field, Making, Payload, Stage, labels_of
from commonsight.core.text import TaggedText

_BRACES = str.maketrans("", "", "{}")


class Text(NamedTuple):
    """One text of a draft, or of what the task shows."""

    field: str
    """`triplets.0.question`; empty where it is not the writer's to change."""
    read: TaggedText
    said: str
    """Tags by class and number: `person1`."""
    words: int
    """As people count them: a tag is one."""
    watched: Field | None = None
    """Its field, where that asks for warnings."""


class Choice(NamedTuple):
    """One choice of an item in the making."""

    text: Text
    right: bool


class Sketch(NamedTuple):
    """An item in the making: what is asked, and the choices that there are so far."""

    asked: tuple[Text, ...]
    choices: tuple[Choice, ...]
    whole: bool
    """Whether every choice that is to be written has been."""

    @property
    def right(self) -> int | None:
        """The place of the right choice, where there is one and only one."""
        places = [place for place, choice in enumerate(self.choices) if choice.right]
        return places[0] if len(places) == 1 else None


class Draft(NamedTuple):
    """All that is looked at."""

    labels: tuple[str, ...]
    texts: tuple[Text, ...]
    """Those of fields that ask for warnings, in the order of the form; empty ones left out."""
    items: tuple[Sketch, ...]


def draft_of(stage: Stage, payload: Payload, answers: Answers) -> Draft:
    """Read a draft, whatever its state: what is missing or of another shape is left out."""
    labels = _labels(stage, payload)
    fields = dict(_watched(stage.form, ()))
    reader = _Reader(labels, fields)
    texts = tuple(text for path in fields for text in reader.texts(answers, path, "") if text.watched)
    items = () if stage.making is None else tuple(_items(stage.making, payload, answers, reader))
    return Draft(labels, texts, items)


def watched_paths(stage: Stage) -> tuple[tuple[str, ...], ...]:
    """The fields that ask for warnings, by their paths in the answers."""
    return tuple(dict(_watched(stage.form, ())))


def _watched(form: Sequence[Field], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Field]]:
    for field in form:
        path = (*above, field.name)
        if field.kind == "group":
            yield from _watched(field.parts, path)
        elif field.warn and field.kind in ("text", "tagged", "texts"):
            yield path, field


def _labels(stage: Stage, payload: Payload) -> tuple[str, ...]:
    """Of the first picture whose boxes are numbered: what tags in texts point to."""
    names = [show.name for show in stage.shows if show.kind == "scene"]
    return next((found for name in names if (found := labels_of(payload, name))), ())


class _Reader:
    """Reads texts at paths in answers and payloads."""

    def __init__(self, labels: tuple[str, ...], fields: Mapping[tuple[str, ...], Field]) -> None:
        self._labels, self._fields = labels, fields

    def texts(self, value: Any, path: Sequence[str], name: str, own: bool = True) -> Iterator[Text]:
        """Every text at the path that says something; `own` where it is the writer's."""
        if isinstance(value, str):
            if not path and value.strip():
                yield self._text(value, name if own else "")
        elif isinstance(value, list | tuple):
            for place, entry in enumerate(value):
                yield from self.texts(entry, path, f"{name}.{place}", own)
        elif isinstance(value, Mapping) and path:
            inner = f"{name}.{path[0]}" if name else path[0]
            yield from self.texts(value.get(path[0]), path[1:], inner, own)

    def _text(self, written: str, name: str) -> Text:
        field = self._fields.get(tuple(part for part in name.split(".") if not part.isdigit()))
        read = TaggedText.parse(written.translate(_BRACES), self._labels)
        return Text(name, read, plain(read, self._labels), word_count(written), field)


def _items(making: Making, payload: Payload, answers: Answers, reader: _Reader) -> Iterator[Sketch]:
    """One for each entry of the group that the names point into; one in all where they point into none."""
    names = (*making.asked, *making.right, *making.wrong)
    group = next((first for name in names if (first := _group(name, payload, answers))), None)
    for place in range(1 if group is None else len(_entry(group, payload, answers)[0])):

        def found(name: str, place: int = place) -> list[Text]:
            first, *path = name.split(".")
            value, own = _entry(first, payload, answers)
            if first == group:
                return list(reader.texts(value[place], path, f"{first}.{place}", own))
            return list(reader.texts(value, path, first, own))

        sides = (*((name, True) for name in making.right), *((name, False) for name in making.wrong))
        texts = [(found(name), right) for name, right in sides]
        yield Sketch(
            tuple(text for name in making.asked for text in found(name)),
            tuple(Choice(text, right) for some, right in texts for text in some),
            all(some for some, _ in texts),
        )


def _group(name: str, payload: Payload, answers: Answers) -> str:
    """The first part of a name where it is a list of entries with parts."""
    first, dot, _ = name.partition(".")
    value, _ = _entry(first, payload, answers)
    return first if dot and isinstance(value, list | tuple) else ""


def _entry(name: str, payload: Payload, answers: Answers) -> tuple[Any, bool]:
    """What has this name, and whether it is the writer's."""
    return (answers[name], True) if name in answers else (payload.get(name), False)
