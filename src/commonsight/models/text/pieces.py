"""Pairs of texts as a transformer reads them: sub-words, with the marks of its own tokenizer around them.

For BERT that is "[CLS] query [SEP] response [SEP]". Every sub-word knows which word it is of, so that what
the transformer makes of sub-words can become what it makes of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from commonsight.errors import InputError
from commonsight.models.features.batch import Movable
from commonsight.models.text import Pair, Text

NO_WORD = -1
"""Where a mark stands."""
_LETTERS = 100
"""Of a word that are read: BERT's own tokenizer knows no longer ones."""


class Row(NamedTuple):
    """One pair, one number a piece."""

    ids: list[int]
    segments: list[int]
    """0 for the query and 1 for the response, where the transformer tells them apart."""
    words: list[int]
    """Which word of the pair, counted through the query and on through the response; `NO_WORD` for marks."""


@dataclass(frozen=True)
class PieceRows(Movable):
    """Several pairs, filled up to the longest: (row, piece) each."""

    ids: Tensor
    segments: Tensor
    words: Tensor
    mask: Tensor
    """True for pieces."""


class _Mark(NamedTuple):
    ids: list[int]
    segments: list[int]


class PairPieces:
    """Makes rows of pairs. One that is too long loses the query's first words: responses differ, queries do
    not."""

    def __init__(self, given: str, tokenizer: Any, longest: int) -> None:
        """`given` is what a person called the model, for messages."""
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        probe = tokenizer("a", "a", return_token_type_ids=True)
        if not tokenizer.is_fast or {0, 1} - set(probe.sequence_ids(0)):
            raise InputError(f"{given}: its tokenizer does not read pairs of texts. Give a model like BERT.")
        sides = probe.sequence_ids(0)
        first, second, last = sides.index(0), sides.index(1), len(sides) - sides[::-1].index(1)
        middle = len(sides) - sides[::-1].index(0)
        ids, segments = probe["input_ids"], probe["token_type_ids"]
        self._segments = (segments[first], segments[second])
        self._begin = _Mark(ids[:first], segments[:first])
        self._middle = _Mark(ids[middle:second], segments[middle:second])
        self._end = _Mark(ids[last:], segments[last:])
        self._room = longest - sum(len(mark.ids) for mark in (self._begin, self._middle, self._end))
        if self._room < 1:
            raise InputError(f"{given}: with {longest} pieces there is no room for a word. Give more.")

    def row(self, pair: Pair) -> Row:
        """The pieces of a pair."""
        second = self._pieces(pair.response, len(pair.query))[: self._room]
        first = self._pieces(pair.query, 0)
        first = first[max(0, len(first) - (self._room - len(second))) :]
        row = Row([], [], [])
        for mark, pieces, segment in (
            (self._begin, first, self._segments[0]),
            (self._middle, second, self._segments[1]),
            (self._end, [], 0),
        ):
            row.ids.extend((*mark.ids, *(piece for piece, _ in pieces)))
            row.segments.extend((*mark.segments, *(segment for _ in pieces)))
            row.words.extend((*(NO_WORD for _ in mark.ids), *(word for _, word in pieces)))
        return row

    def _pieces(self, text: Text, start: int) -> list[tuple[int, int]]:
        return [(piece, place) for place, word in enumerate(text, start) for piece in self._of(word)]

    def _of(self, word: str) -> tuple[int, ...]:
        if word not in self._known:
            # Half a surrogate pair, which tokenizers refuse, becomes a mark. The space says that a word
            # begins, which some tokenizers want to know and BERT's does not mind.
            spelled = " " + word[:_LETTERS].encode("utf-8", "replace").decode()
            self._known[word] = tuple(self._tokenizer.encode(spelled, add_special_tokens=False))
        return self._known[word]


def padded_rows(rows: Sequence[Row], padding: int) -> PieceRows:
    """Rows as tensors; `padding` is the tokenizer's own piece for what is not there."""
    longest = max(len(row.ids) for row in rows)
    ids = torch.full((len(rows), longest), padding)
    segments, words = torch.zeros_like(ids), torch.full_like(ids, NO_WORD)
    mask = torch.zeros_like(ids, dtype=torch.bool)
    for number, row in enumerate(rows):
        there = slice(len(row.ids))
        ids[number, there] = torch.tensor(row.ids)
        segments[number, there] = torch.tensor(row.segments)
        words[number, there] = torch.tensor(row.words)
        mask[number, there] = True
    return PieceRows(ids, segments, words, mask)
