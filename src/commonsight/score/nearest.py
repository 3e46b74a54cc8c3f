"""A-OKVQA's way from free text to a choice: the one whose words are nearest in a space of word vectors.

A step of its own, never part of the parser: it always prefers some choice, however far, so a run that uses it
says so, and names its vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.core.answer import Pick, Unparsed
from commonsight.score.parse.reply import plain, tokens
from commonsight.text.vectors import WordVectors


def nearest_choice(text: str, choices: Sequence[str], vectors: WordVectors) -> Pick | Unparsed:
    """The choice with the greatest cosine between mean word vectors.

    A choice that is the text itself, but for case, is picked at once. Words without a vector are skipped. A
    choice none of whose words has a vector cannot be picked. Of equally near choices the first is.
    """
    own = same_choice(text, choices)
    if own is not None:
        return own
    target = direction(text, vectors)
    if target is None:
        return Unparsed(text, "no word of the text has a vector")
    directions = [direction(choice, vectors) for choice in choices]
    cosines = [-np.inf if choice is None else float(target @ choice) for choice in directions]
    if max(cosines, default=-np.inf) == -np.inf:
        return Unparsed(text, "no word of any choice has a vector")
    return Pick(int(np.argmax(cosines)))  # argmax gives the first of equals


def same_choice(text: str, choices: Sequence[str]) -> Pick | None:
    """The choice that is the text itself, but for case; the first of several."""
    same = [plain(choice).casefold() for choice in choices]
    said = plain(text).casefold()
    return Pick(same.index(said)) if said in same else None


def direction(text: str, vectors: WordVectors) -> NDArray[np.float64] | None:
    """The mean vector of a text's known words at length 1; None if no word is known or they cancel out."""
    known = [vector for token in tokens(plain(text)) if (vector := vectors.lookup(token.word)) is not None]
    if not known:
        return None
    mean = np.stack(known).astype(np.float64).mean(axis=0)  # (dim,)
    length = float(np.linalg.norm(mean))
    return mean / length if length > 0 else None
