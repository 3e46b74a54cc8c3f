"""Texts as they are compared: without case, sentence marks and spacing, which nobody calls a difference."""

from __future__ import annotations

import re
from unicodedata import normalize

_PIECE = re.compile(r"(?<!\w)-(?=\d)|\d+(?:[.,:/]\d+)+|[^\W_]+|[^\w\s.,;:!?'\"’‘“”()\[\]…–—-]")
"""A number with its sign, a word, or a mark that says something: `$5` is not `5`, and `-5` is not either."""
ARTICLES = frozenset(("a", "an", "the"))


def pieces(text: str) -> tuple[str, ...]:
    """The words, numbers and telling marks of a text; its letters as they are where it has none of these."""
    plain = normalize("NFKC", text).casefold()
    found = tuple(_PIECE.findall(plain))
    if found:
        return found
    bare = plain.strip()
    return (bare,) if bare else ()


def normal(text: str) -> str:
    """The text as it is compared; empty only where there is nothing to read."""
    return " ".join(pieces(text))
