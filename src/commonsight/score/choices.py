"""Answers that should be one of the choices and are not: counted, or brought to the nearest choice by name.

Mapping free text to a choice is a step of its own that whoever scores must ask for, and that the scorecard
shows; without it such an answer is simply wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from commonsight.core.answer import Pick
from commonsight.score.gold import Ragged
from commonsight.score.nearest import nearest_choice
from commonsight.score.parse.reply import plain, tokens
from commonsight.text.vectors import WordVectors

LoadVectors = Callable[[frozenset[str]], WordVectors]
"""Word vectors for these words; a file of millions need not be kept whole."""


class Settled(NamedTuple):
    """Answers as choices where possible, how many were none, and what was done about it."""

    texts: pa.Array
    not_a_choice: int
    step: str | None


def settle(texts: pa.Array, choices: Ragged, load: LoadVectors | None = None) -> Settled:
    """Bring answers that are not among their choices to the nearest one, if vectors are given."""
    rows = _rows(choices)
    answers = texts.to_pylist()
    strays = [row for row, text in enumerate(answers) if text is not None and text not in rows[row]]
    if load is None or not strays:
        return Settled(texts, len(strays), None)
    said = [text for row in strays for text in (answers[row], *rows[row])]
    vectors = load(words_in(said))
    left = 0
    for row in strays:
        pick = nearest_choice(answers[row], rows[row], vectors)
        left += not isinstance(pick, Pick)
        answers[row] = rows[row][pick.index] if isinstance(pick, Pick) else None
    return Settled(pa.array(answers, pa.string()), left, step_of(vectors.name, len(strays) - left))


def step_of(vectors: str, mapped: int) -> str:
    """How a scorecard tells that answers were brought to their nearest choices."""
    return f"{rule_of(vectors)}: {mapped:,} answers mapped"


def rule_of(vectors: str) -> str:
    """The rule in words, with the vectors that it goes by."""
    return f"nearest choice by cosine of mean word vectors ({vectors})"


def positions(texts: pa.Array, choices: Ragged) -> NDArray[np.int64]:
    """Where each text stands among its choices, the first place of several; -1 if it is no choice."""
    found = [
        options.index(text) if text in options else -1
        for text, options in zip(texts.to_pylist(), _rows(choices), strict=True)
    ]
    return np.array(found, np.int64)


def _rows(choices: Ragged) -> list[list[str]]:
    ends = np.cumsum(choices.counts)
    options = choices.flat.to_pylist()
    return [options[end - count : end] for end, count in zip(ends, choices.counts, strict=True)]


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """The different words of texts, as vectors are looked up by."""
    return frozenset(token.word for text in texts for token in tokens(plain(text)))
