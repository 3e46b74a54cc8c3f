"""Predictions as columns, lined up with the gold by id.

A prediction that is missing, unknown or doubled is an error that names the ids; `allow_missing` scores the
missing ones 0 and says how many there were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from commonsight.errors import PredictionError

SHOWN = 5
"""How many ids a message names before it only counts the rest."""


@dataclass(frozen=True)
class Predictions:
    """What an answerer predicted, column by column, in its own order.

    A pick of -1 or a null text is an answer that could not be read: it scores 0 and stands in `failures`.
    """

    ids: pa.Array
    columns: dict[str, Any]
    failures: dict[str, int] = field(default_factory=dict)
    source: str = "predictions"


@dataclass(frozen=True)
class Aligned:
    """Predictions in the gold's order. Where none is `present`, texts are null and numbers any row's."""

    columns: dict[str, Any]
    present: NDArray[np.bool_]
    failures: dict[str, int]


def align(gold_ids: pa.Array, predictions: Predictions, *, allow_missing: bool = False) -> Aligned:
    """Line predictions up with the gold."""
    rows = pc.index_in(gold_ids, value_set=predictions.ids)
    missing = rows.null_count
    _refuse_doubled(predictions)
    if len(predictions.ids) != len(gold_ids) - missing:
        _refuse_unknown(gold_ids, predictions)
    if missing and not allow_missing:
        lost = gold_ids.filter(pc.is_null(rows))
        raise PredictionError(
            f"{predictions.source}: no prediction for {_named(lost)}. "
            "Predict every item, or add --allow-missing to score missing ones 0."
        )
    if not len(predictions.ids):
        raise PredictionError(f"{predictions.source}: there is not a single prediction for this gold.")
    present = np.asarray(pc.is_valid(rows))
    failures = dict(predictions.failures)
    if missing:
        failures["missing"] = missing
    columns = {name: _take(column, rows) for name, column in predictions.columns.items()}
    return Aligned(columns, present, failures)


def _take(column: Any, rows: pa.Array) -> Any:
    if isinstance(column, np.ndarray):
        return column[np.asarray(pc.fill_null(rows, 0))]
    return column.take(rows)


def _refuse_doubled(predictions: Predictions) -> None:
    if len(pc.unique(predictions.ids)) == len(predictions.ids):
        return
    counts = pc.value_counts(predictions.ids)
    doubled = counts.field("values").filter(pc.greater(counts.field("counts"), 1))
    raise PredictionError(
        f"{predictions.source}: more than one prediction for {_named(doubled)}. Keep one prediction an id."
    )


def _refuse_unknown(gold_ids: pa.Array, predictions: Predictions) -> None:
    known = pc.is_in(predictions.ids, value_set=gold_ids)
    unknown = predictions.ids.filter(pc.invert(known))
    if len(unknown):
        raise PredictionError(
            f"{predictions.source}: the gold has no {_named(unknown)}. "
            "Check that predictions and gold are of the same split."
        )


def _named(ids: pa.Array) -> str:
    return named([str(value) for value in ids[:SHOWN].to_pylist()], len(ids))


def named(ids: Sequence[str], total: int) -> str:
    """Ids for a message: the first few, and how many more there are."""
    more = f" and {total - len(ids):,} more" if total > len(ids) else ""
    return f"{'id' if total == 1 else 'ids'} {', '.join(ids)}{more}"
