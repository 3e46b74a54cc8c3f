"""Predictions as columns, lined up with the gold by id.

A prediction that is missing, unknown or doubled is an error that names the ids; `allow_missing` scores the
missing ones 0 and says how many there were.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from commonsight.errors import InputError, PredictionError
from commonsight.score.matching import IdIndex

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


def align(
    gold_ids: pa.Array,
    predictions: Predictions,
    *,
    allow_missing: bool = False,
    index: IdIndex | None = None,
) -> Aligned:
    """Line predictions up with the gold; `index` is that of the gold's ids, where it was made before."""
    rows = (index or IdIndex(gold_ids)).rows_in(predictions.ids)
    if rows is None:
        return _align_with_faults(gold_ids, predictions, allow_missing)
    present = np.ones(len(gold_ids), dtype=np.bool_)
    return Aligned(_taken(predictions, pa.array(rows)), present, dict(predictions.failures))


def kept_only(predictions: Predictions, ids: Collection[str]) -> Predictions:
    """Those for these items alone: a dataset may have lost some since they were made."""
    inside = [place for place, item in enumerate(predictions.ids.to_pylist()) if item in ids]
    rows = pa.array(inside, pa.int64())
    return replace(predictions, ids=predictions.ids.take(rows), columns=_taken(predictions, rows))


def _align_with_faults(gold_ids: pa.Array, predictions: Predictions, allow_missing: bool) -> Aligned:
    """The same where ids do not match one to one: says which are at fault, or leaves out missing ones."""
    _refuse_doubled_gold(gold_ids)
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
    return Aligned(_taken(predictions, rows), present, failures)


def _taken(predictions: Predictions, rows: pa.Array) -> dict[str, Any]:
    numbers = np.asarray(pc.fill_null(rows, 0))
    return {
        name: column.take(numbers, axis=0) if isinstance(column, np.ndarray) else column.take(rows)
        for name, column in predictions.columns.items()
    }


def _refuse_doubled_gold(gold_ids: pa.Array) -> None:
    doubled = _doubled(gold_ids)
    if len(doubled):
        raise InputError(
            f"The gold holds {len(doubled):,} ids more than once, such as {doubled[0]}. "
            "Give each file or dataset once, and one split of them (--split)."
        )


def _refuse_doubled(predictions: Predictions) -> None:
    doubled = _doubled(predictions.ids)
    if len(doubled):
        raise PredictionError(
            f"{predictions.source}: more than one prediction for {_named(doubled)}. "
            "Keep one prediction an id."
        )


def _doubled(ids: pa.Array) -> pa.Array:
    """The ids that stand there more than once."""
    if len(pc.unique(ids)) == len(ids):
        return ids[:0]
    counts = pc.value_counts(ids)
    return counts.field("values").filter(pc.greater(counts.field("counts"), 1))


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
