"""Texts as they are compared: without case, sentence marks and spacing, which nobody calls a difference."""

from __future__ import annotations

import re
from sys import intern
from unicodedata import normalize

from commonsight.core.text import TaggedText

_PIECE = re.compile(r"(?<!\w)-(?=\d)|\d+(?:[.,:/]\d+)+|[^\W_]+|[^\w\s.,;:!?'\"’‘“”()\[\]…–—-]")
"""A number with its sign, a word, or a mark that says something: `$5` is not `5`, and `-5` is not either."""
ARTICLES = frozenset(("a", "an", "the"))


def pieces(text: str) -> tuple[str, ...]:
    """The words, numbers and telling marks of a text; its letters as they are where it has none of these."""
    plain = normalize("NFKC", text).casefold()
    found = tuple(map(intern, _PIECE.findall(plain)))  # words recur: one of each takes less room
    if found:
        return found
    bare = plain.strip()
    return (bare,) if bare else ()


def normal(text: str) -> str:
    """The text as it is compared; empty only where there is nothing to read."""
    return " ".join(pieces(text))


def compared(text: TaggedText, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The pieces of a text, its tags by class and number: spacing, which takes long to set, is not needed."""
    words = [token if isinstance(token, str) else _named(token, labels) for token in text.tokens]
    return pieces(" ".join(words))


def _named(token: tuple[int, ...], labels: tuple[str, ...]) -> str:
    return " ".join(
        f"{labels[index] if 0 <= index < len(labels) else 'object'}{index + 1}" for index in token
    )
