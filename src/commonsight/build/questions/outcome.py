"""Raw questions to those that stay: balanced, in order, as a stream of items."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.questions.balance import balanced
from commonsight.build.questions.facts import Index
from commonsight.build.questions.report import BalanceReport, balance_report
from commonsight.build.questions.run import RawRun
from commonsight.build.questions.spool import Questions
from commonsight.core.item import Item
from commonsight.store.rows import Page


class Outcome(NamedTuple):
    """Which of the raw questions stay."""

    raw: RawRun
    facts: Index
    kept: NDArray[np.bool_]
    report: BalanceReport

    def pages(self) -> Iterator[Page]:
        """The questions that stay, in the order of the pictures, as rows."""
        return (file.page(kept) for file, kept in self._files(self.kept))

    def items(self) -> Iterator[Item]:
        """The same as items; those of a picture share its scene."""
        return self._chosen(self.kept)

    def sample(self, count: int) -> list[Item]:
        """Some of them, by lot, to be looked at."""
        orders = self.facts.orders
        places = heapq.nsmallest(count, np.flatnonzero(self.kept).tolist(), key=lambda place: orders[place])
        chosen = np.zeros(len(self.kept), dtype=np.bool_)
        chosen[places] = True
        return list(self._chosen(chosen))

    def _chosen(self, chosen: NDArray[np.bool_]) -> Iterator[Item]:
        for file, own in self._files(chosen):
            yield from file.items(own)

    def _files(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[Questions, NDArray[np.bool_]]]:
        """The files that hold some of these questions, each with which of its own they are."""
        start = 0
        for file in self.raw.spool.asked(self.raw.files):
            own = chosen[start : start + file.count]
            if own.any():
                yield file, own
            start += file.count


def decided(raw: RawRun, evenness: float | None) -> Outcome:
    """Balance the raw questions; with None for `evenness`, all of them stay."""
    index = Index()
    for file in raw.spool.asked(raw.files):
        index.update(file.columns())
    kept = np.ones(len(index), dtype=np.bool_) if evenness is None else balanced(index, evenness)
    return Outcome(raw, index, kept, balance_report(index, kept, evenness))
