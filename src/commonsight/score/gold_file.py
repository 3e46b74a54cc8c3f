"""A gold as a file, so that a large one is gathered from its items once.

An Arrow file of one row: each column is a list, since the gold's own columns differ in length.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from commonsight.score.gold import Column, Gold, Ragged
from commonsight.store.atomic import new_file

_LISTED = b"listed"
"""Where the file tells how its columns belong together."""


class _Listed(msgspec.Struct):
    """What belongs to what: names of the gold's columns, and labels of its slices, each in order."""

    ragged: dict[str, bool]
    slices: dict[str, list[str]]


def write_gold(path: Path, gold: Gold) -> None:
    """Write it beside, then rename."""
    listed = _Listed(
        {name: isinstance(column, Ragged) for name, column in gold.columns.items()},
        {name: list(labels) for name, labels in gold.slices.items()},
    )
    names, values = zip(*_columns(gold), strict=True)
    row = pa.record_batch([_one_list(column) for column in values], names=list(names))
    row = row.replace_schema_metadata({_LISTED: msgspec.json.encode(listed)})
    with new_file(path) as beside, pa.ipc.new_file(str(beside), row.schema) as writer:
        writer.write_batch(row)


def read_gold(path: Path) -> Gold:
    """The gold that was written."""
    with pa.OSFile(str(path), "rb") as source, pa.ipc.open_file(source) as reader:
        row = reader.get_batch(0)
    listed = msgspec.json.decode(row.schema.metadata[_LISTED], type=_Listed)
    found = {name: _whole(row[name]) for name in row.schema.names}
    columns: dict[str, Column] = {
        name: Ragged(found[f"of/{name}/flat"], found[f"of/{name}/counts"]) if ragged else found[f"of/{name}"]
        for name, ragged in listed.ragged.items()
    }
    slices = {
        name: {label: found[f"slice/{name}/{number}"] for number, label in enumerate(labels)}
        for name, labels in listed.slices.items()
    }
    return Gold(found["ids"], columns, found["clusters"], slices)


def _columns(gold: Gold) -> Iterator[tuple[str, Any]]:
    yield "ids", gold.ids
    yield "clusters", gold.clusters
    for name, column in gold.columns.items():
        if isinstance(column, Ragged):
            yield f"of/{name}/flat", column.flat
            yield f"of/{name}/counts", column.counts
        else:
            yield f"of/{name}", column
    for name, labels in gold.slices.items():
        for number, rows in enumerate(labels.values()):
            yield f"slice/{name}/{number}", rows


def _one_list(column: Any) -> pa.Array:
    """A list that holds the whole column."""
    values = column if isinstance(column, pa.Array) else pa.array(column)
    return pa.LargeListArray.from_arrays([0, len(values)], values)


def _whole(lists: Any) -> Column:
    """The column in a list, of the kind that it was: texts stay with Arrow, numbers are numpy's."""
    values = lists[0].values
    return values if pa.types.is_string(values.type) else values.to_numpy(zero_copy_only=False)
