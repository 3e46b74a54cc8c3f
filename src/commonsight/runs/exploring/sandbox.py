"""A stranger's prediction file, read in a process of its own that has neither the gold nor much of anything.

The process gets a file and a benchmark's name; it may use so much memory, so much time and so much disk, and
gives columns of predictions back as an Arrow file, never as anything that could run here. Scoring happens
with the gold, in the process that has it, which never reads what the stranger wrote.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from commonsight.errors import CommonsightError, PredictionError
from commonsight.score.predictions import Predictions

BAD, BEYOND = 2, 3
"""Exit codes: what was sent cannot be read; it needs more than it may use."""
ENDED = "It took too much memory or time to read. Send one line or one entry for each item, and nothing else."


class Room(NamedTuple):
    """What reading a file may use."""

    memory: int = 4 << 30
    """Bytes of address space: libraries alone map one or two of the four billion."""
    seconds: int = 60
    written: int = 256 << 20


def read_in_sandbox(benchmark: str, content: bytes, ending: str, room: Room | None = None) -> Predictions:
    """The predictions that a stranger sent. `ending` is that of the file's name, which tells its format."""
    limits = room or Room()
    with tempfile.TemporaryDirectory(prefix="commonsight-upload-") as name:
        folder = Path(name)
        given, result = folder / f"predictions{safe_ending(ending)}", folder / "columns.arrow"
        given.write_bytes(content)
        command = [sys.executable, "-m", __name__, benchmark, str(given), str(result), *map(str, limits)]
        try:
            done = subprocess.run(
                command, cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
                timeout=limits.seconds + 30, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise PredictionError(ENDED) from error
        if done.returncode == BAD:
            told = done.stderr.decode("utf-8", "replace").replace(str(given), "your file").strip()
            raise PredictionError(told[:2000] or "The file cannot be read.")
        if done.returncode or not result.is_file():
            raise PredictionError(ENDED)
        return _decoded(result)


def safe_ending(ending: str) -> str:
    """An ending of a file's name: letters and digits alone."""
    kept = "".join(letter for letter in ending.lower() if letter.isascii() and letter.isalnum())[:8]
    return f".{kept}" if kept else ""


def _environment() -> dict[str, str]:
    """Nothing of ours but what finding Python takes."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
    return kept | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}


def _decoded(path: Path) -> Predictions:
    with pa.memory_map(str(path)) as stream, pa.ipc.open_file(stream) as file:
        table = file.read_all()
        told = msgspec.json.decode(file.schema.metadata[b"told"], type=_Told)
    columns: dict[str, Any] = {}
    for name, width in told.widths.items():
        column = table.column(name).combine_chunks()
        if width is None:
            columns[name] = column
        elif width:
            columns[name] = np.asarray(column.flatten()).reshape(-1, *width)
        else:
            columns[name] = np.asarray(column)
    return Predictions(table.column("").combine_chunks(), columns, told.failures, "your file")


class _Told(msgspec.Struct):
    widths: dict[str, list[int] | None]
    """Of every column the shape of an entry; None where it is Arrow's own."""
    failures: dict[str, int]


def _encoded(predictions: Predictions, path: Path) -> None:
    arrays: dict[str, Any] = {"": predictions.ids}
    widths: dict[str, list[int] | None] = {}
    for name, column in predictions.columns.items():
        if isinstance(column, np.ndarray):
            widths[name] = list(column.shape[1:])
            flat = pa.array(column.reshape(-1))
            size = int(np.prod(column.shape[1:]))
            arrays[name] = flat if column.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, size)
        else:
            widths[name] = None
            arrays[name] = column
    told = msgspec.json.encode(_Told(widths, predictions.failures))
    schema = pa.schema([(name, array.type) for name, array in arrays.items()], {b"told": told})
    with pa.OSFile(str(path), "wb") as stream, pa.ipc.new_file(stream, schema) as file:
        file.write_table(pa.table(list(arrays.values()), schema=schema))


def _confine(room: Room) -> None:
    import resource

    for what, most in (
        (resource.RLIMIT_AS, room.memory),
        (resource.RLIMIT_CPU, room.seconds),
        (resource.RLIMIT_FSIZE, room.written),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        resource.setrlimit(what, (most, most))


def main(benchmark: str, given: str, result: str, *limits: str) -> int:
    """What the confined process does."""
    _confine(Room(*map(int, limits)))
    try:
        from commonsight.benchmarks import find

        _encoded(find(benchmark).scoring.read_predictions(Path(given)), Path(result))
    except CommonsightError as error:
        sys.stderr.write(str(error))
        return BAD
    except (MemoryError, OSError, RecursionError, pa.ArrowException):
        return BEYOND
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
