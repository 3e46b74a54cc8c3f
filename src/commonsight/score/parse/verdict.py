"""Whether a stretch of text says true or false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonsight.score.parse.evidence import Clash, agreed
from commonsight.score.parse.reply import Token, first_sentence, tokens

_VALUES = {
    "true": True, "yes": True, "yeah": True, "yep": True, "correct": True, "right": True,
    "false": False, "no": False, "nope": False, "incorrect": False, "wrong": False,
}  # fmt: skip
_SURE = frozenset(("true", "false", "yes", "yeah", "yep", "nope"))
"""A verdict wherever they stand; the others are ordinary words as well ("no dog", "on the right")."""

_PREDICATES = frozenset(("correct", "incorrect"))
"""Verdicts after a form of "to be": "that is correct", but not "the correct picture"."""

_BE = frozenset(("is", "are", "was", "be", "isn't", "aren't", "wasn't", "it's", "that's", "not"))
_REACH = 2
"""A "not" at most this many words ahead turns a verdict around: "not true", "isn't entirely correct"."""


class Verdicts:
    """Reads true and false, yes and no, correct and incorrect."""

    def final(self, text: str) -> bool | Clash | None:
        """From an explicit final answer."""
        return self.named(first_sentence(text))

    def whole(self, text: str) -> bool | Clash | None:
        """From a reply whose first word is the verdict: "No, the left one is empty."."""
        first = tokens(text)[:1]
        return self.named(text) if first and first[0].word in _VALUES and first[0].stopped else None

    def named(self, text: str) -> bool | Clash | None:
        """From prose that gives one verdict, once or several times."""
        return agreed(_verdicts(tokens(text)), otherwise="both verdicts are named")

    def unfinished(self, text: str) -> bool:
        """No verdict is the beginning of another."""
        return not text


def _verdicts(words: Sequence[Token]) -> Iterator[bool | Clash]:
    denial: tuple[int, int] | None = None  # the place and the clause of the last "not"
    for place, token in enumerate(words):
        if token.word in ("not", "never") or token.word.endswith("n't"):
            denial = (place, token.clause)
        elif _is_verdict(words, place):
            denied = denial is not None and denial[1] == token.clause
            if denial is not None and denied and place - denial[0] > _REACH:
                yield Clash("a verdict is named and ruled out")
            yield _VALUES[token.word] is not denied


def _is_verdict(words: Sequence[Token], place: int) -> bool:
    token = words[place]
    if token.word in _PREDICATES and place and words[place - 1].word in _BE:
        return True
    if token.word == "no" and token.stopped:
        return True
    return token.word in _SURE or (token.word in _VALUES and place == 0 and token.stopped)
