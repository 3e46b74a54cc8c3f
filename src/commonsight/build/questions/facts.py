"""What balancing and reports need to know of questions, in few bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class Facts(Struct, frozen=True, gc=False):
    """What there is to know of one question."""

    type: str
    answer: str
    queries: tuple[str, ...]
    """The knowledge that it speaks of, as it says it: with what is sought left open."""
    functions: int
    words: int
    order: int
    """Its place in a random order that is always the same."""


class Columns(Struct, frozen=True, array_like=True, gc=False):
    """An index on its way to the disk: the names, and the numbers of each column as they lie in memory."""

    names: list[str]
    types: bytes
    answers: bytes
    queries: bytes
    ends: bytes
    functions: bytes
    words: bytes
    orders: bytes


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

    def columns(self) -> Columns:
        """All of it, to be put away."""
        numbers = (self.types, self.answers, self.queries, self.ends, self.functions, self.words, self.orders)
        return Columns(self.names, *(column.tobytes() for column in numbers))

    def update(self, told: Columns) -> None:
        """More questions, from another index; the result is as if they had been added one by one."""
        names = self._names
        codes = np.array([names.setdefault(name, len(names)) for name in told.names], dtype=np.intc)
        pairs = (self.types, told.types), (self.answers, told.answers), (self.queries, told.queries)
        for own, more in pairs:
            own.frombytes(codes[np.frombuffer(more, dtype=np.intc)].tobytes())
        self.ends.frombytes((np.frombuffer(told.ends, dtype=np.int64)[1:] + self.ends[-1]).tobytes())
        self.functions.frombytes(told.functions)
        self.words.frombytes(told.words)
        self.orders.frombytes(told.orders)

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
