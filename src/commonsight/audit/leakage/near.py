"""Texts that are nearly the same, among any number of texts: MinHash, and bands of it that agree by chance.

Two texts are as near as the share of their words, repeats counted, that they have in common (Jaccard). The
first of their words under a random order is the same in both with just that chance, so that several such
orders in a row, a band, rarely agree where texts are far apart, and one of many bands nearly always does
where they are near. What agrees is compared word by word: nothing is called near that is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]

BANDS = 30
ROWS = 6
"""With 30 bands of 6, texts that have 3/4 of their words in common are missed once in 350 times, and of those
that have 1/5 in common one in 500 is compared in vain."""
CROWD = 64
"""Where more texts than this agree in a band, each is compared with the next few and not with all."""
NEXT = 8


class Near(NamedTuple):
    """Pairs of texts, by position, the first before the second, and how near each is."""

    ones: Places
    others: Places
    likeness: NDArray[np.float64]


def near_texts(texts: Sequence[tuple[str, ...]], threshold: float, seed: int) -> Near:
    """All pairs of texts that have this share of their words in common, exact doubles among them."""
    bags = [_bag(text) for text in texts]
    filled = np.array([place for place, bag in enumerate(bags) if bag], np.int64)
    none = np.empty(0, np.int64)
    if len(filled) < 2:
        return Near(none, none, np.empty(0))
    sizes = np.array([len(bag) for bag in bags], np.int64)
    codes = np.unique(np.concatenate(list(_agreeing(bags, filled, seed, len(texts)))))
    ones, others = np.divmod(codes, len(texts))
    less, more = np.minimum(sizes[ones], sizes[others]), np.maximum(sizes[ones], sizes[others])
    possible = less >= threshold * more
    ones, others = ones[possible], others[possible]
    pairs = zip(ones.tolist(), others.tolist(), strict=True)
    likeness = np.array([_jaccard(bags[one], bags[other]) for one, other in pairs])
    near = np.flatnonzero(likeness >= threshold - 1e-9)
    return Near(ones[near], others[near], likeness[near])


def _bag(text: tuple[str, ...]) -> frozenset[tuple[str, int]]:
    """The words of a text, the second of its kind apart from the first."""
    seen: Counter[str] = Counter()
    found = []
    for word in text:
        found.append((word, seen[word]))
        seen[word] += 1
    return frozenset(found)


def _jaccard(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def _agreeing(
    bags: Sequence[frozenset[tuple[str, int]]], filled: Places, seed: int, count: int
) -> Iterator[Places]:
    """Pairs that agree in a band, as one number each: the first times `count` plus the second."""
    place: dict[tuple[str, int], int] = {}
    words = [[place.setdefault(word, len(place)) for word in sorted(bags[at])] for at in filled.tolist()]
    flat = np.array([word for text in words for word in text], np.int64)
    starts = np.cumsum([0, *map(len, words[:-1])])
    rng = np.random.default_rng([seed, 6])
    for _ in range(BANDS):
        keys = np.zeros(len(filled), np.uint64)
        for _ in range(ROWS):
            order = rng.integers(0, 1 << 62, len(place), np.uint64)
            least = np.minimum.reduceat(order[flat], starts)
            keys = (keys ^ least) * np.uint64(0x9E3779B97F4A7C15)  # wraps round, as it should
            keys ^= keys >> np.uint64(29)
        ones, others = agreeing_pairs(keys)
        yield filled[ones] * count + filled[others]


def agreeing_pairs(keys: NDArray[np.uint64]) -> tuple[Places, Places]:
    """Places whose keys are the same, in pairs, the lower place first; in a crowd, with the next few only."""
    order = np.argsort(keys, kind="stable").astype(np.int64)
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.diff(np.r_[starts, len(keys)])
    run = np.repeat(np.arange(len(starts)), sizes)
    reach = np.where(sizes > CROWD, NEXT, sizes - 1)
    ones, others = [], []
    for step in range(1, int(reach.max(initial=0)) + 1):
        first = np.flatnonzero(reach[run] >= step)
        first = first[first + step < len(keys)]
        first = first[run[first] == run[np.minimum(first + step, len(keys) - 1)]]
        ones.append(order[first])
        others.append(order[first + step])
    if not ones:
        none = np.empty(0, np.int64)
        return none, none
    return np.concatenate(ones), np.concatenate(others)
