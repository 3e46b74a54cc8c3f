"""Balance: questions left out until answers and knowledge are used more evenly.

The paper filters 3 million raw questions down to 494 thousand, by the distribution of answers and by that of
the knowledge items involved (section 3). It tells no more; everything below is our own:

1. All questions stand in a random order that follows from the seed. Each question type is handled alone.
2. Knowledge. What a question says about knowledge, with the sought object left open ("BLANK UsedFor cutting
   food"), is what may serve as a hint, so that is what is counted, for a "no" as for a "yes". Each may be
   used as often as `smoothed` allows; in the random order, a question that would use one more often goes.
   Everyday categories, which only name objects, are not counted.
3. Answers. Among what is left, each answer may be given as often as `smoothed` allows. For each piece of
   knowledge, "yes" and "no" differ by one at most, or it would give the answer away; then the larger of the
   two is cut to the number of the other. The first in the random order stay.

`smoothed` lets whatever is no more frequent than the average of its type pass. What is more frequent is cut:
n times the average becomes n to the power of `evenness` times it. At 0 nothing is above the average, at 1
nothing is cut; in between, the order of frequencies stays as the world has it, only flatter.

Needs about 40 bytes a question, and nothing of the questions themselves.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.build.questions.facts import Index
from commonsight.graph.execute import NO, YES

EVENNESS = 0.5


def balanced(index: Index, evenness: float = EVENNESS) -> NDArray[np.bool_]:
    """Which questions stay."""
    kept = np.zeros(len(index), dtype=np.bool_)
    for _, places in index.by_type():
        chosen = _by_answers(index, _by_knowledge(index, places.tolist(), evenness), evenness)
        kept[chosen] = True
    return kept


def _by_knowledge(index: Index, places: Sequence[int], evenness: float) -> list[int]:
    uses = Counter(query for place in places for query in _each_once(index.queries_of(place)))
    left = smoothed(uses, evenness)
    chosen = []
    for place in places:
        queries = _each_once(index.queries_of(place))
        if 0 not in map(left.__getitem__, queries):
            for query in queries:
                left[query] -= 1
            chosen.append(place)
    return chosen


def _each_once(queries: array[int]) -> Collection[int]:
    """Most questions speak of a single piece of knowledge."""
    return queries if len(queries) < 2 else set(queries)


def _by_answers(index: Index, places: Sequence[int], evenness: float) -> list[int]:
    answers, names = index.answers, index.names
    given = Counter(answers[place] for place in places)
    if not {names[code] for code in given} <= {YES, NO}:
        return _first(index, places, smoothed(given, evenness))
    places = _paired(index, places)
    given = Counter(answers[place] for place in places)
    return _first(index, places, dict.fromkeys(given, min(given.values()) if len(given) == 2 else 0))


def _first(index: Index, places: Sequence[int], left: dict[int, int]) -> list[int]:
    """The first of each answer, as many as are allowed."""
    chosen = []
    for place in places:
        answer = index.answers[place]
        if left[answer] > 0:
            left[answer] -= 1
            chosen.append(place)
    return chosen


def _paired(index: Index, places: Sequence[int]) -> list[int]:
    """Nearly as many with "yes" as with "no", for each piece of knowledge."""
    uses: dict[int | None, Counter[int]] = {}
    for place in places:
        uses.setdefault(index.last_query(place), Counter())[index.answers[place]] += 1
    left = {
        query: dict.fromkeys(given, (min(given.values()) if len(given) == 2 else 0) + 1)
        for query, given in uses.items()
    }
    chosen = []
    for place in places:
        allowed, answer = left[index.last_query(place)], index.answers[place]
        if allowed[answer] > 0:
            allowed[answer] -= 1
            chosen.append(place)
    return chosen


def smoothed(counts: Mapping[int, int], evenness: float) -> dict[int, int]:
    """How often each may be used: as often as it is, or less if it is more frequent than the average."""
    if not counts:
        return {}
    average = sum(counts.values()) / len(counts)
    return {
        name: count if count <= average else max(1, round(average * (count / average) ** evenness))
        for name, count in counts.items()
    }
