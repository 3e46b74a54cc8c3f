"""The words of a call, said one after another: which may come next, so that the program stays well typed.

Texts are words with `NEXT` between them and `END` behind the last: `object NEXT white END` for Find.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

from commonsight.graph.knowledge import BLANK, RELATIONS, VISION
from commonsight.graph.programs import SIGNATURES
from commonsight.models.programs.layouts import Call

NEXT, END = "|", "."
MOST_WORDS = 8
"""Of one text; those of CRIC have up to seven."""
MOST_TEXTS = 6
"""Of a call that may have any number."""


class Kind(IntEnum):
    """What a word is, as far as it matters where it may stand."""

    WORD = 0
    BLANK = 1
    VISION = 2
    RELATION = 3
    NEXT = 4
    END = 5
    NEVER = 6
    """Padding, and what stands for unknown words."""


_KINDS = {BLANK: Kind.BLANK, VISION: Kind.VISION, NEXT: Kind.NEXT, END: Kind.END}
_KINDS |= dict.fromkeys(RELATIONS, Kind.RELATION)


def kind_of(word: str) -> Kind:
    """What a word is."""
    return _KINDS.get(word, Kind.WORD)


def spelled(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts as one sequence of words; nothing for a call without texts."""
    several = [text.split() for text in texts]
    if not several:
        return ()
    joined = [word for words in several for word in (*words, NEXT)]
    return (*joined[:-1], END)


class Saying:
    """The texts of one call while they are said."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._least, most = SIGNATURES[call.function].words
        self._most = MOST_TEXTS if most is None else most
        self._texts: list[list[str]] = [[]]
        self.over = self._most == 0

    @property
    def texts(self) -> tuple[str, ...]:
        """As far as they were said."""
        return tuple(" ".join(words) for words in self._texts if words)

    def add(self, word: str) -> None:
        """One word more, of a kind that may come next."""
        if word == END:
            self.over = True
        elif word == NEXT:
            self._texts.append([])
        else:
            self._texts[-1].append(word)

    def may(self) -> frozenset[Kind]:
        """Kinds of words that may come next; never none, as long as it is not over."""
        own, number = self._texts[-1], len(self._texts)
        missing = self._missing()
        needed = {kind for kind, is_due in missing.items() if is_due}
        if len(own) + len(needed) >= MOST_WORDS and needed:
            return frozenset(needed)
        found: set[Kind] = set()
        if self._call.queries and number == 2:
            found |= {Kind.RELATION} if not own else set()
        elif len(own) + len(needed) < MOST_WORDS:
            found |= {Kind.WORD, *missing}
        if own and not needed:
            found |= {Kind.NEXT} if number < self._most else set()
            found |= {Kind.END} if number >= self._least else set()
        return frozenset(found)

    def _missing(self) -> dict[Kind, bool]:
        """Marks that may still be said in this text, and whether it cannot do without."""
        if not self._call.queries:
            return {}
        side = 3 if self._call.function == "Find_KG_Reverse" else 1
        number = len(self._texts)
        found: dict[Kind, bool] = {}
        if number == side and BLANK not in self._texts[-1]:
            found[Kind.BLANK] = True
        seen = any(VISION in words for words in self._texts)
        if self._call.takes == 2 and number != 2 and not seen:
            found[Kind.VISION] = number == 3
        return found


def sayable(texts: Sequence[str]) -> bool:
    """Whether texts are short enough to be said."""
    return len(texts) <= MOST_TEXTS and all(0 < len(text.split()) <= MOST_WORDS for text in texts)
