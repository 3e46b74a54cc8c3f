"""Words in {curly brackets}: what a writer marks, so that someone else can put other words there."""

from __future__ import annotations

import re

_MARKED = re.compile(r"\{([^{}]*)\}")
_BEFORE_SIGN = re.compile(r"\s+([.,;:!?])")


def marked(text: str) -> list[str]:
    """What stands in brackets, in order."""
    return [" ".join(words.split()) for words in _MARKED.findall(text)]


def unmarked(text: str) -> str:
    """The text as it is read: without brackets, with single spaces."""
    return _BEFORE_SIGN.sub(r"\1", " ".join(text.replace("{", "").replace("}", "").split()))


def rest(text: str) -> str:
    """What stands outside of brackets, with a gap for each pair."""
    return " ".join(_MARKED.sub(" {} ", text).split()).casefold()


def fault(text: str) -> str:
    """Why the brackets of a text cannot be read; empty if they can."""
    depth = 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth not in (0, 1):
            return "Close every { with one } before you open the next."
    if depth:
        return "A { is never closed. Write } after the last word that belongs to it."
    if any(not any(map(str.isalnum, words)) for words in _MARKED.findall(text)):
        return "There are brackets with no word in them. Put words in them, or leave them out."
    return ""
