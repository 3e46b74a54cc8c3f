"""What a tokenizer puts around texts, and how it spells words: found out by asking it, so that any is right.

BERT reads "[CLS] query [SEP] response [SEP]", RoBERTa "<s> query </s></s> response </s>", and the latter
wants to know where words begin.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from commonsight.errors import InputError

_LETTERS = 100
"""Of a word that are read: BERT's own tokenizer knows no longer ones."""


class Mark(NamedTuple):
    """Pieces that stand for no word."""

    ids: list[int]
    segments: list[int]


class Marks(NamedTuple):
    """What stands before a query, between it and a response, and after that; and the segments of both.

    Around a response alone nothing stands in the middle.
    """

    begin: Mark
    middle: Mark
    end: Mark
    segments: tuple[int, int]

    @property
    def pieces(self) -> int:
        """How many pieces they are."""
        return sum(len(mark.ids) for mark in self[:3])


def marks_of(given: str, tokenizer: Any, *, pair: bool = True) -> Marks:
    """Those of a tokenizer; `given` is what a person called the model, for messages."""
    probe = tokenizer(*("a", "a")[: 2 if pair else 1], return_token_type_ids=True)
    if not tokenizer.is_fast or {0, int(pair)} - set(probe.sequence_ids(0)):
        raise InputError(f"{given}: its tokenizer does not read pairs of texts. Give a model like BERT.")
    sides = probe.sequence_ids(0)
    first, second = sides.index(0), sides.index(int(pair))
    middle, last = (len(sides) - sides[::-1].index(side) for side in (0, int(pair)))
    ids, segments = probe["input_ids"], probe["token_type_ids"]
    between = slice(middle, second) if pair else slice(0, 0)
    return Marks(
        Mark(ids[:first], segments[:first]),
        Mark(ids[between], segments[between]),
        Mark(ids[last:], segments[last:]),
        (segments[first], segments[second]),
    )


class Spelling:
    """Words as pieces, each looked up once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}

    def of(self, word: str) -> tuple[int, ...]:
        """The pieces of a word that stands within a text."""
        if word not in self._known:
            # Half a surrogate pair, which tokenizers refuse, becomes a mark. The space says that a word
            # begins, which some tokenizers want to know and BERT's does not mind.
            spelled = " " + word[:_LETTERS].encode("utf-8", "replace").decode()
            self._known[word] = tuple(self._tokenizer.encode(spelled, add_special_tokens=False))
        return self._known[word]
