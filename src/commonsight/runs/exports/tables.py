"""Tables as VLMEvalKit writes them: TSV, CSV, or a spreadsheet."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from commonsight.errors import InvalidRecords, Problem, UsageError, fail
from commonsight.store.jsonfiles import BYTE_ORDER_MARK, empty_problem, unreadable_problem

DELIMITERS = {".tsv": "\t", ".csv": ","}


class Row(NamedTuple):
    """One row by column, and the line on which it begins."""

    line: int
    cells: dict[str, str]


def read_table(path: Path, needed: Sequence[str]) -> Iterator[Row]:
    """The rows of a table that has at least these columns, as texts."""
    if path.suffix == ".xlsx":
        rows = _spreadsheet(path)
    elif path.suffix in DELIMITERS:
        rows = _lines(path, DELIMITERS[path.suffix])
    else:
        raise UsageError(f"{path}: a table ends in .tsv, .csv or .xlsx. Give one of these.")
    _, header = next(rows, (0, None))
    if header is None:
        fail(empty_problem(path))
    for name in needed:
        if name not in header:
            there = ", ".join(header)
            fail(Problem(path, f"there is no column {name}", f"It has: {there}.", 1, field=name))
    for line, cells in rows:
        if len(cells) != len(header):
            message = f"{len(cells)} cells under {len(header)} columns"
            fail(Problem(path, message, "Give each row one cell a column.", line))
        yield Row(line, dict(zip(header, cells, strict=True)))


def _lines(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    try:
        stream = path.open("r", encoding="utf-8", newline="")
    except OSError as error:
        fail(unreadable_problem(path, error))
    with stream:
        yield from _parsed(path, stream, delimiter)


def _parsed(path: Path, stream: IO[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    before = csv.field_size_limit(sys.maxsize)  # a picture is one cell
    line = 1
    try:
        rows = csv.reader(stream, delimiter=delimiter, strict=True)
        for cells in rows:
            if cells:
                if line == 1:
                    cells[0] = cells[0].removeprefix(BYTE_ORDER_MARK.decode())
                yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        message = f"this row cannot be read ({error})"
        raise InvalidRecords([Problem(path, message, "Close every quote, and double those in a cell.",
                                      line)]) from error  # fmt: skip
    except UnicodeDecodeError as error:
        raise InvalidRecords([Problem(path, "the text is not UTF-8", "Save it as UTF-8.", line)]) from error
    finally:
        csv.field_size_limit(before)


def _spreadsheet(path: Path) -> Iterator[tuple[int, list[str]]]:
    if not path.is_file():
        fail(Problem(path, "there is no such file", "Check the path."))
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise UsageError(
            f"{path}: spreadsheets need openpyxl. Install it, or have VLMEvalKit write PRED_FORMAT=tsv."
        ) from error
    try:
        sheet = load_workbook(path, read_only=True).active
        rows = [["" if cell is None else str(cell) for cell in row] for row in sheet.values]
    except Exception as error:  # a damaged archive fails in many ways
        message = f"this spreadsheet cannot be read ({type(error).__name__})"
        raise InvalidRecords([Problem(path, message, "Was it copied in full?")]) from error
    yield from enumerate(rows, 1)
