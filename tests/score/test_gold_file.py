"""A gold that is written and read is the gold that it was."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from commonsight.score.gold import Gold, Ragged
from commonsight.score.gold_file import read_gold, write_gold

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
numbers = st.integers(-(2**62), 2**62)


@st.composite
def golds(draw: DrawFn) -> Gold:
    size = draw(st.integers(1, 5))

    def rows(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=size, max_size=size))

    def column() -> Any:
        kind = draw(st.sampled_from(["int", "bool", "text", "ints", "texts"]))
        if kind == "int":
            return np.array(rows(numbers), np.int64)
        if kind == "bool":
            return np.array(rows(st.booleans()), np.bool_)
        if kind == "text":
            return pa.array(rows(words), pa.string())
        several = rows(st.lists(numbers if kind == "ints" else words, max_size=3))
        counts = np.array([len(one) for one in several], np.int64)
        flat = [value for one in several for value in one]
        return Ragged(np.array(flat, np.int64) if kind == "ints" else pa.array(flat, pa.string()), counts)

    def labels() -> dict[str, Any]:
        told = draw(st.lists(names, max_size=3, unique=True))
        return {label: np.array(draw(st.lists(st.integers(0, size - 1))), np.int64) for label in told}

    ids = pa.array(draw(st.lists(words, min_size=size, max_size=size, unique=True)), pa.string())
    columns = {name: column() for name in draw(st.lists(names, max_size=3, unique=True))}
    clusters = np.array(rows(st.integers(0, size)), np.int64)
    return Gold(ids, columns, clusters, {name: labels() for name in draw(st.lists(names, max_size=2))})


def told(column: Any) -> Any:
    """A column as plain values, with the kind that it is of."""
    if isinstance(column, Ragged):
        return told(column.flat), told(column.counts)
    if isinstance(column, pa.Array):
        return str(column.type), column.to_pylist()
    return str(column.dtype), column.tolist()


def plain(gold: Gold) -> Any:
    slices = {
        name: {label: told(rows) for label, rows in labels.items()} for name, labels in gold.slices.items()
    }
    columns = {name: told(column) for name, column in gold.columns.items()}
    return told(gold.ids), columns, told(gold.clusters), slices


@given(golds())
def test_what_is_read_is_what_was_written(gold: Gold) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new" / "gold.arrow"
        write_gold(path, gold)
        assert plain(read_gold(path)) == plain(gold)
        assert [one.name for one in path.parent.iterdir()] == ["gold.arrow"]
