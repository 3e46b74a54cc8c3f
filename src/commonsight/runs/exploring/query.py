"""What a person wants to see: filters, words and an order; and the rows that come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.errors import UsageError
from commonsight.runs.exploring.index import Index, Rows
from commonsight.runs.exploring.said import Floats, RunColumns

ORDERS = ("data", "hardest", "easiest", "surest", "unsure", "irt", "disputed")
"""As in the data; by how many runs fail; by how sure runs are; by item response theory; by disagreement."""


class Query(Struct, frozen=True):
    """A view of a dataset: everything that its address says."""

    words: str = ""
    labels: dict[str, tuple[str, ...]] = {}
    """By filter: labels of which an item must carry one."""
    right: tuple[str, ...] = ()
    """Runs that must be right."""
    wrong: tuple[str, ...] = ()
    """Runs that must be wrong."""
    differ: bool = False
    """Only items on which runs earn different things."""
    order: str = "data"
    page: int = 0


class Matches(NamedTuple):
    """What a query finds."""

    rows: Rows
    """In the order that was asked for."""
    counts: dict[str, dict[str, int]]
    """By filter and label: how many there would be with this label, all other filters as they are."""


class Columns(NamedTuple):
    """What items can be ordered by, beyond their place in the data."""

    difficulty: Floats
    """The share of runs that earn nothing; NaN where none answered."""
    sureness: Floats
    irt: Floats
    """Difficulty by item response theory, over several runs; NaN where it cannot be told."""
    spread: Floats
    """How far apart the runs' scores are."""

    def tells(self, order: str) -> bool:
        """Whether anything is known that the order goes by."""
        return order == ORDERS[0] or not bool(np.isnan(self.key(order)).all())

    def key(self, order: str) -> Floats:
        """What rows are sorted by, the lowest first; what is not known is NaN."""
        return {
            "hardest": -self.difficulty, "easiest": self.difficulty, "surest": -self.sureness,
            "unsure": self.sureness, "irt": -self.irt, "disputed": -self.spread,
        }[order]  # fmt: skip


def columns(runs: Sequence[RunColumns], count: int, irt: Floats | None = None) -> Columns:
    """Over all runs."""
    nothing = np.full(count, np.nan)
    if not runs:
        return Columns(nothing, nothing, nothing, nothing)
    scores = np.stack([run.score for run in runs])
    sure = np.stack([run.sureness for run in runs])
    answered = ~np.isnan(scores)
    failed = ((scores == 0) & answered).sum(0) / np.maximum(1, answered.sum(0))
    difficulty = np.where(answered.any(0), failed, np.nan)
    spread = np.where(answered.any(0), _extent(scores, answered), np.nan)
    return Columns(difficulty, _mean(sure), nothing if irt is None else irt, spread)


def _extent(scores: Floats, answered: NDArray[np.bool_]) -> Floats:
    most, least = np.where(answered, scores, -np.inf).max(0), np.where(answered, scores, np.inf).min(0)
    with np.errstate(invalid="ignore"):
        return np.asarray(most - least)


def _mean(values: Floats) -> Floats:
    told = ~np.isnan(values)
    return np.where(told.any(0), np.nansum(values, 0) / np.maximum(1, told.sum(0)), np.nan)


def matches(index: Index, runs: Mapping[str, RunColumns], known: Columns, query: Query) -> Matches:
    """The rows of a query, in order, with what each filter would leave."""
    masks = _label_masks(index, query)
    rest = _other_masks(index, runs, known, query)
    kept = np.logical_and.reduce([rest, *masks.values()])
    counts = {}
    for name, found in index.filters.items():
        others = [mask for other, mask in masks.items() if other != name]
        counts[name] = found.counts(np.logical_and.reduce([rest, *others]) if name in masks else kept)
    return Matches(_ordered(np.flatnonzero(kept), known, query.order), counts)


def _label_masks(index: Index, query: Query) -> dict[str, NDArray[np.bool_]]:
    masks = {}
    for name, labels in query.labels.items():
        if name not in index.filters:
            raise UsageError(f"There is no filter '{name}'. There is: {', '.join(index.filters)}.")
        masks[name] = np.zeros(index.count, np.bool_)
        masks[name][index.filters[name].members(labels)] = True
    return masks


def _other_masks(
    index: Index, runs: Mapping[str, RunColumns], known: Columns, query: Query
) -> NDArray[np.bool_]:
    kept = np.ones(index.count, np.bool_)
    if query.words.strip():
        kept[:] = False
        kept[index.search(query.words)] = True
    for name in query.right:
        kept &= _run(runs, name).right
    for name in query.wrong:
        kept &= _run(runs, name).wrong
    if query.differ:
        kept &= known.spread > 0
    return kept


def _run(runs: Mapping[str, RunColumns], name: str) -> RunColumns:
    if name not in runs:
        raise UsageError(f"There is no run '{name}'. There is: {', '.join(runs) or 'none'}.")
    return runs[name]


def _ordered(rows: Rows, known: Columns, order: str) -> Rows:
    if order not in ORDERS:
        raise UsageError(f"'{order}' is no order. There is: {', '.join(ORDERS)}.")
    if order == "data":
        return rows
    return rows[np.argsort(known.key(order)[rows], kind="stable")]  # what is not known sorts last
