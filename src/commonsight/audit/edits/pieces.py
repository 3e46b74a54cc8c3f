"""A choice taken apart for editing, and put together again in the notation it came in.

Benchmarks cut contractions in different ways: `can ' t`, `ca n't`, `can't`. Edits see whole words; what they
give back is cut as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from commonsight.core.text import TaggedText, Token, join_words

Cut = Literal["plain", "marks", "treebank"]
"""`plain`: the text is one string; `marks`: apostrophes are tokens; `treebank`: `n't` and `'s` are tokens."""

_PIECE = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_ENDINGS = frozenset(("s", "t", "re", "ve", "ll", "m", "d"))

_TREEBANK = frozenset(("n't", *(f"'{ending}" for ending in _ENDINGS)))


class Pieces(NamedTuple):
    """Words whole, marks and tags apart; a possessive ending stands by itself after a tag."""

    tokens: tuple[Token, ...]
    cut: Cut


def apart(text: TaggedText) -> Pieces | None:
    """The pieces; None where a text would not come back the same, such as one with `3.5` in it."""
    only = text.tokens[0] if len(text.tokens) == 1 else None
    if isinstance(only, str) and only.strip():
        found = Pieces(tuple(_PIECE.findall(only)), "plain")
    else:
        found = Pieces(tuple(_whole(text.tokens)), _cut(text.tokens))
    return found if together(found) == text else None


def together(pieces: Pieces) -> TaggedText:
    """The text, cut as it was."""
    match pieces.cut:
        case "plain":
            return TaggedText.plain(join_words([token for token in pieces.tokens if isinstance(token, str)]))
        case "marks":
            return TaggedText(tuple(part for token in pieces.tokens for part in _by_marks(token)))
        case "treebank":
            return TaggedText(tuple(part for token in pieces.tokens for part in _as_treebank(token)))


def _cut(tokens: Sequence[Token]) -> Cut:
    endings = any(isinstance(token, str) and len(token) > 1 and "'" in token for token in tokens)
    return "treebank" if endings else "marks"


def _whole(tokens: Sequence[Token]) -> list[Token]:
    """Contractions as one word."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        before = found[-1] if found else None
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if token in ("'", "’") and isinstance(following, str) and following.lower() in _ENDINGS and found:
            _attach(found, before, f"'{following}")
            at += 1
        elif found and isinstance(token, str) and token.lower() in _TREEBANK:
            _attach(found, before, token)
        else:
            found.append(token)
        at += 1
    return found


def _attach(found: list[Token], before: Token | None, ending: str) -> None:
    if isinstance(before, str) and before[-1:].isalpha():
        found[-1] = before + ending
    else:
        found.append(ending)


def _by_marks(token: Token) -> list[Token]:
    if not isinstance(token, str) or "'" not in token or len(token) == 1:
        return [token]
    word, _, ending = token.partition("'")
    return [part for part in (word, "'", ending) if part]


def _as_treebank(token: Token) -> list[Token]:
    if not isinstance(token, str) or "'" not in token or len(token) == 1 or token.startswith("'"):
        return [token]
    if token.lower().endswith("n't"):
        return [part for part in (token[:-3], token[-3:]) if part]
    word, _, ending = token.partition("'")
    return [word, f"'{ending}"]
