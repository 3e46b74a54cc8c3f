"""Words, pairs and triples of words as columns of a sparse matrix: which text holds which.

Made from arrays of numbers, not from a Python loop over runs of words: a hundred thousand choices take
seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

LONGEST = 3
"""Runs of up to three words."""

_WORD = re.compile(r"[^\W\d_]+(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b|\w+")


def words_in(text: str) -> list[str]:
    """The words of a text in lower case, negations and endings apart as treebanks write them: `ca`, `n't`."""
    return _WORD.findall(text.lower().replace("’", "'"))


class Grams(NamedTuple):
    """Which row (a text) holds which gram: ones, each gram once a text, however often it stands there."""

    names: tuple[str, ...]
    sizes: Ints
    """How many words each gram has."""
    holds: Any
    """Sparse, (row, gram), of float64."""


def grams_of(texts: Sequence[str], *, least: int, longest: int = LONGEST) -> Grams:
    """Every run of words that at least `least` of the texts hold, in the order of its spelling."""
    flat = _flat(texts)
    names: list[str] = []
    sizes: list[int] = []
    rows: list[Ints] = []
    columns: list[Ints] = []
    spelled: list[str] = flat.vocabulary
    codes = flat.codes
    for size in range(1, longest + 1):
        kept = _frequent(codes if size == 1 else _lengthened(codes, flat, size - 1), flat.rows, least)
        spelled = _spellings(kept.codes, spelled, flat.vocabulary, size)
        rows.append(kept.rows)
        columns.append(kept.columns + len(names))
        names.extend(spelled)
        sizes.extend([size] * len(spelled))
        codes = kept.places  # (word,): the number of the frequent run that begins here, or -1
    return Grams(tuple(names), np.array(sizes, np.int64), _ones(rows, columns, (len(texts), len(names))))


class _Flat(NamedTuple):
    """All texts, one after the other, as numbers of words."""

    codes: Ints
    rows: Ints
    vocabulary: list[str]


def _flat(texts: Iterable[str]) -> _Flat:
    seen: dict[str, int] = {}
    codes: list[int] = []
    lengths: list[int] = []
    for text in texts:
        words = words_in(text)
        lengths.append(len(words))
        codes.extend([seen.setdefault(word, len(seen)) for word in words])
    rows = np.repeat(np.arange(len(lengths), dtype=np.int64), np.array(lengths, np.int64))
    return _Flat(np.array(codes, np.int64), rows, list(seen))


def _lengthened(heads: Ints, flat: _Flat, reach: int) -> Ints:
    """Each frequent run of `reach` words with the word after it in the same text; -1 where there is none."""
    joined = np.full(len(heads), -1, np.int64)
    if len(heads) > reach:
        goes_on = (flat.rows[:-reach] == flat.rows[reach:]) & (heads[:-reach] >= 0)
        longer = heads[:-reach] * len(flat.vocabulary) + flat.codes[reach:]
        joined[:-reach] = np.where(goes_on, longer, -1)
    return joined


class _Frequent(NamedTuple):
    codes: Ints
    """The code of each frequent run, in order."""
    rows: Ints
    columns: Ints
    """The runs that each row holds, each once."""
    places: Ints
    """(word,): the column of the run that begins here, or -1."""


def _frequent(codes: Ints, owners: Ints, least: int) -> _Frequent:
    found, numbers = np.unique(codes, return_inverse=True)
    pairs = np.unique(owners * max(1, len(found)) + numbers)  # a text counts once, however often it says it
    rows, runs = np.divmod(pairs, max(1, len(found)))
    counts = np.bincount(runs, minlength=len(found))
    chosen = (counts >= least) & (found >= 0)
    column = np.where(chosen, np.cumsum(chosen) - 1, -1).astype(np.int64)  # (run,)
    kept = chosen[runs]
    return _Frequent(found[chosen], rows[kept], column[runs[kept]], column[numbers])


def _spellings(codes: Ints, heads: Sequence[str], vocabulary: Sequence[str], size: int) -> list[str]:
    if size == 1:
        return [vocabulary[code] for code in codes.tolist()]
    count = len(vocabulary)
    return [f"{heads[code // count]} {vocabulary[code % count]}" for code in codes.tolist()]


def _ones(rows: Sequence[Ints], columns: Sequence[Ints], shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_matrix  # slow to import, and most commands need none

    row, column = np.concatenate(rows), np.concatenate(columns)
    return csr_matrix((np.ones(len(row)), (row, column)), shape=shape)
