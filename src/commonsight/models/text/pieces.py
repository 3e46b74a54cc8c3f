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
from commonsight.models.text.marks import Spelling, marks_of

NO_WORD = -1
"""Where a mark stands."""


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


class PairPieces:
    """Makes rows of pairs. One that is too long loses the query's first words: responses differ, queries do
    not."""

    def __init__(self, given: str, tokenizer: Any, longest: int) -> None:
        """`given` is what a person called the model, for messages."""
        self._marks, self._spelling = marks_of(given, tokenizer), Spelling(tokenizer)
        self._room = longest - self._marks.pieces
        if self._room < 1:
            raise InputError(f"{given}: with {longest} pieces there is no room for a word. Give more.")

    def row(self, pair: Pair) -> Row:
        """The pieces of a pair."""
        second = self._pieces(pair.response, len(pair.query))[: self._room]
        first = self._pieces(pair.query, 0)
        first = first[max(0, len(first) - (self._room - len(second))) :]
        row = Row([], [], [])
        marks = self._marks
        for mark, pieces, segment in (
            (marks.begin, first, marks.segments[0]),
            (marks.middle, second, marks.segments[1]),
            (marks.end, [], 0),
        ):
            row.ids.extend((*mark.ids, *(piece for piece, _ in pieces)))
            row.segments.extend((*mark.segments, *(segment for _ in pieces)))
            row.words.extend((*(NO_WORD for _ in mark.ids), *(word for _, word in pieces)))
        return row

    def _pieces(self, text: Text, start: int) -> list[tuple[int, int]]:
        return [(piece, place) for place, word in enumerate(text, start) for piece in self._spelling.of(word)]


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
