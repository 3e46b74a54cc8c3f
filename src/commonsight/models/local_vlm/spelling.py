"""Which tokens spell a word: "A" and " A" are two tokens and one answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

_MARKS = "Ġ▁Ċ \n\t"
"""How tokenizers write white space before a word."""


class Spelling:
    """The tokens of one vocabulary by the word that they spell."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._words: dict[str, list[int]] | None = None
        self.of = lru_cache(maxsize=64)(self._of)

    def _of(self, candidates: tuple[str, ...]) -> tuple[tuple[int, ...], ...] | None:
        """The tokens that spell each candidate; None unless each has some, and none is of two."""
        found = [self._ids(candidate.strip()) for candidate in candidates]
        once = {token for ids in found for token in ids}
        if not all(found) or len(once) < sum(map(len, found)):
            return None
        return tuple(found)

    def _ids(self, word: str) -> tuple[int, ...]:
        if self._words is None:
            self._words = _by_word(self._tokenizer.get_vocab())
        likely = self._words.get(word, ())
        return tuple(token for token in likely if self._decoded(token) == word)

    def _decoded(self, token: int) -> str:
        return str(self._tokenizer.decode([token])).strip()


def _by_word(vocabulary: dict[str, int]) -> dict[str, list[int]]:
    words: dict[str, list[int]] = {}
    for piece, token in sorted(vocabulary.items(), key=lambda one: one[1]):
        words.setdefault(piece.strip(_MARKS), []).append(token)
    return words
