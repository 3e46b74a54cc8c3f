"""Two plausible answers: wrong choices that follow from the right one, or it from them.

The judge is the one that Adversarial Matching goes by (VCR, appendix C): P_sim is the greater of both
directions of entailment. Pairs are only made within items, some items at a time: what a block takes grows
with its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.build.matching.similarity_words import stem, words_of

ITEMS_AT_ONCE = 1000


COMMON = 0.5
"""The share of the shorter text's words that the longer must have for the pair to be judged. Of 298 pairs of
real choices that the judge held to be likely, none had less in common."""
FEW = 2
"""Texts of so few words are always judged: a single synonym is all that they may share."""


def likeness(cases: Cases, judge: EmbeddedSimilarity, common: float = COMMON) -> NDArray[np.float32]:
    """P_sim of the right choice with each of its item's: (item, choice).

    NaN where there is nothing to judge, or too few words in common to be worth it.
    """
    width = int(cases.sizes.max(initial=0))
    scores = np.full((len(cases), width), np.nan, np.float32)
    for start in range(0, len(cases), ITEMS_AT_ONCE):
        some = slice(start, start + ITEMS_AT_ONCE)
        _fill(scores[some], cases.said[some], cases.gold[some].tolist(), judge, common)
    return scores


def _fill(
    scores: NDArray[np.float32],
    said: Sequence[Sequence[str]],
    gold: Sequence[int],
    judge: EmbeddedSimilarity,
    common: float,
) -> None:
    place: dict[str, int] = {}
    pairs: list[tuple[int, int, int, int]] = []  # item, choice, text of the right one, text of this one
    for row, (choices, right) in enumerate(zip(said, gold, strict=True)):
        if right < 0:
            continue
        stems = [stems_of(choice) for choice in choices]
        for at, choice in enumerate(choices):
            if at != right and worth_judging(stems[right], stems[at], common):
                one, other = [place.setdefault(text, len(place)) for text in (choices[right], choice)]
                pairs.append((row, at, one, other))
    if pairs:
        rows, columns, ones, others = np.array(pairs, np.int64).T
        scores[rows, columns] = judge.weigh_texts(list(place)).pairs(ones, others)


def worth_judging(one: frozenset[str], other: frozenset[str], common: float = COMMON) -> bool:
    """Whether two texts, by the stems of their words, have enough in common to be worth a judgement."""
    fewer = min(len(one), len(other))
    return fewer <= FEW or len(one & other) >= common * fewer


def stems_of(text: str) -> frozenset[str]:
    """The words of a text without their endings, as the judge reads them."""
    return frozenset(map(stem_of, words_of(text)))


@lru_cache(maxsize=1 << 16)
def stem_of(word: str) -> str:
    """The word without its ending, looked up where it was met before."""
    return stem(word)
