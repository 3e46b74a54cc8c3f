"""What a worker sends, held against the form: cleaned, or told field by field what to change.

A value's shape follows from its field's kind: a string for texts, tagged texts (in bracket notation), choices
and ratings; a list of strings for `choices` and `texts`; a list of whole numbers for `boxes`, which are
positions of regions from 0 on; a list of objects for a group. What was left empty is not there afterwards,
nor is what was not asked for. Checking what was cleaned changes nothing more.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from commonsight.collect.protocol import Answers, Field, Payload, labels_of
from commonsight.core.text import pieces
from commonsight.errors import Complaint, InvalidAnswers

LONGEST_TEXT = 5_000
MOST_ENTRIES = 50
"""Of a group or of texts that set no limit of their own."""
Check = Callable[[Payload, Answers], Iterable[Complaint]]

_WORD = re.compile(r"\[[^\[\]]*\][^\s\[\]]*|[^\s\[\]]+")
_LINE_END = re.compile("\r\n?|[\u2028\u2029\x85]")
_NEVER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
"""Control characters, halves of characters, and what makes text run backwards: none of it is seen, some of it
no database keeps, and some of it makes a page show other words than were written."""


def checked(
    form: Sequence[Field], payload: Payload, answers: Any, checks: Iterable[Check] = ()
) -> dict[str, Any]:
    """The answers, cleaned. Raises `InvalidAnswers` with all that must be changed."""
    reading = _Reading(payload, partial=False)
    cleaned = reading.answers(form, answers)
    told = reading.told or _told_by(checks, payload, cleaned)
    if told:
        raise InvalidAnswers(told)
    return cleaned


def complaints(
    form: Sequence[Field],
    payload: Payload,
    answers: Any,
    checks: Iterable[Check] = (),
    *,
    partial: bool = False,
) -> list[Complaint]:
    """What must be changed. With `partial`, the worker is still writing: nothing is missing yet."""
    reading = _Reading(payload, partial)
    cleaned = reading.answers(form, answers)
    if reading.told:
        return reading.told
    if partial:  # rules over several fields need all of them
        whole = _Reading(payload, partial=False)
        whole.answers(form, answers)
        if whole.told:
            return []
    return _told_by(checks, payload, cleaned)


def _told_by(checks: Iterable[Check], payload: Payload, cleaned: Answers) -> list[Complaint]:
    return [complaint for check in checks for complaint in check(payload, cleaned)]


def word_count(text: str) -> int:
    """How many words a text has. A tag is one word, with what hangs on it; a lone sign is none."""
    return sum(any(map(str.isalnum, word)) for word in _WORD.findall(text))


def clean_text(text: str) -> str:
    """A text as it is kept: nothing around it, nothing in it that cannot be seen or kept."""
    seen = unicodedata.normalize("NFC", _NEVER.sub("", _LINE_END.sub("\n", text))).strip()
    return seen if any(_is_visible(letter) for letter in seen) else ""


LONGEST_DRAFT = 200_000
_DEEPEST = 8
_MOST_NUMBER = 2**53


def draft_of(value: Any) -> dict[str, Any]:
    """Unfinished answers as they can be kept: any JSON, as long as it is not too much."""
    kept = _kept(value, _DEEPEST, [LONGEST_DRAFT]) if isinstance(value, Mapping) else None
    if not isinstance(kept, dict):
        raise InvalidAnswers([Complaint("", "A draft is a form's fields, each by its name.")])
    return kept


def _kept(value: Any, depth: int, room: list[int]) -> Any:
    """A value without what JSON or a database cannot take. `room` is what may still come."""
    room[0] -= len(value) + 2 if isinstance(value, str) else 8
    if room[0] < 0 or depth < 0:
        raise InvalidAnswers([Complaint("", "This is too much for a draft. Make it shorter.")])
    if isinstance(value, str):
        return _NEVER.sub("", value)
    if isinstance(value, Mapping):
        return {_kept(str(key), depth, room): _kept(each, depth - 1, room) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_kept(each, depth - 1, room) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):  # a truth value is one too
        return value if abs(value) < _MOST_NUMBER else None
    return None


def _is_visible(letter: str) -> bool:
    return not letter.isspace() and unicodedata.category(letter) not in ("Cf", "Cn", "Co")


class _Reading:
    """One pass over a form: gathers what is wrong, and goes on. `None` is a value that is not there."""

    def __init__(self, payload: Payload, partial: bool) -> None:
        self.payload, self.partial = payload, partial
        self.told: list[Complaint] = []

    def tell(self, path: str, message: str) -> None:
        self.told.append(Complaint(path, message))

    def answers(self, form: Sequence[Field], answers: Any, prefix: str = "") -> dict[str, Any]:
        """The fields that are asked for and were answered, in the order of the form."""
        if not isinstance(answers, Mapping):
            self.tell(prefix.rstrip("."), "Answer the form's fields, each by its name.")
            return {}
        by_name = {field.name: field for field in form}
        values: dict[str, Any] = {}
        for field in form:
            self._read(field, by_name, answers, values, prefix)
        return {name: values[name] for name in by_name if values[name] is not None}

    def _read(
        self,
        field: Field,
        by_name: Mapping[str, Field],
        answers: Answers,
        values: dict[str, Any],
        prefix: str,
    ) -> None:
        """One field, after the one that it depends on."""
        if field.name in values:
            return
        values[field.name] = None  # ends a circle of fields that depend on each other
        if field.only_if is not None:
            other, wanted = field.only_if
            if other in by_name:
                self._read(by_name[other], by_name, answers, values, prefix)
            found = values.get(other)
            if found != wanted and not (isinstance(found, list) and wanted in found):
                return
        path = f"{prefix}{field.name}"
        before = len(self.told)
        value = _READERS[field.kind](self, field, answers.get(field.name), path)
        values[field.name] = value
        if value is None and field.required and not self.partial and len(self.told) == before:
            self._tell_missing(field, path)

    def _tell_missing(self, field: Field, path: str) -> None:
        verb = _VERBS.get(field.kind)
        if verb is None:
            self.tell(path, "Write something here." if field.kind in ("text", "tagged") else "Choose one.")
        elif least := how_many(field)[0]:
            self.tell(path, f"{verb} at least {least}.")

    def text(self, field: Field, value: Any, path: str) -> str | None:
        """A text of so many words."""
        if value is None:
            return None
        if not isinstance(value, str):
            self.tell(path, "Write a text here.")
            return None
        if len(value) > 4 * LONGEST_TEXT or len(cleaned := clean_text(value)) > LONGEST_TEXT:
            self.tell(path, f"This is too long. Write at most {LONGEST_TEXT:,} characters.")
            return None
        if not cleaned:
            return None
        words = word_count(cleaned)
        if words < field.least_words:
            self.tell(path, f"Write at least {_count(field.least_words, 'word')}; here {_are(words)}.")
        if field.most_words is not None and words > field.most_words:
            self.tell(path, f"Write at most {_count(field.most_words, 'word')}; here {_are(words)}.")
        return cleaned

    def tagged(self, field: Field, value: Any, path: str) -> str | None:
        """A text whose every bracket is a tag of the picture."""
        cleaned = self.text(field, value, path)
        labels = labels_of(self.payload, field.about)
        for piece in pieces(cleaned or "", labels):
            if not piece.regions and (found := _BRACKET.search(piece.text)):
                self.tell(path, f"{found.group():.40} is no box of the picture. {_tags(labels)}")
                break
        return cleaned

    def choice(self, field: Field, value: Any, path: str) -> str | None:
        """One of the options."""
        if value is None or value == "":
            return None
        if not isinstance(value, str) or value not in self._options(field):
            self.tell(path, "Choose one of what is offered.")
            return None
        return value

    def choices(self, field: Field, value: Any, path: str) -> list[str] | None:
        """Several of the options, in their order."""
        chosen = self._several(value, path)
        options = self._options(field)
        if any(not isinstance(each, str) or each not in options for each in chosen):
            self.tell(path, "Choose from what is offered.")
            return None
        return self._so_many(field, [option for option in options if option in chosen], path)

    def boxes(self, field: Field, value: Any, path: str) -> list[int] | None:
        """Several of the picture's boxes, in their order."""
        chosen = self._several(value, path)
        known = range(len(labels_of(self.payload, field.about)))
        if any(type(each) is not int or each not in known for each in chosen):
            self.tell(path, "Choose from the boxes of the picture.")
            return None
        return self._so_many(field, sorted(set(chosen)), path)

    def texts(self, field: Field, value: Any, path: str) -> list[str] | None:
        """Several texts; empty ones are left out."""
        given = self._several(value, path)
        read = (self.text(field, each, f"{path}.{place}") for place, each in enumerate(given))
        return self._so_many(field, [text for text in read if text is not None], path)

    def group(self, field: Field, value: Any, path: str) -> list[dict[str, Any]] | None:
        """Several rounds of the parts; rounds in which nothing was said are left out."""
        entries = []
        for place, entry in enumerate(self._several(value, path)):
            if not self._is_blank(field, entry):
                entries.append(self.answers(field.parts, entry, f"{path}.{place}."))
        return self._so_many(field, entries, path)

    def _is_blank(self, field: Field, entry: Any) -> bool:
        """Whether nothing at all was said in a round of a group."""
        if entry is None:
            return True
        trial = _Reading(self.payload, partial=True)
        return not trial.answers(field.parts, entry) and not trial.told

    def _several(self, value: Any, path: str) -> Sequence[Any]:
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            self.tell(path, "Send a list here.")
            return ()
        if len(value) > _MOST_SENT:
            self.tell(path, f"These are too many: send at most {_MOST_SENT}.")
            return ()
        return value

    def _so_many(self, field: Field, values: list[Any], path: str) -> list[Any] | None:
        (least, most), verb = how_many(field), _VERBS[field.kind]
        if len(values) > most:
            self.tell(path, f"{verb} at most {most}; here {_are(len(values))}.")
        elif values and len(values) < least and not self.partial:
            self.tell(path, f"{verb} at least {least}; here {_are(len(values))}.")
        return values or None

    def _options(self, field: Field) -> list[str]:
        options = [option.value for option in field.options]
        entries = self.payload.get(field.options_from) if field.options_from else None
        if isinstance(entries, Sequence) and not isinstance(entries, str):
            options.extend(str(place) for place in range(len(entries)))
        return options


def how_many(field: Field) -> tuple[int, int]:
    """How many there must be and may be, of what can be several."""
    least = int(field.required) if field.least is None else field.least
    most = field.most
    if most is None:
        most = MOST_ENTRIES if field.kind in ("texts", "group") else _MOST_SENT
    return least, most


_MOST_SENT = 200
_BRACKET = re.compile(r"\[[^\[\]]*\]?|\]")
_READERS: Mapping[str, Callable[[_Reading, Field, Any, str], Any]] = {
    "text": _Reading.text,
    "tagged": _Reading.tagged,
    "choice": _Reading.choice,
    "rating": _Reading.choice,
    "choices": _Reading.choices,
    "boxes": _Reading.boxes,
    "texts": _Reading.texts,
    "group": _Reading.group,
}
_VERBS = {"choices": "Choose", "boxes": "Choose", "texts": "Write", "group": "Give"}
"""What one does with a field that takes several."""


def _tags(labels: Sequence[str]) -> str:
    if not labels:
        return "It has none; write without square brackets."
    return f"Write its tags as they are: [{labels[0]}1]{' …' if len(labels) > 1 else ''}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _are(number: int) -> str:
    return {0: "there is none", 1: "there is 1"}.get(number, f"there are {number}")
