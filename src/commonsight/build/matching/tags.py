"""Responses that can stay as they are are lent first: what it costs to move their tags to a query's image.

A response about a kite that is lent to a picture without one gives itself away, and so does one that must
point to the thirteenth object, of which nobody speaks. A sum over the tags of a response of what each costs a
query is the product of two small matrices, so it is as quick as nothing for all pairs of a bucket.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.habits import Habits
from commonsight.build.matching.scorers import RelevanceBlocks, Rows, Scores
from commonsight.build.matching.values import Pair

TAGS = 1.0
"""How much the costs below count; 0 is the paper's matching, which does not know them."""
UNMENTIONED = 0.2
"""Of a tag that stays, but is of an object that neither the query nor its own response mentions."""
MOVED = 0.3
"""Of a tag that must become another of its class, beside what is given up by it (`Habits.given_up`)."""
ABSENT = 4.0
"""Of a tag whose class is not there. All are in the unit of the weights, the logarithm of a chance."""
_UNIT = 1 / 1024
"""Costs are whole numbers of this, so that their sums are exact in whatever order they are summed."""

_Mark = tuple[str, int]
"""What a tag is: the class of its object and its number."""


def with_tags(
    relevance: RelevanceBlocks, bucket: Sequence[Pair], habits: Habits, weight: float
) -> RelevanceBlocks:
    """Relevance less what moving tags costs; as it was where there are no tags or they do not count."""
    if not weight or not any(True for pair in bucket for _ in pair.response.references()):
        return relevance
    return TaggedBlocks(relevance, bucket, habits, weight)


class TaggedBlocks:
    """log P_rel of all pairs of a bucket, less what moving the response's tags to the query's image costs."""

    def __init__(
        self, relevance: RelevanceBlocks, bucket: Sequence[Pair], habits: Habits, weight: float
    ) -> None:
        from scipy.sparse import csr_array

        self._relevance = relevance
        marks: dict[_Mark, int] = {}
        own = [[marks.setdefault(mark, len(marks)) for mark in _marks(pair)] for pair in bucket]
        ends = np.cumsum([0, *map(len, own)])
        places = np.array([place for each in own for place in each], np.int32)
        ones = np.ones(len(places), np.float32)
        self._tags = csr_array((ones, places, ends), shape=(len(bucket), len(marks)))
        self._costs = _costs(bucket, marks, habits, weight)  # (queries, marks)

    def __len__(self) -> int:
        return len(self._relevance)

    def rows(self, queries: Rows) -> Scores:
        """For these queries with all responses."""
        scores = self._relevance.rows(queries).astype(np.float32, copy=True)
        scores -= (self._tags @ self._costs[queries].T).T
        return scores


def _marks(pair: Pair) -> set[_Mark]:
    return {(pair.objects[tag], tag) for tag in pair.response.references()}


def _costs(
    bucket: Sequence[Pair], marks: dict[_Mark, int], habits: Habits, weight: float
) -> NDArray[np.float32]:
    """What each mark costs each query."""
    by_class: dict[str, list[_Mark]] = {}
    for mark in marks:
        by_class.setdefault(mark[0], []).append(mark)
    costs = np.full((len(bucket), len(marks)), ABSENT, np.float32)
    known: dict[tuple[str, tuple[int, ...]], tuple[list[int], list[float]]] = {}
    for row, pair in zip(costs, bucket, strict=True):
        there: dict[str, list[int]] = {}
        for number, label in enumerate(pair.objects):
            there.setdefault(label, []).append(number)
        for label in there.keys() & by_class.keys():
            key = (label, tuple(there[label]))
            if key not in known:
                own = by_class[label]
                known[key] = [marks[mark] for mark in own], [_moving(mark, key[1], habits) for mark in own]
            row[known[key][0]] = known[key][1]
        for number in pair.mentions():
            if (place := marks.get((pair.objects[number], number))) is not None:
                row[place] = 0.0
    return np.round(costs * np.float32(weight / _UNIT)) * np.float32(_UNIT)


def _moving(mark: _Mark, there: Sequence[int], habits: Habits) -> float:
    """What a tag costs an image that has objects of its class with these numbers."""
    label, number = mark
    if number in there:
        return UNMENTIONED
    return MOVED + min(habits.given_up(label, number, other) for other in there)
