"""BLEU (Papineni et al., 2002): how many runs of words a text shares with its references.

Exact for a sentence and for a corpus. Runs longer than the text itself are left out, so that a short text can
reach 1. Texts are given as tokens: whoever calls decides what a word is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

Smoothing = Literal["none", "floor", "add-one", "exponential"]
"""What is done where a text shares no run of some length, which else makes the whole score 0.

none         as published
floor        a tenth of a match (Chen and Cherry, 2014, method 1)
add-one      one match more among one run more, from pairs of words on (Lin and Och, 2004)
exponential  half a match the first time, a quarter the second, … (NIST; what sacrebleu does)
"""
LONGEST = 4
_FLOOR = 0.1


class BleuCounts(Struct, frozen=True):
    """What the score of a text is made of; those of a corpus are sums."""

    matches: tuple[int, ...]
    """Shared runs by their length, from one word on, each counted no more often than in a reference."""
    totals: tuple[int, ...]
    length: int
    reference: int
    """Words of the reference that comes nearest in length, the shorter of two."""

    def __add__(self, other: BleuCounts) -> BleuCounts:
        return BleuCounts(
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            self.length + other.length,
            self.reference + other.reference,
        )

    def score(self, smoothing: Smoothing = "none") -> float:
        """Between 0 and 1: the geometric mean of the precisions, less where the text is too short."""
        precisions = _precisions(self.matches, self.totals, smoothing)
        if not precisions or min(precisions) <= 0.0:
            return 0.0
        mean = math.exp(math.fsum(math.log(value) for value in precisions) / len(precisions))
        brevity = 1.0 if self.length >= self.reference else math.exp(1.0 - self.reference / self.length)
        return brevity * mean


def bleu_counts(
    text: Sequence[str], references: Sequence[Sequence[str]], *, longest: int = LONGEST
) -> BleuCounts:
    """The counts of one text against one or several references."""
    if not references:
        raise ValueError("BLEU needs at least one reference")
    matches, totals = [], []
    for size in range(1, longest + 1):
        runs = _runs(tuple(text), size)
        most = _most([_runs(tuple(reference), size) for reference in references])
        matches.append(sum(min(runs[run], most[run]) for run in runs.keys() & most.keys()))
        totals.append(max(0, len(text) - size + 1))
    lengths = [len(reference) for reference in references]
    nearest = min(lengths, key=lambda length: (abs(length - len(text)), length))
    return BleuCounts(tuple(matches), tuple(totals), len(text), nearest)


def sentence_bleu(
    text: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    longest: int = LONGEST,
    smoothing: Smoothing = "none",
) -> float:
    """The BLEU of one text."""
    return bleu_counts(text, references, longest=longest).score(smoothing)


def corpus_bleu(
    pairs: Iterable[tuple[Sequence[str], Sequence[Sequence[str]]]],
    *,
    longest: int = LONGEST,
    smoothing: Smoothing = "none",
) -> float:
    """The BLEU of texts, each with its references: counts are summed before anything is divided."""
    counts = [bleu_counts(text, references, longest=longest) for text, references in pairs]
    return sum(counts[1:], counts[0]).score(smoothing) if counts else 0.0


@lru_cache(maxsize=1 << 14)  # one text is mostly compared with many, or many with one
def _runs(words: tuple[str, ...], size: int) -> dict[tuple[str, ...], int]:
    return dict(Counter(words[start : start + size] for start in range(len(words) - size + 1)))


def _most(counts: Sequence[Mapping[tuple[str, ...], int]]) -> Mapping[tuple[str, ...], int]:
    """Each run as often as in the reference that has most of it."""
    if len(counts) == 1:
        return counts[0]
    return {run: max(other.get(run, 0) for other in counts) for one in counts for run in one}


def _precisions(matches: Sequence[int], totals: Sequence[int], smoothing: Smoothing) -> list[float]:
    """One a length that the text has runs of; nothing is smoothed where not even a single word is shared."""
    if not matches or not matches[0]:
        return []
    possible = [(size, *pair) for size, pair in enumerate(zip(matches, totals, strict=True), 1) if pair[1]]
    if smoothing == "add-one":
        return [found / total if size == 1 else (found + 1) / (total + 1) for size, found, total in possible]
    stand_in = _stand_ins(smoothing)
    return [(found or stand_in()) / total for _, found, total in possible]


def _stand_ins(smoothing: Smoothing) -> Callable[[], float]:
    """What counts as matched where nothing is, from one length to the next."""
    missing = 0

    def next_one() -> float:
        nonlocal missing
        missing += 1
        return {"floor": _FLOOR, "exponential": 0.5**missing}.get(smoothing, 0.0)

    return next_one
