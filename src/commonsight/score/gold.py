"""The gold as columns: what the rules need of each item, and nothing more.

A million items as Python objects would not fit where a million labels do, so items are read as a stream and
only their labels, groups and slices are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from commonsight.core.item import Item
from commonsight.errors import InputError
from commonsight.score.matching import IdIndex

Kind = Literal["int", "bool", "text", "ints", "texts"]


class GoldColumn(NamedTuple):
    """One column: how it is taken from an item, and of what kind its values are."""

    kind: Kind
    of: Callable[[Item], Any]


class Ragged(NamedTuple):
    """A list per row, kept flat: the values of all rows in order, and how many each row has."""

    flat: Any
    counts: NDArray[np.int64]


Column = Any
"""A numpy array ("int", "bool"), an Arrow string array ("text"), or a `Ragged` of either."""

Labels = dict[str, NDArray[np.int64]]
"""A slice's labels, each with the rows that carry it. A row may carry several, or none."""


@dataclass(frozen=True)
class Gold:
    """The gold of many items, column by column."""

    ids: pa.Array
    columns: dict[str, Column]
    clusters: NDArray[np.int64]
    """Which items are not independent of one another, by number: same image, or same sentence."""
    slices: dict[str, Labels]

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def index(self) -> IdIndex:
        """The ids, to be looked up; many runs may be scored against one gold."""
        return IdIndex(self.ids)


SliceOf = Callable[[Item], tuple[str, ...]]


def gather(
    items: Iterable[Item],
    columns: Mapping[str, GoldColumn],
    cluster_of: Callable[[Item], str],
    slices: Mapping[str, SliceOf],
) -> Gold:
    """Read a stream of items into columns."""
    ids: list[str] = []
    values: dict[str, list[Any]] = {name: [] for name in columns}
    cluster_numbers: dict[str, int] = {}
    clusters: list[int] = []
    members: dict[str, dict[str, list[int]]] = {name: {} for name in slices}
    for row, item in enumerate(items):
        ids.append(item.id)
        for name, column in columns.items():
            values[name].append(column.of(item))
        clusters.append(cluster_numbers.setdefault(cluster_of(item), len(cluster_numbers)))
        for name, labels_of in slices.items():
            for label in labels_of(item):
                members[name].setdefault(label, []).append(row)
    if not ids:
        raise InputError(
            "The gold holds no items. Give --gold a native file or a dataset with labelled items."
        )
    return Gold(
        pa.array(ids, pa.string()),
        {name: _packed(column.kind, values[name]) for name, column in columns.items()},
        np.array(clusters, dtype=np.int64),
        {
            name: {label: np.array(rows, dtype=np.int64) for label, rows in sorted(labels.items())}
            for name, labels in members.items()
        },
    )


def _packed(kind: Kind, values: list[Any]) -> Column:
    if kind == "int":
        return np.array(values, dtype=np.int64)
    if kind == "bool":
        return np.array(values, dtype=np.bool_)
    if kind == "text":
        return pa.array(values, pa.string())
    counts = np.fromiter((len(value) for value in values), dtype=np.int64, count=len(values))
    flat = [entry for value in values for entry in value]
    if kind == "ints":
        return Ragged(np.array(flat, dtype=np.int64), counts)
    return Ragged(pa.array(flat, pa.string()), counts)


def any_equal(wanted: Ragged, given: Column) -> NDArray[np.int64]:
    """How many of each row's wanted values equal the row's given one."""
    rows = np.repeat(np.arange(len(wanted.counts)), wanted.counts)
    if isinstance(wanted.flat, np.ndarray):
        same = wanted.flat == given[rows]
    else:
        import pyarrow.compute as pc

        equal = pc.equal(wanted.flat, given.take(pa.array(rows)))
        same = np.asarray(pc.fill_null(equal, False))
    return np.bincount(rows[same], minlength=len(wanted.counts))
