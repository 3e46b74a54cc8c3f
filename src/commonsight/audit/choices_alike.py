"""Two plausible answers: wrong choices that follow from the right one, or it from them.

The judge is the one that Adversarial Matching goes by (VCR, appendix C): P_sim is the greater of both
directions of entailment. Pairs are only made within items, some items at a time: what a block takes grows
with its words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.build.matching.similarity import EmbeddedSimilarity

ITEMS_AT_ONCE = 1000


def likeness(cases: Cases, judge: EmbeddedSimilarity) -> NDArray[np.float32]:
    """P_sim of the right choice with each of its item's: (item, choice), NaN where there is none."""
    width = int(cases.sizes.max(initial=0))
    scores = np.full((len(cases), width), np.nan, np.float32)
    for start in range(0, len(cases), ITEMS_AT_ONCE):
        some = slice(start, start + ITEMS_AT_ONCE)
        _fill(scores[some], cases.said[some], cases.gold[some].tolist(), judge)
    return scores


def _fill(
    scores: NDArray[np.float32], said: Sequence[Sequence[str]], gold: Sequence[int], judge: EmbeddedSimilarity
) -> None:
    place: dict[str, int] = {}
    pairs: list[tuple[int, int, int, int]] = []  # item, choice, text of the right one, text of this one
    for row, (choices, right) in enumerate(zip(said, gold, strict=True)):
        if right >= 0:
            texts = [place.setdefault(choice, len(place)) for choice in choices]
            pairs += [(row, at, texts[right], text) for at, text in enumerate(texts) if at != right]
    if pairs:
        rows, columns, ones, others = np.array(pairs, np.int64).T
        scores[rows, columns] = judge.weigh_texts(list(place)).pairs(ones, others)
