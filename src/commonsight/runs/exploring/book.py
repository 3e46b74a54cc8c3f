"""One dataset to look through, with the runs on it and what an audit found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonsight.audit.report.write import ITEMS, Flagged
from commonsight.audit.runside.irt import LEAST_RUNS
from commonsight.audit.runside.irt_model import fit
from commonsight.core.benchmark import Benchmark
from commonsight.core.hiding import without_gold
from commonsight.core.item import Item
from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.runs.exploring.attention import Attention, Looked
from commonsight.runs.exploring.cards import Card
from commonsight.runs.exploring.index import Filter, Index, Progress, make_index, plainly
from commonsight.runs.exploring.measured import Measured, measured_runs
from commonsight.runs.exploring.prompts import Prompts
from commonsight.runs.exploring.query import Columns, Query, columns, matches
from commonsight.runs.exploring.said import Floats, RunColumns, Words, columns_of
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.gold import SliceOf
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, read_info, read_row
from commonsight.store.info import DatasetInfo
from commonsight.store.lines import whole_lines
from commonsight.store.runs import AnswerLine

PAGE = 60
"""Items of a page."""
WARNINGS = "audit"
"""The filter of what an audit found."""


class PageOf(NamedTuple):
    """One page of what a query finds."""

    cards: list[Card]
    total: int
    counts: dict[str, dict[str, int]]
    before: int
    """How many there are before this page."""


class RunSays(NamedTuple):
    """What one run said of one item."""

    name: str
    score: float | None
    """By the run's metric; None where it did not answer."""
    scores: dict[str, float]
    """By every metric of an item."""
    lines: list[AnswerLine]
    looked: list[Looked]
    prompted: bool
    """Whether it can be told what was asked."""


@dataclass(frozen=True)
class Book:
    """A dataset that is open, with its runs."""

    key: str
    """What addresses call it."""
    folder: Path
    info: DatasetInfo
    benchmark: Benchmark[Scoring]
    index: Index
    runs: dict[str, RunColumns]
    measured: dict[str, Measured]
    hidden: bool = False
    """Whether nothing here may tell what is right: runs are then on the leaderboard alone."""

    @property
    def drawn(self) -> bool:
        """Whether it is of the embedded world, so that no figure here is one of the real benchmark."""
        return self.info.drawn or bool(self.index.count and self.index.cards([0])[0].drawn)

    @cached_property
    def known(self) -> Columns:
        """What items can be ordered by."""
        return columns(list(self.runs.values()), self.index.count, self._irt())

    @cached_property
    def _words(self) -> dict[str, Words]:
        return {name: Words(run.path) for name, run in self.runs.items()}

    @cached_property
    def prompts(self) -> dict[str, Prompts]:
        """Of each run that tells, what it asked."""
        told = {name: Prompts(run.path, self.folder) for name, run in self.runs.items()}
        return {name: prompts for name, prompts in told.items() if prompts.there}

    def _irt(self) -> Floats | None:
        """Difficulties by item response theory, where there are runs enough."""
        if len(self.runs) < LEAST_RUNS:
            return None
        scores = np.stack([run.score for run in self.runs.values()])
        right = np.where(np.isnan(scores), np.nan, scores > 0)
        asked = ~np.isnan(right).all(0)
        if not asked.any():
            return None
        found = np.full(self.index.count, np.nan)
        fitted = fit(right[:, asked], np.arange(int(asked.sum())), two_parameters=False)
        found[asked] = fitted.difficulty
        return found

    def page(self, query: Query, size: int = PAGE) -> PageOf:
        """One page of what a query finds."""
        found = matches(self.index, self.runs, self.known, query)
        begin = query.page * size
        cards = self.index.cards(found.rows[begin : begin + size])
        return PageOf(cards, len(found.rows), found.counts, begin)

    def beside(self, query: Query, item: str) -> tuple[str | None, str | None]:
        """The items before and after this one in a query's order."""
        rows = matches(self.index, self.runs, self.known, query).rows
        places = np.flatnonzero(rows == (self.index.row(item) if self.index.row(item) is not None else -1))
        if not len(places):
            return None, None
        at = int(places[0])
        before = self.index.ids[rows[at - 1]] if at > 0 else None
        after = self.index.ids[rows[at + 1]] if at + 1 < len(rows) else None
        return before, after

    def item(self, item: str) -> Item | None:
        """The whole item, outlines and all; None where there is none of this id."""
        place = self.index.place(item)
        if place is None:
            return None
        found = read_row(self.folder, place.split, place.row)
        return without_gold(found) if self.hidden else found

    def said(self, item: str) -> list[RunSays]:
        """What every run said of an item."""
        return [self._said(name, run, item) for name, run in self.runs.items()]

    def _said(self, name: str, run: RunColumns, item: str) -> RunSays:
        row = self.index.row(item)
        score = float(run.score[row]) if row is not None else np.nan
        told = {} if row is None else run.scores_of(row)
        looked = Attention(run.path).of(item) if run.path.is_dir() else []
        earned = None if np.isnan(score) else score
        return RunSays(name, earned, told, self._words[name].of(item), looked, name in self.prompts)


def open_book(
    folder: Path,
    runs: Sequence[Path] = (),
    audit: Path | None = None,
    progress: Progress = plainly,
    workers: int | None = None,
    hidden: bool = False,
) -> Book:
    """Open a dataset with runs on it, and what an audit found of it."""
    info = read_info(folder) if is_dataset(folder) else None
    if info is None:
        raise UsageError(f"{folder} is no dataset. Make one with `commonsight convert`, or name another.")
    benchmark = benchmark_of(Opening((folder,)))
    index = Index(make_index(folder, slices_of, progress, workers, hidden))
    if audit is not None and not hidden:
        index.filters[WARNINGS] = audit_filter(audit, index)
    measured = measured_runs(folder, benchmark, index, runs, keep=not hidden)
    shown = {} if hidden else measured
    beside = {name: columns_of(run, index, benchmark) for name, run in shown.items()}
    return Book(key_of(info.name), folder, info, benchmark, index, beside, measured, hidden)


def slices_of(folder: Path) -> Mapping[str, SliceOf]:
    """What a dataset's benchmark sorts its items by."""
    return benchmark_of(Opening((folder,))).scoring.slices


def audit_filter(audit: Path, index: Index) -> Filter:
    """What an audit found, as a filter."""
    path = audit / ITEMS
    if not path.is_file():
        remedy = "Name a folder that `commonsight audit` wrote."
        raise InvalidRecords([Problem(path, "the audit's list of items is missing", remedy)])
    pairs = sorted(
        (row, code)
        for line in whole_lines(path, Flagged)
        if (row := index.row(line.item)) is not None
        for code in line.codes
    )
    labels = tuple(dict.fromkeys(code for _, code in pairs))
    numbers = {code: number for number, code in enumerate(labels)}
    rows = np.array([row for row, _ in pairs], np.int64)
    return Filter(WARNINGS, labels, rows, np.array([numbers[code] for _, code in pairs], np.int64))


def key_of(name: str) -> str:
    """A dataset's name as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "dataset"
