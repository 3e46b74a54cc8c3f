"""JSON lines as a command's result: all of them, or no file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.store.atomic import new_file


def refuse_file(path: Path, sources: Sequence[Path], overwrite: bool) -> None:
    """Before any work: what is there must be free to take, and never be what is read."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder. Name a file for --out.")
    if path.exists() and not overwrite:
        raise UsageError(f"{path} exists already. Choose another file, or add --overwrite to replace it.")
    for source in sources:
        if path.resolve() == source.resolve():
            raise UsageError(f"{path} is what is read. Choose another file for --out.")


def write_lines(path: Path, records: Iterable[Any], problems: Sequence[Problem] = ()) -> int:
    """Write the records and say how many; raise the problems that came up on the way, and leave no file."""
    count = 0
    encode = msgspec.json.Encoder().encode
    with new_file(path) as part, part.open("wb") as stream:
        for record in records:
            stream.write(encode(record) + b"\n")
            count += 1
        if problems:
            raise InvalidRecords(problems)
    return count
