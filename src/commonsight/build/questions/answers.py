"""What can be asked for, and whether a question tells it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from commonsight.graph.attributes import NUMBER, attribute_type, only_value

UNASKED = frozenset((NUMBER,))
"""Types of attributes that are not asked for: counts belong to captions, not to single objects."""


@lru_cache(maxsize=1 << 16)
def own_attributes(shown: tuple[str, ...]) -> Mapping[str, str]:
    """The types of attributes of which an object shows exactly one, and that one."""
    kinds = dict.fromkeys(map(attribute_type, shown))
    found = {kind: only_value(kind, shown) for kind in kinds if kind is not None and kind not in UNASKED}
    return {kind: value for kind, value in found.items() if value is not None}


def gives_away(text: str, answer: str) -> bool:
    """Whether a question says its own answer, in the singular or the plural."""
    said = text.lower()
    if not any(map(said.__contains__, _stems(answer))):  # as nearly all: no need to look at its words
        return False
    return not _forms(answer).isdisjoint(said.rstrip("?").split())


@lru_cache(maxsize=1 << 16)
def names(phrase: str, answer: str) -> bool:
    """The same for a part of a question; parts come again and again."""
    return gives_away(phrase, answer)


@lru_cache(maxsize=1 << 16)
def _stems(answer: str) -> tuple[str, ...]:
    """What every form of a word of the answer begins with."""
    return tuple(word.removesuffix("s") for word in answer.lower().split())


@lru_cache(maxsize=1 << 16)
def _forms(answer: str) -> frozenset[str]:
    words = answer.lower().split()
    return frozenset(
        form for word in words for form in (word, f"{word}s", f"{word}es", word.removesuffix("s"))
    )
