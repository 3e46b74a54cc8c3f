"""Prediction files: CSV and JSON lines into columns, with every fault named by file, line and field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from commonsight.errors import PredictionError
from commonsight.store.jsonfiles import read_lines

T = TypeVar("T")

_COLUMN = re.compile(r"In CSV column #(\d+): ")
_ROW = re.compile(r"Row #(\d+): ?")
_BLOCK = 4 * 1024 * 1024


def read_records(path: Path, record: type[T]) -> list[T]:
    """Every record of a JSON-lines file."""
    return [row.value for row in read_lines(path, record)]


def csv_batches(
    path: Path, types: dict[str, pa.DataType], *, header: bool = True
) -> Iterator[pa.RecordBatch]:
    """A CSV file in batches of typed columns; without a header the columns come in the order of `types`."""
    import pyarrow.csv as csv

    read = csv.ReadOptions(block_size=_BLOCK, column_names=None if header else list(types), use_threads=False)
    convert = csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    try:
        reader = csv.open_csv(path, read, csv.ParseOptions(), convert)
        found = reader.schema.names
        if missing := [name for name in types if name not in found]:
            raise PredictionError(_missing_columns(path, missing, found))
        if doubled := [name for name in types if found.count(name) > 1]:
            raise PredictionError(f"{path}:1: the column {doubled[0]} is there twice. Keep one of each.")
        yield from reader
    except OSError as error:
        raise PredictionError(f"{path}: the file cannot be read ({error}). Check the path.") from error
    except UnicodeDecodeError as error:  # Arrow hands the header's names on as they are
        raise PredictionError(f"{path}:1: the text is not UTF-8. Save the file as UTF-8.") from error
    except pa.ArrowInvalid as error:
        names = _header(path) if header else list(types)
        raise PredictionError(_csv_message(path, str(error), names)) from error


def _missing_columns(path: Path, missing: Sequence[str], found: Sequence[str]) -> str:
    return (
        f"{path}:1: {len(missing)} columns are missing ({', '.join(missing[:3])}"
        f"{', …' if len(missing) > 3 else ''}); found {len(found)}. Write the header that the format has."
    )


def _header(path: Path) -> list[str]:
    with path.open("rb") as stream:
        return stream.readline(_BLOCK).decode("utf-8", "replace").strip().split(",")


def _csv_message(path: Path, message: str, names: Sequence[str]) -> str:
    if "Empty CSV" in message:
        return f"{path}: the file holds no predictions. Was it written in full?"
    row = _ROW.search(message)
    place = f"{path}:{row.group(1)}" if row else str(path)
    if "UTF8" in message or "UTF-8" in message:
        return f"{place}: the text is not UTF-8. Save the file as UTF-8."
    if (column := _COLUMN.search(message)) and int(column.group(1)) < len(names):
        message = message.replace(column.group(), f"{names[int(column.group(1))]}: ")
    text = (
        _ROW.sub("", message).replace("CSV parse error: ", "").replace("CSV conversion error to ", "not a ")
    )
    text = text.splitlines()[0][:200]
    return f"{place}: {text[:1].lower()}{text[1:]}. Write every row with all of its columns, as numbers."


def numbers(path: Path, batch: pa.RecordBatch, names: Sequence[str], first_row: int) -> NDArray[np.float64]:
    """Columns of a batch as one matrix (rows, names); a number that is missing or not finite is an error."""
    matrix = np.column_stack([batch.column(name).to_numpy(zero_copy_only=False) for name in names])
    bad = np.argwhere(~np.isfinite(matrix))
    if len(bad):
        row, column = bad[0]
        raise PredictionError(
            f"{path}:{first_row + int(row)}: {names[int(column)]} is {_said(matrix[row, column])}. "
            "Write a finite number in every column."
        )
    return matrix


def _said(value: Any) -> str:
    return "missing or not a number" if np.isnan(value) else f"{value}"
