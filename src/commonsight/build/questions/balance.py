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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from commonsight.build.questions.spool import Facts
from commonsight.graph.execute import NO, YES

EVENNESS = 0.5


class Index:
    """All questions by what balancing goes by, in the order in which they were made."""

    def __init__(self, facts: Iterable[Facts] = ()) -> None:
        self._names: dict[str, int] = {}
        self.types, self.answers = array("i"), array("i")
        self.queries, self.ends = array("i"), array("q", [0])
        self.functions, self.words = array("h"), array("h")
        self.orders = array("Q")
        self.add(facts)

    def add(self, facts: Iterable[Facts]) -> None:
        """More questions."""
        names, queries, ends = self._names, self.queries, self.ends
        code = names.setdefault
        for each in facts:
            self.types.append(code(each.type, len(names)))
            self.answers.append(code(each.answer, len(names)))
            for query in each.queries:
                queries.append(code(query, len(names)))
            ends.append(len(queries))
            self.functions.append(each.functions)
            self.words.append(min(each.words, 32767))
            self.orders.append(each.order)

    def __len__(self) -> int:
        return len(self.types)

    @property
    def names(self) -> list[str]:
        """What each code stands for."""
        return list(self._names)

    def queries_of(self, place: int) -> array[int]:
        """The knowledge that a question speaks of."""
        return self.queries[self.ends[place] : self.ends[place + 1]]

    def last_query(self, place: int) -> int | None:
        """The knowledge that a question comes to in the end; none if it speaks of none."""
        own = self.queries_of(place)
        return own[-1] if own else None

    def all_queries(self, places: NDArray[np.intp]) -> NDArray[np.intc]:
        """The knowledge that any of these speak of, one after another."""
        queries, ends = np.frombuffer(self.queries, dtype=np.intc), np.frombuffer(self.ends, dtype=np.int64)
        counts = ends[places + 1] - ends[places]
        before = np.cumsum(counts) - counts
        at: NDArray[np.intp] = np.arange(counts.sum()) + np.repeat(ends[places] - before, counts)
        return queries[at]

    def last_queries(self, places: NDArray[np.intp]) -> NDArray[np.intc]:
        """The knowledge that each of these comes to in the end; -1 for none."""
        queries, ends = np.frombuffer(self.queries, dtype=np.intc), np.frombuffer(self.ends, dtype=np.int64)
        last = ends[places + 1]
        found = np.full(len(places), -1, dtype=np.intc)
        some = last > ends[places]
        found[some] = queries[last[some] - 1]
        return found

    def by_type(self) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """The questions of each type, in the random order."""
        types = np.frombuffer(self.types, dtype=np.intc)
        orders = np.frombuffer(self.orders, dtype=np.uint64)
        names = self.names
        for code in sorted(set(self.types), key=lambda code: names[code]):
            own = np.flatnonzero(types == code)
            yield names[code], own[np.argsort(orders[own], kind="stable")]


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
