"""Two choices of one item side by side: the same, nearly the same, or apart by tags alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from commonsight.audit.choices.alike import stem_of
from commonsight.audit.normal import ARTICLES, pieces
from commonsight.core.text import TaggedText

Kinship = Literal["same", "forms", "order", "spelling", "tags"]
"""`same` but for case and marks; other `forms` of the same words, or articles; the same words in another
`order`; one word off by a letter (`spelling`); or only the `tags` differ."""

LEAST_LETTERS = 5
"""A letter more or less makes another word of a short one (`cat`, `car`), and a slip of a long one."""


class Related(NamedTuple):
    """Two choices of an item, by position, and how they are related."""

    first: int
    second: int
    kinship: Kinship


class _Reading(NamedTuple):
    """One choice as it is compared, from the strictest to the most lenient."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    bag: tuple[str, ...]
    tagless: tuple[str, ...]
    tags: tuple[int, ...]


def related_choices(choices: Sequence[TaggedText], said: Sequence[str]) -> Iterator[Related]:
    """Every pair of an item's choices that are the same or nearly so; empty choices are left out."""
    read = [_reading(*choice) for choice in zip(choices, said, strict=True)]
    for (first, one), (second, other) in combinations(enumerate(read), 2):
        kinship = _kinship(one, other)
        if kinship is not None:
            yield Related(first, second, kinship)


def _reading(text: TaggedText, said: str) -> _Reading:
    words = pieces(said)
    stems = tuple([stem_of(word) for word in words if word not in ARTICLES])
    tags = tuple(text.references())
    tagless = pieces(" ".join(token for token in text.tokens if isinstance(token, str))) if tags else words
    return _Reading(words, stems, tuple(sorted(stems)), tagless, tags)


def _kinship(one: _Reading, other: _Reading) -> Kinship | None:
    if not one.words or not other.words:
        return None
    if one.words == other.words:
        return "same"
    if one.tagless == other.tagless and one.tags != other.tags:
        return "tags"
    if one.tags != other.tags or not one.stems:
        return None
    if one.stems == other.stems:
        return "forms"
    if one.bag == other.bag:
        return "order"
    return "spelling" if _misspelled(one.words, other.words) else None


_LETTERS = re.compile(r"[^\W\d_]+")


def _misspelled(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the texts differ in one long word, by one letter."""
    if len(one) != len(other):
        return False
    apart = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(apart) != 1:
        return False
    a, b = apart[0]
    long = min(len(a), len(b)) >= LEAST_LETTERS and _LETTERS.fullmatch(a + b) is not None
    return long and a[0] == b[0] and one_letter_apart(a, b)


def one_letter_apart(a: str, b: str) -> bool:
    """Whether one letter changed, more, less, or swapped with its neighbour makes one word of the other."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest, other = a[start:], b[start:]
    return (
        rest[1:] == other[1:]
        or rest[1:] == other
        or rest == other[1:]
        or (rest[2:] == other[2:] and rest[:2] == other[1::-1])
    )
