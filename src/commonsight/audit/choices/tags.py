"""Tags that point to nothing: beyond the objects of the picture, or spelled as words that name no object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from commonsight.audit.cases import Case
from commonsight.core.text import TaggedText

Trouble = Literal["beyond", "absent", "other label", "as words"]
"""A reference `beyond` the objects; words that name an object that is `absent`, or one whose number has an
`other label`; or a tag that names its object rightly and is still written `as words`."""

_BRACKETS = re.compile(r"\[\s*([a-z][a-z ]*?)\s*(\d+)\s*\]", re.IGNORECASE)


class BadTag(NamedTuple):
    """One tag that is not as it should be."""

    trouble: Trouble
    spelled: str


def bad_tags(case: Case, bare: re.Pattern[str]) -> Iterator[BadTag]:
    """Every tag in question and choices that does not stand; `bare` is what `spelled_tags` gave."""
    for text in (case.given, *case.choices):
        yield from _beyond(text, len(case.labels))
        yield from _spelled(text, case.labels, bare)


def spelled_tags(cases: Iterable[Case]) -> re.Pattern[str] | None:
    """How tags without brackets look, such as `person5`; None where no picture lists its objects.

    Only labels that some picture has are looked for, or `covid19` would be a tag.
    """
    known = {label for case in cases for label in case.labels if label}
    names = "|".join(sorted(map(re.escape, known), key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![\w\[])({names})(\d+)(?![\w\]])", re.IGNORECASE) if names else None


def _beyond(text: TaggedText, objects: int) -> Iterator[BadTag]:
    for index in text.references():
        if not 0 <= index < objects:
            yield BadTag("beyond", f"[{index}]")


def _spelled(text: TaggedText, labels: tuple[str, ...], bare: re.Pattern[str]) -> Iterator[BadTag]:
    words = " ".join(token for token in text.tokens if isinstance(token, str))
    if not any(letter.isdigit() for letter in words):  # nearly always
        return
    for match in (*_BRACKETS.finditer(words), *bare.finditer(_BRACKETS.sub(" ", words))):
        yield BadTag(_judged(match[1], int(match[2]) - 1, labels), match[0])


def _judged(label: str, index: int, labels: tuple[str, ...]) -> Trouble:
    if not 0 <= index < len(labels):
        return "absent"
    return "as words" if labels[index].casefold() == label.casefold() else "other label"
