"""Which row of one list of ids holds the same id as a row of another, for a million ids at once.

Looking strings up one by one misses the cache several times an id. Here all ids are looked up together: they
become rows of 8-byte words, the words one hash an id, and the hash a place in a table. What finds its place
taken goes on to a smaller table with another hash. Words are compared, not hashes: a match is never a guess.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Words = NDArray[np.uint64]  # (id, word)
Hashes = NDArray[np.uint64]
Rows = NDArray[np.int32]

_WORD = 8
_LONGEST = 64
"""Ids of more bytes than this are left to others: one long id would make every row as wide."""
_MOST_TABLES = 40
"""A million ids need six. Ids made to share one hash would need a table each."""
_MASKS = np.array([2 ** (8 * used) - 1 for used in range(_WORD + 1)], dtype=np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class IdIndex:
    """Ids that other lists of ids are matched with; what that needs is made once, when first asked for."""

    def __init__(self, ids: pa.Array) -> None:
        self.ids = ids

    def rows_in(self, others: pa.Array) -> Rows | None:
        """For each of these ids the row of `others` that holds it, if both hold the same ids, each once.

        None if they do not, or if the ids are not of the kind that is looked up quickly. Then whoever asks
        must find out by other means what is the matter.
        """
        if len(others) != len(self.ids) or not self._tables:
            return None
        count = np.arange(len(others), dtype=np.int32)
        if self.ids.equals(others):
            return count
        mine = self._find(others)
        if mine is None:
            return None
        rows = np.full(len(others), -1, dtype=np.int32)
        rows[mine] = count
        return rows if rows.min() >= 0 else None  # or some id of `others` stood there twice

    def _find(self, others: pa.Array) -> Rows | None:
        """For each of `others` the row here that holds it; None if one is unknown."""
        words = _words(others)
        if words is None or self._words is None or words.shape[1] != self._words.shape[1]:
            return None
        found = np.empty(len(others), dtype=np.int32)
        left: slice | NDArray[np.intp] = slice(None)
        hashes = _hashes(words)
        for table in self._tables:
            rows = table[_slots(hashes, len(table))]
            same = _same(self._words, rows, words)
            if same.all():
                found[left] = rows
                return found
            found[left] = rows  # those that are not the same are overwritten later
            other = np.flatnonzero(~same)
            left = other if isinstance(left, slice) else left[other]
            words, hashes = words.take(other, axis=0), _again(hashes[other])
        return None

    @cached_property
    def _words(self) -> Words | None:
        return _words(self.ids)

    @cached_property
    def _tables(self) -> list[Rows]:
        """Tables of rows by hash; each holds what found its place taken in the one before.

        No table at all if an id stands there twice, or if the ids are not of the kind that this is made for.
        """
        if self._words is None:
            return []
        tables: list[Rows] = []
        rows, hashes = np.arange(len(self.ids), dtype=np.int32), _hashes(self._words)
        while len(rows) and len(tables) < _MOST_TABLES:
            slots = _slots(hashes, size := 1 << (4 * len(rows)).bit_length())
            table = np.zeros(size, dtype=np.int32)
            table[slots] = rows
            tables.append(table)
            holders = table[slots]
            lost = np.flatnonzero(holders != rows)
            rows, hashes = rows[lost], _again(hashes[lost])
            if _same(self._words, holders[lost], self._words.take(rows, axis=0)).any():
                return []
        return [] if len(rows) else tables


def _words(ids: pa.Array) -> Words | None:
    """Eight bytes a word, shorter ids filled up with zeros.

    None for what this is not made for: nulls, types other than strings, very long ids, bytes of zero.
    """
    if ids.type != pa.string() or ids.null_count or not len(ids):
        return None
    _, offsets, content = ids.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[ids.offset : ids.offset + len(ids) + 1].astype(np.intp)
    lengths, first, size = np.diff(ends), int(ends[0]), int(ends[-1] - ends[0])
    longest = int(lengths.max())
    if not 0 < longest <= _LONGEST:
        return None
    padded = np.zeros(size + longest + _WORD, dtype=np.uint8)
    padded[:size] = np.frombuffer(content, dtype=np.uint8)[first : first + size]
    if not padded[:size].all():
        return None  # the end of such an id could not be told from the filling
    starts = ends[:-1] - first
    anywhere = np.ndarray(len(padded) - _WORD + 1, dtype="<u8", buffer=padded, strides=(1,))
    words = np.empty((len(ids), -(-longest // _WORD)), dtype=np.uint64)
    for column, begin in enumerate(range(0, longest, _WORD)):
        words[:, column] = anywhere[starts + begin] & _MASKS[np.clip(lengths - begin, 0, _WORD)]
    return words


def _hashes(words: Words) -> Hashes:
    mixed = np.zeros(len(words), dtype=np.uint64)
    for word in words.T:
        mixed = _again(mixed ^ word)
    return mixed


def _again(hashes: Hashes) -> Hashes:
    """Another hash out of a hash; its upper bits are the good ones."""
    mixed = hashes * _ODD
    mixed ^= mixed >> _HALF
    mixed *= _ODD
    return mixed


def _slots(hashes: Hashes, size: int) -> NDArray[np.intp]:
    return (hashes >> np.uint64(65 - size.bit_length())).astype(np.intp)


def _same(words: Words, rows: Rows, others: Words) -> NDArray[np.bool_]:
    """Whether each of these rows of `words` equals the other words."""
    picked = words.take(rows, axis=0)  # much faster than words[rows]
    same: NDArray[np.bool_] = picked[:, 0] == others[:, 0]
    for column in range(1, words.shape[1]):
        same &= picked[:, column] == others[:, column]
    return same
